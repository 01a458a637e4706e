"""Times on a card that no host disturbs: launches queued behind a kernel that waits, and the SM's true clock."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

MILLISECONDS = 1e-3


def stamps() -> Any:
    """Give room for cycles and nanoseconds, before and after."""
    import numpy as np
    from numba import cuda

    return cuda.to_device(np.zeros((2, 2), np.uint64))


def megahertz(times: Any) -> float:
    """Give the clock between two stamps, in MHz.

    Raises
    ------
    RuntimeError
        If the kernel has not set them.
    """
    begin, end = times.copy_to_host().astype("int64")
    cycles, nanoseconds = (end - begin).tolist()
    if nanoseconds <= 0:
        raise RuntimeError("a kernel did not tell the time; the measurement does not count")
    return round(1000 * cycles / nanoseconds, 1)


def measured_megahertz() -> float:
    """Let one SM count for some milliseconds; give its clock in MHz."""
    from hopperlab.kernels.memory import tick

    times = stamps()
    tick[1, 1](times)
    return megahertz(times)


def queued_seconds(*launches: Callable[[], Any], warm_up: int = 2, repeats: int = 5) -> list[list[float]]:
    """Time launches with events, in turns, each queued while the card is busy with waiting.

    An event that is recorded on an idle card is past before the host has launched anything, and the time of a
    short kernel then holds the host's as well. Behind a kernel that waits for milliseconds it does not.

    Parameters
    ----------
    launches
        Each launches what is to be timed, and does not wait for it.
    warm_up, repeats
        Rounds that are not timed, and rounds that are.

    Returns
    -------
    list of list of float
        For each launch its times in seconds, in order.
    """
    from numba import cuda

    from hopperlab.kernels.memory import tick

    times = stamps()
    begin, end = cuda.event(timing=True), cuda.event(timing=True)
    taken: list[list[float]] = [[] for _ in launches]
    for turn in range(warm_up + repeats):
        for launch, own in zip(launches, taken, strict=True):
            tick[1, 1](times)
            begin.record()
            launch()
            end.record()
            end.synchronize()
            if turn >= warm_up:
                own.append(begin.elapsed_time(end) * MILLISECONDS)
    return taken
