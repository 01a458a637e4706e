"""Statistics of times, and the guards against measuring nothing."""

import time

import numpy as np
import pytest

from hopperlab.device import on_silicon
from hopperlab.kernels.holding import hold
from hopperlab.measure.timing import (
    HOLDS_NS,
    first_that_counts,
    require_instructions,
    require_work,
    seconds,
    spread,
)


def test_the_median_comes_with_its_spread():
    found = spread([1.0, 2.0, 3.0, 4.0, 100.0])
    assert found.median == 3.0
    assert found.low < found.median < found.high < 100.0
    assert found.samples == 5


def test_no_samples_have_no_median():
    with pytest.raises(ValueError, match="samples is empty"):
        spread([])


def test_a_kernel_that_did_no_work_does_not_count():
    require_work("copy", np.arange(4), np.arange(4))
    with pytest.raises(RuntimeError, match="copy: 3 of 4 results are wrong"):
        require_work("copy", np.zeros(4), np.arange(4))
    with pytest.raises(RuntimeError, match="does not count"):
        require_work("copy", np.zeros(3), np.arange(4))


def test_a_kernel_without_the_instruction_is_not_measured():
    require_instructions("max", "VIADDMNMX R1, R2 ;", "VIADDMNMX")
    with pytest.raises(RuntimeError, match=r"max: .* no VIMNMX3"):
        require_instructions("max", "VIADDMNMX R1, R2 ;", "VIADDMNMX", "VIMNMX3")


def test_a_launch_is_held_until_it_is_queued():
    run = hold.simulate(1, 1, (HOLDS_NS[0],))
    assert not run.findings
    assert run.cycles > HOLDS_NS[0]  # nanoseconds of the simulated clock, which is faster than 1 GHz


@pytest.mark.parametrize("enough", HOLDS_NS)
def test_a_time_counts_once_the_stream_was_held_long_enough(enough):
    asked = []

    def taken(hold_ns):
        asked.append(hold_ns)
        return 1e-3 if hold_ns >= enough else None

    assert first_that_counts(taken) == 1e-3
    assert asked == [hold_ns for hold_ns in HOLDS_NS if hold_ns <= enough]
    assert asked == sorted(asked)


def test_a_launch_that_waits_for_the_card_has_no_time():
    with pytest.raises(RuntimeError, match="took the host more than 50 ms to queue, or waited for the card"):
        first_that_counts(lambda hold_ns: None)


class Event:
    """An event of a card that takes a millisecond for everything."""

    def __init__(self, timing):
        self.record = self.synchronize = lambda: None

    def elapsed_time(self, other):
        return 1.0


class Hold:
    """A kernel that only notes for how long it was to hold the stream."""

    def __init__(self):
        self.asked = []

    def __getitem__(self, of_one_thread):
        return self.asked.append


def test_only_a_launch_that_the_host_delays_is_held_for_longer(monkeypatch):
    from numba import cuda

    held, now = Hold(), [0]

    def delayed():
        now[0] += (HOLDS_NS[1] + HOLDS_NS[2]) // 2

    monkeypatch.setattr("hopperlab.measure.timing.perf_counter_ns", lambda: now[0])
    monkeypatch.setattr("hopperlab.kernels.holding.hold", held)
    monkeypatch.setattr(cuda, "event", Event)
    monkeypatch.setattr(cuda, "synchronize", lambda: None)
    found = seconds(delayed, lambda: None, warm_up=1, repeats=2)
    assert found == [[1e-3, 1e-3], [1e-3, 1e-3]]
    in_a_round = [*HOLDS_NS[:3], HOLDS_NS[0]]
    assert held.asked == [HOLDS_NS[0]] * 2 + in_a_round * 2


@pytest.mark.gpu
def test_a_launch_that_the_host_delays_takes_no_longer():
    from numba import cuda

    with on_silicon():
        at_once, delayed = seconds(
            lambda: hold[1, 1](100_000), lambda: (time.sleep(1e-3), hold[1, 1](100_000)), repeats=5
        )
        with pytest.raises(RuntimeError, match="waited for the card"):
            seconds(cuda.synchronize, repeats=1)
    assert max(*at_once, *delayed) < 2 * min(*at_once, *delayed)
