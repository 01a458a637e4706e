"""What the assembler leaves between the two looks at the clock.

`python -m hopperlab.kernels.throughput.listing` writes it to data/timed_loops_sass.json, for readers without
an assembler.
"""

import json
import re
from collections import Counter
from functools import cache
from pathlib import Path

from hopperlab.device import Kernel
from hopperlab.kernels.machine_code import instructions
from hopperlab.kernels.throughput.chained import chains
from hopperlab.kernels.throughput.dead_code import add_up, forget

RECORDED = Path(__file__).parents[2] / "data" / "timed_loops_sass.json"
CHAINS = 4
GUARD = re.compile(r"^@!?U?P\d+ ")
CLOCK = re.compile(r"CS2R R\d+, SR_CLOCKLO")
TIMED = ("fp32 fma", "fp64 fma", "fp16x2 fma", "int32 add", "shuffle")


def between_the_clocks(kernel: Kernel) -> list[str]:
    """Give the instructions between the first two looks at the clock. Wants the `sass` extra."""
    code = instructions(kernel)
    first, second = [place for place, words in enumerate(code) if CLOCK.match(words)][:2]
    return code[first + 1 : second]


def kernels() -> dict[str, Kernel]:
    """Give the kernels whose code ships with the package: honest ones by their operation, and two others."""
    return {name: chains(name, CHAINS) for name in TIMED} | {"forget": forget, "add_up": add_up}


@cache
def recorded() -> dict[str, list[str]]:
    """Give the listings that ship with the package, by the names of `kernels`."""
    return json.loads(RECORDED.read_text(encoding="utf-8"))


def loop(name: str) -> Counter[str]:
    """Count the machine instructions, without their registers, of a timed kernel's loop: its longest stretch."""
    stretches: list[list[str]] = [[]]
    for words in recorded()[name]:
        kind = GUARD.sub("", words).split()[0]
        if kind == "BRA":
            stretches.append([])
        else:
            stretches[-1].append(kind)
    return Counter(max(stretches, key=len))


if __name__ == "__main__":
    rows = [
        f"{json.dumps(name)}: {json.dumps(between_the_clocks(kernel))}" for name, kernel in kernels().items()
    ]
    RECORDED.write_text("{\n" + ",\n".join(rows) + "\n}\n", encoding="utf-8")
