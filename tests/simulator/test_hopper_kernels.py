"""The kernels of the lessons in the simulator: right results and no finding, whatever the seed."""

import numpy as np
import pytest

from hopperlab.device import tma
from hopperlab.kernels import cp_async, exchange, pipelines
from hopperlab.kernels import tma as copies

RNG = np.random.default_rng(7)


def halo(seed, **options):
    cells = RNG.random(4 * 128).astype(np.float32)
    expected = cells.copy()
    for _ in range(3):
        outer = np.float32(0.25) * (np.roll(expected, 1) + np.roll(expected, -1))
        expected = np.float32(0.5) * expected + outer
    run = exchange.halo.simulate(4, 128, (cells, 3), cluster=4, seed=seed, **options)
    return run, run["cells"], expected


def histogram(seed, **options):
    values = RNG.integers(0, 256, 500).astype(np.uint16)
    arguments = (values, np.zeros(256, np.uint32))
    run = exchange.histogram.simulate(4, 64, arguments, 256, 4, seed=seed, **options)
    return run, run["counts"], np.bincount(values, minlength=256)


def ring_all_reduce(seed, **options):
    vectors = RNG.integers(-100, 100, (8, 64)).astype(np.int32)
    run = exchange.ring_all_reduce.simulate(8, 32, (vectors,), 256, 8, seed=seed, **options)
    return run, run["vectors"], np.tile(vectors.sum(0), (8, 1))


def pass_on(seed, **options):
    source = RNG.random((4, exchange.TILE)).astype(np.float32)
    run = exchange.pass_on.simulate(4, 32, (source, np.zeros_like(source)), cluster=4, seed=seed, **options)
    return run, run["target"], np.roll(source, 1, 0)


def ping_pong_by_st_async(seed, **options):
    arguments = (10, np.zeros(2, np.uint32), np.zeros(2, np.uint32))
    run = exchange.ping_pong_by_st_async.simulate(2, 32, arguments, cluster=2, seed=seed, **options)
    return run, run["received"], [45, 45]


def ping_pong_by_flag(seed, **options):
    words = [np.zeros(64, np.uint32) for _ in range(2)]
    arguments = (10, *words, np.zeros(2, np.uint32), np.zeros(2, np.uint32))
    run = exchange.ping_pong_by_flag.simulate(2, 32, arguments, cluster=2, seed=seed, **options)
    return run, run["received"], [45, 45]


def copy_tiles(seed, **options):
    image = RNG.random((40, 80)).astype(np.float32)
    maps = tma.tensor_map(image, (16, 32)), tma.tensor_map(np.zeros_like(image), (16, 32))
    run = copies.copy_tiles.simulate((3, 3), 32, maps, seed=seed, **options)
    return run, run["target"], image


def add_tiles(seed, **options):
    image = RNG.random((40, 80)).astype(np.float32)
    arguments = (tma.tensor_map(image, (16, 32)), np.float32(1))
    run = copies.add_tiles.simulate((3, 3), 32, arguments, seed=seed, **options)
    return run, run["target"], image + np.float32(1)


def broadcast_tile(seed, **options):
    image = RNG.random((16, 64)).astype(np.float32)
    arguments = (tma.tensor_map(image, (16, 32)), np.zeros((4, 16, 32), np.float32))
    run = copies.broadcast_tile.simulate(4, 32, arguments, cluster=2, seed=seed, **options)
    return run, run["copies"], image.reshape(16, 2, 32).transpose(1, 0, 2)[[0, 0, 1, 1]]


def stream_copy(seed, **options):
    source = RNG.integers(0, 256, 20000).astype(np.uint8)
    run = copies.stream_copy(1024, 4).simulate(
        5, 32, (source, np.zeros_like(source)), 4096, seed=seed, **options
    )
    return run, run["target"], source


def pipeline(seed, **options):
    source = RNG.random((6, pipelines.TILE)).astype(np.float32)
    arguments = (np.float32(1.5), source, np.zeros_like(source))
    threads = pipelines.WITH_A_PRODUCER_WARP
    run = pipelines.scale_with_a_producer.simulate(1, threads, arguments, seed=seed, **options)
    return run, run["target"], source * np.float32(1.5)


def pipeline_of_warpgroups(seed, **options):
    source = RNG.random((6, pipelines.TILE)).astype(np.float32)
    arguments = (np.float32(1.5), source, np.zeros_like(source))
    threads = pipelines.WITH_A_PRODUCER_WARPGROUP
    run = pipelines.scale_with_warpgroups.simulate(1, threads, arguments, seed=seed, **options)
    return run, run["target"], source * np.float32(1.5)


def as_on_the_a100(seed, **options):
    source = RNG.random(5 * cp_async.TILE).astype(np.float32)
    arguments = (np.float32(1.5), source, np.zeros_like(source))
    run = cp_async.scale_as_on_the_a100.simulate(1, cp_async.THREADS, arguments, seed=seed, **options)
    return run, run["target"], source * np.float32(1.5)


CASES = [
    halo,
    histogram,
    ring_all_reduce,
    pass_on,
    ping_pong_by_st_async,
    ping_pong_by_flag,
    copy_tiles,
    add_tiles,
    broadcast_tile,
    stream_copy,
    pipeline,
    pipeline_of_warpgroups,
    as_on_the_a100,
]


def check(case, seed, **options):
    run, got, expected = case(seed, **options)
    assert run.findings == (), str(run)
    assert np.array_equal(got, expected)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_a_kernel_is_right_and_without_finding(case):
    check(case, 1)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_a_kernel_is_right_without_checks(case):
    check(case, 3, checks=False, trace=False, timing=False)


@pytest.mark.exhaustive
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_a_kernel_is_without_finding_over_200_seeds(case):
    for seed in range(200):
        check(case, seed, trace=False)
