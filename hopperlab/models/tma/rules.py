"""What makes the driver refuse a tensor map: one named rule each, to be tried one by one on a card.

A rule looks at one argument. It tells the value that it objects to and what is allowed. ``refusals`` lists
every rule that a descriptor breaks; none means accepted.

The wording is that of cuda.h, cuTensorMapEncodeTiled. Whether the driver *checks* what its header demands
only a driver can tell: each rule was tried on one (580.159, the experiment `tma_descriptors`). What it accepts
although its header or its guide says otherwise is ``ADVICE``: true of what the hardware can use, kept apart
from what is refused.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import prod

from hopperlab.models.tma.descriptor import MAX_RANK, Descriptor, Fill, Interleave, Swizzle

MAX_BOX = 256  # elements a dimension; claim lit-032
MAX_ELEMENT_STRIDE = 8  # elements; claim lit-037.a
MAX_DIM = 2**32  # elements; claim lit-036. cuda.h of CUDA 13.5 says 2**31 instead
STRIDE_LIMIT = 2**40  # bytes, not reached; claim lit-035.b
SHARED_BYTES = 228 * 1024  # bytes of an SM, one KiB more than a block gets; claim lit-020.a

_CUDA_H = "cuda.h 12.6 and 13.5"
_GUIDE = "CUDA C++ Programming Guide, tensor memory accelerator"


@dataclass(frozen=True)
class Refusal:
    """One reason to refuse: the rule, the driver's argument, the value found and what is allowed."""

    rule: str
    argument: str
    value: object
    allowed: str

    def __str__(self) -> str:
        """The refusal as a sentence."""
        return f"{self.argument}={self.value}: {self.allowed} [{self.rule}]"


@dataclass(frozen=True)
class Rule:
    """One demand on a tensor map.

    Attributes
    ----------
    name
        How a test and a lesson call it.
    argument
        The field of ``Descriptor`` that it looks at, or its rank.
    claim
        The row of claims.csv it comes from.
    evidence
        Where it is written.
    find
        Gives the offending value and what is allowed, or None where the descriptor obeys.
    """

    name: str
    argument: str
    claim: str
    evidence: str
    find: Callable[[Descriptor], tuple[object, str] | None]

    def refusal(self, descriptor: Descriptor) -> Refusal | None:
        """The objection of this rule to `descriptor`, if it has one."""
        found = self.find(descriptor)
        return None if found is None else Refusal(self.name, self.argument, *found)


def refusals(descriptor: Descriptor, rules: Iterable[Rule] | None = None) -> list[Refusal]:
    """Every rule that `descriptor` breaks; an empty list means that the driver accepts it.

    Parameters
    ----------
    descriptor
        The arguments of cuTensorMapEncodeTiled.
    rules
        The rules to ask, RULES if left out.
    """
    asked = RULES if rules is None else rules
    return [refusal for rule in asked if (refusal := rule.refusal(descriptor))]


def check(descriptor: Descriptor) -> Descriptor:
    """`descriptor` itself, if it is accepted.

    Raises
    ------
    ValueError
        Naming every argument refused, its value and what is allowed.
    """
    broken = refusals(descriptor)
    if broken:
        raise ValueError("the tensor map is refused: " + "; ".join(map(str, broken)))
    return descriptor


def _rank(d: Descriptor) -> tuple[object, str] | None:
    if not 1 <= d.rank <= MAX_RANK:
        return d.rank, f"allowed are 1 to {MAX_RANK} dimensions"
    return None


def _rank_interleaved(d: Descriptor) -> tuple[object, str] | None:
    if d.interleave != Interleave.NONE and d.rank < 3:
        return d.rank, "an interleaved layout needs at least 3 dimensions"
    return None


def _address(d: Descriptor) -> tuple[object, str] | None:
    return _not_multiple(d.global_address, 16)


def _address_interleaved(d: Descriptor) -> tuple[object, str] | None:
    return _not_multiple(d.global_address, 32) if d.interleave == Interleave.BYTES_32 else None


def _dim(d: Descriptor) -> tuple[object, str] | None:
    return _outside(d.global_dim, 1, MAX_DIM, "elements")


def _stride_multiple(d: Descriptor) -> tuple[object, str] | None:
    return _first(_not_multiple(stride, 16) for stride in d.global_strides)


def _stride_multiple_interleaved(d: Descriptor) -> tuple[object, str] | None:
    if d.interleave != Interleave.BYTES_32:
        return None
    return _first(_not_multiple(stride, 32) for stride in d.global_strides)


def _stride_limit(d: Descriptor) -> tuple[object, str] | None:
    return _outside(d.global_strides, 0, STRIDE_LIMIT - 1, "bytes")


def _box(d: Descriptor) -> tuple[object, str] | None:
    return _outside(d.box_dim, 1, MAX_BOX, "elements")


def _inner_multiple(d: Descriptor) -> tuple[object, str] | None:
    if d.interleave != Interleave.NONE or not d.rank or d.inner_bytes % 16 == 0:
        return None
    return d.box_dim[0], f"its {d.inner_bytes} bytes must be a multiple of 16 bytes"


def _element_stride(d: Descriptor) -> tuple[object, str] | None:
    return _outside(d.element_strides[1:], 1, MAX_ELEMENT_STRIDE, "elements")


def _inner_element_stride(d: Descriptor) -> tuple[object, str] | None:
    return _outside(d.element_strides[:1], 1, MAX_ELEMENT_STRIDE, "elements")


def _inner_span(d: Descriptor) -> tuple[object, str] | None:
    if d.interleave != Interleave.NONE or d.swizzle == Swizzle.NONE or d.inner_bytes <= d.swizzle.span:
        return None
    return d.box_dim[0], f"its {d.inner_bytes} bytes must fit in the swizzle's {d.swizzle.span} bytes"


def _interleave_swizzle(d: Descriptor) -> tuple[object, str] | None:
    if d.interleave == Interleave.BYTES_32 and d.swizzle != Swizzle.BYTES_32:
        return d.swizzle.name, "an interleave of 32 bytes needs the swizzle of 32 bytes"
    return None


def _fill(d: Descriptor) -> tuple[object, str] | None:
    if d.fill == Fill.NAN and not d.element_type.floating:
        return d.fill.name, f"NaN needs a floating-point type, not {d.element_type.name}"
    return None


def _stride_covers(d: Descriptor) -> tuple[object, str] | None:
    if not d.global_strides:
        return None
    inner = d.element_type.nbytes
    for size, stride in zip(d.global_dim, d.global_strides, strict=False):
        if stride < size * inner:
            return stride, f"below {size * inner} bytes, one dimension's elements overlap the next one's"
        inner = stride
    return None


def _swizzled_address(d: Descriptor) -> tuple[object, str] | None:
    if d.swizzle == Swizzle.NONE or d.interleave != Interleave.NONE:
        return None
    return _not_multiple(d.global_address, 128)


def _box_bytes(d: Descriptor) -> tuple[object, str] | None:
    # As the driver counts: rounded down, with the innermost element stride. The engine rounds up, without it.
    if not d.rank or min(d.element_strides) < 1:
        return None
    counted = prod(size // step for size, step in zip(d.box_dim, d.element_strides, strict=True))
    nbytes = counted * d.element_type.nbytes
    if nbytes > SHARED_BYTES:
        return d.box_dim, f"its {nbytes} bytes must fit in an SM's {SHARED_BYTES} of shared memory"
    return None


RULES: tuple[Rule, ...] = (
    Rule("rank", "rank", "lit-031", _CUDA_H, _rank),
    Rule("rank_interleaved", "rank", "lit-031", _CUDA_H, _rank_interleaved),
    Rule("address_16", "global_address", "lit-034.a", _CUDA_H, _address),
    Rule("address_32_interleaved", "global_address", "lit-034.b", _CUDA_H, _address_interleaved),
    Rule("dim_range", "global_dim", "lit-036", "cuda.h 12.6; 13.5 says 2**31", _dim),
    Rule("stride_16", "global_strides", "lit-035.a", _CUDA_H, _stride_multiple),
    Rule("stride_32_interleaved", "global_strides", "lit-035.a", _CUDA_H, _stride_multiple_interleaved),
    Rule("stride_limit", "global_strides", "lit-035.b", _CUDA_H, _stride_limit),
    Rule("box_range", "box_dim", "lit-032", _CUDA_H, _box),
    Rule("inner_16", "box_dim", "lit-033", _CUDA_H, _inner_multiple),
    Rule("inner_span", "box_dim", "lit-039.b to lit-039.d", _CUDA_H, _inner_span),
    Rule("element_stride_range", "element_strides", "lit-037.a", _CUDA_H, _element_stride),
    Rule(
        "inner_element_stride_range",
        "element_strides",
        "lit-037.a",
        "cuda.h demands it, although without interleave it is ignored",
        _inner_element_stride,
    ),
    Rule("fill_floating", "fill", "lit-044.a", _CUDA_H, _fill),
    Rule("box_in_shared", "box_dim", "lit-020.a", "in no header; found by trying", _box_bytes),
)
"""The rules that the driver checks."""

ADVICE: tuple[Rule, ...] = (
    Rule("stride_covers", "global_strides", "lit-035.a", "an example in cuda.h", _stride_covers),
    Rule("address_128_swizzled", "global_address", "lit-041.a", _GUIDE, _swizzled_address),
    Rule("interleave_swizzle", "swizzle", "lit-039.b", _CUDA_H, _interleave_swizzle),
)
"""Demands that go unchecked when the map is encoded, and bite when it is used."""


def rule(name: str) -> Rule:
    """The rule of that name, checked or advised.

    Raises
    ------
    ValueError
        For an unknown name; the message lists the known ones.
    """
    known = {one.name: one for one in RULES + ADVICE}
    if name not in known:
        raise ValueError(f"name={name!r}: known rules are {', '.join(known)}")
    return known[name]


def _outside(numbers: tuple[int, ...], low: int, high: int, unit: str) -> tuple[object, str] | None:
    wrong = [number for number in numbers if not low <= number <= high]
    return (wrong[0], f"allowed are {low} to {high} {unit}") if wrong else None


def _not_multiple(number: int, unit: int) -> tuple[object, str] | None:
    return (number, f"must be a multiple of {unit} bytes") if number % unit else None


def _first(found: Iterable[tuple[object, str] | None]) -> tuple[object, str] | None:
    return next((one for one in found if one), None)
