"""From a Python kernel to PTX, machine code and resource counts for the Hopper, with no card needed."""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from cuda import pathfinder
from numba import cuda
from numba.cuda import dispatcher as numba_dispatcher
from numba.cuda.core import sigutils

HOPPER = (9, 0, "a")
TARGET = "sm_90a"
HOW_TO_INSTALL = 'install it with: pip install "hopperlab[sass]"'


@dataclass(frozen=True)
class Resources:
    """What one variant of a kernel takes on an SM.

    Attributes
    ----------
    registers
        32-bit registers a thread.
    spill_store_bytes, spill_load_bytes
        Bytes a thread stores to and loads from local memory because registers ran out; None where only
        the driver was asked, which does not tell them apart.
    stack_bytes
        Bytes of local memory a thread.
    shared_bytes
        Bytes of shared memory a block, as the kernel declares them; what a launch adds is not in it.
    """

    registers: int
    spill_store_bytes: int | None
    spill_load_bytes: int | None
    stack_bytes: int
    shared_bytes: int


def argument_types(signature: Any) -> tuple:
    """Give the numba types of a signature: a tuple of them, "void(int32, float32[::1])", or numba's own.

    Raises
    ------
    TypeError
        If it is none of these.
    """
    try:
        types, _ = sigutils.normalize_signature(signature)
    except Exception as error:
        raise TypeError(
            f"signature is {signature!r}; give a tuple of numba types, or 'void(float32[::1], int32)'"
        ) from error
    return tuple(types)


def ptx(function: Callable, types: tuple, options: Mapping[str, Any]) -> str:
    """Compile a kernel to PTX for `TARGET`."""
    known = ("debug", "lineinfo", "fastmath", "opt", "launch_bounds")
    with _pretended_card():
        text, _ = cuda.compile_ptx(
            function, types, cc=HOPPER, **{k: options[k] for k in known if k in options}
        )
    return text


def sass(text: str, max_registers: int | None = None) -> str:
    """Assemble PTX and disassemble what came out: the kernel's machine code, one instruction a line."""
    with tempfile.TemporaryDirectory() as folder:
        cubin = Path(folder) / "kernel.cubin"
        cubin.write_bytes(_assembled(text, max_registers)[0])
        listing = _run([tool("nvdisasm"), "--print-code", str(cubin)])
    return "\n".join(_instructions(listing))


def cubin(text: str, max_registers: int | None = None) -> bytes:
    """Assemble PTX: machine code as a driver loads it."""
    return _assembled(text, max_registers)[0]


def resources(text: str, max_registers: int | None = None) -> Resources:
    """Assemble PTX and read what the assembler says of registers, spills, stack and shared memory."""
    _, report = _assembled(text, max_registers)

    def number(pattern: str) -> int:
        return max((int(found) for found in re.findall(pattern, report)), default=0)

    return Resources(
        registers=number(r"Used (\d+) registers"),
        spill_store_bytes=number(r"(\d+) bytes spill stores"),
        spill_load_bytes=number(r"(\d+) bytes spill loads"),
        stack_bytes=number(r"(\d+) bytes stack frame"),
        shared_bytes=number(r"(\d+) bytes smem"),
    )


@cache
def tool(name: str) -> str:
    """Give the path of ptxas or nvdisasm.

    Raises
    ------
    RuntimeError
        If it is not installed; the message says how to mend that.
    """
    path = pathfinder.find_nvidia_binary_utility(name)
    if path is None:
        raise RuntimeError(f"{name} was not found; {HOW_TO_INSTALL}")
    return path


@contextmanager
def _pretended_card() -> Iterator[None]:
    # numba asks the current card for its compute capability when a kernel calls a device function, and
    # fails where there is no card. The answer is needed for nothing else: pretend a Hopper meanwhile.
    class Card:
        compute_capability = HOPPER[:2]

    asked = numba_dispatcher.get_current_device
    numba_dispatcher.get_current_device = Card
    try:
        yield
    finally:
        numba_dispatcher.get_current_device = asked


@lru_cache(maxsize=64)
def _assembled(text: str, max_registers: int | None) -> tuple[bytes, str]:
    """Give the cubin that ptxas makes of PTX, and its report."""
    limit = [] if max_registers is None else [f"--maxrregcount={max_registers}"]
    with tempfile.TemporaryDirectory() as folder:
        source, cubin = Path(folder) / "kernel.ptx", Path(folder) / "kernel.cubin"
        source.write_text(text)
        report = _run([tool("ptxas"), "-v", f"-arch={TARGET}", *limit, str(source), "-o", str(cubin)])
        return cubin.read_bytes(), report


def _run(command: list[str]) -> str:
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{Path(command[0]).name} refused the kernel:\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def _instructions(listing: str) -> Iterator[str]:
    """Keep the instructions and the labels that branches name; drop directives and encodings."""
    for line in listing.splitlines():
        found = re.match(r"\s*/\*([0-9a-f]{4,})\*/\s+(?!\.)(.+?;)", line)
        if found:
            yield f"/*{found[1]}*/  {found[2]}"
        elif re.match(r"\.L_x_\d+:", line):
            yield line.strip()
