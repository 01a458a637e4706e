"""Cases of the kernels that set and test the simulator's costs: a few rounds, of which all but the clocks is kept."""

from collections.abc import Callable
from typing import Any

import numpy as np

from hopperlab.device import Kernel, tma
from hopperlab.kernels.timing import copies, memory, messages, points
from hopperlab.kernels.timing import words as said
from hopperlab.measure.kernel_outputs.case import CYCLES, Case, case, enter, real, whole, words


def _rounds(seed: int) -> np.uint32:
    return np.uint32(4 + seed)


def _zeros(count: int = 1, dtype: type = np.uint32) -> np.ndarray:
    return np.zeros(count, dtype)


def _entered(kernel: Kernel, launch: Callable[[int], tuple[Any, Any, tuple]], name: str = "") -> None:
    """Enter the case of a kernel whose first argument is the number of rounds.

    `launch` gives from the seed the blocks, which are a cluster's if there are several; the threads of a block;
    and the further arguments, one of which is called cycles.
    """

    def make(seed: int) -> Case:
        blocks, threads, arguments = launch(seed)
        given = (_rounds(seed), *arguments)
        return Case(kernel, blocks, threads, given, cluster=blocks, undetermined=CYCLES)

    enter(name or f"timing.{kernel.name}", make)


def _sized(seed: int) -> int:
    """Give the blocks of a cluster."""
    return (2, 3, 4, 8, 16)[seed % 5]


for _chase in (memory.chase_shared, memory.chase_parts):
    _entered(_chase, lambda seed: (1, memory.CHAIN, (_zeros(), _zeros())))
_entered(memory.chase_ranks, lambda seed: (2, 1, (_zeros(), _zeros())))
_entered(memory.chase_remote, lambda seed: (2, memory.CHAIN, (_zeros(), _zeros())))
_entered(memory.chase_global, lambda seed: (1, 1, (whole(seed, 50, 0, 50, np.uint32), _zeros(), _zeros())))
_entered(memory.store_shared, lambda seed: (1, 32, (_zeros(), words(seed, 1))))
_entered(memory.store_global, lambda seed: (1, 32, (words(seed, (32, 64, 256)[seed % 3]), _zeros())))
_entered(memory.add_atomically, lambda seed: (2, 1, (_zeros(4), _zeros(3))))
_entered(memory.scan, lambda seed: (1, (32, 64, 96)[seed % 3], (_zeros((32, 64, 96)[seed % 3]), _zeros())))
_entered(memory.smooth, lambda seed: (1, 64, (real(seed, 64), _zeros())))

_entered(said.fma_chain, lambda seed: (1, 32, (real(seed, 32), _zeros())))
_entered(
    said.count_along,
    lambda seed: (1, 32, (np.int64(13 + seed), _zeros(), whole(seed, 32, 0, 13, np.int64))),
)
_entered(said.shuffle_chain, lambda seed: (1, 32, (words(seed, 32).view(np.int32), _zeros())))
_entered(said.sync_warp, lambda seed: (1, 64, (_zeros(),)))
_entered(said.sync_block, lambda seed: (1, 96, (_zeros(),)))
_entered(said.sync_cluster, lambda seed: (_sized(seed), 32, (_zeros(_sized(seed)),)))
_entered(said.fences, lambda seed: (1, 1, (words(seed, 256), _zeros(len(said.FENCES)))))
_entered(said.barrier_words, lambda seed: (1, 1, (_zeros(len(said.LOOKS)),)))
_entered(said.ring_words, lambda seed: (1, 1, (_zeros(),)))
_entered(said.hand_over, lambda seed: (1, 64, (_zeros(),)))

_entered(messages.relay, lambda seed: (_sized(seed), 32, (_zeros(_sized(seed)), _zeros(_sized(seed)))))
_entered(messages.exchange_words, lambda seed: (4, 64, (np.uint32(1 + seed % 2), _zeros(4))))


@case
def flag_words(seed: int) -> Case:
    """Flags that are looked at hold what the seed says."""
    flags = whole(seed, 128, 0, 1000, np.uint32)
    flags[0] = 0
    arguments = (_rounds(seed), words(seed, 128, 1) >> np.uint32(1), flags, _zeros(len(messages.FLAGS)))
    return Case(messages.flag_words, 1, 1, arguments, undetermined=CYCLES)


@case
def relay_by_flag(seed: int) -> Case:
    """As many blocks as the seed says, all of which run at once."""
    blocks = _sized(seed)
    arguments = (_rounds(seed), *(_zeros(32 * blocks) for _ in range(2)), _zeros(blocks), _zeros(blocks))
    return Case(messages.relay_by_flag, blocks, 32, arguments, undetermined=CYCLES)


def _pieces(name: str, make_kernel: Callable[[bool], Kernel], blocks: int, kept: int, added: bool) -> None:
    """Enter the case of a kernel whose blocks have room for so many pieces."""

    def make(seed: int) -> Case:
        nbytes = 16 << seed
        arguments = (_rounds(seed), np.uint32(nbytes), _zeros(blocks))
        return Case(make_kernel(added), blocks, 32, arguments, kept * nbytes, blocks, undetermined=CYCLES)

    enter(f"{name}, added" if added else name, make)


for _added in (False, True):
    _pieces("exchange_pieces", messages.exchange_pieces, 2, 3, _added)
    _pieces("relay_pieces", messages.relay_pieces, 3, 2, _added)


@case
def load_boxes(seed: int) -> Case:
    """One box at a time, or two."""
    rows, boxes, together = 1 + seed, 4, 1 + seed % 2
    source = tma.tensor_map(real(seed, (rows * boxes, 64)), (rows, 64))
    numbers = (np.uint32(rows), np.uint32(boxes), np.uint32(together))
    arguments = (_rounds(seed), source, *numbers, _zeros())
    return Case(copies.load_boxes, 1, 32, arguments, 256 * rows * together, undetermined=CYCLES)


@case
def load_bytes(seed: int) -> Case:
    """Some bytes of an array, from one place after the other."""
    nbytes = 16 << seed
    arguments = (_rounds(seed), whole(seed, 4 * nbytes, 0, 256, np.uint8), np.uint32(nbytes), _zeros())
    return Case(copies.load_bytes, 1, 32, arguments, nbytes, undetermined=CYCLES)


@case
def store_bytes(seed: int) -> Case:
    """Some bytes of an array; what follows them stays."""
    nbytes = 16 << seed
    arguments = (_rounds(seed), whole(seed, nbytes + 16, 0, 256, np.uint8), np.uint32(nbytes), _zeros(2))
    return Case(copies.store_bytes, 1, 32, arguments, nbytes, undetermined=CYCLES)


@case
def ping_pong_of_the_ends(seed: int) -> Case:
    """The first and the last block of a cluster."""
    blocks = _sized(seed)
    arguments = (_rounds(seed), _zeros(blocks), _zeros(blocks))
    return Case(points.ping_pong, blocks, 32, arguments, cluster=blocks, undetermined=CYCLES)


@case
def halo_of_edges(seed: int) -> Case:
    """Edges of some words."""
    arguments = (_rounds(seed), np.uint32(4 * (1 + 8 * seed)), _zeros(4))
    return Case(points.halo, 4, points.CELLS, arguments, cluster=4, undetermined=CYCLES)


@case
def ring_all_reduce_of_ones(seed: int) -> Case:
    """Vectors of ones."""
    blocks = _sized(seed)
    chunk = 4 * (1 + seed)
    arguments = (np.uint32(2), np.uint32(chunk * blocks), _zeros(blocks))
    return Case(
        points.ring_all_reduce, blocks, 32, arguments, 4 * chunk * blocks, blocks, undetermined=CYCLES
    )


@case
def pipeline(seed: int) -> Case:
    """As many stages as the seed says."""
    tiles, rows = 5, points.TILE_ROWS
    source = tma.tensor_map(real(seed, (tiles * rows, points.TILE_COLUMNS)), (rows, points.TILE_COLUMNS))
    arguments = (np.uint32(tiles), source, _zeros(points.WARP, np.float32), _zeros())
    return Case(points.pipeline(1 + seed), 1, 64, arguments, undetermined=CYCLES)


@case
def reduction(seed: int) -> Case:
    """One block's values."""
    arguments = (_rounds(seed), real(seed, points.REDUCED), _zeros(1, np.float32), _zeros())
    return Case(points.reduction, 1, points.REDUCED, arguments, undetermined=CYCLES)
