"""The true clock of an SM: its cycles over the nanoseconds that passed meanwhile."""

from __future__ import annotations

from typing import Any


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
