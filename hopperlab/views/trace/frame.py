"""What every picture of a step has: the sentence on top, the kernel's line, the cause, and what lies later, pale."""

from __future__ import annotations

from collections.abc import Iterable

from hopperlab.views import svg
from hopperlab.views.picture import Picture
from hopperlab.views.trace.causes import cause_of, end_of_wait
from hopperlab.views.trace.steps import Steps
from hopperlab.views.trace.words import cycle_and_sentence, said

WIDTH = 1010
LEFT = 176
ROOM = WIDTH - LEFT - 30
TOP = 108
TITLE_COLUMNS = 78
COLUMNS = 112
PALE = 0.3


def cause_place(steps: Steps, place: int) -> int | None:
    """Give the step that explains another one; None where the trace has none."""
    found = cause_of(steps.trace, steps[place].event)
    return None if found is None else steps.place_of.get(found.number)


def cause_in_words(steps: Steps, place: int) -> str:
    """Say why a step happened when it did, or what ends the wait that begins with it."""
    there, event = cause_place(steps, place), steps[place].event
    if event.verb not in ("wait", "meet"):
        nothing = "Cause: the launch; nothing in the trace came before."
        return nothing if there is None else f"Cause: {_pointed(steps, there)}"
    if end_of_wait(steps.trace, event) is None:
        return "Nothing ends this wait." + ("" if there is None else f" Last came {_pointed(steps, there)}")
    if there == place:
        return "Nobody waits any longer: the last of them has come."
    return f"Ends by {_pointed(steps, there)}"


def _pointed(steps: Steps, there: int) -> str:
    return f"step {there}, cycle {steps[there].cycle:,.0f}: {said(steps.trace, steps[there])}."


def line_in_words(steps: Steps, place: int) -> str:
    """Give the kernel's line of a step; empty where no line did it."""
    line = steps[place].event.line
    return f"line {line}:  {steps.trace.text_of(line)}" if line else ""


def framed(
    steps: Steps, place: int, body: Iterable[str], height: float, told: str, heading: str = ""
) -> Picture:
    """Set a drawing that starts at `TOP` under the step's sentence, line and cause."""
    title = cycle_and_sentence(steps, place)
    line, cause = line_in_words(steps, place), cause_in_words(steps, place)
    where = f"step {place} of {steps.last}"
    rows = [words for words in (line, cause) if words]
    head = [svg.text(20, 34, shortened(title, TITLE_COLUMNS), size=18, bold=True)]
    head.append(svg.text(WIDTH - 20, 34, where, "f-quiet", size=14, anchor="end"))
    head += [svg.text(20, 62 + 23 * row, shortened(words), "f-quiet") for row, words in enumerate(rows)]
    text = "\n".join(words for words in (f"Step {place} of {steps.last}.", line, cause, told) if words)
    drawing = svg.document(WIDTH, height, heading or title, cause, [*head, *body])
    return Picture(title, text, svg=drawing)


def shortened(words: str, columns: int = COLUMNS) -> str:
    """Words cut to one line."""
    return words if len(words) <= columns else words[: columns - 4].rstrip() + " ..."


def split(start: float, end: float, now: float) -> list[tuple[float, float, bool]]:
    """Cut a stretch of time at the present: (from, to, whether it lies later)."""
    parts = [(start, min(end, now), False), (max(start, now), end, True)]
    return [part for part in parts if part[1] > part[0]]


def faded(elements: Iterable[str], later: bool) -> str:
    """Elements as they are, or pale where they lie later."""
    drawn = "".join(elements)
    return f'<g opacity="{PALE}">{drawn}</g>' if later else drawn


def axis(y: float, unit: float, horizon: float) -> list[str]:
    """The axis of cycles, with round numbers."""
    every = next(
        (step * 10**power for power in range(9) for step in (1, 2, 5) if horizon <= 9 * step * 10**power), 1
    )
    drawn = [svg.path(f"M{LEFT} {y:g}H{LEFT + ROOM}", "f-none s-quiet", 'stroke-width="2"')]
    for cycle in range(0, int(horizon) + 1, every):
        x = LEFT + unit * cycle
        drawn.append(svg.path(f"M{x:.4g} {y:g}v6", "f-none s-quiet", 'stroke-width="2"'))
        drawn.append(svg.text(round(x, 1), y + 24, f"{cycle:,}", "f-quiet", size=14, anchor="middle"))
    drawn.append(svg.text(20, y + 24, "cycles, modelled", "f-quiet", size=14))
    return drawn


def now_line(x: float, top: float, bottom: float) -> str:
    """The line of the present."""
    return svg.path(f"M{x:.5g} {top:g}V{bottom:g}", "f-none s-finding", 'stroke-width="3"')
