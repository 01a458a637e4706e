"""How far long sums end from the exact ones: relative bias against K, a line a way of adding."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

from hopperlab.views.line_chart import DASHES, Axis, line_chart, powers_of_ten
from hopperlab.views.picture import Picture


@dataclass(frozen=True)
class Curve:
    """One way of adding: its name, and for each K the mean of (sum - exact) / exact."""

    name: str
    biases: tuple[float, ...]


def bias_curve(
    terms: Sequence[int], curves: Sequence[Curve], data: str, allowed: float | None = None
) -> Picture:
    """Bias of sums against their length, both in powers: a line for each way of adding.

    Parameters
    ----------
    terms
        Lengths K, rising.
    curves
        Three at most, the allowed bias among them; each with a bias for every K, none of them 0.
    data
        What is summed, in words.
    allowed
        A bias that is still allowed, drawn as a line of its own; the axis reaches a hundredth of it.

    Raises
    ------
    ValueError
        If there are too few or too many lines, or a bias is 0.
    """
    count = len(curves) + (allowed is not None)
    if not curves or count > len(DASHES):
        raise ValueError(f"curves has {count} lines; one to {len(DASHES)} can be told apart")
    percents = {curve.name: [100 * abs(bias) for bias in curve.biases] for curve in curves}
    every = [share for shares in percents.values() for share in shares]
    if not all(every):
        raise ValueError("curves has a bias of 0; an axis in powers of ten needs another")
    lines = {name: list(zip(terms, shares, strict=True)) for name, shares in percents.items()}
    if allowed is not None:
        every.append(allowed)  # a hundredth of the bias in percent: the same axis for every way of adding
        lines[f"allowed: {100 * allowed:g} %"] = [(terms[0], 100 * allowed), (terms[-1], 100 * allowed)]
    x = Axis(f"K, terms of a sum of {data}", terms[0], terms[-1], {k: f"{k:,}" for k in terms}, True)
    low, high = floor(log10(min(every))), ceil(log10(max(every)))
    y = Axis(
        "bias of the sum, either way (%), modelled", 10.0**low, 10.0**high, powers_of_ten(low, high), True
    )
    title = (
        "; ".join(f"{curve.name}: {100 * curve.biases[-1]:.2g} %" for curve in curves)
        + f" at K = {terms[-1]}"
    )
    return line_chart(title, _twin(terms, curves, data), x, y, lines)


def _twin(terms: Sequence[int], curves: Sequence[Curve], data: str) -> str:
    rows = [f"Mean error of sums of {data}, in % of the exact sum, modelled."]
    rows.append(f"{'K':>8}" + "".join(f"  {curve.name:>24}" for curve in curves))
    for place, k in enumerate(terms):
        rows.append(f"{k:8}" + "".join(f"  {100 * curve.biases[place]:24.4f}" for curve in curves))
    return "\n".join(rows)
