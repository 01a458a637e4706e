"""The ``hopperlab`` command: every module of this package is one subcommand.

A subcommand is a module with a one-line docstring (its help), ``add_arguments(parser)`` and
``run(arguments) -> int`` (its exit status). Only the chosen one is imported. Where a module sets
``PASSES_ON = True``, options that it does not know arrive as the list ``arguments.passed_on``.
"""

import argparse
import ast
import importlib
import sys
from collections.abc import Sequence
from pathlib import Path

_FOLDER = Path(__file__).parent


def subcommands() -> tuple[str, ...]:
    """The names of all subcommands, in alphabetical order."""
    return tuple(sorted(path.stem for path in _FOLDER.glob("*.py") if not path.stem.startswith("_")))


def summary(name: str) -> str:
    """What one subcommand does: its docstring, read without importing it."""
    source = (_FOLDER / f"{name}.py").read_text(encoding="utf-8")
    return (ast.get_docstring(ast.parse(source)) or "").partition("\n")[0]


def overview() -> str:
    """The help of ``hopperlab`` itself: how to call it, and one line a subcommand."""
    names = subcommands()
    width = max(len(name) for name in names)
    lines = [f"  {name:<{width}}  {summary(name)}" for name in names]
    return "\n".join(
        [
            "usage: hopperlab SUBCOMMAND [OPTION ...]",
            "",
            *lines,
            "",
            "`hopperlab SUBCOMMAND --help` says more; `hopperlab --version` gives the version.",
        ]
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one subcommand and return its exit status.

    Parameters
    ----------
    arguments
        The words after ``hopperlab``; by default those of the command line.

    Returns
    -------
    int
        0 for success, 1 for a failure that was explained, 2 for a wrong call. Bad input and file errors
        are one line on stderr; Python's development mode (``PYTHONDEVMODE=1``) shows their traceback.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    if not words or words[0] in ("-h", "--help"):
        print(overview())
        return 0
    if words[0] == "--version":
        from hopperlab import __version__

        print(f"hopperlab {__version__}")
        return 0
    name, *rest = words
    if name not in subcommands():
        print(f"hopperlab: no subcommand {name!r}; there are {', '.join(subcommands())}", file=sys.stderr)
        return 2
    return _run(name, rest)


def _run(name: str, words: list[str]) -> int:
    module = importlib.import_module(f"hopperlab.cli.{name}")
    parser = argparse.ArgumentParser(prog=f"hopperlab {name}", description=module.__doc__, allow_abbrev=False)
    module.add_arguments(parser)
    if getattr(module, "PASSES_ON", False):
        parsed, passed_on = parser.parse_known_args(words)
        parsed.passed_on = passed_on
    else:
        parsed = parser.parse_args(words)
    try:
        return module.run(parsed)
    except KeyboardInterrupt:
        return 130
    except (OSError, ValueError) as error:
        if sys.flags.dev_mode:
            raise
        print(f"hopperlab {name}: {_in_words(error)}", file=sys.stderr)
        return 1


def _in_words(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror and error.filename:
        return f"{error.filename}: {error.strerror}"
    return str(error)
