"""The kernels about barriers: arriving and waiting are two instructions, or one that cannot be split."""

import numpy as np
import pytest

from hopperlab.device import on_silicon
from hopperlab.kernels import barriers
from tests.kernels.machine_code import assert_has, assert_lacks, code_without_spill


def test_work_stands_between_arriving_and_waiting():
    code = code_without_spill(barriers.arrive_then_wait)
    arrive, wait = code.index("SYNCS.ARRIVE"), code.index("SYNCS.PHASECHK.TRANS64.TRYWAIT")
    assert arrive < wait
    assert_has(code[arrive:wait], "FFMA")
    assert_lacks(code[arrive:], r"BAR\.")


def test_its_twin_has_one_barrier_for_both_and_works_after_it():
    code = code_without_spill(barriers.arrive_and_wait)
    assert_lacks(code, "SYNCS")
    assert code.count("BAR.SYNC") == 1
    assert code.index("BAR.SYNC") < code.index("FFMA")


def test_the_obedient_barrier_knows_every_operation():
    code = code_without_spill(barriers.obey)
    kinds = ("EXCH", r"ARRIVE\.TRANS64\.ART0", r"ARRIVE\.TRANS64\.OPTOUT", r"ARRIVE\.TRANS64\.RED\.A0TX")
    assert_has(code, *(rf"SYNCS\.{kind}" for kind in kinds), r"SYNCS\.PHASECHK\.TRANS64 ", r"UBLKCP\.S\.G")


@pytest.mark.gpu
@pytest.mark.parametrize(
    "kernel", [barriers.arrive_then_wait, barriers.arrive_and_wait], ids=lambda k: k.name
)
@pytest.mark.parametrize("work", [0, 1, 50])
def test_both_give_the_same_bits(kernel, work):
    from numba import cuda

    values = np.arange(4 * barriers.THREADS, dtype=np.float32) / np.float32(1024)
    sums = cuda.to_device(np.zeros_like(values))
    with on_silicon():
        kernel[4, barriers.THREADS](cuda.to_device(values), sums, work)
    own = values.astype(np.float64)
    for _ in range(work):
        own = (own * 0.5 + 1).astype(np.float32).astype(np.float64)  # exact before it is rounded, as in fma
    neighbors = np.roll(values.reshape(4, -1), -1, axis=1).ravel()
    assert np.array_equal(sums.copy_to_host(), neighbors + own.astype(np.float32))
