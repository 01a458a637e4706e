"""The watchdog: stops a thread of the kernel that runs on and on without saying a word."""

from __future__ import annotations

import ctypes
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

PATIENCE = 10.0  # seconds of the processor
LOOKS = 8  # how often the watchdog looks within its patience


class Runaway(Exception):  # noqa: N818 - the run makes a finding of it
    """Raised in the kernel, from outside, when a thread has run too long."""

    def __str__(self) -> str:
        """Say what is wrong."""
        return "it runs on and on: neither does it end, nor does any other thread get its turn"


@contextmanager
def watch_over(scheduler: Any, patience: float) -> Iterator[None]:
    """Raise `Runaway` in this Python thread if one thread of the kernel keeps it for `patience` seconds.

    They are seconds of the processor: on a machine that is busy otherwise, a slow kernel is no runaway. What the
    engines do is not the thread's: a product may have to be compiled first.
    """
    me = threading.get_ident()
    done, one_at_a_time = threading.Event(), threading.Lock()

    def watch() -> None:
        last, since = (-1, None), time.process_time()
        while not done.wait(patience / LOOKS):
            now, clock = (scheduler.switches, scheduler.world.thread), time.process_time()
            if now != last or scheduler.landing:
                last, since = now, clock
                continue
            scheduler.world.grow_curious()  # a spin on plain reads is told sooner, by what it reads
            with one_at_a_time:
                if clock - since >= patience and not done.is_set():
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(me), ctypes.py_object(Runaway))
                    return

    threading.Thread(target=watch, name="simulator watchdog", daemon=True).start()
    try:
        yield
    finally:
        try:
            with one_at_a_time:
                done.set()
        except Runaway:  # raised just as the run ended by itself
            done.set()
