"""The vocabulary: every word of the Hopper once, one module a family.

A family is a module of this package whose words are made with `@word`; nothing lists them twice.
"""

from __future__ import annotations

import importlib
import pkgutil
from types import ModuleType

from hopperlab.device.vocabulary.word import Word

_NOT_FAMILIES = frozenset({"kinds", "word"})


def families() -> tuple[str, ...]:
    """Give the names of the families, sorted."""
    return tuple(sorted(m.name for m in pkgutil.iter_modules(__path__) if m.name not in _NOT_FAMILIES))


def family(name: str) -> ModuleType:
    """Give the module of a family.

    Raises
    ------
    ValueError
        If there is no family of that name.
    """
    if name not in families():
        raise ValueError(f"family is {name!r}; the vocabulary has {', '.join(families())}")
    return importlib.import_module(f"{__name__}.{name}")


def words() -> tuple[Word, ...]:
    """Give every word of every family, in the order of their definition."""
    return tuple(
        value
        for name in families()
        for value in vars(family(name)).values()
        if isinstance(value, Word) and value.family == name
    )
