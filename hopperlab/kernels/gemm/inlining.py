"""Parts of a kernel that are functions in Python only."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import cuda


def inlined(function: Callable) -> Any:
    """Make a function a part of the kernels that call it: fragments stay in registers only within one function."""
    return cuda.jit(device=True, forceinline=True)(function)
