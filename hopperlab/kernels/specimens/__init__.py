"""Broken kernels, one for each finding of the sanitizer: each says what is wrong with it and where it was met.

A module of this package has a kernel, `FINDING`, the finding's name, and `launch(seed)`, which gives grid, block,
arguments and further options of `Kernel.simulate`. Never launch them on a card: some would hang it.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from types import ModuleType


def specimens() -> Iterator[ModuleType]:
    """Give the module of each specimen, in alphabetical order."""
    for found in sorted(pkgutil.iter_modules(__path__), key=lambda module: module.name):
        yield importlib.import_module(f"{__name__}.{found.name}")


def kernel_of(specimen: ModuleType) -> object:
    """Give a specimen's kernel."""
    from hopperlab.device import Kernel

    return next(value for value in vars(specimen).values() if isinstance(value, Kernel))
