"""Hockney's model of a message: a start-up time, and bytes over a bandwidth, both fitted to measured runs.

NCCL's tuning model has the same form with constants of its own; this one asks the runs for them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from hopperlab.models.arguments import finite_number


@dataclass(frozen=True)
class Hockney:
    """A start-up time and a bandwidth.

    Attributes
    ----------
    startup_us
        Microseconds before bytes count.
    algorithm_gb_per_s
        Bytes of one rank's buffer over the rest of the time, GB = 10^9 bytes.
    """

    startup_us: float
    algorithm_gb_per_s: float

    def seconds(self, nbytes: float) -> float:
        """The time of a collective on a buffer of so many bytes."""
        finite_number("nbytes", nbytes, above=0)
        return self.startup_us * 1e-6 + nbytes / (self.algorithm_gb_per_s * 1e9)


def fitted(seconds: Mapping[int, float]) -> Hockney:
    """The model that errs least against measured seconds by size in bytes, every error relative to its run.

    Raises
    ------
    ValueError
        For fewer than two sizes, or a time that is not above 0.
    """
    if len(seconds) < 2:
        raise ValueError(f"seconds has {len(seconds)} sizes; a start-up and a bandwidth need at least 2")
    for nbytes, taken in seconds.items():
        finite_number(f"seconds[{nbytes}]", taken, above=0)
    times = np.array(list(seconds.values()))
    sizes = np.array(list(seconds), dtype=float)
    relative = np.stack([1 / times, sizes / times], axis=1)
    (startup, per_byte), *_ = np.linalg.lstsq(relative, np.ones(len(times)), rcond=None)
    return Hockney(float(startup * 1e6), float(1e-9 / per_byte))
