"""Random tensor maps for the comparison with the driver: accepted ones, and ones that break a single rule.

A refusal teaches something only when one rule alone can be its cause. So each way to break a rule starts
from a map that obeys everything, checked rules and advice alike, and is drawn again until nothing else is
broken. The caller's generator decides all, so a seed gives the same maps again.
"""

from collections.abc import Callable

import numpy as np

from hopperlab.models.tma.descriptor import Descriptor, ElementType, Fill, Interleave, L2Promotion, Swizzle
from hopperlab.models.tma.rules import (
    ADVICE,
    MAX_BOX,
    MAX_DIM,
    MAX_ELEMENT_STRIDE,
    RULES,
    STRIDE_LIMIT,
    refusals,
    rule,
)

_TRIES = 500  # every rule needs a few; more than this means that it cannot be broken alone
_INTEGERS = [kind for kind in ElementType if not kind.floating]


def random_descriptor(rng: np.random.Generator, break_rule: str | None = None) -> Descriptor:
    """A tensor map that breaks the rule named, or, if none is named, an accepted one half of the time.

    Parameters
    ----------
    rng
        Decides everything.
    break_rule
        Name of a rule in RULES or ADVICE. Without it, every second map obeys all rules, and each of the
        others breaks one of RULES, all equally often.

    Raises
    ------
    ValueError
        For an unknown rule; the message lists the known ones.
    """
    if break_rule is not None:
        return refused_descriptor(rng, break_rule)
    if rng.random() < 0.5:
        return accepted_descriptor(rng)
    return refused_descriptor(rng, RULES[rng.integers(len(RULES))].name)


def accepted_descriptor(
    rng: np.random.Generator,
    *,
    interleave: Interleave | None = None,
    swizzle: Swizzle | None = None,
    fill: Fill | None = None,
    element_type: ElementType | None = None,
    least_rank: int = 1,
) -> Descriptor:
    """A tensor map that obeys every rule and all advice, with the features asked for."""
    for _ in range(_TRIES):
        drawn = _draw(rng, interleave, swizzle, fill, element_type, least_rank)
        if not refusals(drawn, RULES + ADVICE):
            return drawn
    raise ValueError(f"no accepted map has {interleave}, {swizzle}, {fill}, {element_type} together")


def refused_descriptor(rng: np.random.Generator, break_rule: str) -> Descriptor:
    """A tensor map that breaks the named rule, and neither another rule nor other advice."""
    wanted = rule(break_rule).name
    for _ in range(_TRIES):
        broken = _BREAKERS[wanted](rng)
        if [refusal.rule for refusal in refusals(broken, RULES + ADVICE)] == [wanted]:
            return broken
    raise ValueError(f"break_rule={break_rule!r}: it is never the sole rule broken")


def _draw(
    rng: np.random.Generator,
    interleave: Interleave | None,
    swizzle: Swizzle | None,
    fill: Fill | None,
    element_type: ElementType | None,
    least_rank: int,
) -> Descriptor:
    if interleave is None:
        interleave = Interleave(rng.choice(3, p=[0.8, 0.1, 0.1]))
    if swizzle is None:
        swizzle = Swizzle.BYTES_32 if interleave == Interleave.BYTES_32 else Swizzle(rng.integers(4))
    element_type = ElementType(rng.integers(len(ElementType))) if element_type is None else element_type
    if fill is None:
        fill = Fill(rng.integers(2)) if element_type.floating else Fill.ZERO
    rank = int(rng.integers(max(least_rank, 1 if interleave == Interleave.NONE else 3), 6))
    grain = 32 if interleave == Interleave.BYTES_32 else 16
    dims = [_log_uniform(rng, 2 ** (36 // rank)) for _ in range(rank - 1)] + [_log_uniform(rng, MAX_DIM)]
    strides, row = [], element_type.nbytes
    for size in dims[:-1]:
        padding = grain * int(rng.integers(3))
        row = -(-size * row // grain) * grain + padding
        strides.append(row)
    return Descriptor(
        element_type,
        int(rng.integers(1, 2**38)) * (128 if swizzle != Swizzle.NONE else grain),
        dims,
        strides,
        [_inner_box(rng, element_type, swizzle)] + [_log_uniform(rng, MAX_BOX) for _ in range(rank - 1)],
        [int(rng.choice([1, rng.integers(1, MAX_ELEMENT_STRIDE + 1)], p=[0.7, 0.3])) for _ in range(rank)],
        interleave,
        swizzle,
        L2Promotion(rng.integers(4)),
        fill,
    )


def _inner_box(rng: np.random.Generator, element_type: ElementType, swizzle: Swizzle) -> int:
    """Elements of a row of whole 16-byte chunks, within the swizzle's span."""
    most = swizzle.span or MAX_BOX * element_type.nbytes
    chunks = min(most, MAX_BOX * element_type.nbytes) // 16
    return int(rng.integers(1, chunks + 1)) * 16 // element_type.nbytes


def _log_uniform(rng: np.random.Generator, most: int) -> int:
    """A number from 1 to `most`, small ones as likely as large ones, both ends within reach."""
    return min(most, int(2 ** rng.uniform(0, np.log2(most) + 0.1)))


def _with(numbers: tuple[int, ...], index: int, number: int) -> tuple[int, ...]:
    return (*numbers[:index], int(number), *numbers[index + 1 :])


def _any(rng: np.random.Generator, numbers: tuple[int, ...], choices: list[int]) -> tuple[int, ...]:
    """One of the numbers, anywhere, replaced by one of the choices."""
    return _with(numbers, int(rng.integers(len(numbers))), int(rng.choice(choices)))


def _cut(d: Descriptor, rank: int) -> Descriptor:
    return d.changed(
        global_dim=d.global_dim[:rank],
        global_strides=d.global_strides[: max(rank - 1, 0)],
        box_dim=d.box_dim[:rank],
        element_strides=d.element_strides[:rank],
    )


def _rank(rng: np.random.Generator) -> Descriptor:
    d = accepted_descriptor(rng, interleave=Interleave.NONE, least_rank=5)
    if rng.random() < 0.5:
        return _cut(d, 0)
    more = int(rng.integers(1, 3))
    last = d.global_strides[-1] * d.global_dim[-1]
    return d.changed(
        global_dim=d.global_dim + (1,) * more,
        global_strides=d.global_strides + (-(-last // 16) * 16,) * more,
        box_dim=d.box_dim + (1,) * more,
        element_strides=d.element_strides + (1,) * more,
    )


def _rank_interleaved(rng: np.random.Generator) -> Descriptor:
    kind = Interleave(rng.integers(1, 3))
    return _cut(accepted_descriptor(rng, interleave=kind, least_rank=3), int(rng.integers(1, 3)))


def _address_16(rng: np.random.Generator) -> Descriptor:
    d = accepted_descriptor(rng, interleave=Interleave.NONE, swizzle=Swizzle.NONE)
    return d.changed(global_address=d.global_address + int(rng.integers(1, 16)))


def _address_32(rng: np.random.Generator) -> Descriptor:
    d = accepted_descriptor(rng, interleave=Interleave.BYTES_32)
    return d.changed(global_address=d.global_address + 16)


def _dim(rng: np.random.Generator) -> Descriptor:
    d = accepted_descriptor(rng)
    if rng.random() < 0.5:
        return d.changed(global_dim=_any(rng, d.global_dim, [0]))
    return d.changed(global_dim=_with(d.global_dim, d.rank - 1, MAX_DIM + _log_uniform(rng, MAX_DIM)))


def _stride_16(rng: np.random.Generator) -> Descriptor:
    d = accepted_descriptor(rng, interleave=Interleave.NONE, least_rank=2)
    last = d.rank - 2  # of the last stride, since a larger one there covers no other dimension
    return d.changed(
        global_strides=_with(d.global_strides, last, d.global_strides[last] + rng.integers(1, 16))
    )


def _stride_32(rng: np.random.Generator) -> Descriptor:
    d = accepted_descriptor(rng, interleave=Interleave.BYTES_32, least_rank=3)
    last = d.rank - 2
    return d.changed(global_strides=_with(d.global_strides, last, d.global_strides[last] + 16))


def _stride_limit(rng: np.random.Generator) -> Descriptor:
    d = accepted_descriptor(rng, least_rank=2)
    large = STRIDE_LIMIT + 32 * (_log_uniform(rng, 2**20) - 1)
    return d.changed(global_strides=_with(d.global_strides, d.rank - 2, large))


def _box(rng: np.random.Generator) -> Descriptor:
    d = accepted_descriptor(rng, swizzle=None if rng.random() < 0.5 else Swizzle.NONE)
    return d.changed(box_dim=_any(rng, d.box_dim, [0, 257, 272, 512, 65536]))


def _inner_16(rng: np.random.Generator) -> Descriptor:
    d = accepted_descriptor(rng, interleave=Interleave.NONE)
    return d.changed(box_dim=_with(d.box_dim, 0, rng.integers(1, MAX_BOX + 1)))


def _inner_span(rng: np.random.Generator) -> Descriptor:
    d = accepted_descriptor(rng, interleave=Interleave.NONE, swizzle=Swizzle(rng.integers(1, 4)))
    return d.changed(box_dim=_with(d.box_dim, 0, _inner_box(rng, d.element_type, Swizzle.NONE)))


def _element_stride(rng: np.random.Generator) -> Descriptor:
    d = accepted_descriptor(rng, least_rank=2)
    where = int(rng.integers(1, d.rank))
    return d.changed(element_strides=_with(d.element_strides, where, rng.choice([0, 9, 10, 16, 255])))


def _inner_element_stride(rng: np.random.Generator) -> Descriptor:
    d = accepted_descriptor(rng)
    return d.changed(element_strides=_with(d.element_strides, 0, rng.choice([0, 9, 10, 16, 255])))


def _interleave_swizzle(rng: np.random.Generator) -> Descriptor:
    d = accepted_descriptor(rng, interleave=Interleave.BYTES_32)
    other = Swizzle(rng.choice([Swizzle.NONE, Swizzle.BYTES_64, Swizzle.BYTES_128]))
    return d.changed(swizzle=other, global_address=d.global_address // 128 * 128)


def _fill(rng: np.random.Generator) -> Descriptor:
    return accepted_descriptor(rng, element_type=ElementType(rng.choice(_INTEGERS))).changed(fill=Fill.NAN)


def _stride_covers(rng: np.random.Generator) -> Descriptor:
    d = accepted_descriptor(rng, least_rank=2)
    grain = 32 if d.interleave == Interleave.BYTES_32 else 16
    where = int(rng.integers(d.rank - 1))
    small = grain * int(rng.integers(d.global_strides[where] // grain))
    return d.changed(global_strides=_with(d.global_strides, where, small))


def _swizzled_address(rng: np.random.Generator) -> Descriptor:
    d = accepted_descriptor(rng, interleave=Interleave.NONE, swizzle=Swizzle(rng.integers(1, 4)))
    return d.changed(global_address=d.global_address + 16 * int(rng.integers(1, 8)))


def _box_in_shared(rng: np.random.Generator) -> Descriptor:
    d = accepted_descriptor(rng, least_rank=3)
    outer = tuple(int(rng.integers(1, MAX_BOX + 1)) for _ in d.box_dim[1:])
    return d.changed(box_dim=(d.box_dim[0], *outer))


_BREAKERS: dict[str, Callable[[np.random.Generator], Descriptor]] = {
    "rank": _rank,
    "rank_interleaved": _rank_interleaved,
    "address_16": _address_16,
    "address_32_interleaved": _address_32,
    "dim_range": _dim,
    "stride_16": _stride_16,
    "stride_32_interleaved": _stride_32,
    "stride_limit": _stride_limit,
    "box_range": _box,
    "inner_16": _inner_16,
    "inner_span": _inner_span,
    "element_stride_range": _element_stride,
    "inner_element_stride_range": _inner_element_stride,
    "interleave_swizzle": _interleave_swizzle,
    "fill_floating": _fill,
    "stride_covers": _stride_covers,
    "address_128_swizzled": _swizzled_address,
    "box_in_shared": _box_in_shared,
}
