"""Work between arriving and waiting: where it stands in the machine code, and equal sums on a card."""

import itertools

import numpy as np
import pytest

from hopperlab.device import on_silicon
from hopperlab.kernels.overlap import share_apart, share_at_once
from hopperlab.kernels.waiting import (
    LANES,
    SLEEP,
    SLEEP_WITH_A_HINT,
    SPIN,
    WORKERS,
    warps_apart,
    warps_at_once,
    work_beside_waiters,
)
from hopperlab.measure.barriers.overlap import AFTER, NEEDED, OWN, ROUNDS, worked
from tests.kernels.machine_code import assert_has, assert_lacks, code_without_spill


@pytest.mark.parametrize(("kernel", "work"), [(share_apart, "FADD"), (warps_apart, "FFMA")])
def test_own_work_stands_between_arriving_and_waiting(kernel, work):
    code = code_without_spill(kernel)
    arrives, waits = code.index("SYNCS.ARRIVE"), code.index("SYNCS.PHASECHK.TRANS64.TRYWAIT")
    assert arrives < waits
    assert_has(code[arrives:waits], work)


@pytest.mark.parametrize("kernel", [share_at_once, warps_at_once], ids=lambda k: k.name)
def test_with_syncthreads_there_is_nothing_between(kernel):
    assert_lacks(code_without_spill(kernel), "SYNCS")


def test_a_spinner_only_asks_and_a_sleeper_may_be_told_how_long():
    code = code_without_spill(work_beside_waiters)
    assert_has(code, r"SYNCS\.PHASECHK\.TRANS64 P", r"SYNCS\.PHASECHK\.TRANS64\.TRYWAIT", r"NANOSLEEP\.SYNCS")


def starts_of(parts):
    return np.cumsum([0, *parts]).astype(np.int32)


@pytest.mark.parametrize("steps", [0, 1, 3])
@pytest.mark.parametrize("kernel", [warps_apart, warps_at_once], ids=lambda k: k.name)
def test_warps_work_in_the_simulator_as_in_numpy(kernel, steps):
    threads = LANES * len(NEEDED)
    parts = [steps * np.array(part, np.int32) for part in (NEEDED, OWN, AFTER)]
    values = np.arange(threads, dtype=np.float32) - np.float32(50)
    run = kernel.simulate(1, threads, (*parts, np.int32(ROUNDS), values, np.zeros(len(NEEDED), np.uint32)))
    assert not run.findings
    assert np.array_equal(run["sums"], worked(steps, threads))


@pytest.mark.parametrize("way", [SPIN, SLEEP, SLEEP_WITH_A_HINT])
def test_waiters_go_on_only_after_the_workers(way):
    warps, zeros = WORKERS + 2, np.zeros(WORKERS + 2, np.uint32)
    arguments = (np.int32(way), np.uint32(100), np.int32(50), np.zeros(LANES * WORKERS, np.float32))
    run = work_beside_waiters.simulate(1, LANES * warps, (*arguments, zeros, zeros))
    assert not run.findings
    assert run["cycles"][WORKERS:].min() >= run["cycles"][:WORKERS].max()


@pytest.mark.gpu
@pytest.mark.parametrize("kernel", [share_apart, share_at_once], ids=lambda k: k.name)
def test_neighbors_share_their_sums_on_the_card(kernel):
    from numba import cuda

    needed, own = (8, 2, 5, 3), (2, 4, 6, 0)
    parts = []
    for part in (needed, own):
        parts += [np.arange(sum(part), dtype=np.float32), starts_of(part)]
    sums = cuda.to_device(np.zeros(4, np.float32))
    with on_silicon():
        kernel[1, 4](*map(cuda.to_device, parts), sums)
    made, kept = (
        [float(values[first:last].sum()) for first, last in itertools.pairwise(starts)]
        for values, starts in (parts[:2], parts[2:])
    )
    assert sums.copy_to_host().tolist() == [made[(t + 1) % 4] + kept[t] for t in range(4)]
