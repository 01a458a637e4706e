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


def ask(array, place, times, writes=False):
    """Let all threads read an element often, and the last of them access it at `place`."""

    @kernel
    def read_and_ask(array, out):
        thread = cuda.threadIdx.x
        for _ in range(times):
            out[thread] = array[1] if array.ndim == 1 else array[1, 1]
        if thread == THREADS - 1 and not writes:
            out[thread] = array[place]
        if thread == THREADS - 1 and writes:
            array[place] = 2

    return read_and_ask.simulate(1, THREADS, (array, np.zeros(THREADS)))


EQUAL_TO_ONE = (1.0, True, np.float32(1), np.bool_(True))
KINDS = (np.float32, np.float64, np.int32, np.uint8)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("times", [0, 8])
@pytest.mark.parametrize("wrong", EQUAL_TO_ONE, ids=repr)
@pytest.mark.parametrize("writes", [False, True], ids=["read", "written"])
def test_what_python_finds_equal_to_a_whole_number_is_no_index(kind, times, wrong, writes):
    line, square = np.ones(2, kind), np.ones((2, 2), kind)
    for array, place in ((line, wrong), (square, (wrong, 1)), (square, (1, wrong))):
        run = ask(array, place, times, writes)
        assert run.stopped
        assert [finding.name for finding in run.findings] == ["misuse of a word"]
        assert "give whole numbers and slices" in run.findings[0].seen


@pytest.mark.parametrize("times", [0, 8])
@pytest.mark.parametrize("whole", [1, np.int32(1), np.uint8(1), np.int64(-1)], ids=repr)
def test_a_whole_number_of_any_width_is_an_index(times, whole):
    for array, place in ((np.ones(2), whole), (np.ones((2, 2)), (whole, whole))):
        assert ask(array, place, times).findings == ()
