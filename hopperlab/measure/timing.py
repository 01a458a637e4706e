"""Timing of launches: warm-up, repeats, medians with their spread, and proof that the work was done."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

MILLISECONDS = 1e-3
QUEUEING_NS = 400_000  # a launch from Python takes up to some 100 us, and two events and a launch are queued


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


def seconds(*launches: Callable[[], None], warm_up: int = 3, repeats: int = 20) -> list[list[float]]:
    """Time launches with events, interleaved: one of each, then the next round.

    A card that warms up slows all of them alike, so that they can be compared. Before each, the stream is held
    until the launch is queued: on an idle stream the first event passes at once, and the time that Python takes
    to launch would count.

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
    """
    from numba import cuda

    from hopperlab.kernels.holding import hold

    held = hold[1, 1]
    for _ in range(warm_up):
        for launch in launches:
            held(QUEUEING_NS)
            launch()
    cuda.synchronize()
    begin, end = cuda.event(timing=True), cuda.event(timing=True)
    times: list[list[float]] = [[] for _ in launches]
    for _ in range(repeats):
        for launch, taken in zip(launches, times, strict=True):
            held(QUEUEING_NS)
            begin.record()
            launch()
            end.record()
            end.synchronize()
            taken.append(begin.elapsed_time(end) * MILLISECONDS)
    return times


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
