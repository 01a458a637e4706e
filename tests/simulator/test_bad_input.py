"""Kernels that go wrong in other ways: the run stops, tells why, and leaves Python as it was."""

import signal
import sys
import time

import numpy as np
import pytest
from greenlet import getcurrent
from numba import cuda, float32, int32

from hopperlab.device import global_timer, kernel, mbarrier
from hopperlab.kernels.specimens import kernel_of, wrong_arrival_count


@kernel
def endless(out):
    while True:
        out[0] += 1
        cuda.syncthreads()


def test_an_interrupt_from_the_keyboard_stops_a_run_and_reaches_the_caller():
    def interrupt(number, frame):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    try:
        with pytest.raises(KeyboardInterrupt):
            endless.simulate(1, 64, (np.zeros(1),), checks=False, trace=False)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert getcurrent().parent is None


def test_a_hang_is_explained_within_a_second():
    grid, block, arguments, options = wrong_arrival_count.launch(0)
    spent = []
    for _ in range(2):  # a garbage collection may spoil one
        start = time.perf_counter()
        run = kernel_of(wrong_arrival_count).simulate(grid, block, arguments, **options)
        spent.append(time.perf_counter() - start)
    assert min(spent) < 1 or sys.gettrace() is not None
    told = run.findings[0].seen
    for part in (
        "no thread can go on. Threads 0 to 31 of block 0: each waits for",
        "barrier full of block 0",
        "phase 0 (parity 0)",
        "31 more arrivals",
    ):
        assert part in told


def test_local_memory_has_a_limit():
    @kernel
    def greedy(out):
        big = cuda.local.array(10**9, float32)
        out[0] = big[0]

    run = greedy.simulate(1, 1, (np.zeros(1, np.float32),))
    assert run.findings[0].name == "too much local memory"


def test_an_argument_that_no_kernel_takes_is_refused():
    @kernel
    def nothing(x):
        pass

    with pytest.raises(TypeError, match="x is a dict"):
        nothing.simulate(1, 1, ({},))
    with pytest.raises(TypeError, match="nothing takes 1 arguments"):
        nothing.simulate(1, 1, ())
    with pytest.raises(ValueError, match="no chip"):
        nothing.simulate(1, 1, (1,), chip="H9000")


def test_a_block_waits_only_on_its_own_barriers():
    from hopperlab.device import cluster

    @kernel
    def wait_elsewhere(out):
        full = mbarrier.shared()
        mbarrier.init(full, 1)
        cluster.sync()
        mbarrier.wait(cluster.map_shared_rank(full, cluster.block_rank() ^ 1), 0)

    run = wait_elsewhere.simulate(2, 1, (np.zeros(1),), cluster=2)
    assert "another block's" in run.findings[-1].seen
    assert run.findings[-1].line == 6


def test_a_global_that_is_an_array_is_constant():
    table = np.arange(4, dtype=np.int32)

    @kernel
    def look_up(out):
        known = cuda.const.array_like(table)
        out[cuda.threadIdx.x] = known[3 - cuda.threadIdx.x]

    @kernel
    def change(out):
        table[0] = int32(1)

    assert look_up.simulate(1, 4, (np.zeros(4, np.int32),))["out"].tolist() == [3, 2, 1, 0]
    assert change.simulate(1, 1, (np.zeros(1),)).stopped


@kernel
def tell_the_time(out):
    out[0] = global_timer()


@kernel
def sleep(out):
    cuda.nanosleep(100)


@pytest.mark.parametrize("timed", [tell_the_time, sleep], ids=lambda k: k.name)
def test_nanoseconds_are_refused_on_a_chip_that_has_no_clock(timed):
    run = timed.simulate(1, 1, (np.zeros(1, np.uint64),), chip="GH100")
    assert run.stopped
    (finding,) = run.findings
    assert finding.name == "chip without a clock"
    assert finding.line == 3
    assert "chip='GH100' has no clock rate (no card carries the full die)" in finding.seen
    assert "H100 SXM5, H100 PCIe, H200 SXM" in finding.cure
    assert not timed.simulate(1, 1, (np.zeros(1, np.uint64),)).findings
