"""Plain numba.cuda in the simulator: the same results as numba's own simulator and compiled code."""

import math
import warnings

import numpy as np
import pytest
from numba import cuda, float32, int32, njit, uint8, uint32

from hopperlab.device import kernel
from hopperlab.device.simulator.launching import Simulated, SimulationError

RNG = np.random.default_rng(1)


def quiet(run_kernel, *arguments, **options):
    run = run_kernel.simulate(*arguments, **options)
    assert run.findings == (), str(run)
    return run


@cuda.jit(device=True)
def halve(x):
    return x / float32(2)


def third(x):
    return halve(x) * float32(2) / float32(3)


@kernel
def with_functions(x, out):
    i = cuda.grid(1)
    if i < x.size:
        out[i] = third(x[i])


def test_device_functions_and_plain_ones_are_called():
    x = RNG.random(100).astype(np.float32)
    run = quiet(with_functions, 2, 64, (x, np.zeros_like(x)))
    assert np.array_equal(run["out"], x / np.float32(2) * np.float32(2) / np.float32(3))


@kernel
def shared_reduction(x, out):
    s = cuda.shared.array(64, float32)
    t = cuda.threadIdx.x
    s[t] = x[cuda.grid(1)]
    cuda.syncthreads()
    k = 32
    while k > 0:
        if t < k:
            s[t] += s[t + k]
        cuda.syncthreads()
        k //= 2
    if t == 0:
        out[cuda.blockIdx.x] = s[0]


@pytest.mark.parametrize("checks", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_a_reduction_gives_the_same_bits_in_every_order(seed, checks):
    x = RNG.random(256).astype(np.float32)
    expected = x.reshape(4, 64)
    while expected.shape[1] > 1:
        half = expected.shape[1] // 2
        expected = expected[:, :half] + expected[:, half:]
    run = quiet(shared_reduction, 4, 64, (x, np.zeros(4, np.float32)), seed=seed, checks=checks)
    assert np.array_equal(run["out"], expected[:, 0])


@kernel
def mixed(x, i, out):
    t = cuda.grid(1)
    out[0, t] = x[t] * 3 + x[t]
    out[1, t] = 0.1 * x[t] + i[t]
    out[2, t] = x[t] / (i[t] + 1)
    out[3, t] = math.sqrt(x[t]) * i[t] - x[t]


def mixed_body(x, i, out):
    for t in range(x.size):
        out[0, t] = x[t] * 3 + x[t]
        out[1, t] = 0.1 * x[t] + i[t]
        out[2, t] = x[t] / (i[t] + 1)
        out[3, t] = math.sqrt(x[t]) * i[t] - x[t]


@pytest.mark.parametrize("checks", [False, True])
def test_mixed_types_give_the_bits_of_numbas_compiled_code(checks):
    x, i = RNG.random(64).astype(np.float32), RNG.integers(0, 1000, 64).astype(np.int32)
    expected = np.zeros((4, 64), np.float32)
    njit(mixed_body)(x, i, expected)
    run = quiet(mixed, 2, 32, (x, i, np.zeros_like(expected)), checks=checks)
    assert np.array_equal(run["out"], expected)


@kernel
def votes(out):
    lane = cuda.threadIdx.x
    mask = 0xFFFFFFFF
    out[0, lane] = cuda.shfl_xor_sync(mask, lane, 1)
    out[1, lane] = cuda.shfl_down_sync(mask, lane, 4)
    out[2, lane] = cuda.shfl_up_sync(mask, lane, 4)
    out[3, lane] = cuda.popc(cuda.ballot_sync(mask, lane % 2 == 0))
    out[4, lane] = cuda.popc(cuda.ballot_sync(mask, True))
    out[5, lane] = cuda.any_sync(mask, lane == 3)
    out[6, lane] = cuda.all_sync(mask, lane < 32)
    out[7, lane] = cuda.match_any_sync(mask, lane // 16)
    out[8, lane] = cuda.syncthreads_count(lane < 5)
    out[9, lane] = cuda.lanemask_lt()


@pytest.mark.parametrize("seed", range(3))
def test_shuffles_and_votes(seed):
    out = quiet(votes, 1, 32, (np.zeros((10, 32), np.int64),), seed=seed)["out"]
    lanes = np.arange(32)
    assert np.array_equal(out[0], lanes ^ 1)
    assert np.array_equal(out[1], np.where(lanes < 28, lanes + 4, lanes))
    assert np.array_equal(out[2], np.where(lanes >= 4, lanes - 4, lanes))
    assert (out[3:7] == np.array([16, 32, 1, 1])[:, None]).all()
    assert np.array_equal(out[7], np.where(lanes < 16, 0xFFFF, np.int32(-0x10000)))
    assert (out[8] == 5).all()
    assert np.array_equal(out[9], 2**lanes - 1)


@kernel
def bit_tricks(values, out):
    i = cuda.grid(1)
    v = values[i]
    out[0, i] = cuda.popc(v)
    out[1, i] = cuda.clz(v)
    out[2, i] = cuda.ffs(v)
    out[3, i] = cuda.brev(uint32(v))
    out[4, i] = uint8(v) - uint8(1)
    out[5, i] = int32(v) >> 3


def test_integer_intrinsics_know_their_width():
    values = np.array([0, 1, -1, 5, -(2**31), 2**31 - 1], np.int32)
    out = quiet(bit_tricks, 1, 6, (values, np.zeros((6, 6), np.int64)))["out"]
    words = [int(v) & 0xFFFFFFFF for v in values]
    assert out[0].tolist() == [w.bit_count() for w in words]
    assert out[1].tolist() == [32 - w.bit_length() for w in words]
    assert out[2].tolist() == [(w & -w).bit_length() for w in words]
    assert out[3].tolist() == [int(f"{w:032b}"[::-1], 2) for w in words]
    assert out[4].tolist() == [((w & 255) - 1) % 2**64 - (2**64 if (w & 255) == 0 else 0) for w in words]
    assert out[5].tolist() == [int(v) >> 3 for v in values]


@kernel
def histogram(x, counts):
    i = cuda.grid(1)
    while i < x.size:
        cuda.atomic.add(counts, x[i], 1)
        i += cuda.gridsize(1)


@kernel
def ticket(order, count):
    order[cuda.grid(1)] = cuda.atomic.add(count, 0, 1)


@pytest.mark.parametrize("seed", range(3))
def test_atomics_lose_nothing(seed):
    x = RNG.integers(0, 16, 1000).astype(np.int32)
    run = quiet(histogram, 4, 64, (x, np.zeros(16, np.int32)), seed=seed)
    assert np.array_equal(run["counts"], np.bincount(x, minlength=16))
    run = quiet(ticket, 4, 32, (np.zeros(128, np.int32), np.zeros(1, np.int32)), seed=seed)
    assert sorted(run["order"]) == list(range(128))


@kernel
def spin_lock(lock, value):
    while cuda.atomic.cas(lock, 0, 0, 1) != 0:
        pass
    cuda.threadfence()
    value[0] += 1
    cuda.threadfence()
    cuda.atomic.exch(lock, 0, 0)


@pytest.mark.parametrize("seed", range(5))
def test_threads_that_spin_take_turns(seed):
    run = quiet(spin_lock, 4, 1, (np.zeros(1, np.int32), np.zeros(1, np.int32)), seed=seed)
    assert run["value"][0] == 4


@kernel
def dynamic(out):
    words = cuda.shared.array(0, int32)
    octets = cuda.shared.array(0, uint8)
    own = cuda.local.array(2, int32)
    own[0] = cuda.threadIdx.x
    words[cuda.threadIdx.x] = own[0]
    cuda.syncthreads()
    out[cuda.threadIdx.x] = octets[4 * cuda.threadIdx.x]


def test_dynamic_shared_memory_is_one_piece_of_bytes():
    run = quiet(dynamic, 1, 8, (np.zeros(8, np.int32),), shared_bytes=32)
    assert run["out"].tolist() == list(range(8))


def test_the_arrays_given_stay_as_they_are_and_a_launch_changes_them():
    x, out = np.ones(64, np.float32), np.zeros(1, np.float32)
    run = shared_reduction.simulate(1, 64, (x, out))
    assert run["out"][0] == 64
    assert out[0] == 0
    shared_reduction[1, 64](x, out)
    assert out[0] == 64


def test_views_of_one_array_overlap_in_the_simulator_too():
    @kernel
    def move(a, b):
        b[cuda.grid(1)] = a[cuda.grid(1)] + 1

    memory = np.zeros(8, np.int32)
    move[1, 4](memory[:4], memory[4:])
    assert memory.tolist() == [0, 0, 0, 0, 1, 1, 1, 1]


@pytest.mark.parametrize(
    ("body", "name"),
    [
        ("over", "out of bounds"),
        ("raising", "exception in the kernel"),
        ("unknown", "unknown word"),
    ],
)
@pytest.mark.parametrize("checks", [False, True])
def test_what_a_kernel_does_wrong_is_told_with_its_line(body, name, checks):
    @kernel
    def over(out):
        out[cuda.grid(1) + 1] = 1

    @kernel
    def raising(out):
        raise ValueError("no")

    @kernel
    def unknown(out):
        cuda.warp_drive(out)

    run = {"over": over, "raising": raising, "unknown": unknown}[body].simulate(
        1, 4, (np.zeros(4, np.int32),), checks=checks
    )
    assert run.stopped
    assert run.findings[-1].name == name
    assert run.findings[-1].line == 3
    assert run.findings[-1].text


def test_a_kernel_that_loops_for_ever_is_stopped():
    @kernel
    def loop(out):
        while True:
            pass

    run = loop.simulate(1, 1, (np.zeros(1),), patience=0.3)
    assert run.findings[0].name == "loop that never ends"
    assert run.findings[0].line in (3, 4)


def test_a_launch_that_is_stopped_raises_and_names_the_line():
    @kernel
    def over(out):
        out[cuda.grid(1)] = 1

    with pytest.raises(SimulationError, match=r"out of bounds \(over, line 3: out\[cuda.grid\(1\)\] = 1\)"):
        over[1, 8](np.zeros(4, np.int32))


def test_correct_launches_warn_of_nothing():
    with warnings.catch_warnings():
        warnings.simplefilter("error", Simulated)
        shared_reduction[1, 64](np.ones(64, np.float32), np.zeros(1, np.float32))


def test_the_same_seed_gives_the_same_run():
    orders = [
        ticket.simulate(4, 32, (np.zeros(128, np.int32), np.zeros(1, np.int32)), seed=seed)["order"].tolist()
        for seed in (5, 5, 6)
    ]
    assert orders[0] == orders[1] != orders[2]
