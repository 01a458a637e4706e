"""The checked arrays keep registers of which there is nothing more to learn: none outlives what is in memory."""

import numpy as np
import pytest
from numba import cuda, float32, int32

from hopperlab.device import bulk, fence, kernel, mbarrier

THREADS = 32


@kernel
def nobody_waits(source, seen):
    tile = cuda.shared.array(THREADS, int32, alignment=128)
    full = mbarrier.shared()
    thread = cuda.threadIdx.x
    if thread == 0:
        mbarrier.init(full, 1)
        fence.mbarrier_init()
    cuda.syncthreads()
    if thread == 0:
        mbarrier.arrive_expect_tx(full, 4 * THREADS)
        bulk.load(tile, source, 4 * THREADS, full)
    cuda.syncthreads()
    tile[thread] = -1
    cuda.syncthreads()
    for _ in range(8):
        for i in range(THREADS):
            seen[0, thread] = tile[i]
    cuda.nanosleep(100)
    seen[1, thread] = tile[thread]


def test_a_load_gives_what_a_copy_brought_although_nobody_waited_for_it():
    source = np.arange(THREADS, dtype=np.int32)
    arguments = (source, np.zeros((2, THREADS), np.int32))
    checked = nobody_waits.simulate(1, THREADS, arguments)
    bare = nobody_waits.simulate(1, THREADS, arguments, checks=False, trace=False, timing=False)
    assert (bare["seen"][0] == -1).all()
    assert (bare["seen"][1] == source).all()
    assert (checked["seen"] == bare["seen"]).all()
    assert [finding.name for finding in checked.findings] == ["write under a copy in flight"]


@kernel
def turn_by_turn(out):
    box = cuda.shared.array((4, 8), float32)
    row = box[1]
    thread = cuda.threadIdx.x
    for turn in range(6):
        if thread == turn:
            for i in range(8):
                if turn % 2:
                    row[i] = turn
                else:
                    box[1, i] = turn
        cuda.syncthreads()
        for _ in range(8):
            for i in range(8):
                out[turn, thread] = box[1, i] + row[i]
        cuda.syncthreads()


@pytest.mark.parametrize("seed", [0, 1])
def test_a_load_gives_what_was_written_last_by_whatever_view(seed):
    run = turn_by_turn.simulate(1, 8, (np.zeros((6, 8), np.float32),), seed=seed)
    assert run.findings == ()
    assert (run["out"] == 2.0 * np.arange(6)[:, None]).all()


@kernel
def index_of_a_float(values, out):
    for _ in range(64):
        out[cuda.threadIdx.x] = values[1]
    cuda.syncthreads()
    out[cuda.threadIdx.x] = values[values[0]]


def test_a_float_is_refused_as_an_index_although_it_equals_a_known_one():
    run = index_of_a_float.simulate(1, 8, (np.ones(4, np.float32), np.zeros(8, np.float32)))
    assert run.stopped
    assert run.findings[-1].text.endswith("values[values[0]]")
