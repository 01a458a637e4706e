"""Cases of memory: chains that are followed, streams that are read and written, and the roofline's work."""

import numpy as np

from hopperlab.kernels import holding, memory, roofline
from hopperlab.kernels.memory import chases, stream
from hopperlab.measure.kernel_outputs.case import (
    ALONE_ON_AN_SM,
    BASE,
    CLOCK,
    CYCLES,
    SMS,
    Case,
    case,
    enter,
    real,
    words,
)

TIMES = {"times": CLOCK}
LINE = 16
"""Words from one line of a ring to the next."""


def _order(seed: int, lines: int) -> np.ndarray:
    """Give the numbers of lines in some order, 0 first."""
    others = np.argsort(words(seed, lines - 1), kind="stable") + 1
    return np.concatenate([[0], others]).astype(np.uint32)


def _ring(seed: int, lines: int) -> np.ndarray:
    """Give a ring as `link_up` makes it, in bytes from its beginning."""
    ring, order = np.zeros(lines * LINE, np.uint64), _order(seed, lines)
    ring[order.astype(int) * LINE] = np.roll(order, -1).astype(np.uint64) * np.uint64(8 * LINE)
    return ring


def _result(dtype: type = np.uint32) -> np.ndarray:
    return np.zeros(1, dtype)


def _number(value: int) -> np.int32:
    return np.int32(value)


@case
def link_up(seed: int) -> Case:
    """A ring of some lines at an address of its own."""
    lines = 40 + 10 * seed
    arguments = (np.zeros(lines * LINE, np.uint64), np.uint64(2**40 + seed), _order(seed, lines))
    return Case(memory.link_up, 2, 32, (*arguments, np.uint64(LINE)))


@case
def chase_indices(seed: int) -> Case:
    """A chain of indices."""
    order = _order(seed, 50)
    chain = np.zeros(50, np.uint32)
    chain[order] = np.roll(order, -1)
    arguments = (chain, _number(chases.UNROLLED * (1 + seed)), _result(), _result())
    return Case(memory.chase, 1, 1, arguments, undetermined=CYCLES)


def _following(name: str, through_l1: bool) -> None:
    def make(seed: int) -> Case:
        lines, hops = 40 + seed, chases.UNROLLED * (1 + seed)
        arguments = (_ring(seed, lines), BASE, np.uint64(LINE), _number(lines), _number(hops))
        return Case(
            memory.chase_addresses(through_l1),
            1,
            32,
            (*arguments, _result(), _result(np.uint64)),
            undetermined=CYCLES,
            pointers=("words", "ends"),
        )

    enter(name, make)


_following("chase_addresses", through_l1=True)
_following("chase_addresses, past L1", through_l1=False)


@case
def count_misses(seed: int) -> Case:
    """A ring of some lines; how late they are is the machine's own."""
    lines = 40 + seed
    arguments = (_ring(seed, lines), BASE, np.zeros(lines, np.uint8), _result(np.uint64))
    return Case(
        memory.count_misses, 1, 1, arguments, undetermined={"misses": CLOCK}, pointers=("words", "ends")
    )


def _revisiting(name: str, by_atomics: bool) -> None:
    def make(seed: int) -> Case:
        lines = 2 + seed
        arguments = (
            np.uint32(29 * seed % SMS),
            np.zeros(lines * LINE, np.uint64),
            np.uint64(0) if by_atomics else BASE,
            np.uint64(LINE),
            np.zeros((SMS, lines), np.uint32),
            np.zeros((SMS, lines), np.uint64),
        )
        pointers = () if by_atomics else ("words", "ends")
        kernel = memory.revisit_lines(by_atomics)
        return Case(kernel, SMS, 1, arguments, ALONE_ON_AN_SM, undetermined=CYCLES, pointers=pointers)

    enter(name, make)


_revisiting("revisit_lines", by_atomics=False)
_revisiting("revisit_lines, by atomics", by_atomics=True)


@case
def chase_shared(seed: int) -> Case:
    """Links through shared memory."""
    arguments = (_number(100 + 77 * seed), _number(chases.UNROLLED * (1 + seed)), _result(), _result())
    return Case(memory.chase_shared, 1, 32, arguments, undetermined=CYCLES)


@case
def chase_constants(seed: int) -> Case:
    """Some laps through constant memory."""
    arguments = (_number(chases.CONSTANT_UNROLLED * (5 + 3 * seed)), _number(1 + seed), _result())
    return Case(memory.chase_constants, 1, 1, (*arguments, np.zeros(2, np.uint32)), undetermined=CYCLES)


@case
def fill(seed: int) -> Case:
    """Fewer words than there are threads, and more."""
    return Case(memory.fill, 2, 32, (np.zeros((7, 64, 65, 200, 1)[seed % 5], np.uint32),))


TILES, VISITS = 3, 4
WALK = (_number(TILES), _number(2), _number(VISITS))
"""Of two blocks: of three tiles each visits four, every other one, around the end."""


def _tiles(seed: int, words_of_a_tile: int, dtype: type = np.uint64) -> np.ndarray:
    nbytes = TILES * words_of_a_tile * np.dtype(dtype).itemsize
    return words(seed, nbytes // 4).view(dtype)


def _times() -> np.ndarray:
    return np.zeros((2, 2), np.uint64)


def _reading(width: int) -> None:
    def make(seed: int) -> Case:
        in_flight, through_l1 = 1 + seed % 3, seed % 2 == 1
        dtype = np.uint32 if width == 4 else np.uint64
        source = _tiles(seed, stream.THREADS * in_flight * width // np.dtype(dtype).itemsize, dtype)
        arguments = (source, *WALK, np.zeros(2 * stream.THREADS, np.uint64), _times())
        return Case(
            memory.read(width, in_flight, through_l1), 2, stream.THREADS, arguments, undetermined=TIMES
        )

    enter(f"read {width} bytes", make)


for _width in stream.WIDTHS:
    _reading(_width)


@case
def write(seed: int) -> Case:
    """Blocks that write one value: one block, for two may write to the same tile."""
    in_flight = 1 + seed % 3
    target = np.zeros(TILES * 2 * stream.THREADS * in_flight, np.uint64)
    arguments = (target, *WALK, words(seed, 2).view(np.uint64)[0], _times())
    return Case(memory.write(in_flight), 1, stream.THREADS, arguments, undetermined=TIMES)


@case
def copy(seed: int) -> Case:
    """The same for copies."""
    in_flight = 1 + seed % 3
    source = _tiles(seed, 2 * stream.THREADS * in_flight)
    arguments = (source, np.zeros_like(source), *WALK, _times())
    return Case(memory.copy(in_flight), 1, stream.THREADS, arguments, undetermined=TIMES)


@case
def tick(seed: int) -> Case:
    """One thread."""
    return Case(memory.tick, 1, 1, (_times(),), undetermined=TIMES)


@case
def hold(seed: int) -> Case:
    """Some microseconds; it stores nothing."""
    return Case(holding.hold, 1, 1, (np.uint64(2000 + 1000 * seed),))


@case
def read_tiles(seed: int) -> Case:
    """More tiles than there are stages, or fewer."""
    source = _tiles(seed, stream.TILE_BYTES // 8)
    walk = (_number(TILES), _number(1), _number((1, 5, 6, 7, 9)[seed % 5]))
    arguments = (source, *walk, np.zeros(2, np.uint64), _times())
    nbytes = stream.STAGES * stream.TILE_BYTES
    return Case(memory.read_tiles, 2, 32, arguments, nbytes, undetermined=TIMES)


@case
def multiply_adds_of_the_roofline(seed: int) -> Case:
    """As many rounds as the seed says."""
    kernel = roofline.multiply_adds((1, 3, 16, 32, 48)[seed % 5])
    values = real(seed, 2 * 32 * roofline.VALUES)
    return Case(kernel, 2, 32, (values, np.zeros_like(values)))
