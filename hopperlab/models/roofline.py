"""The roofline: a program is as fast as the arithmetic allows, or the memory, whichever is less."""

from __future__ import annotations

from dataclasses import dataclass

from hopperlab.chip import TENSOR_DATA_TYPES, Chip
from hopperlab.models.arguments import finite_number

LANES = "fp32 lanes"
"""The data type that is computed without tensor cores."""


@dataclass(frozen=True)
class Roofline:
    """A chip's ceiling and slope, for one kind of arithmetic.

    Attributes
    ----------
    name
        The chip and the arithmetic.
    peak_flop_per_s
        FLOP a second, at best.
    bytes_per_s
        Bytes a second from and to memory, at best.
    """

    name: str
    peak_flop_per_s: float
    bytes_per_s: float

    @property
    def ridge(self) -> float:
        """The intensity, in FLOP a byte, from which on arithmetic is the limit."""
        return self.peak_flop_per_s / self.bytes_per_s

    def attainable(self, intensity: float) -> float:
        """FLOP a second at an intensity, in FLOP a byte.

        Raises
        ------
        ValueError
            If the intensity is not above 0.
        """
        return min(self.peak_flop_per_s, finite_number("intensity", intensity, above=0) * self.bytes_per_s)

    def limit(self, intensity: float) -> str:
        """What limits a program of an intensity: "memory" or "arithmetic"."""
        return "memory" if finite_number("intensity", intensity, above=0) < self.ridge else "arithmetic"


def roofline(chip: Chip, data_type: str) -> Roofline:
    """Give a chip's roofline for `LANES`, or for a data type of its tensor cores.

    Peaks are dense rates at the clock that the chip's own sheet assumes: the boost clock for the lanes, the
    tensor clock for tensor cores (lit-052). Under load the clock is often lower.

    Raises
    ------
    ValueError
        For a data type that the chip has no rate for.
    """
    if data_type == LANES:
        peak = 2 * chip.fp32_lanes_per_sm * chip.sms * chip.boost_clock_hz
    elif data_type in TENSOR_DATA_TYPES:
        peak = chip.tensor_flop_per_clock_per_sm(data_type) * chip.sms * chip.tensor_clock_hz
    else:
        raise ValueError(f"data_type={data_type!r}: there are {LANES}, {', '.join(TENSOR_DATA_TYPES)}")
    return Roofline(f"{chip.name}, {data_type}", float(peak), float(chip.memory_bandwidth_bytes_per_s))


def product_intensity(m: int, n: int, k: int, operand_bytes: int, result_bytes: int = 4) -> float:
    """FLOP a byte of a matrix product whose operands are each read once and whose result is written once."""
    for name, value in (("m", m), ("n", n), ("k", k), ("operand_bytes", operand_bytes)):
        finite_number(name, value, above=0)
    return 2 * m * n * k / ((m + n) * k * operand_bytes + m * n * result_bytes)
