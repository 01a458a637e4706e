"""How many results a clock a line of code can give: its instructions share the SM's pipes, and the fullest decides.

A pipe's lanes are what CUDA's guide lists for one SM of compute capability 9.0: 64 results a clock of integer
arithmetic, comparison, minimum and maximum (recalled-011 for the fused ones), as many integer multiply-adds, 128
sums in FP32, and 16 conversions from FP32 to an integer. Latency, loads and loops are left out.
"""

from collections import Counter
from collections.abc import Sequence

LANES = {"integer": 64, "multiply-add": 64, "FP32": 128, "conversion": 16}
"""Results a clock and SM of each pipe."""

PIPES = {"IMAD": "multiply-add", "FADD": "FP32", "FMUL": "FP32", "FFMA": "FP32", "F2I": "conversion"}
FUSED = ("VIADDMNMX", "VIMNMX3")
"""What adds and compares in one instruction, or compares three."""


def pipe_of(instruction: str) -> str:
    """The pipe of an instruction, given with or without its registers: all others are integer arithmetic."""
    return PIPES.get(instruction.split()[0].split(".")[0], "integer")


def fused(instruction: str) -> bool:
    """Whether it is one of Hopper's fused instructions."""
    return instruction.split()[0].split(".")[0] in FUSED


def results_per_clock(instructions: Sequence[str]) -> float:
    """Results a clock and SM of a line that takes these instructions for each result.

    Raises
    ------
    ValueError
        If there are none.
    """
    if not instructions:
        raise ValueError("instructions is empty; a line takes at least 1")
    load = Counter(pipe_of(instruction) for instruction in instructions)
    return min(LANES[pipe] / count for pipe, count in load.items())
