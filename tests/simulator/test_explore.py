"""Exploration: every order of a small kernel, and the shortest one that goes wrong."""

import numpy as np
import pytest
from numba import cuda, int32

from hopperlab.device import kernel


@kernel
def hand_over(out):
    box = cuda.shared.array(1, int32)
    thread = cuda.threadIdx.x
    if thread == 0:
        box[0] = 7
    cuda.syncthreads()
    out[thread] = box[0]


@kernel
def hand_over_unguarded(out):
    box = cuda.shared.array(1, int32)
    thread = cuda.threadIdx.x
    if thread == 0:
        box[0] = 7
    cuda.syncwarp(1 << thread)
    out[thread] = box[0]


@kernel
def last_one_wins(out):
    cuda.atomic.exch(out, 0, cuda.threadIdx.x + 1)
    cuda.syncthreads()


def test_a_correct_kernel_has_one_result_in_all_interleavings():
    found = hand_over.explore(1, 2, (np.zeros(2, np.int32),))
    assert found.complete
    assert found.results == 1
    assert found.counter_example is None
    assert found.runs > 1
    assert str(found) == f"No finding in all {found.runs} interleavings, the same result in each."


def test_a_race_gives_the_shortest_counter_example_as_a_trace():
    found = hand_over_unguarded.explore(1, 2, (np.zeros(2, np.int32),))
    assert found.counter_example is not None
    assert found.counter_example.trace.events


def test_orders_that_matter_give_different_results():
    found = last_one_wins.explore(1, 2, (np.zeros(1, np.int32),))
    assert found.complete
    assert found.results == 2


def test_the_bound_is_kept_and_told():
    found = last_one_wins.explore(1, 3, (np.zeros(1, np.int32),), limit=3)
    assert not found.complete
    assert found.runs == 3
    assert "the first 3 interleavings" in str(found)
    with pytest.raises(ValueError, match="limit=0"):
        last_one_wins.explore(1, 3, (np.zeros(1, np.int32),), limit=0)
