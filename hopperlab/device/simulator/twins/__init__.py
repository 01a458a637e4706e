"""Twins: what a word, or a part of numba.cuda, does in the simulator.

A twin is a function whose first argument is the run (`World`); `world.thread` is the thread that says it. A
module of this package has the twins of one family, made with `@twin(word)`; nothing lists them twice.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple


class Twin(NamedTuple):
    """The twin of a word.

    Attributes
    ----------
    act
        What it does: called with the run and the word's arguments.
    waits
        Whether a thread may have to wait in it; a kernel that says no such word needs no greenlets.
    """

    act: Callable
    waits: bool


_TWINS: dict[int, tuple[Any, Twin]] = {}


def twin(*words: Any, waits: bool = False) -> Callable[[Callable], Callable]:
    """Mark a function as the twin of words, or of objects of numba.cuda."""

    def register(act: Callable) -> Callable:
        for word in words:
            _TWINS[id(word)] = (word, Twin(act, waits))
        return act

    return register


def find(word: Any) -> Twin | None:
    """Give the twin of a word or of an object of numba.cuda, by identity; None if it has none."""
    _load()
    known = _TWINS.get(id(word))
    return known[1] if known else None


@cache
def _load() -> None:
    for module in pkgutil.iter_modules(__path__):
        importlib.import_module(f"{__name__}.{module.name}")
