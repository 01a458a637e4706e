"""The amax timeline: a tensor's size against the range that its scale reaches, and what is clipped or flushed."""

from collections.abc import Iterator, Mapping, Sequence
from math import ceil, floor, isfinite, log10

from hopperlab.models.scaling.timeline import Moment
from hopperlab.views import svg
from hopperlab.views.line_chart import Axis, line_chart
from hopperlab.views.picture import Picture
from hopperlab.views.svg import SMALLEST_TEXT, path, rect, text

WIDTH, LEFT, RIGHT = 1010, 90, 990
TOP, MIDDLE, FOOT = 90, 350, 480  # of the upper panel, between the panels, of the lower one


def timeline(moments: Sequence[Moment], window: int, events: Mapping[int, str], fmt: str = "E4M3") -> Picture:
    """Draw one tensor's steps.

    Above, on an axis of powers of ten: the band that FP8 reaches at the scale of each step, the tensor's amax as
    dots, and, shaded, the history window after the last step. Below: shares clipped and flushed.

    Parameters
    ----------
    moments
        From `hopperlab.models.scaling.timeline`.
    window
        Steps that the recipe remembers.
    events
        What befell the tensor, by step.
    """
    if not moments:
        raise ValueError("moments is empty: at least one step is needed")
    title = _title(moments, events)
    said = f"Band: what {fmt} reaches at the step's scale. Dots: amax of the tensor. Shaded: the last {window} steps."
    body = [text(20, 36, title, size=21, bold=True), text(20, 64, said, "f-quiet")]
    body += _upper(moments, window)
    body += _lower(moments)
    for step, name in events.items():
        x = _x(step, moments)
        body.append(
            path(f"M{x:.1f} {TOP}V{FOOT}", "f-none s-finding", 'stroke-width="2" stroke-dasharray="5 4"')
        )
        late = x > RIGHT - 130
        body.append(
            text(x - 8 if late else x + 8, TOP + 18, name, "f-finding", anchor="end" if late else "start")
        )
    drawing = svg.document(WIDTH, FOOT + 76, title, said, body)
    return Picture(title, _twin(moments, window, events), svg=drawing)


def _x(step: float, moments: Sequence[Moment]) -> float:
    return LEFT + (RIGHT - LEFT) * (step + 0.5) / len(moments)


def _upper(moments: Sequence[Moment], window: int) -> Iterator[str]:
    """The band, the window and the dots, on an axis that holds them all."""
    shown = [m for m in moments if isfinite(m.amax) and m.amax > 0]
    values = [v for m in moments for v in (m.largest, m.smallest)] + [m.amax for m in shown]
    low, high = floor(log10(min(values))), ceil(log10(max(values)))

    def y(value: float) -> float:
        return MIDDLE - (MIDDLE - TOP) * (log10(value) - low) / (high - low)

    steps = range(len(moments))
    there = "".join(
        f"L{_x(n - 0.5, moments):.1f} {y(moments[n].largest):.1f}h{_width(moments):.2f}" for n in steps
    )
    back = "".join(
        f"L{_x(n + 0.5, moments):.1f} {y(moments[n].smallest):.1f}h-{_width(moments):.2f}"
        for n in reversed(steps)
    )
    yield path(f"M{there[1:]}{back}z", "f-memory", 'opacity="0.45"')
    first = max(0, len(moments) - window)
    width = _width(moments) * (len(moments) - first)
    yield rect(_x(first - 0.5, moments), TOP, width, MIDDLE - TOP, "f-barrier", 'opacity="0.25"')
    for power in range(low, high + 1, max(1, (high - low) // 5)):
        yield path(f"M{LEFT} {y(10.0**power):.1f}H{RIGHT}", "f-none s-line")
        yield text(LEFT - 10, y(10.0**power) + 5, f"10^{power}", "f-quiet", size=SMALLEST_TEXT, anchor="end")
    dots = "".join(
        f"M{_x(m.step, moments) - 4:.1f} {y(m.amax):.1f}a4 4 0 1 0 8 0a4 4 0 1 0 -8 0" for m in shown
    )
    yield path(dots, "f-compute")


def _lower(moments: Sequence[Moment]) -> Iterator[str]:
    """Shares of elements, from 0 to the largest that occurs or 1 %."""
    top = MIDDLE + 40
    most = max(1.0, *(100 * max(m.clipped, m.flushed) for m in moments))
    for name, role, dashes in (("clipped", "finding", ""), ("flushed", "waiting", 'stroke-dasharray="6 4"')):
        points = "L".join(
            f"{_x(m.step, moments):.1f} {FOOT - (FOOT - top) * 100 * getattr(m, name) / most:.1f}"
            for m in moments
        )
        yield path(f"M{points}", f"f-none s-{role}", f'stroke-width="3" {dashes}')
        x = LEFT + (0 if name == "clipped" else 240)
        yield path(f"M{x} {FOOT + 56}h30", f"f-none s-{role}", f'stroke-width="3" {dashes}')
        yield text(x + 40, FOOT + 61, f"{name} (% of elements)")
    yield path(f"M{LEFT} {FOOT}H{RIGHT}", "f-none s-line")
    yield text(LEFT - 10, FOOT + 5, "0 %", "f-quiet", size=SMALLEST_TEXT, anchor="end")
    yield text(LEFT - 10, top + 5, f"{most:.3g} %", "f-quiet", size=SMALLEST_TEXT, anchor="end")
    for step in range(0, len(moments), 8):
        label = f"step {step}" if step == 0 else str(step)
        yield text(_x(step, moments), FOOT + 26, label, "f-quiet", size=SMALLEST_TEXT, anchor="middle")


def _width(moments: Sequence[Moment]) -> float:
    return (RIGHT - LEFT) / len(moments)


def _title(moments: Sequence[Moment], events: Mapping[int, str]) -> str:
    worst = max(moments, key=lambda m: m.clipped)
    if worst.clipped > 0.05:
        return f"Step {worst.step} is clipped: {100 * worst.clipped:.0f} % of its elements are too large"
    if events:
        return f"{', '.join(f'{name} at step {step}' for step, name in events.items())}: hardly anything is clipped"
    return "The tensor drifts, and its scale follows: hardly anything is clipped"


def _twin(moments: Sequence[Moment], window: int, events: Mapping[int, str]) -> str:
    lines = [
        f"The scale of a step comes from the {window} steps before it; shaded, the last {window}.",
        f"{'step':>4}  {'amax':>9}  {'scale':>9}  {'reaches':>9}  {'clipped %':>9}  {'flushed %':>9}  {'error %':>8}",
    ]
    for m in moments:
        lines.append(
            f"{m.step:4}  {m.amax:9.4g}  {m.scale:9.4g}  {m.largest:9.4g}  {100 * m.clipped:9.2f}  "
            f"{100 * m.flushed:9.2f}  {100 * m.error:8.2f}  {events.get(m.step, '')}".rstrip()
        )
    return "\n".join(lines)


def undone(values: Sequence[float], restored: Mapping[str, Sequence[float]], title: str) -> Picture:
    """Values against what casts gave back of them, a line a cast: on the first line is right.

    Parameters
    ----------
    values
        What was cast.
    restored
        By name, what was given back; two at most.
    title
        The statement on top.
    """
    if not 1 <= len(restored) <= 2:
        raise ValueError(f"restored has {len(restored)} series; one or two can be told apart")
    order = sorted(range(len(values)), key=values.__getitem__)
    lines = {"right": [(values[n], values[n]) for n in order]}
    lines |= {name: [(values[n], back[n]) for n in order] for name, back in restored.items()}
    x = _symmetric("value", values)
    y = _symmetric("given back", [value for back in restored.values() for value in back])
    rows = [f"{'value':>10}" + "".join(f"  {name:>28}" for name in restored)]
    for place, value in enumerate(values[:8]):
        rows.append(f"{value:10.4g}" + "".join(f"  {back[place]:28.4g}" for back in restored.values()))
    if len(values) > 8:
        rows.append(f"and {len(values) - 8} more")
    return line_chart(title, "\n".join(rows), x, y, lines)


def _symmetric(label: str, values: Sequence[float]) -> Axis:
    """An axis with zero in its middle and five ticks."""
    end = float(f"{max(map(abs, values)) or 1.0:.1g}")
    while end < max(map(abs, values)):
        end *= 1.25
    return Axis(label, -end, end, {end * n / 2: f"{end * n / 2:.3g}" for n in range(-2, 3)})
