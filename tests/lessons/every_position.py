"""What every panel is asked: to draw, whatever its controls say."""

from typing import Any

FEWEST_WORDS = 6  # of a twin in words


def positions(control: Any) -> list[Any]:
    """All options of a choice, both states of a toggle, both ends of anything that slides."""
    options = getattr(control, "options", None)
    if options:
        return [value for _, value in options]
    if isinstance(control.value, bool):
        return [False, True]
    moved = getattr(control, "slider", control)
    return [moved.min, moved.max]


def draw_every_position(panel: Any) -> None:
    """Move each control to all its positions, the others at rest; the panel draws, and says so in words."""
    for control in panel.controls.values():
        first = control.value
        for value in positions(control):
            control.value = value
            assert panel.error is None
            assert len(panel.picture.twin.split()) >= FEWEST_WORDS
        control.value = first
