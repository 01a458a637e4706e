"""Launches that are prepared once, and grids that begin before the one before has ended."""

import numpy as np
import pytest
from numba import cuda, float32

from hopperlab.device import griddepcontrol, kernel, on_silicon
from hopperlab.device.silicon.launching import WAITS_FOR_GRIDS

BLOCKS, THREADS = 264, 256
ROUNDS = 50


@kernel(signature="void(int32[::1])")
def count_up(values):
    values[cuda.grid(1)] += 1


@kernel(signature="void(float32[::1], float32[::1])")
def follow(given, taken):
    """Take what the grid before left: a number from the other end, so that another block's threads wrote it."""
    griddepcontrol.wait()
    griddepcontrol.launch_dependents()
    i = cuda.grid(1)
    taken[i] = given[given.size - 1 - i] + float32(1)


def test_a_prepared_launch_does_again_what_the_launch_does(monkeypatch):
    monkeypatch.setenv("HOPPERLAB_MACHINE", "simulator")
    values = np.zeros(64, np.int32)
    launch = count_up[2, 32].prepared(values)
    assert (values == 0).all()
    for _ in range(3):
        launch()
    assert (values == 3).all()


def test_preparing_looks_at_the_number_of_arguments():
    with pytest.raises(TypeError, match="takes 1 arguments"):
        count_up[2, 32].prepared()


def test_a_kernel_that_waits_for_the_grid_before_is_known_by_its_ptx():
    assert WAITS_FOR_GRIDS.search(follow.ptx())
    assert "griddepcontrol.launch_dependents;" in follow.ptx()
    assert not WAITS_FOR_GRIDS.search(count_up.ptx())


def test_in_the_simulator_one_launch_has_ended_before_the_next():
    one, two = np.arange(64, dtype=np.float32), np.zeros(64, np.float32)
    run = follow.simulate(2, 32, (one, two))
    assert run.findings == ()
    assert np.array_equal(run["taken"], one[::-1] + 1)


@pytest.mark.gpu
def test_a_grid_that_waits_sees_all_that_the_one_before_wrote():
    with on_silicon():
        one, two = (cuda.to_device(np.zeros(BLOCKS * THREADS, np.float32)) for _ in range(2))
        there, back = follow[BLOCKS, THREADS].prepared(one, two), follow[BLOCKS, THREADS].prepared(two, one)
        for _ in range(ROUNDS):
            there()
            back()
        assert (one.copy_to_host() == 2 * ROUNDS).all()
        assert (two.copy_to_host() == 2 * ROUNDS - 1).all()


@pytest.mark.gpu
def test_a_prepared_launch_takes_no_array_that_would_have_to_travel():
    with on_silicon():
        with pytest.raises(TypeError, match="an array is in host memory"):
            count_up[2, 32].prepared(np.zeros(64, np.int32))
        values = cuda.to_device(np.zeros(64, np.int32))
        launch = count_up[2, 32].prepared(values)
        for _ in range(3):
            launch()
        assert (values.copy_to_host() == 3).all()
