import contextlib
import signal
import threading
import time

import pytest

from hopperlab.course.time_limit import TimeLimitError, within

LIMIT = 0.2


def endless() -> None:
    while True:
        pass


def swallowing() -> None:
    while True:
        try:
            while True:
                pass
        except Exception:
            pass


def elsewhere(function):
    """Call a function on another thread; its result or its error."""
    outcome = []

    def call() -> None:
        try:
            outcome.append(function())
        except BaseException as error:
            outcome.append(error)

    thread = threading.Thread(target=call)
    thread.start()
    thread.join(10)
    return outcome[0]


def test_a_call_in_time_gives_its_value_and_its_error() -> None:
    assert within(LIMIT, lambda a, b: a + b, 1, 2) == 3
    with pytest.raises(ZeroDivisionError):
        within(LIMIT, lambda: 1 / 0)


@pytest.mark.parametrize("function", [endless, swallowing])
def test_an_endless_loop_is_stopped_on_the_main_thread(function) -> None:
    started = time.monotonic()
    with pytest.raises(TimeLimitError):
        within(LIMIT, function)
    assert time.monotonic() - started < LIMIT + 1


@pytest.mark.parametrize("function", [endless, swallowing])
def test_an_endless_loop_is_stopped_on_another_thread(function) -> None:
    before = threading.active_count()
    late = elsewhere(lambda: within(LIMIT, function))
    assert isinstance(late, TimeLimitError)
    assert late.stopped
    assert threading.active_count() == before


def test_a_call_that_cannot_be_stopped_is_left_behind_and_said_to_run() -> None:
    late = elsewhere(lambda: within(LIMIT, lambda: time.sleep(1.5)))
    assert isinstance(late, TimeLimitError)
    assert not late.stopped


def test_values_and_errors_come_back_from_another_thread() -> None:
    assert elsewhere(lambda: within(LIMIT, lambda: 7)) == 7
    assert isinstance(elsewhere(lambda: within(LIMIT, lambda: 1 / 0)), ZeroDivisionError)


def test_systems_without_interval_timers_use_a_thread(monkeypatch) -> None:
    monkeypatch.delattr(signal, "setitimer")
    with pytest.raises(TimeLimitError):
        within(LIMIT, endless)


def test_handler_and_timer_are_as_before_after_every_ending() -> None:
    rings = []
    old = signal.signal(signal.SIGALRM, lambda *_: rings.append(time.monotonic()))
    signal.setitimer(signal.ITIMER_REAL, 0.6)
    try:
        mine = signal.getsignal(signal.SIGALRM)
        within(LIMIT, lambda: None)
        with pytest.raises(TimeLimitError):
            within(LIMIT, endless)
        with pytest.raises(ZeroDivisionError):
            within(LIMIT, lambda: 1 / 0)
        assert signal.getsignal(signal.SIGALRM) is mine
        assert 0 < signal.getitimer(signal.ITIMER_REAL)[0] < 0.5, (
            "the outer timer goes on, less the time spent"
        )
        time.sleep(0.7)
        assert len(rings) == 1
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)


def test_no_alarm_is_left_when_calls_end_just_at_the_limit() -> None:
    for _ in range(150):
        deadline = time.monotonic() + 0.003

        def until_the_limit(deadline=deadline) -> None:
            while time.monotonic() < deadline:
                pass

        with contextlib.suppress(TimeLimitError):
            within(0.003, until_the_limit)
        assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
