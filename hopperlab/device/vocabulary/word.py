"""What a word of the vocabulary is, and `@word`, which makes one from a function's signature."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal, get_args

from hopperlab.device.vocabulary.kinds import Kind, Same, Scalar

Effect = Literal["none", "reads", "orders"]
Target = Literal["sm_70", "sm_80", "sm_90", "sm_90a"]

# {name}, {name.type} or {result.0}: a brace with anything else in it is PTX's own.
PLACEHOLDER = re.compile(r"\{([A-Za-z_]\w*)(?:\.(\w+))?\}")


@dataclass(frozen=True, eq=False, repr=False)
class Word:
    """One word: what a kernel may say, defined once for silicon, simulator and reference.

    Attributes
    ----------
    name
        As a kernel writes it, its family first: "cluster.map_shared_rank".
    arguments
        The kind of each argument, in order.
    results
        The kind of each result: none, one, or several that come as a tuple.
    ptx
        The PTX it becomes. `{argument}` and `{result}` (or `{result.0}`, `{result.1}`) stand for
        registers, `{argument.type}` for the PTX type of an array's elements. None: the machines
        build it out of more than instructions (an object in shared memory, say), and `meaning`
        tells of what.
    target
        The least PTX target that has it.
    meaning
        What it does, for a reader.
    source
        Where the PTX ISA or the CUDA guide defines it.
    effect
        "none": the same arguments give the same result. "reads": the result may differ each time
        (a clock). "orders": it touches memory, a barrier or other threads; nothing moves across it.
    signature
        Its Python signature.
    """

    name: str
    arguments: Mapping[str, Kind]
    results: tuple[Kind, ...]
    ptx: str | None
    target: Target
    meaning: str
    source: str
    effect: Effect
    signature: inspect.Signature

    def __post_init__(self) -> None:
        """Refuse a definition that does not hold together."""
        if self.effect not in get_args(Effect):
            raise ValueError(f"{self.name}: effect is {self.effect!r}, allowed are {get_args(Effect)}")
        if self.target not in get_args(Target):
            raise ValueError(f"{self.name}: target is {self.target!r}, allowed are {get_args(Target)}")
        for name, _ in PLACEHOLDER.findall(self.ptx or ""):
            if name != "result" and name not in self.arguments:
                raise ValueError(f"{self.name}: the PTX names {{{name}}}, which is no argument of the word")
        for kind in self.results:
            if isinstance(kind, Same) and kind.argument not in self.arguments:
                raise ValueError(f"{self.name}: the result is like {kind.argument!r}, which is no argument")

    def __repr__(self) -> str:
        """Show the word as numba's errors name it."""
        return f"<word {self.name}{self.signature}>"

    @property
    def __name__(self) -> str:
        """The name without its family."""
        return self.name.rpartition(".")[2]

    @property
    def __signature__(self) -> inspect.Signature:
        """What help() shows."""
        return self.signature

    @property
    def family(self) -> str:
        """The family it belongs to; "special" for words that are said without one."""
        return self.name.rpartition(".")[0] or "special"

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Refuse: a word means something only inside a kernel."""
        raise RuntimeError(f"{self.name}{self.signature} is an instruction: say it inside a kernel")

    @property
    def _numba_type_(self) -> Any:
        # numba asks an object that it meets in a kernel for its type: this is where silicon comes in.
        from hopperlab.device.silicon.intrinsics import function_type

        return function_type(self)


def word(
    *,
    ptx: str | None,
    source: str,
    target: Target = "sm_90",
    effect: Effect = "orders",
    family: str | None = None,
) -> Callable[[Callable], Word]:
    """Make a word of a function: name, arguments, results and meaning are its own.

    Each annotation is a kind of `vocabulary.kinds`; a tuple as the return annotation means several
    results. The docstring is the meaning. The family is the module's name, unless it is given; ""
    makes a word that is said without a family.
    """

    def define(function: Callable) -> Word:
        signature = inspect.signature(function)
        module = function.__module__.rpartition(".")[2] if family is None else family
        returned = signature.return_annotation
        results = () if returned is None else returned if isinstance(returned, tuple) else (returned,)
        return Word(
            name=f"{module}.{function.__name__}" if module else function.__name__,
            arguments=MappingProxyType({p.name: p.annotation for p in signature.parameters.values()}),
            results=results,
            ptx=None if ptx is None else inspect.cleandoc(ptx),
            target=target,
            meaning=inspect.cleandoc(function.__doc__ or ""),
            source=source,
            effect=effect,
            signature=inspect.Signature(
                [p.replace(annotation=p.empty) for p in signature.parameters.values()]
            ),
        )

    return define


def check_known_value(word: Word, argument: str, value: int) -> None:
    """Refuse a value that is known before the launch and lies outside the argument's range.

    Raises
    ------
    ValueError
        Naming the word, the argument, the value and what is allowed.
    """
    kind = word.arguments[argument]
    if isinstance(kind, Scalar) and not kind.admits(value):
        raise ValueError(f"{word.name}: {argument} is {value}; allowed is {kind.allowed}")
