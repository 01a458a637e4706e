"""What the L1 cache loses of a ring that is too large: sets of four lines, one after the other, at any carve-out."""

from collections.abc import Iterable, Mapping, Sequence

from hopperlab.models.memory import Staircase
from hopperlab.views.line_chart import Axis, line_chart
from hopperlab.views.picture import Picture

LINE = 128
MOST = 8
"""Lines too many that are drawn."""


def lost_lines(
    curves: Mapping[int, Sequence[Sequence[float]]], *, card: str, model: Staircase | None = None
) -> Picture:
    """Lines that miss in each round of a chase, by how many there are too many; both of four sets of the L1 cache.

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
    lines = {f"modelled, {kib} KiB": _modelled(kib, model) for kib in curves}
    together = sorted(point for some in points.values() for point in some)
    text = [
        f"Of four sets that share their places: lines too many, and lines that miss in each round, {card}.",
        "A row: too many, modelled, measured.",
    ]
    for kib, some in points.items():
        text.append(f"{kib} KiB shared, {_places(kib, model):.1f} places:")
        text += [
            f"{over:8.2f}  {model.lost(_places(kib, model) + over, _places(kib, model)):6.2f}  {lost:6.2f}"
            for over, lost in some
        ]
    high = max(lost for _, lost in together) + 1
    return line_chart(
        f"Beside {_listed(curves)} KiB of shared memory, the L1 loses lines by fours",
        "\n".join(text),
        Axis("lines too many in four sets", 0, MOST, {at: str(at) for at in range(MOST + 1)}),
        Axis("lines that miss", 0, high, {at: str(at) for at in range(0, int(high) + 1, 4)}),
        lines,
        measured=(f"measured, {card}", together),
    )


def _listed(kibs: Iterable[int]) -> str:
    *others, last = (str(kib) for kib in kibs)
    return f"{', '.join(others)} and {last}" if others else last


def _places(kib: int, model: Staircase) -> float:
    """Places that four sets share beside so much shared memory."""
    return model.l1_bytes(kib) / LINE * model.l1_ways / model.l1_sets


def _measured(rows: Sequence[Sequence[float]], kib: int, model: Staircase) -> list[tuple[float, float]]:
    fours, found = model.l1_sets / model.l1_ways, []
    for footprint, cycles in rows:
        lines = footprint / LINE / fours
        missing = (cycles - model.l1_cycles) / (model.l2_cycles - model.l1_cycles)
        over = lines - _places(kib, model)
        if 0 < over < MOST:
            found.append((over, missing * lines))
    return found


def _modelled(kib: int, model: Staircase) -> list[tuple[float, float]]:
    places = _places(kib, model)
    return [(0.05 * n, model.lost(places + 0.05 * n, places)) for n in range(1, 20 * MOST)]
