"""Timing of launches: warm-up, repeats, medians with their spread, and proof that the work was done."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from time import perf_counter_ns
from typing import Any

import numpy as np

MILLISECONDS = 1e-3
HOLDS_NS = (400_000, 2_000_000, 10_000_000, 50_000_000)
"""How long a stream is held until a launch is queued: Python takes some 100 us for most, and longer at times."""


@dataclass(frozen=True)
class Spread:
    """The middle of some samples and how far they spread: the median and the 10 % and 90 % points."""

    median: float
    low: float
    high: float
    samples: int


def spread(samples: Sequence[float]) -> Spread:
    """Give the median of samples and the points that 10 % and 90 % of them lie under.

    Raises
    ------
    ValueError
        If there are no samples.
    """
    if not len(samples):
        raise ValueError("samples is empty; a median needs at least one")
    low, median, high = np.percentile(np.asarray(samples, dtype=np.float64), [10, 50, 90])
    return Spread(float(median), float(low), float(high), len(samples))


def seconds(*launches: Callable[[], Any], warm_up: int = 3, repeats: int = 20) -> list[list[float]]:
    """Time launches with events, interleaved: one of each, then the next round.

    A card that warms up slows all of them alike, so that they can be compared. Before each, the stream is held
    until the launch is queued: on an idle stream the first event passes at once, and the time that Python takes
    to launch would count. A time counts only if the stream was still held when all was queued.

    Parameters
    ----------
    launches
        Each launches what is to be timed, and does not wait for it.
    warm_up
        Rounds that are not timed: compilation, first touches, clocks that rise.
    repeats
        Rounds that are timed.

    Returns
    -------
    list of list of float
        For each launch its times in seconds, in order.

    Raises
    ------
    RuntimeError
        If a launch is not queued even while the stream is held for the longest of `HOLDS_NS`.
    """
    from numba import cuda

    from hopperlab.kernels.holding import hold

    for _ in range(warm_up):
        for launch in launches:
            hold[1, 1](HOLDS_NS[0])
            launch()
    cuda.synchronize()
    times: list[list[float]] = [[] for _ in launches]
    for _ in range(repeats):
        for launch, own in zip(launches, times, strict=True):
            own.append(first_that_counts(partial(_behind_a_hold, launch)))
    return times


def _behind_a_hold(launch: Callable[[], Any], hold_ns: int) -> float | None:
    """Time a launch on a stream that is held for so long; None if the launch was not queued by then."""
    from numba import cuda

    from hopperlab.kernels.holding import hold

    begin, end = cuda.event(timing=True), cuda.event(timing=True)
    before = perf_counter_ns()  # the hold begins later, so that it ends later than the host reckons
    hold[1, 1](hold_ns)
    begin.record()
    launch()
    end.record()
    queued_in_time = perf_counter_ns() - before < hold_ns
    end.synchronize()
    return begin.elapsed_time(end) * MILLISECONDS if queued_in_time else None


def first_that_counts(taken: Callable[[int], float | None]) -> float:
    """Give the first time that counts, of a stream that is held for longer and longer.

    Parameters
    ----------
    taken
        From nanoseconds that the stream is held to a time, or None if that was too short to queue all.

    Raises
    ------
    RuntimeError
        If the longest of `HOLDS_NS` is too short.
    """
    for hold_ns in HOLDS_NS:
        found = taken(hold_ns)
        if found is not None:
            return found
    raise RuntimeError(
        f"a launch took the host more than {HOLDS_NS[-1] * 1e-6:.0f} ms to queue, or waited for the card; "
        "its time would hold the host's and does not count"
    )


def require_work(what: str, got: Any, expected: Any) -> None:
    """Refuse a measurement whose kernel did not do its work: a compiler may have removed dead code.

    Raises
    ------
    RuntimeError
        If the result differs from the expected one.
    """
    got, expected = np.asarray(got), np.asarray(expected)
    if not np.array_equal(got, expected):
        wrong = int((got != expected).sum()) if got.shape == expected.shape else got.size
        raise RuntimeError(
            f"{what}: {wrong} of {expected.size} results are wrong; the measurement does not count"
        )


def require_instructions(what: str, sass: str, *instructions: str) -> None:
    """Refuse to measure a kernel whose machine code lacks the instructions that are to be measured.

    Raises
    ------
    RuntimeError
        If one is missing; the message names it.
    """
    missing = [name for name in instructions if name not in sass]
    if missing:
        raise RuntimeError(f"{what}: the machine code has no {', '.join(missing)}; nothing to measure")
