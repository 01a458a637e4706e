"""The machine code of each way to write the line: what stands between its loads and its store.

`python -m hopperlab.kernels.dpx.listing` writes it to data/dpx_lines_sass.json, for readers without an assembler.
"""

import json
import re
from functools import cache
from pathlib import Path

from hopperlab.device import Kernel
from hopperlab.kernels.dpx.lines import LINES
from hopperlab.kernels.machine_code import instructions

RECORDED = Path(__file__).parents[2] / "data" / "dpx_lines_sass.json"

# What loads the three numbers, stores the result, and ends the kernel.
SURROUNDINGS = re.compile(r"(LDC|ULDC|LDG|STG|MOV|EXIT|NOP|BRA)\b")


def listing(kernel: Kernel) -> list[str]:
    """Give a kernel's own instructions, in order, with their registers. Wants the `sass` extra."""
    return [words for words in instructions(kernel) if not SURROUNDINGS.match(words)]


@cache
def recorded() -> dict[str, list[str]]:
    """Give the listings that ship with the package, by the names of `LINES`."""
    return json.loads(RECORDED.read_text(encoding="utf-8"))


if __name__ == "__main__":
    rows = [f"{json.dumps(name)}: {json.dumps(listing(kernel))}" for name, kernel in LINES.items()]
    RECORDED.write_text("{\n" + ",\n".join(rows) + "\n}\n", encoding="utf-8")
