"""What the model of FP8 answers to the claims about it; what a card answers, the experiments say."""

from collections.abc import Iterator, Sequence
from math import isfinite, nextafter
from typing import Any

import numpy as np

from hopperlab.ledger import Recording, claim
from hopperlab.measure.audit import Row
from hopperlab.models import fp8

CODES = range(256)


def answers(recorded: Sequence[Recording]) -> Iterator[Row]:
    """Rows for the claims about FP8."""
    yield _row("talk-017", modelled=_formats_of_the_talk(), quoted_tolerance=0)
    for letters, name in (("lit-046", "e4m3"), ("lit-047", "e5m2")):
        yield from _extremes(letters, name)
    yield _row("lit-048.a", modelled=_last_finite("e4m3"), quoted_tolerance=0)
    yield _row("lit-048.b", modelled=_last_finite("e5m2"), quoted_tolerance=0, remark="the last one below it")
    yield _row("lit-243.a", modelled=_through_fp32(-431.99999999999994), quoted_tolerance=0)
    yield _row("lit-243.b", modelled=fp8.explain(464.0, "e4m3").result.value, quoted_tolerance=0)


def _row(id: str, **legs: Any) -> Row:
    source = claim(id)
    return Row("fp8", f"{source.statement}, {source.device}".rstrip(", "), id, **legs)


def _formats_of_the_talk() -> int:
    """Formats of all eight bits, one for the sign, of which each has a bit more exponent than the one before."""
    shared = {(fp8.FORMATS[n].exponent_bits, fp8.FORMATS[n].mantissa_bits) for n in ("e4m3", "e5m2")}
    return len({pair for pair in shared if sum(pair) == 7})


def _extremes(claim_id: str, name: str) -> Iterator[Row]:
    """Found by looking at all 256 codes, not by the format's own constants."""
    values = [fp8.unpack(code, name) for code in CODES]
    positive = [v for v in values if v.sign == 0 and v.kind in ("normal", "subnormal")]
    largest = max(positive, key=lambda v: v.value)
    by_letter = {"a": largest.value, "b": largest.code}
    for letter, kind in (("c", "normal"), ("d", "subnormal")):
        by_letter[letter] = min(v.value for v in positive if v.kind == kind)
    for letter, value in by_letter.items():
        yield _row(f"{claim_id}.{letter}", modelled=value, quoted_tolerance=1e-12)


def _last_finite(name: str) -> float:
    """The largest FP64 value whose cast without saturation is finite, found by halving."""
    low, high = fp8.FORMATS[name].largest, 2 * fp8.FORMATS[name].largest
    while nextafter(low, high) < high:
        middle = (low + high) / 2
        finite = isfinite(fp8.explain(middle, name, saturate=False).result.value)
        low, high = (middle, high) if finite else (low, middle)
    return low


def _through_fp32(x: float) -> float:
    """Round to FP32, then to E4M3: two roundings."""
    return fp8.explain(float(np.float32(x)), "e4m3").result.value
