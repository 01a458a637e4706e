"""A case: a kernel with a small launch, made from a seed, that every machine runs alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from hopperlab.chip import chip
from hopperlab.measure.patterns import random_words

if TYPE_CHECKING:
    from hopperlab.device import Kernel

ROOT = "hopperlab.kernels."
CLOCK = "a reading of the clock"
PLACE = "the SM that the block was given"
CYCLES = {"cycles": CLOCK}
BASE = "the address of the first array"
"""Stands among a case's arguments for where its first array begins, which every machine decides anew."""

ALONE_ON_AN_SM = 120 * 1024
"""Dynamic shared memory with which no two blocks share an SM."""

SMS = chip("H100 SXM5").sms


@dataclass(frozen=True)
class Case:
    """A kernel and one launch of it.

    Attributes
    ----------
    kernel
        The kernel.
    grid, block, shared_bytes, cluster
        Of the launch.
    arguments
        Numpy arrays, numbers, tensor maps of numpy arrays, and `BASE`.
    undetermined
        By parameter, why its array need not be the same in two runs.
    pointers
        Parameters whose arrays hold addresses within the first array: they are given, and kept, as bytes from its
        beginning.
    """

    kernel: Kernel
    grid: Any
    block: Any
    arguments: tuple
    shared_bytes: int = 0
    cluster: int = 1
    undetermined: Mapping[str, str] = field(default_factory=dict)
    pointers: tuple[str, ...] = ()

    @property
    def inputs(self) -> dict[str, np.ndarray]:
        """The arrays that it is given, by parameter; of a tensor map the array that it describes."""
        names = self.kernel.function.__code__.co_varnames
        arrays = [getattr(value, "array", value) for value in self.arguments]
        return {n: a for n, a in zip(names, arrays, strict=False) if isinstance(a, np.ndarray)}

    @property
    def compared(self) -> tuple[str, ...]:
        """The parameters whose arrays must be the same in every run; none, if the kernel only reads clocks."""
        return tuple(name for name in self.inputs if name not in self.undetermined)

    def at(self, base: int) -> Case:
        """Give the case for a machine on which the first array begins at an address."""
        moved = {id(self.inputs[name]): self.inputs[name] + np.uint64(base) for name in self.pointers}
        arguments = [
            np.uint64(base) if given is BASE else moved.get(id(given), given) for given in self.arguments
        ]
        return replace(self, arguments=tuple(arguments))

    def from_base(self, base: int, left: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
        """Give the arrays that such a launch left, with addresses as bytes from the first array's beginning."""
        return {n: a - np.uint64(base) if n in self.pointers else a for n, a in left.items()}


CASES: dict[str, Callable[[int], Case]] = {}
"""By name, what makes a case from a seed."""


def case(make: Callable[[int], Case]) -> Callable[[int], Case]:
    """Enter a function that makes a case under its own name."""
    return enter(make.__name__, make)


def enter(name: str, make: Callable[[int], Case]) -> Callable[[int], Case]:
    """Enter a case.

    Raises
    ------
    ValueError
        If the name is taken.
    """
    if name in CASES:
        raise ValueError(f"two cases are called {name!r}")
    CASES[name] = make
    return make


def name_of(kernel: Kernel) -> str:
    """Give the name of a kernel, or of what makes it, within hopperlab.kernels: "fp8.encode_array"."""
    function = kernel.function
    return f"{function.__module__.removeprefix(ROOT)}.{function.__qualname__.partition('.<locals>')[0]}"


def words(seed: int, count: int, stream: int = 0) -> np.ndarray:
    """Give that many random uint32, the same on every machine; `stream` tells arguments of one case apart."""
    return random_words([seed, stream], count)


def whole(seed: int, shape: Any, low: int, high: int, dtype: Any, stream: int = 0) -> np.ndarray:
    """Give random whole numbers from `low` up to but not including `high`."""
    drawn = words(seed, int(np.prod(shape)), stream).astype(np.int64) % (high - low) + low
    return drawn.astype(dtype).reshape(shape)


def real(seed: int, shape: Any, stream: int = 0) -> np.ndarray:
    """Give random float32 in [-1, 1), each a multiple of 2**-23."""
    drawn = words(seed, int(np.prod(shape)), stream) >> 8
    return (drawn.astype(np.float32) * np.float32(2**-23) - np.float32(1)).reshape(shape)
