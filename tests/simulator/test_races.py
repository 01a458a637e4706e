"""Races in shared memory: one is found if, and only if, two accesses of a phase meet and one of them writes."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import cuda, int32

from hopperlab.device import kernel

THREADS, CELLS, STEPS = 4, 6, 40
READ, WRITE = 1, 2


@kernel
def replay(kinds, places, sums):
    box = cuda.shared.array(CELLS, int32)
    thread = cuda.threadIdx.x
    if thread == 0:
        for cell in range(CELLS):
            box[cell] = 0
    cuda.syncthreads()
    for phase in range(kinds.shape[0]):
        for step in range(kinds.shape[2]):
            if kinds[phase, thread, step] == READ:
                sums[thread] += box[places[phase, thread, step]]
            elif kinds[phase, thread, step] == WRITE:
                box[places[phase, thread, step]] = thread
        cuda.syncthreads()


def race_in(kinds, places):
    for phase in range(kinds.shape[0]):
        for cell in range(CELLS):
            here = [places[phase, t] == cell for t in range(THREADS)]
            writers = {t for t in range(THREADS) if (here[t] & (kinds[phase, t] == WRITE)).any()}
            readers = {t for t in range(THREADS) if (here[t] & (kinds[phase, t] == READ)).any()}
            if writers and len(writers | readers) > 1:
                return True
    return False


@pytest.mark.parametrize("order", [0, 3])
@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32), phases=st.integers(1, 3), writes=st.sampled_from([0.0, 0.002, 0.01, 0.1]))
def test_a_race_is_found_if_and_only_if_there_is_one(order, seed, phases, writes):
    random = np.random.default_rng(seed)
    shape = (phases, THREADS, STEPS)
    kinds = np.where(random.random(shape) < writes, WRITE, READ).astype(np.int32)
    places = random.integers(0, CELLS, shape).astype(np.int32)
    alone = random.random(phases) < 0.5  # phases in which each thread has a cell of its own
    places[alone] = np.arange(THREADS)[:, None]
    run = replay.simulate(1, THREADS, (kinds, places, np.zeros(THREADS, np.int32)), seed=order, trace=False)
    assert bool(run.findings) == race_in(kinds, places)
    assert {finding.name for finding in run.findings} <= {"race in shared memory within a block"}


@kernel
def late_write(through_a_view, out):
    box = cuda.shared.array((4, 8), int32)
    thread = cuda.threadIdx.x
    for row in range(4):
        box[row, thread] = thread
    cuda.syncthreads()
    for _ in range(4):
        for row in range(4):
            for column in range(8):
                out[thread] += box[row, column]
    if thread == 7:
        if through_a_view:
            row = box[2]
            row[3] = 0
        else:
            box[2, 3] = 0


@pytest.mark.parametrize("through_a_view", [False, True])
def test_a_write_after_many_reads_of_a_phase_is_found(through_a_view):
    run = late_write.simulate(1, 8, (through_a_view, np.zeros(8, np.int32)))
    assert [finding.name for finding in run.findings] == ["race in shared memory within a block"]
