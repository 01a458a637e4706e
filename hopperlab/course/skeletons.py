"""Skeletons: an exercise's solution is its only source; the learner's skeleton is made from it.

The lines of the solution between ``# your part: what they do`` and ``# end of your part`` are the learner's::

    def twice(n):
        # your part: double the number
        return 2 * n
        # end of your part

The skeleton has the first comment and a line that raises instead; the shown solution has lost the markers.
"""

import ast
import hashlib
import inspect
import re
import textwrap
from collections.abc import Callable
from types import CodeType

from hopperlab.course.report import sentence

UNWRITTEN = "write this part"
_BEGIN = re.compile(r"^(?P<indent>\s*)# your part: (?P<what>.+?)\.?$")
_END = re.compile(r"^\s*# end of your part$")


def source(function: Callable) -> str:
    """The source of a function, without indentation.

    Raises
    ------
    OSError
        If Python does not know the source.
    """
    return textwrap.dedent(inspect.getsource(function)).rstrip()


def skeleton(solution: Callable) -> str:
    """The solution's source with each of the learner's parts replaced by a line that raises.

    Raises
    ------
    ValueError
        If no part is marked, or a marker has no counterpart.
    """
    lines: list[str] = []
    inside = False
    for line in source(solution).splitlines():
        begin, end = _BEGIN.match(line), _END.match(line)
        if bool(begin) == inside and (begin or end):
            raise ValueError(f"solution {solution.__name__}: the marker {line.strip()!r} has no counterpart")
        if begin:
            lines.append(f"{begin['indent']}# Your part: {sentence(begin['what'])}")
            lines.append(f'{begin["indent"]}raise NotImplementedError("{UNWRITTEN}")')
        if begin or end:
            inside = bool(begin)
        elif not inside:
            lines.append(line)
    if inside or not any(UNWRITTEN in line for line in lines):
        raise ValueError(f"solution {solution.__name__} must mark 1 or more parts, each with its end")
    return "\n".join(lines)


def shown_solution(solution: Callable) -> str:
    """The solution's source as the learner reads it: the markers are plain comments."""
    lines = [line for line in source(solution).splitlines() if not _END.match(line)]
    return "\n".join(_BEGIN.sub(lambda begin: f"{begin['indent']}# {begin['what']}", line) for line in lines)


def fingerprint(code: str) -> str:
    """Sixteen hexadecimal digits, the same for code that differs only in comments, docstrings and spacing."""
    tree = ast.parse(textwrap.dedent(code))
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and ast.get_docstring(node) is not None:
            node.body = node.body[1:] or [ast.Pass()]
    return hashlib.sha256(ast.dump(tree).encode()).hexdigest()[:16]


def function_fingerprint(function: Callable) -> str:
    """The fingerprint of a function's source; of its bytecode where the source is not known."""
    try:
        return fingerprint(source(function))
    except (OSError, TypeError, SyntaxError):
        code = getattr(function, "__code__", None)
        parts = _parts(code) if code else (type(function).__name__,)
        return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]


def _parts(code: CodeType) -> tuple:
    """What a code object does, without where it was written."""
    constants = [_parts(item) if isinstance(item, CodeType) else item for item in code.co_consts]
    return code.co_code, code.co_names, code.co_varnames, constants
