"""The machine code of a kernel, an instruction at a time."""

import re

from hopperlab.device import Kernel

INSTRUCTION = re.compile(r"/\*[0-9a-f]+\*/\s+(?P<words>.+?)\s*;")


def instructions(kernel: Kernel) -> list[str]:
    """Give a kernel's instructions in order, with their guards and registers. Wants the `sass` extra."""
    return [found["words"] for found in INSTRUCTION.finditer(kernel.sass())]
