"""Words as numba.cuda intrinsics: each made from its definition, none written twice.

A word with PTX becomes one inline-assembly call. A word without (`ptx=None`) is lowered by a function
of its family's module here, marked with `@lowering(word)`.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable
from functools import cache
from typing import Any

from llvmlite import ir
from numba.cuda import types, typing
from numba.cuda.core.errors import TypingError
from numba.cuda.typing.templates import make_intrinsic_template

from hopperlab.device.silicon import operands
from hopperlab.device.vocabulary.kinds import Kind, Same, Scalar
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

    def define(context: Any, *given: types.Type) -> tuple[typing.Signature, Callable]:
        taken = {
            name: operands.argument_type(word, name, t) for name, t in zip(word.arguments, given, strict=True)
        }
        returned = [operands.result_type(word, kind, taken) for kind in word.results]
        whole = returned[0] if len(returned) == 1 else types.Tuple(returned) if returned else types.void
        return typing.signature(whole, *taken.values()), _code_generator(word)

    context = inspect.Parameter("context", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    define.__signature__ = inspect.Signature([context, *word.signature.parameters.values()])
    define.__name__ = word.__name__
    define.__doc__ = word.meaning
    return define


def _code_generator(word: Word) -> Callable:
    def generate(context: Any, builder: Any, signature: typing.Signature, values: list) -> Any:
        given = dict(zip(word.arguments, signature.args, strict=True))
        taken = dict(zip(word.arguments, values, strict=True))
        registers = [
            operands.to_register(context, builder, word.arguments[name], given[name], taken[name])
            for name in _in_registers(word)
        ]
        written = _call(builder, word, given, registers)
        results = [
            operands.from_register(context, builder, kind, returned, register, _like(kind, taken))
            for kind, returned, register in zip(
                word.results, _parts(word, signature.return_type), written, strict=True
            )
        ]
        if not results:
            return context.get_dummy_value()
        if len(results) == 1:
            return results[0]
        return context.make_tuple(builder, signature.return_type, results)

    return generate


def _call(builder: Any, word: Word, given: dict[str, types.Type], registers: list) -> list:
    """Emit the inline-assembly call; give the registers that it wrote."""
    outputs = [operands.register_type(kind) for kind in word.results]
    inputs = [operands.register_type(word.arguments[name]) for name in _in_registers(word)]
    returned = (
        ir.VoidType() if not outputs else outputs[0] if len(outputs) == 1 else ir.LiteralStructType(outputs)
    )
    assembly = ir.InlineAsm(
        ir.FunctionType(returned, inputs),
        assembly_text(word, given),
        constraints(word),
        side_effect=word.effect != "none",
    )
    # convergent: no compiler may move the instruction into or out of a branch, as in CUDA C++.
    call = builder.call(assembly, registers, attrs=() if word.effect == "none" else ("convergent",))
    if len(outputs) <= 1:
        return [call] * len(outputs)
    return [builder.extract_value(call, i) for i in range(len(outputs))]


def assembly_text(word: Word, given: dict[str, types.Type]) -> str:
    """Give the PTX of a word with its placeholders numbered as LLVM wants them ($0, $1, ...)."""
    number = {f"result.{i}": i for i in range(len(word.results))}
    number |= {name: len(word.results) + i for i, name in enumerate(_in_registers(word))}

    def operand(match: Any) -> str:
        name, field = match.groups()
        if name == "result":
            return f"${number[f'result.{field or 0}']}"
        if field:
            return operands.ptx_name(given[name], field)
        if name in number:
            return f"${number[name]}"
        return str(given[name].literal_value)

    return PLACEHOLDER.sub(operand, word.ptx)


def constraints(word: Word) -> str:
    """Give the constraint string of a word's inline assembly: outputs, inputs, clobbers."""
    outputs = [f"={operands.constraint(kind)}" for kind in word.results]
    inputs = [operands.constraint(word.arguments[name]) for name in _in_registers(word)]
    return ",".join(outputs + inputs + (["~{memory}"] if word.effect == "orders" else []))


def _in_registers(word: Word) -> list[str]:
    """Give the arguments that travel in registers: all but the constants."""
    return [n for n, kind in word.arguments.items() if not (isinstance(kind, Scalar) and kind.constant)]


def _parts(word: Word, returned: types.Type) -> list[types.Type]:
    if not word.results:
        return []
    return [returned] if len(word.results) == 1 else list(returned)


def _like(kind: Kind, taken: dict[str, Any]) -> Any:
    return taken[kind.argument] if isinstance(kind, Same) else None


def check_typed(word: Word, condition: bool, what: str) -> None:
    """Refuse, while a kernel is typed, a use of a word: `what` says what is wrong with it."""
    if not condition:
        raise TypingError(f"{word.name}: {what}")
