"""Marks that are told apart by shape: passed, refused, not asked."""

from collections.abc import Iterator

from hopperlab.views.svg import path


def answer_mark(x: float, y: float, passed: bool | None) -> Iterator[str]:
    """A tick, a cross or a dash, 16 pixels wide, with its middle at (x, y)."""
    if passed is None:
        yield path(f"M{x - 7:g} {y:g}h14", "f-none s-idle", 'stroke-width="3"')
    elif passed:
        tick = f"M{x - 7:g} {y:g}l5 6l9 -12"
        yield path(tick, "f-none s-engine", 'stroke-width="3" stroke-linejoin="round"')
    else:
        yield path(
            f"M{x - 7:g} {y - 7:g}l14 14M{x + 7:g} {y - 7:g}l-14 14", "f-none s-finding", 'stroke-width="3"'
        )
