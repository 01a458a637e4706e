"""The side of the board: the queue with the reason why its head waits, and the plain blocks' small chip."""

from itertools import islice

from hopperlab.views.clusters.plan import Scale, plan
from hopperlab.views.clusters.scene import Scene
from hopperlab.views.svg import LINE_HEIGHT, SMALLEST_TEXT, boxes, group, lines, path, text

WIDTH = 290
COLUMNS = 34  # characters of a line
TICKETS_SHOWN = 3
SMALL = Scale(sm_width=9, sm_height=9, gap=2, padding=3, between=4, label=0)

Drawn = tuple[list[str], float]
"""Elements, and the y below them."""


def queue_elements(scene: Scene, x: float, y: float) -> Drawn:
    """The first tickets of the queue, how many more there are, and why the head waits.

    What comes below starts as low for a short queue as for a long one, so that nothing jumps from step to step.
    """
    state = scene.state
    lowest = y + 26 * (TICKETS_SHOWN + 1) + 30 + LINE_HEIGHT * (3 if scene.places == 1 else 4)
    parts = [text(x, y, "Queue", size=17, bold=True)]
    units = ((waiting.grid, waiting.first + n) for waiting in state.waiting for n in range(waiting.count))
    for place, (grid, unit) in enumerate(islice(units, TICKETS_SHOWN)):
        y += 26
        parts.append(_ticket(scene, grid, unit, x, y, head=place == 0))
    more = state.units_waiting - TICKETS_SHOWN
    if more > 0:
        y += 26
        parts.append(text(x, y, f"and {more} more", "f-quiet"))
    y += 30
    written = lines(x, y, scene.queue, COLUMNS, bold=scene.hangs)
    return parts + written, max(lowest, y + LINE_HEIGHT * len(written))


def _ticket(scene: Scene, grid: int, unit: int, x: float, y: float, head: bool) -> str:
    """One waiting unit: a box for each of its blocks, and its name; the head's is bold."""
    launch = scene.schedule.grids[grid]
    blocks = [(x + 11.5 * block + 1, y - 11, 9, 12) for block in range(launch.cluster_size)]
    marks = path(boxes(blocks), "f-none s-waiting", 'stroke-width="2" stroke-linejoin="round"')
    label = f"{launch.unit_name} {scene.label(grid, unit)}"
    name = text(x + 11.5 * launch.cluster_size + 8, y, label, size=SMALLEST_TEXT, bold=head)
    return group([marks, name], "ticket")


def plain_elements(scene: Scene, x: float, y: float) -> Drawn:
    """The small chip of the same work as plain blocks, and how it fares."""
    parts = [text(x, y, "The same work as plain blocks", bold=True)]
    laid = plan(scene.card, SMALL, x, y + 12)
    idle_sms = scene.plain_state.idle_sms
    parts.append(path(boxes(laid.groups), "f-none s-line"))
    parts.append(path(boxes(box for sm, box in laid.sms.items() if sm not in idle_sms), "plain-busy f-ink"))
    parts.append(path(boxes(laid.sms[sm] for sm in idle_sms), "plain-idle f-none s-idle"))
    below = y + 12 + laid.height + 24
    words = scene.beside.replace(f" {scene.time_unit}", f"\u00a0{scene.time_unit}")
    written = lines(x, below, words, COLUMNS)
    return parts + written, below + LINE_HEIGHT * len(written)
