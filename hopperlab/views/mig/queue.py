"""A queue of tenants over time: the memory slices by the hour, and who waited."""

from collections.abc import Iterator

from hopperlab.models.mig import MEMORY_SLICES, Schedule, Stay, profile
from hopperlab.views import svg
from hopperlab.views.mig.hues import HUES
from hopperlab.views.picture import Picture
from hopperlab.views.svg import SMALLEST_TEXT, group, path, rect, text

MARGIN, LEFT = 20, 170
HOUR, LANE = 52, 30


def queue(schedule: Schedule) -> Picture:
    """The memory slices over the hours, every tenant's stay a box: who waited, who was moved, what stood idle."""
    title = f"{schedule.policy.capitalize()}: done after {schedule.hours} hours"
    moves = f"{schedule.moves} {'move' if schedule.moves == 1 else 'moves'}"
    said = (
        f"Tenants waited {schedule.hours_waited} hours together; {moves}; "
        f"{schedule.sms_busy:.0f} SMs of the {schedule.chip} busy on average."
    )
    body = [text(MARGIN, 34, title, size=22, bold=True), text(MARGIN, 60, said, "f-quiet")]
    top = 100
    for slice_ in range(MEMORY_SLICES):
        body.append(
            text(MARGIN, top + slice_ * LANE + 22, f"memory slice {slice_}", "f-quiet", size=SMALLEST_TEXT)
        )
    body += _hours(schedule.hours, top)
    for stay in schedule.stays:
        body += _stay(stay, schedule.chip, top)
    width = max(LEFT + max(schedule.hours, 1) * HOUR + MARGIN, 800)
    drawing = svg.document(width, top + MEMORY_SLICES * LANE + 20, title, said, body)
    twin = [said] + [
        f"{s.tenant.name}: {s.tenant.profile}, hours {s.begins} to {s.ends}, waited {s.waited}, at slice "
        + ", then ".join(str(start) for start, _, _ in s.spans)
        for s in schedule.stays
    ]
    return Picture(title, "\n".join(twin), svg=drawing)


def _hours(hours: int, top: float) -> Iterator[str]:
    lines = "".join(f"M{LEFT + h * HOUR} {top}v{MEMORY_SLICES * LANE}" for h in range(hours + 1))
    yield path(lines, "f-none s-line")
    for hour in range(0, hours + 1, 2):
        label = f"hour {hour}" if hour == 0 else str(hour)
        yield text(LEFT + hour * HOUR, top - 8, label, "f-quiet", size=SMALLEST_TEXT, anchor="middle")


def _stay(stay: Stay, chip: str, top: float) -> Iterator[str]:
    """A box for each place that the tenant had; a moved one says so."""
    kind = profile(stay.tenant.profile, chip)
    hue = HUES[kind.compute_slices]
    height = kind.memory_slices * LANE - 3
    for place, (start, begins, ends) in enumerate(stay.spans):
        x, y, width = LEFT + begins * HOUR, top + start * LANE, (ends - begins) * HOUR - 3
        label = stay.tenant.name + (" (moved)" if place else "")
        label = label if width < 190 else f"{label}: {kind.name}"
        middle = y + min(height, LANE) / 2 + 5
        parts = [
            rect(x, y, width, height, f"f-hue{hue}", 'rx="4"'),
            text(x + width / 2, middle, label, f"on-hue{hue}", size=SMALLEST_TEXT, anchor="middle"),
        ]
        yield group(parts, "stay", f"{stay.tenant.name} waited {stay.waited} hours")
