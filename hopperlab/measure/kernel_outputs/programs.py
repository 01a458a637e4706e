"""Cases of DPX: every function, chains of functions, alignments and shortest paths."""

import numpy as np

from hopperlab.kernels.dpx import alignment, functions, paths
from hopperlab.kernels.dpx.arithmetic import ARITHMETICS
from hopperlab.kernels.dpx.lines import LINES
from hopperlab.measure.dpx.functions import CORNERS
from hopperlab.measure.kernel_outputs.case import CLOCK, Case, case, enter, whole, words
from hopperlab.models.dpx import FUNCTIONS, no_edge


def _applying(name: str) -> None:
    def make(seed: int) -> Case:
        arguments = [words(seed, 96, stream) for stream in range(3)]
        corners = np.array(CORNERS, np.uint32)
        for stream, argument in enumerate(arguments):
            argument[:48] = corners[words(seed, 48, 3 + stream) % corners.size]
        outputs = [np.zeros(96, np.int32) for _ in range(3)]
        return Case(functions.on_arrays(name), 3, 32, (*(a.view(np.int32) for a in arguments), *outputs))

    enter(f"on_arrays {name}", make)


for _name in FUNCTIONS:
    _applying(_name)


def _writing(kernel: object) -> None:
    def make(seed: int) -> Case:
        numbers = np.array([*CORNERS, *words(seed, 8)], np.uint32).view(np.int32)
        a, b, c = (numbers[words(seed, 1, 1 + stream)[0] % numbers.size, None] for stream in range(3))
        return Case(kernel, 1, 1, (a.copy(), b.copy(), c.copy(), np.zeros(1, np.int32)))

    enter(f"line {kernel.name}", make)


for _line in LINES.values():
    _writing(_line)


@case
def chains(seed: int) -> Case:
    """Some functions, every other time without DPX."""
    names = list(functions.APART if seed % 2 else functions.TIMED)
    name = names[7 * seed % len(names)]
    shape = (2, 2, FUNCTIONS[name].arguments)
    values = words(seed, int(np.prod(shape))).view(np.int32).reshape(shape)
    kernel = functions.chains(name, 2, apart=seed % 2 == 1)
    return Case(kernel, 1, 2, (values, np.zeros((2, 2), np.uint64)), undetermined={"clocks": CLOCK})


@case
def smith_waterman(seed: int) -> Case:
    """Short targets, in one arithmetic after the other."""
    arithmetic = ARITHMETICS[seed % len(ARITHMETICS)]
    query = whole(seed, alignment.QUERY, 0, 4, np.uint8)
    targets = whole(seed, (4 * arithmetic.numbers, 6), 0, 4, np.uint8, 1)
    targets[0] = query[40:46]
    scores = np.zeros(len(targets), np.int32)
    arguments = (query, targets, scores, *map(np.int32, (2, 3, 7, 2)))
    return Case(alignment.smith_waterman(arithmetic), 1, 128, arguments)


def _relaxing(name: str, make_kernel: object, tiles: int, grid: object) -> None:
    def make(seed: int) -> Case:
        arithmetic = ARITHMETICS[seed % len(ARITHMETICS)]
        nodes = tiles * paths.TILE
        drawn = words(seed, nodes * nodes).reshape(nodes, nodes)
        dtype = np.dtype(np.int32 if arithmetic.numbers == 1 else np.uint16)
        lengths = np.where(drawn & 3, no_edge(dtype), drawn % 1000 + 1).astype(dtype)
        np.fill_diagonal(lengths, 0)
        arguments = (lengths.view(np.int32), np.int32(seed % tiles))
        return Case(make_kernel(arithmetic), grid, paths.threads(arithmetic), arguments)

    enter(name, make)


_relaxing("relax_around_pivot, of one tile", paths.relax_around_pivot, 1, 1)
_relaxing("relax_around_pivot, in its row and column", paths.relax_around_pivot, 2, 4)
_relaxing("relax_others", paths.relax_others, 2, (2, 2))
