"""Cases of barriers: arriving and waiting apart, transactions, and operations one after the other."""

import numpy as np

from hopperlab.kernels import barriers, overlap, transactions, waiting
from hopperlab.measure.barriers.sequences import random_sequence
from hopperlab.measure.kernel_outputs.case import CYCLES, Case, case, enter, real, whole


def _arriving(kernel: object) -> None:
    def make(seed: int) -> Case:
        values = real(seed, 2 * barriers.THREADS)
        return Case(kernel, 2, barriers.THREADS, (values, np.zeros_like(values), np.int32(3 * seed)))

    enter(kernel.name, make)


def _sharing(kernel: object) -> None:
    def make(seed: int) -> Case:
        threads = (5, 8, 16, 31, 32)[seed % 5]
        arguments = []
        for stream in (0, 1):
            lengths = whole(seed, threads, 0, 7, np.int32, 2 + stream)
            starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
            arguments += [real(seed, max(1, starts[-1]), stream), starts]
        return Case(kernel, 1, threads, (*arguments, np.zeros(threads, np.float32)))

    enter(kernel.name, make)


for _kernel in (barriers.arrive_then_wait, barriers.arrive_and_wait):
    _arriving(_kernel)
for _kernel in (overlap.share_apart, overlap.share_at_once):
    _sharing(_kernel)


def _working(kernel: object) -> None:
    def make(seed: int) -> Case:
        warps = 1 + seed % 3
        parts = (whole(seed, warps, 0, 4, np.int32, stream) for stream in range(3))
        values = real(seed, warps * waiting.LANES, 3)
        arguments = (*parts, np.int32(3 + seed), values, np.zeros(warps, np.uint32))
        return Case(kernel, 1, values.size, arguments, undetermined=CYCLES)

    enter(kernel.name, make)


for _kernel in (waiting.warps_apart, waiting.warps_at_once):
    _working(_kernel)


@case
def work_beside_waiters(seed: int) -> Case:
    """Each way to wait."""
    warps = waiting.WORKERS + 2
    looks = np.zeros(warps, np.uint32)
    sums = np.zeros(waiting.LANES * waiting.WORKERS, np.float32)
    arguments = (np.int32(seed % 4), np.uint32(100), np.int32(3 + seed), sums, looks, np.zeros_like(looks))
    undetermined = CYCLES | {"looks": "how often a warp asks depends on when the others are done"}
    return Case(waiting.work_beside_waiters, 1, waiting.LANES * warps, arguments, undetermined=undetermined)


@case
def obey(seed: int) -> Case:
    """Eight sequences, by the engine and by complete_tx in turn."""
    sequences = [random_sequence(np.random.default_rng([seed, n]), by_engine=n % 2 == 0) for n in range(8)]
    starts = np.cumsum([0, *map(len, sequences)])
    steps = [step for sequence in sequences for step in sequence]
    arguments = (
        starts.astype(np.int64),
        np.array([step.operation for step in steps], np.uint8),
        np.array([step.number for step in steps], np.uint32),
        np.zeros(barriers.COPY_BYTES, np.uint8),
        np.zeros(len(steps), np.uint32),
    )
    return Case(barriers.obey, len(sequences), 1, arguments)


@case
def overshoot(seed: int) -> Case:
    """A copy of 256 bytes."""
    arguments = (np.uint32(256), np.int32(0), np.zeros(256, np.uint8), np.zeros(16, np.uint32))
    why = "an engine counts a copy's bytes in pieces, in an order that changes (copy_pieces)"
    return Case(barriers.overshoot, 16, 1, arguments, undetermined={"turned": why})


@case
def gather_edges(seed: int) -> Case:
    """Edges of four blocks."""
    lengths = [0, *whole(seed, 3, 0, 20, np.int32).tolist()]
    starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
    edges = whole(seed, max(1, starts[-1]), -100, 100, np.float32, 1)[: starts[-1]]
    edges = edges if edges.size else np.zeros(1, np.float32)
    arguments = (edges, starts, np.int32(4 * starts[-1]), np.zeros(1, np.float32))
    return Case(transactions.gather_edges, 4, 32, arguments, cluster=4)


@case
def ring(seed: int) -> Case:
    """Seven tiles through one buffer to four."""
    source = real(seed, 7 * transactions.TILE)
    stages = np.int32(1 + seed % transactions.MOST_STAGES)
    return Case(transactions.ring, 1, 64, (source, np.zeros_like(source), stages))
