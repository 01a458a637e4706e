"""A ring of stages over the cycles: copies, products, and bubbles, hatched."""

from hopperlab.models.gemm import Step, Timeline
from hopperlab.views import svg
from hopperlab.views.picture import Picture

WIDTH = 1010
LEFT, ROOM = 150, 830
ROW, BAR = 40, 28
TOP = 92
NARROWEST_NUMBER = 24  # px of a bar that a step's number fits in
LEGEND = (
    ("copying", "a stage's copies, by step"),
    ("working", "tensor cores work on it"),
    ("bubble", "a bubble: nothing to multiply"),
)


def timeline(line: Timeline, title: str = "", note: str = "") -> Picture:
    """Draw each stage's copies and products, and below what the tensor cores do.

    Parameters
    ----------
    line
        The steps, modelled or out of a trace.
    title
        The statement on top; by default stages, cycles and how busy the tensor cores are.
    note
        A line below the title.
    """
    stages = 1 + max(step.stage for step in line.steps)
    said = (
        f"{stages} stage{'s'[: stages != 1]}: {len(line.steps)} steps in {line.cycles:,.0f} cycles, "
        f"the tensor cores busy for {100 * line.busy:.0f} %"
    )
    title = title or said
    unit = ROOM / line.cycles
    body = [svg.text(20, 34, title, size=18, bold=True)]
    if note:
        body.append(svg.text(20, 64, note, "f-quiet"))
    y = float(TOP)
    for stage in range(stages):
        body.append(svg.text(20, y + 20, f"stage {stage}", bold=True))
        for step in (one for one in line.steps if one.stage == stage):
            body += _bar(step.asked, step.landed, y, unit, "f-engine", "on-hue2", step)
            body += _bar(step.begun, step.done, y, unit, "f-compute", "on-hue0", step)
        y += ROW
    body.append(svg.text(20, y + 20, "tensor cores", bold=True))
    for step in line.steps:
        body += _bar(step.begun, step.done, y, unit, "f-compute", "on-hue0", step)
    for start, end in line.bubbles:
        body += _bubble(LEFT + unit * start, y, unit * (end - start))
    body += _axis(y + ROW + 4, unit, line.cycles)
    body += _legend(y + ROW + 62)
    lost = sum(end - start for start, end in line.bubbles)
    told = f"{len(line.bubbles)} bubbles, {lost:,.0f} cycles of {line.cycles:,.0f}"
    drawing = svg.document(WIDTH, y + ROW + 82, title, told, body)
    return Picture(title, _twin(line, stages, note, told), svg=drawing)


def _bar(start: float, end: float, y: float, unit: float, look: str, ink: str, step: Step) -> list[str]:
    x, width = LEFT + unit * start, unit * (end - start)
    drawn = [svg.rect(x, y, max(width - 1, 0.5), BAR, look, 'rx="2"')]
    if width > NARROWEST_NUMBER:
        drawn.append(svg.text(x + width / 2, y + 19, str(step.number), ink, size=14, anchor="middle"))
    return drawn


def _bubble(x: float, y: float, width: float, height: float = BAR) -> list[str]:
    hatched = svg.hatching(x, y, width, height)
    return [
        svg.rect(x, y, width, height, "f-waiting", 'fill-opacity="0.25"'),
        svg.path(hatched, "f-none s-waiting", 'stroke-width="2"'),
    ]


def _axis(y: float, unit: float, horizon: float) -> list[str]:
    every = next(
        (w for w in (100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000) if horizon / w <= 9), 100_000
    )
    drawn = [
        svg.text(20, y + 24, "cycles", "f-quiet", size=14),
        svg.path(f"M{LEFT} {y:g}H{LEFT + ROOM}", "f-none s-quiet", 'stroke-width="2"'),
    ]
    for cycle in range(0, int(horizon) + 1, every):
        x = LEFT + unit * cycle
        drawn.append(svg.path(f"M{x:g} {y:g}v6", "f-none s-quiet", 'stroke-width="2"'))
        drawn.append(svg.text(x, y + 24, f"{cycle:,}", "f-quiet", size=14, anchor="middle"))
    return drawn


def _legend(y: float) -> list[str]:
    drawn, x = [], 20.0
    for kind, words in LEGEND:
        if kind == "bubble":
            drawn += _bubble(x, y - 15, 22, BAR - 9)
        else:
            look = "f-engine" if kind == "copying" else "f-compute"
            drawn.append(svg.rect(x, y - 15, 22, BAR - 9, look, 'rx="2"'))
        drawn.append(svg.text(x + 32, y, words, "f-quiet"))
        x += 300
    return drawn


def _twin(line: Timeline, stages: int, note: str, told: str) -> str:
    rows = [note] if note else []
    for stage in range(stages):
        steps = [
            f"step {s.number} {s.asked:.0f}, {s.landed:.0f}, {s.begun:.0f}, {s.done:.0f}"
            for s in line.steps
            if s.stage == stage
        ]
        rows.append(f"stage {stage} (asked for, landed, begun, done): {'; '.join(steps)}")
    spans = [f"{start:.0f} to {end:.0f}" for start, end in line.bubbles]
    return "\n".join([*rows, f"{told}: {'; '.join(spans) or 'none'}"])
