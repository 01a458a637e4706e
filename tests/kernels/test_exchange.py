"""The kernels of exchange: one-sided instructions in their machine code, and right values on a card."""

import re

import numpy as np
import pytest

from hopperlab.device import on_silicon
from hopperlab.kernels import exchange
from hopperlab.kernels.exchange import ping_pong, probes, programs, swaps
from tests.kernels.machine_code import assert_has, assert_lacks, code_without_spill

REMOTE = r"PRMT R\d+, R?\w+, 0x654"  # mapa: the rank goes into the top byte of a shared address


def test_a_block_counts_in_another_blocks_bins():
    code = code_without_spill(exchange.histogram)
    assert_has(code, REMOTE, r"ATOM\.E\.ADD|RED\.E\.ADD", "UCGABAR_ARV", "UCGABAR_WAIT")


def test_halos_travel_one_sided_and_bring_their_own_count():
    code = code_without_spill(exchange.halo)
    assert_has(code, r"STAS \[", r"SYNCS\.ARRIVE", r"SYNCS\.PHASECHK\.TRANS64\.TRYWAIT", REMOTE)
    first = code.index("STAS")
    inner = code[first : code.index("SYNCS.PHASECHK", first)]
    assert_lacks(inner, "LDG", "STG", "ATOM", "MEMBAR", "UCGABAR")


def test_the_ring_adds_in_the_copy_engine():
    code = code_without_spill(exchange.ring_all_reduce)
    assert_has(code, r"UBLKRED\.S\.S\.ADD", r"UBLKCP\.S\.S")
    assert_lacks(code, "ATOM", "STAS")


def test_a_tile_is_passed_on_by_the_engine_alone():
    code = code_without_spill(exchange.pass_on)
    assert_has(code, r"UBLKCP\.S\.G", r"UBLKCP\.S\.S", r"UBLKCP\.G\.S")
    assert_lacks(code, "LDG", "STG", "LDS", "STS", r"LD\.E", r"ST\.E")


def test_one_message_is_a_write_and_the_other_a_write_a_fence_and_a_flag_that_is_polled():
    one_sided = code_without_spill(exchange.ping_pong_by_st_async)
    by_flag = code_without_spill(exchange.ping_pong_by_flag)
    assert_has(one_sided, "STAS", r"SYNCS\.PHASECHK")
    polled = [m.start() for m in re.finditer(r"LDG\.E\.STRONG\.GPU", by_flag)]
    raised = [m.start() for m in re.finditer(r"STG\.E\.STRONG\.GPU", by_flag)]
    assert polled
    assert raised
    assert_has(by_flag[: raised[0]], r"MEMBAR\.\w+\.GPU")
    assert_lacks(by_flag, "STAS", "SYNCS")


def test_the_probes_read_write_and_send_across():
    assert_has(code_without_spill(probes.every_pair), r"LD\.E", r"ST\.E", r"ATOM\.E\.ADD|RED\.E\.ADD")
    chase = code_without_spill(probes.chase)
    assert_has(chase, REMOTE, "SR_VIRTUALSMID")
    assert chase.count("LD.E R") >= 8
    reads, writes = code_without_spill(probes.read_peer), code_without_spill(probes.write_peer)
    assert_has(reads, r"LD\.E\.128")
    assert_has(writes, r"ST\.E\.64")
    assert_has(code_without_spill(probes.send_to_peer), r"UBLKCP\.S\.S", r"SYNCS\.ARRIVE\.TRANS64\.RED\.A1T0")


def test_a_word_that_is_its_own_flag_needs_no_fence():
    code = code_without_spill(ping_pong.ping_pong_by_tagged_word)
    loop = code[code.index("STG.E.64.STRONG") : code.rindex("STG.E.64.STRONG")]
    assert_has(loop, r"LDG\.E\.64\.STRONG\.GPU")
    assert_lacks(loop, "MEMBAR")


def test_an_arrival_that_must_not_overtake_a_store_waits_behind_a_fence():
    code = code_without_spill(ping_pong.ping_pong_by_store_and_arrive)
    stored = code.index("ST.E")
    arrives = code.index("SYNCS.ARRIVE", stored)
    assert_has(code[stored:arrives], r"MEMBAR\.ALL\.GPU")
    assert_lacks(code, "STAS")


def test_atomics_poll_and_raise_the_flag_between_full_fences():
    code = code_without_spill(ping_pong.ping_pong_by_atomics)
    assert_has(code, r"ATOMG\.E\.EXCH\.STRONG\.GPU", r"ATOMG\.E\.ADD\.STRONG\.GPU", r"MEMBAR\.SC\.GPU")


def test_histograms_count_where_they_say():
    in_a_block = code_without_spill(programs.histogram_in_a_block)
    assert_has(in_a_block, "ATOMS")
    in_global = code_without_spill(programs.histogram_in_global_memory)
    assert_lacks(in_global, "ATOMS", "UCGABAR")
    in_a_cluster = code_without_spill(programs.wide_histogram)
    assert_has(in_a_cluster, REMOTE, r"ATOM\.E\.ADD", "UCGABAR_WAIT")


@pytest.mark.exhaustive
def test_of_two_all_reduces_one_polls_and_the_other_reads_across():
    across = code_without_spill(programs.all_reduce_in_a_cluster)
    assert_has(across, REMOTE, r"LD\.E")
    polling = code_without_spill(programs.all_reduce_in_global_memory)
    assert_has(polling, r"LDG\.E\.STRONG\.GPU", "MEMBAR")


@pytest.mark.exhaustive
def test_swaps_and_crowded_reads_keep_their_values_in_registers():
    assert_has(code_without_spill(swaps.swap_by_st_async), "STAS")
    assert_has(code_without_spill(swaps.swap_by_flag), r"LDG\.E\.STRONG\.GPU")
    assert_has(code_without_spill(probes.read_all), r"LD\.E\.128")


def zeros(*shape, kind=np.uint32):
    return np.zeros(shape, kind)


ROUNDS = np.uint32(5)
ONE_WORD = {
    ping_pong.ping_pong_by_st_async: (),
    ping_pong.ping_pong_by_store_and_arrive: (),
    ping_pong.ping_pong_by_tagged_word: (zeros(32, kind=np.uint64),),
    ping_pong.ping_pong_by_flag: (zeros(64), zeros(64)),
    ping_pong.ping_pong_by_atomics: (zeros(64), zeros(64)),
}
MANY_WORDS = {swaps.swap_by_st_async: (), swaps.swap_by_flag: (zeros(2, 2, 64), zeros(64))}


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("kernel", ONE_WORD, ids=lambda k: k.name)
def test_every_protocol_brings_every_word_in_any_order_of_threads(kernel, seed):
    run = kernel.simulate(2, 32, (ROUNDS, *ONE_WORD[kernel], zeros(2), zeros(2)), cluster=2, seed=seed)
    assert not run.findings
    assert run["received"].tolist() == [10, 10]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("kernel", MANY_WORDS, ids=lambda k: k.name)
def test_swapped_messages_are_whole_though_a_block_may_be_a_round_ahead(kernel, seed):
    run = kernel.simulate(2, 64, (ROUNDS, *MANY_WORDS[kernel], zeros(2), zeros(128)), cluster=2, seed=seed)
    assert not run.findings
    assert run["received"].tolist() == 2 * [10 + 5 * thread for thread in range(64)]


@pytest.mark.parametrize(
    ("kernel", "cluster", "shared_bytes"),
    [
        (programs.wide_histogram, 4, 256),
        (programs.histogram_in_a_block, 1, 1024),
        (programs.histogram_in_global_memory, 1, 0),
    ],
    ids=lambda part: getattr(part, "name", ""),
)
def test_three_histograms_count_alike(kernel, cluster, shared_bytes):
    values = np.random.default_rng(0).integers(0, 256, 500).astype(np.uint32)
    run = kernel.simulate(4, 32, (values, zeros(256)), shared_bytes, cluster)
    assert not run.findings
    assert np.array_equal(run["counts"], np.bincount(values, minlength=256))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("blocks", [2, 4])
def test_both_all_reduces_give_every_block_the_sum(blocks, seed):
    vectors = np.random.default_rng(seed).integers(0, 2**32, (8, 32), dtype=np.uint32)
    groups = 8 // blocks
    sums = vectors.reshape(groups, blocks, 32).sum(axis=1, dtype=np.uint32)
    room = (zeros(8, 32), zeros(groups, 32), zeros(32 * groups))
    for kernel, more in (
        (programs.all_reduce_in_a_cluster, ()),
        (programs.all_reduce_in_global_memory, room),
    ):
        run = kernel.simulate(8, 32, (vectors, np.uint32(2), zeros(8), *more), 256, blocks, seed=seed)
        assert not run.findings
        assert np.array_equal(run["vectors"], np.repeat(sums, blocks, axis=0))


@pytest.fixture
def on_the_card():
    with on_silicon():
        yield


@pytest.mark.gpu
@pytest.mark.parametrize("blocks", [2, 4, 8, 16])
def test_a_histogram_larger_than_a_blocks_memory_is_exact(on_the_card, blocks):
    from numba import cuda

    bins = 1 << 16
    values = np.random.default_rng(blocks).integers(0, bins, 200_000).astype(np.uint16)
    counts = cuda.to_device(np.zeros(bins, np.uint32))
    exchange.histogram[2 * blocks, 512, 0, 4 * bins // blocks, blocks](cuda.to_device(values), counts)
    assert np.array_equal(counts.copy_to_host(), np.bincount(values, minlength=bins))


@pytest.mark.gpu
@pytest.mark.parametrize("blocks", [1, 2, 3, 8, 16])
@pytest.mark.parametrize("steps", [0, 1, 2, 7, 100])
def test_heat_spreads_bit_by_bit_as_in_numpy(on_the_card, blocks, steps):
    from numba import cuda

    rings = 3
    cells = np.random.default_rng(steps).random((rings, blocks * exchange.CELLS), dtype=np.float32)
    device = cuda.to_device(cells.ravel())
    exchange.halo[rings * blocks, exchange.CELLS, 0, 0, blocks](device, steps)
    for _ in range(steps):
        both = np.roll(cells, 1, axis=1) + np.roll(cells, -1, axis=1)
        cells = np.float32(0.5) * cells + np.float32(0.25) * both  # halves and quarters are exact
    assert np.array_equal(device.copy_to_host(), cells.ravel())


@pytest.mark.gpu
@pytest.mark.parametrize("blocks", range(1, 17))
def test_every_block_ends_with_the_sum_of_its_cluster(on_the_card, blocks):
    from numba import cuda

    length = 4 * blocks * 9
    vectors = np.random.default_rng(blocks).integers(-1000, 1000, (2 * blocks, length)).astype(np.int32)
    device = cuda.to_device(vectors)
    exchange.ring_all_reduce[2 * blocks, 128, 0, 4 * length, blocks](device)
    sums = vectors.reshape(2, blocks, length).sum(axis=1)
    assert np.array_equal(device.copy_to_host(), np.repeat(sums, blocks, axis=0))


@pytest.mark.gpu
@pytest.mark.parametrize("blocks", [1, 2, 5, 16])
def test_tiles_move_on_by_one_block(on_the_card, blocks):
    from numba import cuda

    source = np.arange(3 * blocks * exchange.TILE, dtype=np.float32).reshape(3 * blocks, exchange.TILE)
    target = cuda.to_device(np.zeros_like(source))
    exchange.pass_on[3 * blocks, 32, 0, 0, blocks](cuda.to_device(source), target)
    moved = np.roll(source.reshape(3, blocks, exchange.TILE), 1, axis=1)
    assert np.array_equal(target.copy_to_host(), moved.reshape(source.shape))


@pytest.mark.gpu
def test_both_kinds_of_message_arrive_every_time(on_the_card):
    from numba import cuda

    def zeros(size):
        return cuda.to_device(np.zeros(size, np.uint32))

    rounds = np.uint32(1000)
    cycles, received = zeros(2), zeros(2)
    exchange.ping_pong_by_st_async[2, 32, 0, 0, 2](rounds, cycles, received)
    assert received.copy_to_host().tolist() == [499_500, 499_500]
    received = zeros(2)
    exchange.ping_pong_by_flag[2, 32, 0, 0, 2](rounds, zeros(64), zeros(64), cycles, received)
    assert received.copy_to_host().tolist() == [499_500, 499_500]


@pytest.mark.gpu
@pytest.mark.parametrize("kernel", ONE_WORD, ids=lambda k: k.name)
def test_every_protocol_brings_every_word_on_the_card(on_the_card, kernel):
    from numba import cuda

    cycles, received = (cuda.to_device(zeros(2)) for _ in range(2))
    between = [cuda.to_device(np.zeros_like(array)) for array in ONE_WORD[kernel]]
    kernel[2, 32, 0, 0, 2](np.uint32(1000), *between, cycles, received)
    assert received.copy_to_host().tolist() == [499_500, 499_500]
    assert cycles.copy_to_host().min() > 0


@pytest.mark.gpu
@pytest.mark.parametrize("words", [1, 32, 1000])
@pytest.mark.parametrize("kernel", MANY_WORDS, ids=lambda k: k.name)
def test_swapped_messages_are_whole_on_the_card(on_the_card, kernel, words):
    from numba import cuda

    between = () if kernel is swaps.swap_by_st_async else (zeros(2, 2, words), zeros(64))
    cycles, received = cuda.to_device(zeros(2)), cuda.to_device(zeros(2 * words))
    kernel[2, words, 0, 0, 2](np.uint32(100), *map(cuda.to_device, between), cycles, received)
    assert np.array_equal(received.copy_to_host(), 4950 + 100 * np.tile(np.arange(words), 2))


@pytest.mark.gpu
@pytest.mark.parametrize("width", [16, 4, 0])
@pytest.mark.parametrize(("staggered", "in_step"), [(0, 0), (0, 1), (1, 0)])
def test_all_blocks_read_all_words_of_all_others(on_the_card, width, staggered, in_step):
    from numba import cuda

    cycles, sums = (cuda.to_device(zeros(8, kind=np.uint64)) for _ in range(2))
    arguments = (np.uint32(staggered), np.uint32(in_step), np.int32(width), np.int32(2))
    probes.read_all[8, probes.THREADS, 0, 4 * probes.READ_WORDS, 4](*arguments, cycles, sums)
    once = probes.READ_WORDS * (probes.READ_WORDS - 1) // 2
    assert sums.copy_to_host().tolist() == [2 * 3 * once] * 8
