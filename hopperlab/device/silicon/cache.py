"""Compiled kernels on disk, so that a second start compiles nothing.

What is kept is PTX, with a checksum; the driver keeps the machine code that it makes of it in a cache of its
own. A kernel is found again by all that its PTX depends on: its bytecode, the constants and functions that it
names, the vocabulary, the versions, the target. A kernel that names anything else is compiled each time.

`HOPPERLAB_CACHE` names another folder than the user's; empty, it turns the cache off.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np
from numba.cuda import types as numba_types

from hopperlab.device.vocabulary.word import Word

# Modules whose contents the versions tell; of another module, a kernel may name anything.
KNOWN_MODULES = ("numba", "numpy", "math", "operator", "builtins", "hopperlab.device.vocabulary")
VERSIONS = ("numba", "numba-cuda", "llvmlite", "numpy")


class Unknown(Exception):  # noqa: N818 - a condition: what a kernel names cannot be told by a key
    """A kernel names something whose value no key can tell."""


def folder() -> Path | None:
    """Give the folder of the cache; None if it is turned off."""
    named = os.environ.get("HOPPERLAB_CACHE")
    if named is not None:
        return Path(named) if named else None
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "hopperlab" / "kernels"


def key(function: Callable, types: tuple, options: Mapping[str, Any]) -> str | None:
    """Give what a variant of a kernel is found by: a digest; None if it cannot be told."""
    try:
        parts = [*_function(function, set()), *map(repr, types), repr(sorted(options.items())), _ground()]
    except Unknown:
        return None
    if options.get("lineinfo"):
        parts.append(f"{function.__code__.co_filename}:{function.__code__.co_firstlineno}")
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def load(digest: str | None) -> str | None:
    """Give the PTX that is kept under a digest; None if there is none, or if its checksum is wrong."""
    place = folder()
    if digest is None or place is None:
        return None
    try:
        checksum, _, text = (place / digest).read_text(encoding="utf-8").partition("\n")
    except (OSError, ValueError):
        return None
    return text if checksum == _checksum(text) else None


def store(digest: str | None, text: str) -> None:
    """Keep PTX under a digest; a folder that cannot be written to is no error."""
    place = folder()
    if digest is None or place is None:
        return
    try:
        place.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", dir=place, delete=False, encoding="utf-8") as file:
            file.write(f"{_checksum(text)}\n{text}")
        os.replace(file.name, place / digest)  # at once: another process sees all of it or nothing
    except OSError:
        pass


def _checksum(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


@cache
def _ground() -> str:
    """Give what all kernels depend on: versions, and the sources of the words and of what lowers them."""
    from hopperlab.device.silicon.compilation import TARGET

    found = hashlib.sha256()
    device = Path(__file__).parents[1]
    for source in sorted([*device.glob("vocabulary/*.py"), *device.glob("silicon/*.py")]):
        found.update(source.read_bytes())
    packages = ", ".join(f"{package} {_version(package)}" for package in VERSIONS)
    return f"{TARGET}, Python {sys.version}, {packages}, {found.hexdigest()}"


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "unknown"


def _function(function: Callable, seen: set[int]) -> Iterator[str]:
    """Tell a function apart by its code and by what it names, its functions included."""
    if id(function) in seen:
        return
    seen.add(id(function))
    if not isinstance(function, FunctionType):
        raise Unknown
    yield f"{function.__module__}.{function.__qualname__}"
    yield from _code(function.__code__)
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    named = {name: cell.cell_contents for name, cell in cells}
    for name in sorted(_names(function.__code__)):
        if name in function.__globals__:
            named[name] = function.__globals__[name]
    for name, value in named.items():
        yield name
        yield from _value(value, seen)
    yield from _value(function.__defaults__, seen)


def _code(code: CodeType) -> Iterator[str]:
    yield f"{code.co_code.hex()} {code.co_names} {code.co_varnames} {code.co_argcount}"
    for constant in code.co_consts:
        yield from _code(constant) if isinstance(constant, CodeType) else [repr(constant)]


def _names(code: CodeType) -> set[str]:
    inner = (_names(constant) for constant in code.co_consts if isinstance(constant, CodeType))
    return set(code.co_names).union(*inner)


def _value(value: Any, seen: set[int]) -> Iterator[str]:
    """Tell a value apart that a kernel names."""
    match value:
        case None | bool() | int() | float() | complex() | str() | bytes():
            yield f"{type(value).__name__} {value!r}"
        case tuple():
            yield f"tuple of {len(value)}"
            for item in value:
                yield from _value(item, seen)
        case np.generic() | np.ndarray():
            yield f"{value.dtype.str} {value.shape} {hashlib.sha256(value.tobytes()).hexdigest()}"
        case np.dtype() | numba_types.Type():
            yield repr(value)
        case Word():
            yield f"{value.name} {value.ptx} {value.effect} {dict(value.arguments)} {value.results}"
        case ModuleType():
            yield _known(value.__name__)
        case type() | BuiltinFunctionType():
            yield f"{_known(value.__module__)}.{value.__qualname__}"
        case FunctionType():
            yield from _function(value, seen)
        case _ if hasattr(value, "py_func"):  # of @cuda.jit
            yield repr(sorted(getattr(value, "targetoptions", {}).items(), key=str))
            yield from _function(value.py_func, seen)
        case _:
            if " at 0x" in repr(value):
                raise Unknown
            yield _known(type(value).__module__) + repr(value)


def _known(module: str) -> str:
    if not any(module == known or module.startswith(f"{known}.") for known in KNOWN_MODULES):
        raise Unknown
    return module
