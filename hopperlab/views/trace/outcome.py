"""What came of a run, or of all its interleavings, as one picture: findings with their cure, above what happened."""

from __future__ import annotations

from hopperlab.device.simulator.explore import Exploration
from hopperlab.device.simulator.findings import Finding
from hopperlab.device.simulator.run import Run
from hopperlab.views import svg
from hopperlab.views.finding import finding as under_finding
from hopperlab.views.picture import Picture
from hopperlab.views.trace.frame import WIDTH
from hopperlab.views.trace.lanes import thread_lanes
from hopperlab.views.trace.sm_chart import sm_chart
from hopperlab.views.trace.steps import Steps

COLUMNS = 108
DOT, DOTS_IN_A_ROW, MOST_DOTS = 15, 64, 64 * 12


def run_picture(run: Run) -> Picture:
    """Draw what came of a run: its first finding above its threads over time; without a finding, its SMs."""
    shown = _shown(run)
    if not run.findings:
        title = run.headline
        if shown is None:
            return _in_words(title, str(run))
        return Picture(title, f"{run}\n{shown.text}", svg=shown.svg)
    first = run.findings[0]
    if shown is None:
        shown = _NOTHING_RAN
    drawn = _under(first, run.headline, shown)
    return Picture(f"{run.kernel}: {first.name}", f"{run}\n{shown.twin}", svg=drawn.svg)


def exploration_picture(explored: Exploration) -> Picture:
    """Draw what came of all interleavings: a dot for each, or the shortest counter-example over time."""
    worst = explored.counter_example
    if worst is None:
        return _dots(explored)
    first = worst.findings[0]
    launch = (
        f"{worst.kernel} {worst.launch}, in {_reach(explored)}. The shortest run that goes wrong is shown."
    )
    shown = _shown(worst) or _NOTHING_RAN
    drawn = _under(first, launch, shown)
    title = f"{first.name}, found in {_reach(explored)}"
    return Picture(title, f"{explored}\n{shown.twin}", svg=drawn.svg)


def _reach(explored: Exploration) -> str:
    runs = f"{explored.runs:,} interleaving{'s' * (explored.runs != 1)}"
    return f"all {runs}" if explored.complete else f"the first {runs}"


def _shown(run: Run) -> Picture | None:
    """The threads of a run that goes wrong, at the finding; the SMs of one that does not."""
    if run.trace is None or not run.trace.events:
        return None
    steps = Steps(run.trace)
    found = run.trace.of("finding")
    return thread_lanes(steps, steps.place_of[found[0].number]) if found else sm_chart(steps)


def _under(first: Finding, launch: str, shown: Picture) -> Picture:
    where = f" Line {first.line} of {first.kernel}: {first.text}" if first.line else ""
    seen = f"{first.seen[0].upper()}{first.seen[1:]}.{where}"
    return under_finding(first.name, launch, seen, first.cure, shown)


def _in_words(title: str, words: str) -> Picture:
    body = [svg.text(20, 34, title, size=18, bold=True)]
    rows = svg.lines(20, 66, words, COLUMNS)
    drawing = svg.document(WIDTH, 80 + svg.LINE_HEIGHT * len(rows), title, words, [*body, *rows])
    return Picture(title, words, svg=drawing)


def _dots(explored: Exploration) -> Picture:
    """A dot for each interleaving that was run; hollow ones stand for those that were not."""
    told = str(explored)
    title = told.partition(",")[0]
    dots = min(explored.runs, MOST_DOTS)
    body = [svg.text(20, 34, title, size=18, bold=True)]
    body += svg.lines(20, 62, told, COLUMNS, "f-quiet")
    for number in range(dots + 3 * (not explored.complete)):
        row, column = divmod(number, DOTS_IN_A_ROW)
        looks = "f-compute" if number < dots else "f-none s-quiet"
        body.append(svg.rect(20 + DOT * column, 84 + DOT * row, DOT - 4, DOT - 4, looks, 'rx="5"'))
    rows = -(-(dots + 3) // DOTS_IN_A_ROW)
    y = 84 + DOT * rows + 24
    each = f"Each dot is an interleaving; {explored.runs - dots:,} more are not drawn." if explored.runs > dots else (
        "Each dot is an interleaving."
    )  # fmt: skip
    body.append(svg.text(20, y, each, "f-quiet", size=14))
    return Picture(title, told, svg=svg.document(WIDTH, y + 20, title, told, body))


_NOTHING_RAN = _in_words(
    "Nothing to draw", "The launch was refused before any thread ran, or no trace was kept."
)
