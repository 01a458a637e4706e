"""Cases of exchange between the blocks of a cluster, and of where blocks are."""

import numpy as np

from hopperlab.kernels import clusters, exchange
from hopperlab.kernels.exchange import probes
from hopperlab.measure.kernel_outputs.case import CLOCK, PLACE, Case, case, real, whole


@case
def histogram(seed: int) -> Case:
    """Bins in four blocks."""
    bins = 256
    arguments = (whole(seed, 500, 0, bins, np.uint16), np.zeros(bins, np.uint32))
    return Case(exchange.histogram, 8, 32, arguments, shared_bytes=bins, cluster=4)


@case
def halo(seed: int) -> Case:
    """Heat on two rings of three blocks."""
    arguments = (real(seed, 6 * exchange.CELLS), np.int32(seed + 1))
    return Case(exchange.halo, 6, exchange.CELLS, arguments, cluster=3)


@case
def ring_all_reduce(seed: int) -> Case:
    """Vectors of as many blocks as the seed says."""
    blocks = (2, 3, 4, 8, 16)[seed % 5]
    vectors = whole(seed, (blocks, 8 * blocks), -1000, 1000, np.int32)
    return Case(exchange.ring_all_reduce, blocks, 32, (vectors,), vectors[0].nbytes, blocks)


@case
def pass_on(seed: int) -> Case:
    """Tiles, one a block."""
    source = real(seed, (4, exchange.TILE))
    return Case(exchange.pass_on, 4, 32, (source, np.zeros_like(source)), cluster=(2, 4)[seed % 2])


@case
def ping_pong_by_st_async(seed: int) -> Case:
    """A few rounds."""
    arguments = (np.uint32(10 + seed), np.zeros(2, np.uint32), np.zeros(2, np.uint32))
    return Case(exchange.ping_pong_by_st_async, 2, 32, arguments, cluster=2, undetermined={"cycles": CLOCK})


@case
def ping_pong_by_flag(seed: int) -> Case:
    """A few rounds."""
    arguments = (np.uint32(10 + seed), *(np.zeros(size, np.uint32) for size in (64, 64, 2, 2)))
    return Case(exchange.ping_pong_by_flag, 2, 32, arguments, cluster=2, undetermined={"cycles": CLOCK})


@case
def every_pair(seed: int) -> Case:
    """Two clusters of as many blocks as the seed says."""
    blocks = (2, 3, 5, 8, 16)[seed % 5]
    arguments = (np.zeros((2, blocks, blocks), np.uint32), np.zeros((2, blocks), np.uint32))
    return Case(probes.every_pair, 2 * blocks, 32, arguments, cluster=blocks)


@case
def chase(seed: int) -> Case:
    """One reader in two blocks."""
    arguments = (np.uint32(seed % 2), *(np.zeros(2, np.uint32) for _ in range(3)))
    undetermined = {"cycles": CLOCK, "sms": PLACE}
    return Case(probes.chase, 2, probes.CHAIN, arguments, cluster=2, undetermined=undetermined)


@case
def read_peer(seed: int) -> Case:
    """One reader of two blocks, or both."""
    arguments = (np.uint32(1), np.uint32(1 + seed % 2), np.int32(1), *_for_blocks(2))
    return Case(
        probes.read_peer,
        2,
        probes.READERS,
        arguments,
        4 * probes.READ_WORDS,
        2,
        undetermined={"cycles": CLOCK},
    )


@case
def write_peer(seed: int) -> Case:
    """One writer of two blocks, or both."""
    arguments = (np.uint32(1), np.uint32(1 + seed % 2), np.int32(1 + seed % 2), *_for_blocks(2))
    return Case(
        probes.write_peer, 2, probes.THREADS, arguments, 8 * probes.WORDS, 2, undetermined={"cycles": CLOCK}
    )


@case
def send_to_peer(seed: int) -> Case:
    """Both of two blocks."""
    memory = (probes.IN_FLIGHT + 1) * probes.SENT_BYTES
    arguments = (np.uint32(1), np.uint32(1), np.int32(probes.IN_FLIGHT * (1 + seed % 2)), *_for_blocks(2))
    return Case(probes.send_to_peer, 2, 64, arguments, memory, 2, undetermined={"cycles": CLOCK})


def _for_blocks(blocks: int) -> tuple[np.ndarray, np.ndarray]:
    return np.zeros(blocks, np.uint64), np.zeros(blocks, np.uint64)


@case
def report_placement(seed: int) -> Case:
    """Clusters of two."""
    arguments = (*(np.zeros(4, dtype) for dtype in (np.uint32, np.uint64, np.uint64)), np.uint64(2000))
    undetermined = {"sms": PLACE, "starts": CLOCK, "ends": CLOCK}
    return Case(clusters.report_placement, 4, 32, arguments, cluster=2, undetermined=undetermined)


@case
def register_user(seed: int) -> Case:
    """As many values as the seed says."""
    pairs = (4, 8, 12, 16, 20)[seed % 5]
    values = real(seed, 64 * 2 * pairs).astype(np.float64)
    return Case(clusters.register_user(pairs), 2, 32, (values, np.zeros_like(values)))
