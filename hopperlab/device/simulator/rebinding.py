"""A kernel's function, bound anew: the same code object, its globals and closure cells turned to their twins.

Twins are found by identity, whatever a name is called in the kernel's module: a word, the module numba.cuda, a
scalar type, a function of math, a device function, which is bound anew in its turn.
"""

from __future__ import annotations

import builtins
import dis
import types
from collections.abc import Callable
from difflib import get_close_matches
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np

from hopperlab.device.simulator import mathematics, numbers, twins
from hopperlab.device.simulator.arguments import checked_call
from hopperlab.device.simulator.sites import Site
from hopperlab.device.simulator.turns import counting
from hopperlab.device.vocabulary.word import Word

BUILTINS = {"min": numbers.smaller, "max": numbers.larger, "round": mathematics.rounded_to, "pow": pow}


_WIDE = frozenset({"popc", "clz", "ffs", "brev", "bit_count"})  # what depends on an integer's width
_FORESEEN = ("numba", "hopperlab.device")
_OWN_FUNCTIONS = ("builtins", "cmath", "_operator")  # modules in C whose functions kernels call as they are
VOCABULARY = "hopperlab.device.vocabulary."


class UnknownWord(Exception):  # noqa: N818 - the run tells it with the kernel's line
    """The kernel says something that the simulator does not know; `site` is where, if it was seen beforehand."""

    def __init__(self, message: str, site: Site | None = None) -> None:
        super().__init__(message)
        self.site = site


class Namespace:
    """A module as the kernel sees it: each attribute is the twin of the module's own, found when it is asked for."""

    def __init__(self, module: Any, translate: Callable[[Any, str], Any], name: str = "") -> None:
        self.__dict__["_module"] = module
        self.__dict__["_translate"] = translate
        self.__dict__["_name"] = (name or module.__name__).removeprefix(VOCABULARY)

    def __getattr__(self, name: str) -> Any:
        """Find the twin of the module's attribute, and keep it."""
        module = self._module
        full_name = f"{self._name}.{name}"
        try:
            original = getattr(module, name)
        except AttributeError:
            near = get_close_matches(name, [known for known in dir(module) if not known.startswith("_")], 1)
            hint = f"; there is {self._name}.{near[0]}" if near else ""
            raise UnknownWord(f"there is no {full_name}{hint}") from None
        found = self._translate(original, full_name)
        self.__dict__[name] = found
        return found


class Rebinding:
    """Binds the functions of one run.

    Attributes
    ----------
    codes
        The code objects that belong to the kernel, where its lines are, by identity: they are slow to hash.
    waits
        Whether anything that was bound may wait.
    """

    def __init__(self, world: Any, cuda: Any) -> None:
        self.world = world
        self.cuda = cuda  # the namespace that stands for numba.cuda
        self.codes: dict[int, types.CodeType] = {}
        self.waits = False
        self._bound: dict[int, tuple[Any, Any]] = {}

    def bind(self, function: Callable) -> Callable:
        """Give the function with twins for all that it names."""
        known = self._bound.get(id(function))
        if known is not None:
            return known[1]
        refuse_what_no_kernel_has(function.__code__)
        code = with_registers(function.__code__)
        scope: dict[str, Any] = {"__builtins__": builtins, "__name__": function.__module__}
        bound = types.FunctionType(code, scope, function.__name__, function.__defaults__, _cells(code))
        bound.__kwdefaults__ = function.__kwdefaults__
        self._bound[id(function)] = (function, bound)
        for name in self._names(code):
            if name in function.__globals__:
                scope[name] = self.translate(function.__globals__[name], name)
            elif name in BUILTINS:
                scope[name] = BUILTINS[name]
            elif name == "range" and self.world.timed:
                scope[name] = counting(self.world)
        for cell, original in zip(bound.__closure__ or (), function.__closure__ or (), strict=True):
            cell.cell_contents = self.translate(original.cell_contents, code.co_name)
        self._foresee(
            [*scope.values(), *(cell.cell_contents for cell in bound.__closure__ or ())], code.co_names
        )
        if not _WIDE.isdisjoint(code.co_names):
            self.world.widths_matter = True
        if atomics_are_asked(code):
            self.waits = True
        return bound

    def call_of(self, function: Callable, registers: list[Any]) -> Callable[[], None]:
        """Give what calls a bound kernel on its arguments: the kernel itself, with the arguments as defaults.

        A call that goes through no function in C begins no new interpreter, whose stack greenlets had to copy at
        every switch. That is also why words are bound as methods are.
        """
        call = types.FunctionType(
            function.__code__, function.__globals__, function.__name__, tuple(registers), function.__closure__
        )
        call.__kwdefaults__ = function.__kwdefaults__
        return call

    def _foresee(self, values: list[Any], names: tuple[str, ...]) -> None:
        """Find the twins that the code will ask modules for: whether one of them waits must be known at once."""
        spaces = [value for value in values if isinstance(value, Namespace)]
        looked_at: set[int] = set()
        while spaces:
            space = spaces.pop()
            module = space._module
            ours = getattr(module, "__name__", "").startswith(_FORESEEN) or isinstance(module, type)
            if not ours or id(module) in looked_at:
                continue
            looked_at.add(id(module))
            found = [getattr(space, name) for name in names if hasattr(module, name)]
            spaces += [value for value in found if isinstance(value, Namespace)]

    def _names(self, code: types.CodeType) -> list[str]:
        self.codes[id(code)] = code
        names = list(code.co_names)
        for constant in code.co_consts:
            if isinstance(constant, types.CodeType):
                names += self._names(constant)
        return names

    def translate(self, value: Any, name: str) -> Any:
        """Give the twin of a value that a kernel reaches by a global name, a closure or an attribute."""
        if isinstance(value, Word):
            return self._word(value)
        if value is self.cuda._module:
            return self.cuda
        if (place := self.world.place_name(value)) is not None:
            return place
        try:
            known = twins.find(value)
        except TypeError:
            known = None
        if known is not None:
            self.waits |= known.waits
            return types.MethodType(known.act, self.world)
        if isinstance(value, types.ModuleType):
            return Namespace(value, self.translate)
        return self._plain(value, name)

    def _word(self, word: Word) -> Any:
        known = twins.find(word)
        if known is None:
            return _Missing(f"the simulator has no {word.name}")
        self.waits |= known.waits
        return checked_call(word, types.MethodType(known.act, self.world))

    def _plain(self, value: Any, name: str) -> Any:
        if cast := cast_of(value):
            return numbers.plain_float32 if cast is numbers.float32 and self.world.plain_float32 else cast
        if isinstance(value, types.BuiltinFunctionType | np.ufunc) and value in mathematics.FUNCTIONS:
            return mathematics.FUNCTIONS[value]
        function = getattr(value, "py_func", None) or getattr(value, "function", value)
        if isinstance(function, types.FunctionType):
            if (function.__module__ or "").startswith(("numba.", "numpy")):
                return _Missing(f"the simulator has no {name}")
            return self.bind(function)
        if isinstance(value, np.ndarray):
            return self.world.constant(value, name)
        if _is_foreign(value):
            return _Missing(f"numba.cuda compiles no {name}, or the simulator has none")
        if (getattr(value, "__module__", None) or "").startswith("numba."):
            stub = isinstance(value, type) and any(not key.startswith("_") for key in vars(value))
            return (
                Namespace(value, self.translate, name) if stub else _Missing(f"the simulator has no {name}")
            )
        if isinstance(value, np.float32) and self.world.plain_float32:
            return value
        return numbers.register_of(value)


def _is_foreign(value: Any) -> bool:
    """Whether something is a function of numpy, or one written in C, that no kernel has."""
    if isinstance(value, types.BuiltinFunctionType):
        return getattr(value.__self__, "__name__", "") not in _OWN_FUNCTIONS
    return (
        callable(value)
        and not isinstance(value, type | np.generic)
        and type(value).__module__.startswith("numpy")
    )


class _Missing:
    """Stands for what the simulator lacks, and says so when the kernel uses it."""

    def __init__(self, message: str) -> None:
        self._message = message

    def __call__(self, *arguments: Any, **named: Any) -> None:
        raise UnknownWord(self._message)

    def __getattr__(self, name: str) -> None:
        raise UnknownWord(self._message)


def cast_of(value: Any) -> Callable[[Any], Any] | None:
    """Give the cast of a scalar type of numba or numpy; None for anything else."""
    if isinstance(value, type) and issubclass(value, np.generic):
        return numbers.CASTS.get(np.dtype(value).name)
    if type(value).__module__.startswith("numba.") and type(value).__name__ in (
        "Float",
        "Integer",
        "Boolean",
    ):
        return numbers.CASTS.get(str(value))
    return None


def atomics_are_asked(code: types.CodeType) -> bool:
    """Whether a loop of the code uses what an atomic gives: then threads may spin on it, and must take turns."""
    instructions = list(dis.get_instructions(code))
    if not any("JUMP_BACKWARD" in i.opname for i in instructions):
        return False
    return any(
        i.argval == "atomic" and _result_is_used(instructions, place)
        for place, i in enumerate(instructions)
        if i.opname in ("LOAD_ATTR", "LOAD_GLOBAL", "LOAD_METHOD")
    )


def _result_is_used(instructions: list[dis.Instruction], place: int) -> bool:
    """Follow the stack from where an atomic is loaded to the end of its call: is its result thrown away?"""
    depth = 1
    for i in instructions[place + 1 :]:
        if i.opcode >= dis.HAVE_ARGUMENT and "JUMP" in i.opname:
            return True
        depth += dis.stack_effect(i.opcode, i.arg if i.opcode >= dis.HAVE_ARGUMENT else None)
        if depth <= 0:
            return i.opname != "POP_TOP"
    return True


_REFUSED = {
    "PUSH_EXC_INFO": "no kernel catches exceptions: numba.cuda has neither try nor with",
    "YIELD_VALUE": "a kernel yields nothing: numba.cuda has no generators",
    "IMPORT_NAME": "a kernel imports nothing: import before the kernel",
}


@cache
def refuse_what_no_kernel_has(code: types.CodeType) -> None:
    """Refuse statements that numba.cuda compiles on no card, and that would do harm here.

    What catches exceptions would catch the one that stops a run.

    Raises
    ------
    UnknownWord
        With the place.
    """
    for before, instruction in pairwise(dis.get_instructions(code)):
        if instruction.opname in _REFUSED:
            place = before if instruction.opname == "PUSH_EXC_INFO" else instruction
            raise UnknownWord(_REFUSED[instruction.opname], Site(code, place.offset))


@cache
def refuse_a_result(code: types.CodeType) -> None:
    """Refuse a kernel that gives something back; only arrays leave a kernel.

    Raises
    ------
    UnknownWord
        With the place.
    """
    for before, instruction in pairwise(dis.get_instructions(code)):
        if instruction.opname not in ("RETURN_VALUE", "RETURN_CONST"):
            continue
        given = instruction if instruction.opname == "RETURN_CONST" else before
        nothing = "CONST" in given.opname and given.argval is None
        if not nothing and "CALL" not in given.opname:
            raise UnknownWord(
                "a kernel returns nothing: store the result in an array", Site(code, given.offset)
            )


def with_registers(code: types.CodeType) -> types.CodeType:
    """Give the same bytecode with the registers of its large constants; the same code where it has none."""
    constants = tuple(
        with_registers(value) if isinstance(value, types.CodeType) else numbers.register_of(value)
        for value in code.co_consts
    )
    same = all(one is other for one, other in zip(constants, code.co_consts, strict=True))
    return code if same else code.replace(co_consts=constants)


def _cells(code: types.CodeType) -> tuple[types.CellType, ...]:
    return tuple(types.CellType() for _ in code.co_freevars)
