"""Run a kernel of a file in the Hopper simulator and tell what came of it."""

from __future__ import annotations

import argparse
import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what `hopperlab run` takes."""
    parser.add_argument(
        "kernel",
        metavar="FILE.py:KERNEL",
        help="the file and the kernel in it; its launch(seed) gives grid, block, arguments and options",
    )
    parser.add_argument("--seed", type=int, default=0, help="which of the legal orders to run (default 0)")
    parser.add_argument("--chip", default=None, help='whose places and limits hold (default "H100 SXM5")')
    parser.add_argument("--no-checks", action="store_true", help="do not look for races and misuses")
    parser.add_argument("--trace", type=Path, metavar="FILE.json", help="write a trace that Perfetto opens")
    parser.add_argument("--accesses", action="store_true", help="trace every access of memory, too")


def run(arguments: argparse.Namespace) -> int:
    """Simulate, print the run, and return 1 if anything was found."""
    file, _, name = arguments.kernel.rpartition(":")
    if not file:
        raise ValueError(f"kernel={arguments.kernel!r}: give the file and the kernel, as in reduce.py:reduce")
    module = _loaded(Path(file))
    kernel = _kernel(module, file, name)
    grid, block, values, options = _launch(module, file, arguments.seed)
    if arguments.chip:
        options["chip"] = arguments.chip
    options |= {
        "seed": arguments.seed,
        "checks": not arguments.no_checks,
        "trace": arguments.trace is not None and ("accesses" if arguments.accesses else True),
    }
    result = kernel.simulate(grid, block, values, **options)
    print(result)
    if arguments.trace is not None:
        print(f"\n{_traced(result, arguments.trace)}")
    return 1 if result.findings else 0


def _traced(result: Any, path: Path) -> str:
    """Write the trace, and tell what was written."""
    if result.trace is None:
        return "No trace was written: the launch was refused before anything ran."
    written = result.write_trace(path)
    return f"Trace: {written}, {len(result.trace.events)} events; open it at ui.perfetto.dev"


def _loaded(path: Path) -> ModuleType:
    if not path.is_file():
        raise FileNotFoundError(2, "no such file", str(path))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise ValueError(f"{path}: not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def _kernel(module: ModuleType, file: str, name: str) -> Any:
    from hopperlab.device import Kernel

    kernels = {key: value for key, value in vars(module).items() if isinstance(value, Kernel)}
    if name not in kernels:
        raise ValueError(f"{file} has no kernel {name!r}; it has {', '.join(kernels) or 'none'}")
    return kernels[name]


def _launch(module: ModuleType, file: str, seed: int) -> tuple[Any, Any, tuple, dict]:
    launch = getattr(module, "launch", None)
    if launch is None:
        raise ValueError(f"{file} has no launch(seed): it should return grid, block, arguments and options")
    given = launch(seed)
    if not isinstance(given, tuple) or len(given) not in (3, 4):
        raise ValueError(
            f"{file}: launch(seed) returned {given!r}; it should return grid, block, arguments, options"
        )
    grid, block, values, options = (*given, {})[:4]
    return grid, block, tuple(values), dict(options)
