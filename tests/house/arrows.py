"""Which module may import which: the floors of the house, and the doors that stay shut."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2] / "hopperlab"

# From the ground up. A floor may skip floors, never climb. The ledger stands beside the models, on chip.
FLOORS = ("chip", "models", "device", "kernels", "measure", "views", "course", "lessons", "cli")
MAY_READ_THE_LEDGER = ("ledger", "measure", "views", "course", "lessons", "cli")

# Within the device: the two machines never know each other, nor what stands above them; a trace is data.
SHUT = {
    "hopperlab.device.silicon": ("simulator", "launch"),
    "hopperlab.device.simulator": ("silicon", "launch"),
    "hopperlab.device.trace": ("silicon", "simulator", "launch"),
}


@dataclass(frozen=True)
class Arrow:
    """One import: the module that has it, its line, and the module that it names."""

    importer: str
    line: int
    imported: str

    def __str__(self) -> str:
        return f"{self.importer}:{self.line} imports {self.imported}"


def modules(package: Path = PACKAGE) -> Iterator[tuple[str, Path]]:
    """Every module of a package: its dotted name and its file."""
    for path in sorted(package.rglob("*.py")):
        parts = (package.name, *path.relative_to(package).with_suffix("").parts)
        yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts), path


def arrows(source: str, module: str, is_package: bool = False) -> Iterator[Arrow]:
    """Every import in a module's source, wherever it stands, as absolute names.

    ``from a import b`` gives ``a.b``: b may be a module. ``importlib.import_module("a.b")`` and
    ``__import__("a.b")`` count too, as far as their argument is written out.
    """
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            for name in node.names:
                yield Arrow(module, node.lineno, name.name)
        elif isinstance(node, ast.ImportFrom):
            base = _absolute(node, module, is_package)
            for name in node.names:
                yield Arrow(module, node.lineno, f"{base}.{name.name}" if base else name.name)
        elif isinstance(node, ast.Call) and _is_import_call(node.func):
            named = _written_out(node.args[0]) if node.args else ""
            if named:
                yield Arrow(module, node.lineno, named)


def _absolute(node: ast.ImportFrom, module: str, is_package: bool) -> str:
    if not node.level:
        return node.module or ""
    parts = module.split(".")
    kept = len(parts) - node.level + (1 if is_package else 0)
    return ".".join(parts[:kept] + ([node.module] if node.module else []))


def _is_import_call(function: ast.expr) -> bool:
    name = getattr(function, "attr", getattr(function, "id", ""))
    return name in ("import_module", "__import__")


def _written_out(argument: ast.expr) -> str:
    """The constant part that a module's name begins with."""
    if isinstance(argument, ast.JoinedStr) and argument.values:
        argument = argument.values[0]
    return argument.value if isinstance(argument, ast.Constant) and isinstance(argument.value, str) else ""


def floor(module: str) -> str:
    """The floor of a module of hopperlab: the second part of its name; the roof, cli, for ``__main__``."""
    parts = module.split(".")
    if len(parts) < 2:
        return ""
    return "cli" if parts[1] == "__main__" else parts[1]


def why_forbidden(arrow: Arrow) -> str:
    """Why an arrow may not be; empty where it may."""
    if arrow.imported.split(".")[0] != "hopperlab":
        return ""
    low, high = floor(arrow.importer), floor(arrow.imported)
    if high in ("", "__version__"):
        return ""
    for place in (low, high):
        if place not in (*FLOORS, "ledger", ""):
            return f"{place} is no floor of the house"
    if low == "":
        return "hopperlab itself imports nothing, so that it opens at once"
    if "ledger" in (low, high):
        return _about_the_ledger(low, high)
    if FLOORS.index(high) > FLOORS.index(low):
        return f"{low} may not climb to {high}"
    for inner, shut in SHUT.items():
        if _within(arrow.importer, inner) and any(
            _within(arrow.imported, f"hopperlab.device.{door}") for door in shut
        ):
            return f"{inner} may not know it"
    return ""


def _about_the_ledger(low: str, high: str) -> str:
    if high == "ledger":
        return "" if low in MAY_READ_THE_LEDGER else f"{low} may not read the ledger"
    return "" if high == "chip" else f"the ledger stands on chip alone, not on {high}"


def _within(module: str, package: str) -> bool:
    return module == package or module.startswith(f"{package}.")


def violations(package: Path = PACKAGE) -> tuple[list[str], int]:
    """What breaks the rules in a package, in words, and how many arrows were looked at."""
    found, looked_at = [], 0
    for module, path in modules(package):
        for arrow in arrows(path.read_text(encoding="utf-8"), module, path.name == "__init__.py"):
            looked_at += 1
            why = why_forbidden(arrow)
            if why:
                found.append(f"{arrow}: {why}")
    return found, looked_at
