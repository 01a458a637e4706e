"""Whether a kernel keeps its float32 to itself: then numpy's float32, which is fast, computes the same bits.

numpy and numba disagree only where a float32 meets something else: numpy stays in float32, numba goes to float64.
So this module follows the types through a kernel's source, roughly and on the safe side. Where every operation
on a float32 has nothing but float32, numpy's scalars hold them; where that cannot be shown, `numbers.Float32` does.
"""

from __future__ import annotations

import ast
import inspect
import math
import textwrap
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

SINGLE, DOUBLE, WHOLE, OTHER = "float32", "float64", "integer", "other"
_ARITHMETIC = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow)


class Mixed(Exception):  # noqa: N818 - ends the search
    """A float32 meets something else, or what cannot be told."""


def keeps_float32_apart(function: Callable, kinds: tuple[str, ...]) -> bool:
    """Whether no operation of a kernel mixes a float32 with another type.

    Parameters
    ----------
    function
        The kernel's function.
    kinds
        The kind of each argument, as `kind_of` gives it.
    """
    try:
        return _follow(function, kinds)
    except (Mixed, OSError, TypeError, SyntaxError, RecursionError):
        return False


def kind_of(value: Any) -> str:
    """Give the kind of an argument: "float32", "float64", "integer", "array of ..." or "other"."""
    if isinstance(value, np.ndarray):
        return f"array of {_of_dtype(value.dtype)}"
    if isinstance(value, np.generic):
        return _of_dtype(value.dtype)
    if isinstance(value, float):
        return DOUBLE
    return WHOLE if isinstance(value, int) else OTHER


def _of_dtype(dtype: np.dtype) -> str:
    if dtype == np.float32:
        return SINGLE
    if dtype == np.float64:
        return DOUBLE
    return WHOLE if dtype.kind in "iub" else OTHER


@cache
def _follow(function: Callable, kinds: tuple[str, ...]) -> bool:
    tree = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    if not isinstance(tree, ast.FunctionDef):
        raise Mixed
    names = [argument.arg for argument in tree.args.args]
    follower = _Follower(function, dict(zip(names, kinds, strict=True)))
    for _ in range(8):  # until the kinds of all variables are settled
        before = dict(follower.variables)
        for statement in tree.body:
            follower.visit(statement)
        if follower.variables == before:
            return True
    return False


class _Follower(ast.NodeVisitor):
    """Visits a function's statements, and gives each expression a kind."""

    def __init__(self, function: Callable, variables: dict[str, str]) -> None:
        self.variables = variables
        closure = inspect.getclosurevars(function)
        self.known = {**closure.builtins, **closure.globals, **closure.nonlocals}

    # Statements

    def visit_Assign(self, node: ast.Assign) -> None:
        kind = self.kind(node.value)
        for target in node.targets:
            self.assign(target, kind, node.value)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        kind = self.meet(node.op, self.kind(node.target), self.kind(node.value))
        self.assign(node.target, kind, node.value)

    def visit_For(self, node: ast.For) -> None:
        over = self.kind(node.iter)
        self.assign(node.target, WHOLE if over == "range" else OTHER, node.iter)
        for statement in node.body + node.orelse:
            self.visit(statement)

    def visit_If(self, node: ast.If) -> None:
        self.kind(node.test)
        for statement in node.body + node.orelse:
            self.visit(statement)

    def visit_While(self, node: ast.While) -> None:
        self.visit_If(node)

    def visit_Expr(self, node: ast.Expr) -> None:
        self.kind(node.value)

    def visit_Return(self, node: ast.Return) -> None:
        if node.value is not None:
            raise Mixed  # a function whose result flows on is not followed

    def generic_visit(self, node: ast.AST) -> None:
        if not isinstance(node, ast.Pass | ast.Break | ast.Continue):
            raise Mixed

    def assign(self, target: ast.expr, kind: str, value: ast.expr) -> None:
        if isinstance(target, ast.Name):
            known = self.variables.get(target.id, kind)
            if known != kind and SINGLE in (known, kind):
                raise Mixed
            self.variables[target.id] = kind if known == kind else OTHER
        elif isinstance(target, ast.Tuple | ast.List):
            parts = value.elts if isinstance(value, ast.Tuple) else [None] * len(target.elts)
            for part, source in zip(target.elts, parts, strict=False):
                self.assign(part, self.kind(source) if source is not None else self.part(kind), source)
        elif isinstance(target, ast.Subscript):
            self.kind(target.value)
            self.kind(target.slice)

    @staticmethod
    def part(kind: str) -> str:
        return WHOLE if kind == "integers" else OTHER

    # Expressions

    def kind(self, node: ast.expr) -> str:
        method = getattr(self, f"of_{type(node).__name__.lower()}", None)
        if method is None:
            raise Mixed
        return method(node)

    def meet(self, operator: ast.operator, one: str, other: str) -> str:
        if SINGLE in (one, other):
            if one != other or not isinstance(operator, _ARITHMETIC[:4]):
                raise Mixed
            return SINGLE
        if OTHER in (one, other) or one.startswith("array") or other.startswith("array"):
            return OTHER
        return DOUBLE if DOUBLE in (one, other) or isinstance(operator, ast.Div) else WHOLE

    def of_constant(self, node: ast.Constant) -> str:
        return kind_of(node.value)

    def of_name(self, node: ast.Name) -> str:
        if node.id in self.variables:
            return self.variables[node.id]
        return kind_of(self.known[node.id]) if node.id in self.known else OTHER

    def of_binop(self, node: ast.BinOp) -> str:
        return self.meet(node.op, self.kind(node.left), self.kind(node.right))

    def of_unaryop(self, node: ast.UnaryOp) -> str:
        kind = self.kind(node.operand)
        return WHOLE if isinstance(node.op, ast.Not) else kind

    def of_boolop(self, node: ast.BoolOp) -> str:
        kinds = {self.kind(value) for value in node.values}
        if SINGLE in kinds:
            raise Mixed
        return WHOLE if kinds == {WHOLE} else OTHER

    def of_compare(self, node: ast.Compare) -> str:
        kinds = {self.kind(value) for value in (node.left, *node.comparators)}
        if SINGLE in kinds and kinds != {SINGLE}:
            raise Mixed
        return WHOLE

    def of_ifexp(self, node: ast.IfExp) -> str:
        self.kind(node.test)
        one, other = self.kind(node.body), self.kind(node.orelse)
        if one != other and SINGLE in (one, other):
            raise Mixed
        return one if one == other else OTHER

    def of_tuple(self, node: ast.Tuple) -> str:
        kinds = {self.kind(element) for element in node.elts}
        return "integers" if kinds <= {WHOLE} else OTHER

    def of_slice(self, node: ast.Slice) -> str:
        for bound in (node.lower, node.upper, node.step):
            if bound is not None:
                self.kind(bound)
        return "slice"

    def of_subscript(self, node: ast.Subscript) -> str:
        base, index = self.kind(node.value), self.kind(node.slice)
        if base.startswith("array of "):
            # A row of a two-dimensional array is taken for an element: as an operand it would fail anyway.
            return base if index == "slice" else base.removeprefix("array of ")
        return WHOLE if base == "integers" else OTHER

    def of_attribute(self, node: ast.Attribute) -> str:
        if node.attr in ("x", "y", "z", "size", "ndim", "laneid", "warpsize"):
            return WHOLE
        if node.attr == "shape":
            return "integers"
        if isinstance(node.value, ast.Name) and node.value.id in self.variables:
            self.kind(node.value)
        return OTHER

    def of_call(self, node: ast.Call) -> str:
        kinds = [self.kind(argument) for argument in node.args]
        kinds += [self.kind(argument.value) for argument in node.keywords]
        called = self.object_of(node.func)
        name = getattr(called, "__name__", None) or getattr(node.func, "attr", "")
        if cast := _cast_kind(called):
            return cast
        if called is range:
            return "range"
        if name in ("grid", "gridsize"):
            return WHOLE if isinstance(node.args[0], ast.Constant) and node.args[0].value == 1 else "integers"
        if name == "array" and len(node.args) > 1:
            return f"array of {_cast_kind(self.object_of(node.args[1])) or OTHER}"
        if called in _LIKE_THEIR_ARGUMENT or name in ("fma", "min", "max", "abs"):
            if SINGLE in kinds and set(kinds) != {SINGLE}:
                raise Mixed
            return SINGLE if SINGLE in kinds else DOUBLE
        if name in _VALUELESS:
            return WHOLE
        if _owner(node.func) == "atomic" or name.startswith("shfl"):
            return OTHER
        if SINGLE in kinds or any(kind == f"array of {SINGLE}" for kind in kinds):
            return self.unknown_call(called)
        return OTHER

    def unknown_call(self, called: Any) -> str:
        """Words take arrays and values as they are; of other functions nothing is known."""
        from hopperlab.device.vocabulary.word import Word

        if isinstance(called, Word):
            return OTHER
        raise Mixed

    def object_of(self, node: ast.expr) -> Any:
        if isinstance(node, ast.Name):
            return None if node.id in self.variables else self.known.get(node.id)
        if isinstance(node, ast.Attribute):
            return getattr(self.object_of(node.value), node.attr, None)
        return None


_VALUELESS = frozenset({"syncthreads", "syncwarp", "threadfence", "threadfence_block", "nanosleep", "len"})
_LIKE_THEIR_ARGUMENT = frozenset(
    {math.sqrt, math.fabs, math.floor, math.ceil, math.exp, math.log, math.sin, math.cos}
)


def _owner(node: ast.expr) -> str:
    return getattr(getattr(node, "value", None), "attr", "")


def _cast_kind(called: Any) -> str:
    from hopperlab.device.simulator.rebinding import cast_of

    cast = cast_of(called) if called is not None else None
    if cast is None:
        return {int: WHOLE, float: DOUBLE, bool: WHOLE}.get(called, "") if isinstance(called, type) else ""
    return {"float32": SINGLE, "float64": DOUBLE, "float16": OTHER}.get(cast.__name__, WHOLE)
