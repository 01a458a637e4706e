"""A barrier's strip at one step of a run, with what the threads of its block do then."""

from __future__ import annotations

from dataclasses import replace

from hopperlab.views import barriers as views
from hopperlab.views.barriers.strip import Doing, Moment
from hopperlab.views.picture import Picture
from hopperlab.views.trace.frame import cause_in_words, line_in_words
from hopperlab.views.trace.steps import Steps
from hopperlab.views.trace.words import cycle_and_sentence, in_block

MOST_LANES = 8


def barrier_strip(steps: Steps, place: int | None = None, block: int = 0, barrier: str = "") -> Picture:
    """Draw the counts of a barrier up to a step, and who does what.

    Parameters
    ----------
    steps
        Of any run with a barrier.
    place
        Which step; the last if left out.
    block, barrier
        Whose barrier, and its name; the one of the block that most happened to, if left out.

    Raises
    ------
    ValueError
        If nothing happens to such a barrier in the whole run.
    """
    place = steps.last if place is None else place
    names = [name for owner, name in views.barriers_of(steps.trace) if owner == block]
    if not names or (barrier and barrier not in names):
        known = ", ".join(names) or "none"
        raise ValueError(f"block {block} has no barrier {barrier!r} that anything happens to; it has {known}")
    barrier = barrier or names[0]
    moments = views.history(steps.trace, barrier, block)
    reached = {event.number for event in steps.until(place)}
    now = max((n for n, moment in enumerate(moments) if moment.number in reached), default=None)
    title = f"{cycle_and_sentence(steps, place)}. The history of {barrier}{in_block(steps.trace, block)}"
    if now is None:
        moments, now = [Moment("not yet initialized", 0, 0, 0), *moments], 0
    drawn = views.strip(moments, now, _doings(steps, place), title)
    told = [
        words for words in (line_in_words(steps, place), cause_in_words(steps, place), drawn.text) if words
    ]
    return Picture(title, "\n".join(told), svg=drawn.svg)


def _doings(steps: Steps, place: int) -> list[Doing]:
    """Who does what after a step, under names that fit beside the strip."""
    found = views.doings(replace(steps.trace, events=steps.until(place)))[:MOST_LANES]
    one_block = steps.trace.grid == (1, 1, 1)
    return [
        doing._replace(
            who=doing.who.removeprefix("block 0, ") if one_block else doing.who.replace("threads ", "")
        )
        for doing in found
    ]
