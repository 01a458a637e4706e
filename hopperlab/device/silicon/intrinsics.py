"""Words as numba.cuda intrinsics: each made from its definition, none written twice.

A word with PTX becomes one inline-assembly call. A word without (`ptx=None`) is lowered by a function
of its family's module here, marked with `@lowering(word)`.
"""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Callable
from functools import cache
from typing import Any

from llvmlite import ir
from numba.cuda import types, typing
from numba.cuda.core.errors import TypingError
from numba.cuda.typing.templates import make_intrinsic_template

from hopperlab.device.silicon import operands
from hopperlab.device.silicon.operands import Values, to_registers
from hopperlab.device.vocabulary.kinds import Fragment, Registers, Same
from hopperlab.device.vocabulary.word import PLACEHOLDER, Word

_LOWERINGS: dict[Word, Callable] = {}


def lowering(word: Word) -> Callable[[Callable], Callable]:
    """Mark the function that types and builds a word which is more than its instructions.

    The function is what numba calls the definition of an intrinsic: from a typing context and the
    argument types to a signature and a code generator.
    """

    def register(function: Callable) -> Callable:
        _LOWERINGS[word] = function
        return function

    return register


@cache
def function_type(word: Word) -> types.Function:
    """Give the numba type of a word: what makes it callable in a kernel."""
    definition = _lowering_of(word) if word.ptx is None else _definition(word)
    template = make_intrinsic_template(
        word, definition, word.name, prefer_literal=True, kwargs={"target": "cuda"}
    )
    return types.Function(template)


def _lowering_of(word: Word) -> Callable:
    if word not in _LOWERINGS:
        importlib.import_module(f"hopperlab.device.silicon.{word.family}")
    return _LOWERINGS[word]


def _definition(word: Word) -> Callable:
    """Make the definition of the intrinsic of a word with PTX."""

    def define(
        context: Any, *positional: types.Type, **named: types.Type
    ) -> tuple[typing.Signature, Callable]:
        given = _complete(word, positional, named)
        taken = {name: operands.argument_type(word, name, given) for name in word.arguments}
        returned = [operands.result_type(word, kind, taken) for kind in word.results]
        whole = returned[0] if len(returned) == 1 else types.Tuple(returned) if returned else types.void
        return typing.signature(whole, *taken.values()), _code_generator(word)

    context = inspect.Parameter("context", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    define.__signature__ = inspect.Signature([context, *word.signature.parameters.values()])
    define.__name__ = word.__name__
    define.__doc__ = word.meaning
    return define


def _complete(word: Word, positional: tuple, named: dict[str, types.Type]) -> dict[str, types.Type]:
    """Give the type of every argument by name; of one that was left out, its default's."""
    bound = word.signature.bind(*positional, **named).arguments
    parameters = word.signature.parameters.values()
    return {p.name: bound[p.name] if p.name in bound else types.literal(p.default) for p in parameters}


def _code_generator(word: Word) -> Callable:
    def generate(context: Any, builder: Any, signature: typing.Signature, values: list) -> Any:
        given = Values(
            dict(zip(word.arguments, signature.args, strict=True)),
            dict(zip(word.arguments, values, strict=True)),
        )
        slots = Slots(word, given.types)
        inputs = [r for name in word.arguments for r in to_registers(context, builder, word, name, given)]
        written = _call(builder, word, slots, inputs)
        results = []
        for kind, returned, taken in zip(word.results, slots.returned, slots.outputs, strict=True):
            own, written = written[: len(taken)], written[len(taken) :]
            results.append(operands.from_registers(context, builder, kind, returned, own, given))
        if not results:
            return context.get_dummy_value()
        return (
            results[0] if len(results) == 1 else context.make_tuple(builder, signature.return_type, results)
        )

    return generate


def _call(builder: Any, word: Word, slots: Slots, inputs: list) -> list:
    """Emit the inline-assembly call; give the registers that it wrote."""
    outputs = [register.type for registers in slots.outputs for register in registers]
    returned = (
        ir.VoidType() if not outputs else outputs[0] if len(outputs) == 1 else ir.LiteralStructType(outputs)
    )
    assembly = ir.InlineAsm(
        ir.FunctionType(returned, [value.type for value in inputs]),
        slots.assembly(),
        slots.constraints(),
        side_effect=word.effect != "none",
    )
    # convergent: no compiler may move the instruction into or out of a branch, as in CUDA C++.
    call = builder.call(assembly, inputs, attrs=() if word.effect == "none" else ("convergent",))
    if len(outputs) <= 1:
        return [call] * len(outputs)
    return [builder.extract_value(call, i) for i in range(len(outputs))]


class Slots:
    """The registers of one use of a word, numbered as LLVM wants them ($0, $1, ...): outputs, then inputs.

    Attributes
    ----------
    returned
        The numba type of each result.
    outputs
        The registers of each result.
    inputs
        The registers of each argument, by name.
    """

    def __init__(self, word: Word, given: dict[str, types.Type]) -> None:
        self.word, self.given = word, given
        self.returned = [operands.result_type(word, kind, given) for kind in word.results]
        self.outputs = [
            operands.registers(kind, type) for kind, type in zip(word.results, self.returned, strict=True)
        ]
        self.inputs = {name: operands.registers(kind, given[name]) for name, kind in word.arguments.items()}
        names = [*(f"result.{i}" for i in range(len(self.outputs))), *self.inputs]
        self._text, number = {}, 0
        for name, taken in zip(names, [*self.outputs, *self.inputs.values()], strict=True):
            self._text[name] = ", ".join(f"${number + i}" for i in range(len(taken)))
            number += len(taken)

    def assembly(self) -> str:
        """Give the PTX with every placeholder filled in."""
        return PLACEHOLDER.sub(self._operand, self.word.ptx)

    def _operand(self, match: re.Match) -> str:
        name, field = match.groups()
        if name == "result":
            return self._text[f"result.{field or 0}"] or "_"
        if field:
            return operands.ptx_field(self.word, name, field, self.given[name])
        return self._text[name] or str(self.given[name].literal_value)

    def constraints(self) -> str:
        """Give the constraints of the inline assembly: outputs, inputs, clobbers."""
        letters = [f"={register.letter}" for taken in self.outputs for register in taken]
        for name, taken in self.inputs.items():
            tied = self._tied_to(name)
            letters += [
                register.letter if tied is None else str(tied + i) for i, register in enumerate(taken)
            ]
        return ",".join(letters + (["~{memory}"] if self.word.effect == "orders" else []))

    def _tied_to(self, name: str) -> int | None:
        """Give the first of the outputs that share the registers of an argument, if there are any."""
        if (
            not isinstance(self.word.arguments[name], Registers | Fragment)
            or Same(name) not in self.word.results
        ):
            return None
        return sum(len(taken) for taken in self.outputs[: self.word.results.index(Same(name))])


def check_typed(word: Word, condition: bool, what: str) -> None:
    """Refuse, while a kernel is typed, a use of a word: `what` says what is wrong with it."""
    if not condition:
        raise TypingError(f"{word.name}: {what}")
