"""The arguments of a word, checked and cast as its definition demands, and its results given as registers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hopperlab.device.simulator.numbers import CASTS
from hopperlab.device.vocabulary import kinds
from hopperlab.device.vocabulary.word import Word


class Misuse(Exception):  # noqa: N818 - the run makes a finding of it
    """A word was given what it does not take; `name` names the finding where it has one of its own."""

    def __init__(self, message: str, name: str = "misuse of a word") -> None:
        super().__init__(message)
        self.name = name


def checked_call(word: Word, act: Callable) -> Callable:
    """Give the twin's action with the word's own signature: defaults, casts, ranges, results."""
    if not word.arguments and not word.results:
        return act
    takes = [(name, _taker(word, name, kind)) for name, kind in word.arguments.items()]
    defaults = [word.signature.parameters[name].default for name, _ in takes]
    takers = [take for _, take in takes]
    names = [name for name, _ in takes]
    give = _giver(word)

    def call(*given: Any, **named: Any) -> Any:
        if named or len(given) != len(takers):
            given = _complete(word, names, defaults, given, named)
        result = act(*[x if take is None else take(x) for take, x in zip(takers, given, strict=True)])
        return result if give is None else give(result)

    call.__name__ = word.__name__
    return call


def _complete(word: Word, names: list, defaults: list, given: tuple, named: dict) -> tuple:
    try:
        word.signature.bind(*given, **named)
    except TypeError as error:
        raise Misuse(f"{word.name}{word.signature}: {error}") from None
    rest = zip(names[len(given) :], defaults[len(given) :], strict=True)
    return (*given, *(named.get(name, default) for name, default in rest))


def _taker(word: Word, name: str, kind: Any) -> Callable | None:
    """Give what checks and casts one argument; None where anything goes through as it is."""
    if isinstance(kind, kinds.Scalar):
        return _scalar_taker(word, name, kind, word.signature.parameters[name].default)
    if isinstance(kind, kinds.Choice):

        def choose(value: Any) -> Any:
            if value not in kind.names:
                raise Misuse(f"{word.name}: {name} is {value!r}; allowed is {kind}")
            return value

        return choose
    return None


def _scalar_taker(word: Word, name: str, kind: kinds.Scalar, default: Any) -> Callable:
    cast = CASTS[kind.type]
    whole = kind.type not in ("float16", "float32", "float64")
    limited = kind.low is not None or kind.high is not None or kind.multiple != 1

    def take(value: Any) -> Any:
        if value is None and default is None:
            return None
        if whole and isinstance(value, float):
            raise Misuse(f"{word.name}: {name} is {float(value)}, but the word takes a {kind}")
        if not isinstance(value, int | float) and not hasattr(value, "__float__"):
            raise Misuse(f"{word.name}: {name} is {value!r}, but the word takes a {kind}")
        if limited and not kind.admits(int(value)):
            raise Misuse(f"{word.name}: {name} is {int(value)}; allowed is {kind.allowed}")
        return cast(value)

    return take


def _giver(word: Word) -> Callable | None:
    """Give what turns the action's results into registers."""
    casts = [CASTS[kind.type] if isinstance(kind, kinds.Scalar) else None for kind in word.results]
    if not casts or casts == [None]:
        return None
    if len(casts) == 1:
        return casts[0]
    return lambda results: tuple(
        x if cast is None else cast(x) for cast, x in zip(casts, results, strict=True)
    )
