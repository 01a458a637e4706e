"""Cases of exchange between the blocks of a cluster, and of where blocks are."""

import numpy as np

from hopperlab.kernels import clusters, exchange
from hopperlab.kernels.exchange import probes
from hopperlab.measure.kernel_outputs.case import CLOCK, CYCLES, PLACE, Case, case, enter, real, whole


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
    return Case(exchange.ping_pong_by_st_async, 2, 32, arguments, cluster=2, undetermined=CYCLES)


def _by_flag(kernel: object) -> None:
    def make(seed: int) -> Case:
        arguments = (np.uint32(10 + seed), *(np.zeros(size, np.uint32) for size in (64, 64, 2, 2)))
        return Case(kernel, 2, 32, arguments, cluster=2, undetermined=CYCLES)

    enter(kernel.name, make)


for _kernel in (exchange.ping_pong_by_flag, exchange.ping_pong_by_atomics):
    _by_flag(_kernel)


@case
def ping_pong_by_tagged_word(seed: int) -> Case:
    """A few rounds."""
    arguments = (
        np.uint32(10 + seed),
        np.zeros(32, np.uint64),
        np.zeros(2, np.uint32),
        np.zeros(2, np.uint32),
    )
    return Case(exchange.ping_pong_by_tagged_word, 2, 32, arguments, cluster=2, undetermined=CYCLES)


@case
def ping_pong_by_store_and_arrive(seed: int) -> Case:
    """A few rounds."""
    arguments = (np.uint32(10 + seed), np.zeros(2, np.uint32), np.zeros(2, np.uint32))
    return Case(exchange.ping_pong_by_store_and_arrive, 2, 32, arguments, cluster=2, undetermined=CYCLES)


THREADS = (1, 32, 50, 64, 96)


@case
def swap_by_st_async(seed: int) -> Case:
    """As many threads as the seed says."""
    threads = THREADS[seed % 5]
    arguments = (np.uint32(5 + seed), np.zeros(2, np.uint32), np.zeros(2 * threads, np.uint32))
    return Case(exchange.swap_by_st_async, 2, threads, arguments, cluster=2, undetermined=CYCLES)


@case
def swap_by_flag(seed: int) -> Case:
    """The same."""
    threads = THREADS[seed % 5]
    mailbox = np.zeros((2, 2, threads), np.uint32)
    rest = (np.zeros(64, np.uint32), np.zeros(2, np.uint32), np.zeros(2 * threads, np.uint32))
    arguments = (np.uint32(5 + seed), mailbox, *rest)
    return Case(exchange.swap_by_flag, 2, threads, arguments, cluster=2, undetermined=CYCLES)


def _counting(kernel: object, shared: bool) -> None:
    def make(seed: int) -> Case:
        bins = 40 + seed
        arguments = (whole(seed, 500, 0, bins, np.uint32), np.zeros(bins, np.uint32))
        return Case(kernel, 3, 32, arguments, 4 * bins if shared else 0)

    enter(kernel.name, make)


_counting(exchange.histogram_in_a_block, shared=True)
_counting(exchange.histogram_in_global_memory, shared=False)


def _all_reducing(kernel: object, through_memory: bool) -> None:
    def make(seed: int) -> Case:
        blocks, clusters = (2, 3, 4, 8, 2)[seed % 5], 1 + seed % 2
        vectors = whole(seed, (blocks * clusters, 4 * blocks), 0, 2**32, np.uint32)
        room = (
            np.zeros_like(vectors),
            np.zeros((clusters, 4 * blocks), np.uint32),
            np.zeros(32 * clusters, np.uint32),
        )
        arguments = (
            vectors,
            np.uint32(2),
            np.zeros(len(vectors), np.uint32),
            *(room if through_memory else ()),
        )
        return Case(kernel, len(vectors), 32, arguments, 2 * vectors[0].nbytes, blocks, undetermined=CYCLES)

    enter(kernel.name, make)


_all_reducing(exchange.all_reduce_in_a_cluster, through_memory=False)
_all_reducing(exchange.all_reduce_in_global_memory, through_memory=True)


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
        undetermined=CYCLES,
    )


@case
def read_all(seed: int) -> Case:
    """Each width and order of reading."""
    width = (16, 4, 0, 16, 4)[seed % 5]
    arguments = (*(np.uint32(bit) for bit in (seed % 2, seed // 2 % 2)), np.int32(width), np.int32(1))
    return Case(
        probes.read_all,
        2,
        probes.THREADS,
        (*arguments, *_for_blocks(2)),
        4 * probes.READ_WORDS,
        2,
        undetermined=CYCLES,
    )


@case
def write_peer(seed: int) -> Case:
    """One writer of two blocks, or both."""
    arguments = (np.uint32(1), np.uint32(1 + seed % 2), np.int32(1 + seed % 2), *_for_blocks(2))
    return Case(probes.write_peer, 2, probes.THREADS, arguments, 8 * probes.WORDS, 2, undetermined=CYCLES)


@case
def send_to_peer(seed: int) -> Case:
    """Both of two blocks."""
    memory = (probes.IN_FLIGHT + 1) * probes.SENT_BYTES
    arguments = (np.uint32(1), np.uint32(1), np.int32(probes.IN_FLIGHT * (1 + seed % 2)), *_for_blocks(2))
    return Case(probes.send_to_peer, 2, 64, arguments, memory, 2, undetermined=CYCLES)


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
