"""Calling a learner's function so that it stops in time, whatever it does."""

import ctypes
import signal
import threading
import time
from collections.abc import Callable
from typing import Any

_REPEAT_SECONDS = 0.01  # the alarm repeats, for a loop that catches everything


class TimeLimitError(BaseException):
    """The call ran out of time. Not an `Exception`, so that ``except Exception`` does not swallow it.

    ``stopped`` is False if the call could not be stopped, and still runs on its thread.
    """

    stopped = True


def within(seconds: float, function: Callable, *arguments: Any) -> Any:
    """Call a function; raise TimeLimitError if it runs longer than so many seconds.

    On the main thread of a system with interval timers, the timer stops it. Elsewhere it runs on a thread
    of its own, which is told to stop. One long call into compiled code is stopped only when it returns.
    """
    if hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread():
        return _within_alarm(seconds, function, arguments)
    return _within_thread(seconds, function, arguments)


def _within_alarm(seconds: float, function: Callable, arguments: tuple) -> Any:
    armed = [True]

    def stop(*_: Any) -> None:
        if armed:
            raise TimeLimitError

    started = time.monotonic()
    old_handler = signal.signal(signal.SIGALRM, stop)
    old_left, old_repeat = signal.setitimer(signal.ITIMER_REAL, seconds, _REPEAT_SECONDS)
    try:
        return function(*arguments)
    finally:
        armed.clear()  # first of all: an alarm from here on must not raise
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old_handler)
        if old_left:
            signal.setitimer(
                signal.ITIMER_REAL, max(old_left - (time.monotonic() - started), 0.001), old_repeat
            )


def _within_thread(seconds: float, function: Callable, arguments: tuple) -> Any:
    result: list[Any] = []
    failure: list[BaseException] = []

    def call() -> None:
        try:
            result.append(function(*arguments))
        except BaseException as error:
            failure.append(error)

    thread = threading.Thread(target=call, daemon=True)
    thread.start()
    thread.join(seconds)
    if thread.is_alive():
        late = TimeLimitError()
        late.stopped = _ask_to_stop(thread)
        raise late
    if failure:
        raise failure[0]
    return result[0]


def _ask_to_stop(thread: threading.Thread) -> bool:
    """Raise TimeLimitError in another thread, at its next line of Python; whether that ended it."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), ctypes.py_object(TimeLimitError))
    thread.join(0.5)
    return not thread.is_alive()
