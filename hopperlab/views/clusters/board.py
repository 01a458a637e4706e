"""The board: a chip at one moment of a schedule, the queue and why it waits, and busy SMs over time."""

from collections.abc import Iterator
from textwrap import wrap

from hopperlab.models.clusters import Schedule
from hopperlab.views import svg
from hopperlab.views.clusters.chip_drawing import board_plan, chip_elements
from hopperlab.views.clusters.plan import Box
from hopperlab.views.clusters.queue_drawing import WIDTH as QUEUE_WIDTH
from hopperlab.views.clusters.queue_drawing import plain_elements, queue_elements
from hopperlab.views.clusters.scene import MOST_PLACES_DRAWN, Scene, in_words
from hopperlab.views.clusters.time_strip import strip_elements
from hopperlab.views.picture import Picture
from hopperlab.views.svg import SMALLEST_TEXT, hatching, path, rect, text

MARGIN = 20
SUBTITLE_COLUMNS = 112
CHIP_TOP = 78
QUEUE_LEFT = 690  # at least; further right for a chip of many GPCs
STRIP_HEIGHT = 72


def board(
    schedule: Schedule,
    time: float = 0.0,
    *,
    step: int | None = None,
    plain: Schedule | None = None,
    time_unit: str = "µs",
) -> Picture:
    """The card at one moment: what runs where, what waits and why, which SMs are stranded.

    Parameters
    ----------
    schedule
        From ``hopperlab.models.clusters.schedule_grids``.
    time
        Shown after all that happens then; in the schedule's unit of time.
    step
        Instead of a time: after the first ``step`` events, to step forward and back one event at a time.
    plain
        The same work as plain blocks on the same card, drawn small beside it: the schedule of
        ``grid.as_plain_blocks()``.
    time_unit
        What a unit of time is called.

    Returns
    -------
    Picture
        An SVG as wide as its place, and the same in words.

    Raises
    ------
    ValueError
        If the time is below 0, the step is out of range, or ``plain`` ran on another card.
    """
    if plain is not None and plain.gpc_map != schedule.gpc_map:
        raise ValueError(
            f"plain ran on {plain.gpc_map.name!r}, schedule on {schedule.gpc_map.name!r}: "
            "both must run on the same card"
        )
    state = schedule.state_at(time) if step is None else schedule.state_after(step)
    event = schedule.events[step - 1] if step else None
    plain_state = plain.state_at(state.time) if plain else None
    scene = Scene(schedule, state, event, plain, plain_state, time_unit)
    return Picture(scene.title, in_words(scene), svg=_drawing(scene))


def _drawing(scene: Scene) -> str:
    top = CHIP_TOP + svg.LINE_HEIGHT * (len(wrap(_subtitle(scene), SUBTITLE_COLUMNS)) - 1)
    laid = board_plan(scene, MARGIN, top)
    side = max(MARGIN + laid.width + 30, QUEUE_LEFT)
    width = side + QUEUE_WIDTH + MARGIN
    body = [text(MARGIN, 34, scene.title, size=22, bold=True)]
    body += svg.lines(MARGIN, 60, _subtitle(scene), SUBTITLE_COLUMNS, "f-quiet")
    body += chip_elements(scene, laid)
    beside, bottom = queue_elements(scene, side, top + 16)
    body += beside
    if scene.plain:
        beside, bottom = plain_elements(scene, side, bottom + 12)
        body += beside
    y = max(top + laid.height + 70, bottom + 10)
    body += _legend(y)
    body += _curves_legend(scene, y + 34)
    if scene.event:
        body.append(text(width - MARGIN, y + 34, scene.last_event, size=SMALLEST_TEXT, anchor="end"))
    strip = Box(MARGIN + 40, y + 66, width - 2 * MARGIN - 50, STRIP_HEIGHT)
    body += strip_elements(scene, strip)
    description = f"{scene.busy_sms} of {scene.card.sms} SMs hold a block. {scene.queue}"
    return svg.document(width, strip.y + strip.height + 52, scene.title, description, body)


def _subtitle(scene: Scene) -> str:
    """The setting, and what else the numbers need: the grids' letters, or that blocks are counted."""
    parts = [scene.setting]
    if len(scene.schedule.grids) > 1:
        parts.append(f"{scene.work}.")
    if scene.places > MOST_PLACES_DRAWN:
        parts.append("Numbers: blocks on each SM.")
    return " ".join(parts)


def _legend(y: float) -> Iterator[str]:
    """What an SM without a block looks like, by cause."""
    for x, words, marked, crossed in (
        (MARGIN, "free", False, False),
        (MARGIN + 90, "stranded: too few left in the GPC", True, False),
        (MARGIN + 390, "stranded: GPC smaller than the cluster", True, True),
    ):
        yield rect(x, y - 12, 16, 16, "f-none s-line", 'rx="3"')
        if marked:
            marks = hatching(x, y - 12, 16, 16, crossed=crossed)
            yield path(marks, "f-none s-idle", 'stroke-width="1.5"')
        yield text(x + 24, y + 1, words, "f-quiet", size=SMALLEST_TEXT)


def _curves_legend(scene: Scene, y: float) -> Iterator[str]:
    """The name of the strip, and which of its curves is which."""
    yield text(MARGIN, y, "SMs busy", bold=True)
    if scene.plain:
        above = scene.work.lower() if len(scene.schedule.grids) == 1 else "the grids above"
        yield path(f"M{MARGIN + 100} {y - 5:g}h34", "f-none s-compute", 'stroke-width="2.5"')
        yield text(MARGIN + 142, y, above, "f-quiet", size=SMALLEST_TEXT)
        yield path(f"M{MARGIN + 310} {y - 5:g}h34", "f-none s-ink", 'stroke-width="2" stroke-dasharray="7 4"')
        yield text(MARGIN + 352, y, "the same work as plain blocks", "f-quiet", size=SMALLEST_TEXT)
