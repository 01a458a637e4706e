"""About six times an A100: which of the five factors behind it can a workload spend?

Peak compute grew by more SMs, faster SMs, a higher clock, and eight bits in place of sixteen (talk-021, talk-013,
talk-022, talk-014); memory by its own step. A workload runs at the lower of its arithmetic and its memory, as the
roofline has it; what waits for neither, because each step depends on the last, can spend nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from hopperlab.chip import Chip, chip
from hopperlab.models.arguments import finite_number

FACTORS = ("more SMs", "faster SMs", "clock", "eight bits", "memory")
"""What an H100 has over an A100, by the names used here."""

OLD, NEW = "A100 SXM4 40GB", "H100 SXM5"

LANES = {
    "fp64 lanes": "fp64_lanes_per_sm",
    "fp32 lanes": "fp32_lanes_per_sm",
    "int32 lanes": "int32_lanes_per_sm",
}


@dataclass(frozen=True)
class Workload:
    """A program, as far as the roofline knows it. Its intensity is illustrative.

    Attributes
    ----------
    arithmetic
        "fp64", "tf32" or "fp16" for tensor cores, or a key of `LANES`; empty if it waits for neither arithmetic nor
        memory.
    intensity
        FLOP a byte.
    eight_bits
        Whether its products may be taken in FP8.
    """

    name: str
    arithmetic: str
    intensity: float = 1.0
    eight_bits: bool = False


WORKLOADS = (
    Workload("Training a large language model", "fp16", 600, eight_bits=True),
    Workload("Training a vision network", "fp16", 100, eight_bits=True),
    Workload("Answering with a language model, one user", "fp16", 1, eight_bits=True),
    Workload("Dense linear algebra in FP64", "fp64", 200),
    Workload("A weather model's stencils, FP32", "fp32 lanes", 2),
    Workload("N-body forces, FP32", "fp32 lanes", 500),
    Workload("Sequence alignment, 32-bit integers", "int32 lanes", 300),
    Workload("Following a chain of pointers", ""),
)
"""Eight kinds of work; their intensities are assumed, round numbers."""


@dataclass(frozen=True)
class Gain:
    """What a workload makes of the factors that it was given.

    Attributes
    ----------
    times
        How many times the older chip's speed.
    limit
        What limits it in the end: "arithmetic", "memory" or "latency".
    refused
        For each factor that cannot apply at all, why.
    idle
        Factors that apply, but change nothing as long as the other limit stands.
    """

    times: float
    limit: str
    refused: Mapping[str, str] = field(default_factory=dict)
    idle: tuple[str, ...] = ()


def factor(name: str, workload: Workload, old: Chip | None = None, new: Chip | None = None) -> float:
    """One factor as this workload sees it: the ratio of the two chips' sheets; 1 where nothing grew.

    Raises
    ------
    ValueError
        For a name that is not in `FACTORS`.
    """
    old, new = old or chip(OLD), new or chip(NEW)
    if name not in FACTORS:
        raise ValueError(f"name={name!r} must be one of {', '.join(FACTORS)}")
    if name == "more SMs":
        return new.sms / old.sms
    if name == "memory":
        return new.memory_bandwidth_bytes_per_s / old.memory_bandwidth_bytes_per_s
    if name == "eight bits":
        return new.tensor_fp8_flop_per_clock_per_sm / new.tensor_fp16_flop_per_clock_per_sm
    if name == "clock":
        return _clock(new, workload) / _clock(old, workload)
    return _rate(new, workload) / _rate(old, workload)


def _clock(of: Chip, workload: Workload) -> int:
    return of.boost_clock_hz if workload.arithmetic in LANES else of.tensor_clock_hz


def _rate(of: Chip, workload: Workload) -> int:
    """Operations a clock and SM; a multiply-add is two."""
    if workload.arithmetic in LANES:
        return 2 * getattr(of, LANES[workload.arithmetic])
    return of.tensor_flop_per_clock_per_sm(workload.arithmetic or "fp16")


def why_refused(name: str, workload: Workload) -> str:
    """Why a workload cannot spend a factor at all; empty if it can."""
    if not workload.arithmetic:
        return "each step waits for the one before: neither more nor faster units help"
    if name == "eight bits" and not workload.eight_bits:
        return "its results need more than three bits of mantissa"
    if name == "faster SMs" and factor(name, workload) == 1:
        return "an SM has as many lanes for this type as before"
    return ""


def gain(workload: Workload, spent: Collection[str]) -> Gain:
    """What a workload gains from some of the factors.

    Parameters
    ----------
    spent
        Names from `FACTORS`.

    Raises
    ------
    ValueError
        For another name, or an intensity that is not above 0.
    """
    refused = {name: why for name in FACTORS if name in spent and (why := why_refused(name, workload))}
    for name in spent:
        factor(name, workload)
    if not workload.arithmetic:
        return Gain(1.0, "latency", refused)
    kept = [name for name in FACTORS if name in spent and name not in refused]
    before, _ = _speed(workload, ())
    after, limit = _speed(workload, kept)
    idle = tuple(name for name in kept if _speed(workload, [one for one in kept if one != name])[0] == after)
    return Gain(after / before, limit, refused, idle)


def _speed(workload: Workload, kept: Collection[str]) -> tuple[float, str]:
    """FLOP a second on the older chip with some factors added, and what limits it."""
    old = chip(OLD)
    arithmetic = _rate(old, workload) * old.sms * _clock(old, workload)
    memory = finite_number("intensity", workload.intensity, above=0) * old.memory_bandwidth_bytes_per_s
    for name in kept:
        if name == "memory":
            memory *= factor(name, workload)
        else:
            arithmetic *= factor(name, workload)
    return (arithmetic, "arithmetic") if arithmetic <= memory else (memory, "memory")
