"""FP8 drawn: a value between its neighbors on both number lines, and the wheel of 256 codes with one byte open."""

from hopperlab.views.fp8.code_wheel import code_wheel
from hopperlab.views.fp8.number_line import number_line

__all__ = ["code_wheel", "number_line"]
