"""The strip under the board: SMs busy over time, for clusters and for plain blocks, and where we are."""

from collections.abc import Callable, Iterator
from math import ceil, log10

from hopperlab.models.clusters import Schedule
from hopperlab.views.clusters.plan import Box
from hopperlab.views.clusters.scene import Scene
from hopperlab.views.svg import SMALLEST_TEXT, path, text

MOST_EVENT_TICKS = 120


def strip_elements(scene: Scene, box: Box) -> Iterator[str]:
    """The elements of the strip within ``box``, whose lower edge is the time axis."""
    schedule, plain, unit = scene.schedule, scene.plain, scene.time_unit
    end = max(schedule.horizon, plain.horizon if plain else 0)
    sms, time = scene.card.sms, scene.state.time
    bottom = box.y + box.height

    def x(at: float) -> float:
        return round(box.x + box.width * at / end, 1)

    def y(busy: int) -> float:
        return round(bottom - box.height * busy / sms, 1)

    yield path(f"M{box.x:g} {box.y:g}H{box.x + box.width:g}", "s-line f-none", 'stroke-dasharray="2 4"')
    for busy in (0, sms):
        yield text(box.x - 8, y(busy) + 5, str(busy), "f-quiet", size=SMALLEST_TEXT, anchor="end")
    curve = _steps(schedule, x, y)
    yield path(f"{curve}V{bottom:g}H{box.x:g}Z", "busy-area f-compute", 'opacity="0.25"')
    yield path(curve, "busy f-none s-compute", 'stroke-width="2.5"')
    if plain:
        yield path(_steps(plain, x, y), "busy-plain f-none s-ink", 'stroke-width="2" stroke-dasharray="7 4"')
    yield path(f"M{box.x:g} {bottom:g}H{box.x + box.width:g}", "s-quiet f-none", 'stroke-width="1.5"')
    if len(schedule.times) <= MOST_EVENT_TICKS:
        ticks = "".join(f"M{x(at):g} {bottom:g}v5" for at in schedule.times)
        yield path(ticks, "event-ticks s-quiet f-none", 'stroke-width="1.5"')
    for at in _round_times(end):
        yield text(x(at), bottom + 22, f"{at:g}", "f-quiet", size=SMALLEST_TEXT, anchor="middle")
    yield text(box.x + box.width, bottom + 41, f"time in {unit}", "f-quiet", size=SMALLEST_TEXT, anchor="end")
    yield from _now(x(min(time, end)), f"now: {time:g} {unit}", box)


def _now(here: float, label: str, box: Box) -> Iterator[str]:
    """The line and the flag that say where we are."""
    middle = box.x + box.width / 2
    side, anchor = (6, "start") if here < middle else (-6, "end")
    flag = f"M{here:g} {box.y - 4:g}l-7 -11h14z"
    yield path(f"M{here:g} {box.y - 4:g}V{box.y + box.height:g}", "now s-ink f-none", 'stroke-width="2"')
    yield path(flag, "f-ink")
    yield text(here + 2 * side, box.y - 6, label, size=SMALLEST_TEXT, anchor=anchor, bold=True)


def _steps(schedule: Schedule, x: Callable[[float], float], y: Callable[[int], float]) -> str:
    """Path commands of the busy SMs from one event to the next."""
    spans = schedule.intervals
    first = f"M{x(0):g} {y(spans[0].busy_sms):g}"
    return first + "".join(f"V{y(span.busy_sms):g}H{x(span.end):g}" for span in spans)


def _round_times(end: float) -> list[float]:
    """Up to seven round times from 0 to ``end``."""
    rough = end / 6
    power = 10 ** (ceil(log10(rough)) - 1)
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough)
    return [round(step * number, 9) for number in range(int(end / step * (1 + 1e-9)) + 1)]
