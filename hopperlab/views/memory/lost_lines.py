"""What the L1 cache loses of a ring that is too large: one line of every set, then two, at any carve-out."""

from collections.abc import Iterable, Mapping, Sequence

from hopperlab.models.memory import Staircase
from hopperlab.models.memory.sets import LINE, SETS
from hopperlab.views.line_chart import Axis, line_chart
from hopperlab.views.picture import Picture

MOST, STEP = 1200, 40
"""Lines too many that are drawn, at most, and from one to the next of the model."""


def lost_lines(
    curves: Mapping[int, Sequence[Sequence[float]]], *, card: str, model: Staircase | None = None
) -> Picture:
    """Lines that miss in each round of a chase, by how many there are more than the L1 cache holds.

    Parameters
    ----------
    curves
        By KiB of shared memory, up to three: footprints in bytes and mean cycles of a load, measured, of lines side
        by side.
    card
        The card that gave them.
    model
        The staircase, with its parameters.
    """
    model = Staircase() if model is None else model
    points = {kib: _measured(rows, kib, model) for kib, rows in curves.items()}
    together = sorted(point for some in points.values() for point in some)
    text = [
        f"Lines more than the L1 cache holds, and lines that miss in each round, {card}.",
        "A row: too many, modelled, measured.",
    ]
    for kib, some in points.items():
        text.append(f"{kib} KiB shared, room for {model.l1_lines(kib)} lines:")
        text += [f"{over:8.0f}  {_lost(over, kib, model):6.0f}  {lost:6.0f}" for over, lost in some]
    high = SETS * (max(lost for _, lost in together) // SETS + 1)
    stairs = range(0, int(high) + 1, SETS)
    return line_chart(
        f"Beside {_listed(curves)} KiB of shared memory, the L1 loses {SETS} lines at a time: one of every set",
        "\n".join(text),
        Axis("lines too many", 0, MOST, {at: str(at) for at in range(0, MOST + 1, 200)}),
        Axis("lines that miss, each round", 0, high, {at: str(at) for at in stairs}),
        {
            f"modelled, {kib} KiB": [
                (over, _lost(over, kib, model))
                for over in range(0, int(max((x for x, _ in points[kib]), default=0)) + 1, STEP)
            ]
            for kib in curves
        },
        measured=(f"measured, {card}", together),
    )


def _listed(kibs: Iterable[int]) -> str:
    *others, last = (str(kib) for kib in kibs)
    return f"{', '.join(others)} and {last}" if others else last


def _lost(over: float, kib: int, model: Staircase) -> float:
    """Lines that miss in each round, modelled, of a ring of so many lines too many."""
    lines = model.l1_lines(kib) + round(over)
    return lines * model.shares(lines * LINE, shared_kib=kib)[0]


def _measured(rows: Sequence[Sequence[float]], kib: int, model: Staircase) -> list[tuple[float, float]]:
    found = []
    for footprint, cycles in rows:
        lines = footprint / LINE
        over = lines - model.l1_lines(kib)
        if 0 < over < MOST:
            missing = (cycles - model.l1_cycles) / (model.l2_cycles - model.l1_cycles)
            found.append((over, missing * lines))
    return found
