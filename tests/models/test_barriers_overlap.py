"""The split barrier against the joint one: same work, earlier end, never a later one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hopperlab.models.barriers import Mbarrier, arrive_then_wait, looks, syncthreads

TIMES = st.integers(0, 50)
WORK = st.lists(st.tuples(TIMES, TIMES, TIMES), min_size=1, max_size=6)


def run_by_clock(work):
    """The oracle: a clock that ticks, threads that work, and a real barrier; gives each thread's end."""
    barrier, ends, done = Mbarrier(len(work)), [None] * len(work), [list(one) for one in work]
    for now in range(1000):
        for left in done:
            if left[0] == 0:
                barrier.arrive()
                left[0] = -1
        for who, left in enumerate(done):
            if ends[who] is None and left[:2] == [-1, 0] and left[2] == 0 and barrier.test_wait(0):
                ends[who] = now
        if None not in ends:
            return ends
        for left in done:
            if left[0] > 0:
                left[0] -= 1
            elif left[1] > 0:
                left[1] -= 1
            elif barrier.test_wait(0) and left[2] > 0:
                left[2] -= 1
    raise AssertionError("the clock ran out")


@given(WORK)
def test_the_schedule_agrees_with_a_ticking_clock(work):
    schedule = arrive_then_wait(*zip(*work, strict=True))
    assert [lane.finishes for lane in schedule.lanes] == run_by_clock(work)


@given(WORK)
def test_splitting_never_loses_and_idles_no_longer(work):
    columns = list(zip(*work, strict=True))
    split, joint = arrive_then_wait(*columns), syncthreads(*columns)
    assert split.completes == joint.completes
    assert split.finishes <= joint.finishes
    assert split.idle <= joint.idle
    for early, late in zip(split.lanes, joint.lanes, strict=True):
        assert early.finishes <= late.finishes
        assert late.finishes - early.finishes == late.idle - early.idle


def test_independent_work_hides_the_wait_for_a_slow_thread():
    split = arrive_then_wait([10, 100], [90, 0])
    joint = syncthreads([10, 100], [90, 0])
    assert (split.finishes, split.idle) == (100, 0)
    assert (joint.finishes, joint.idle) == (190, 90)


def test_a_sleeper_looks_seldom():
    assert looks(7000, 20) == 351
    assert looks(7000, 7776) == 2
    assert looks(0, 20) == 1


@pytest.mark.parametrize(
    "call",
    [
        lambda: arrive_then_wait([1], [1, 2]),
        lambda: arrive_then_wait([], []),
        lambda: syncthreads([1], [-1]),
        lambda: syncthreads([1], [1], [1, 1]),
        lambda: looks(1, 0),
        lambda: looks(-1, 1),
    ],
)
def test_impossible_work_is_refused(call):
    with pytest.raises(ValueError, match=r"before|independent|waited|every"):
        call()
