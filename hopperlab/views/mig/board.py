"""The MIG board: eight memory slices under seven compute slices, who holds them, and what still fits."""

from collections.abc import Iterator, Sequence

from hopperlab.models.mig import (
    COMPUTE_SLICES,
    MEMORY_SLICES,
    Board,
    Instance,
    InsufficientResources,
    Profile,
    Request,
    Share,
    leftovers,
    profiles,
)
from hopperlab.views import svg
from hopperlab.views.mig.hues import HUES
from hopperlab.views.picture import Picture
from hopperlab.views.svg import SMALLEST_TEXT, group, hatching, path, rect, text

MARGIN, LABELS = 20, 150
SLICE, GAP = 100, 4
LEFT = MARGIN + LABELS
RIGHT = LEFT + MEMORY_SLICES * SLICE
WIDTH = RIGHT + MARGIN
COMPUTE_TOP, SLICE_HEIGHT = 112, 58
MEMORY_TOP = COMPUTE_TOP + SLICE_HEIGHT + 6
BARS_TOP = MEMORY_TOP + SLICE_HEIGHT + 46
TRAY_TOP = BARS_TOP + 142
TRAY_ROW = 30
ANYWHERE = "Instances start only where the outlines below allow."
COLUMNS, LONGEST_TITLE = 108, 66  # characters of a line


def board(
    state: Board, *, request: Request | None = None, said: str = "", selected: int | None = None
) -> Picture:
    """Eight memory slices under seven compute slices: who holds them, what is stranded, what still fits.

    Parameters
    ----------
    state
        The card and its instances.
    request
        The last request, served or refused: told in the second line.
    said
        Another second line.
    selected
        The start of an instance to mark, as the one that is held; None marks none.

    Returns
    -------
    Picture
        An SVG as wide as its place, and the same in words.
    """
    title = _board_title(state)
    said = said or (_request_said(request) if request else ANYWHERE)
    left = leftovers(state)
    body = [text(MARGIN, 34, title, size=22, bold=True), *svg.lines(MARGIN, 60, said, COLUMNS, "f-quiet")]
    body += _axis()
    body += _slices(state)
    body += _held(state, selected)
    body += _bar(BARS_TOP, "SMs", left.sms, "f-compute")
    body += _bar(BARS_TOP + 50, "memory", left.memory_gib, "f-memory")
    body += _tray(state)
    height = TRAY_TOP + TRAY_ROW * len(profiles(state.chip)) + 58
    body += _legend(height - 22)
    drawing = svg.document(WIDTH, height, title, said, body)
    return Picture(title, _board_twin(state, said, selected), svg=drawing)


def _board_title(state: Board) -> str:
    if not state.instances:
        return f"{state.chip} in MIG mode, empty"
    names = [i.profile.name for i in sorted(state.instances, key=lambda i: i.start)]
    left = leftovers(state)
    end = f"{left.sms.stranded:g} SMs stranded"
    title = f"{state.chip}: {_counted(names)}; {end}"
    return title if len(title) <= LONGEST_TITLE else f"{state.chip}: {len(names)} instances; {end}"


def _counted(names: Sequence[str]) -> str:
    """Names in order, with a count where several are alike."""
    parts = []
    for name in dict.fromkeys(names):
        count = names.count(name)
        parts.append(name if count == 1 else f"{count} x {name}")
    return " + ".join(parts)


def _request_said(request: Request) -> str:
    if request.start is None:
        return f"Refused: {request.reason}."
    return f"The driver put {request.name} at memory slice {request.start}."


def _axis() -> Iterator[str]:
    yield text(MARGIN, COMPUTE_TOP + 34, "compute slices")
    yield text(MARGIN, MEMORY_TOP + 34, "memory slices")
    for slice_ in range(MEMORY_SLICES):
        x = LEFT + slice_ * SLICE + SLICE / 2
        yield text(x, COMPUTE_TOP - 10, str(slice_), "f-quiet", size=SMALLEST_TEXT, anchor="middle")
    x = LEFT + COMPUTE_SLICES * SLICE + SLICE / 2
    yield text(x, COMPUTE_TOP + 26, "no compute", "f-quiet", size=SMALLEST_TEXT, anchor="middle")
    yield text(x, COMPUTE_TOP + 44, "slice here", "f-quiet", size=SMALLEST_TEXT, anchor="middle")


def _slices(state: Board) -> Iterator[str]:
    """Free and stranded slices first, the instances over them."""
    for top, taken, reachable, count in _rows(state):
        for slice_ in set(range(count)) - taken:
            x = LEFT + slice_ * SLICE + GAP / 2
            yield rect(x, top, SLICE - GAP, SLICE_HEIGHT, "f-none s-line", 'rx="4"')
            if slice_ not in reachable:
                marks = hatching(x, top, SLICE - GAP, SLICE_HEIGHT)
                yield path(marks, "f-none s-idle", 'stroke-width="1.5"')
    for instance in state.instances:
        yield _instance(instance)


def _rows(state: Board) -> Iterator[tuple[float, set[int], set[int], int]]:
    """For both rows: its top, the slices taken, those that another instance could take, and how many there are."""
    further = [Instance(s, p) for p in profiles(state.chip) for s in state.free(p.name)]
    for top, slices, count in (
        (COMPUTE_TOP, lambda i: i.compute, COMPUTE_SLICES),
        (MEMORY_TOP, lambda i: i.memory, MEMORY_SLICES),
    ):
        taken = {s for i in state.instances for s in slices(i)}
        yield top, taken, {s for i in further for s in slices(i)}, count


def _instance(instance: Instance) -> str:
    """Its compute slices and its memory slices in one color, with what it is called and has."""
    kind = instance.profile
    hue = HUES[kind.compute_slices]
    x = LEFT + instance.start * SLICE + GAP / 2
    wide, narrow = (count * SLICE - GAP for count in (kind.memory_slices, kind.compute_slices))
    parts = [
        rect(x, COMPUTE_TOP, narrow, SLICE_HEIGHT + 6, f"f-hue{hue}", 'rx="4"'),
        rect(x, MEMORY_TOP, wide, SLICE_HEIGHT, f"f-hue{hue}", 'rx="4"'),
        text(
            x + narrow / 2, COMPUTE_TOP + 26, kind.name, f"on-hue{hue}", size=SMALLEST_TEXT, anchor="middle"
        ),
        text(x + narrow / 2, COMPUTE_TOP + 47, f"{kind.sms} SMs", f"on-hue{hue}", anchor="middle"),
        text(x + wide / 2, MEMORY_TOP + 35, f"{kind.memory_gib:g} GiB", f"on-hue{hue}", anchor="middle"),
    ]
    return group(parts, "instance", _instance_said(instance))


def _held(state: Board, selected: int | None) -> Iterator[str]:
    """A frame around the instance that is selected, with its word."""
    for instance in state.instances:
        if instance.start == selected:
            x = LEFT + selected * SLICE - 2
            width = instance.profile.memory_slices * SLICE + 4
            looks = 'rx="8" stroke-width="4"'
            yield rect(x, COMPUTE_TOP - 5, width, 2 * SLICE_HEIGHT + 16, "f-none s-ink", looks)
            below = MEMORY_TOP + SLICE_HEIGHT + 24
            yield text(x + width / 2, below, "selected", size=SMALLEST_TEXT, anchor="middle", bold=True)


def _instance_said(instance: Instance) -> str:
    kind = instance.profile
    first, last = instance.memory[0], instance.memory[-1]
    slices = f"slice {first}" if first == last else f"slices {first}-{last}"
    engines = f"{kind.copy_engines} to copy, {kind.decoders} for video, {kind.jpeg_decoders} for JPEG"
    return f"{kind.name} on memory {slices}: {kind.sms} SMs, {kind.memory_gib:g} GiB; engines: {engines}"


def _bar(top: float, label: str, share: Share, used: str) -> Iterator[str]:
    """One resource as a bar: used, still reachable, stranded, to scale."""
    yield text(MARGIN, top + 20, label)
    length = RIGHT - LEFT - 2 * GAP
    x = LEFT + GAP / 2
    for amount, classes, hatched in (
        (share.used, used, False),
        (share.reachable, "f-none s-line", False),
        (share.stranded, "f-none s-line", True),
    ):
        width = length * amount / share.total
        if width < 1:
            continue
        yield rect(x, top, width, 22, classes)
        if hatched:
            yield path(hatching(x, top, width, 22), "f-none s-idle", 'stroke-width="1.5"')
        x += width
    yield text(LEFT + GAP / 2, top + 40, _share_said(share), "f-quiet", size=SMALLEST_TEXT)


def _share_said(share: Share) -> str:
    used = f"{share.used:.4g} of {share.total:.4g} {share.unit}{'s' if share.unit == 'SM' else ''} used"
    return f"{used}, {share.reachable:.4g} still reachable, {share.stranded:.4g} stranded"


def _tray(state: Board) -> Iterator[str]:
    """Every profile with its starts: outlined where it fits now, dashed where not, a dot at the driver's choice."""
    yield text(MARGIN, TRAY_TOP - 12, "Where one more instance may start", bold=True)
    for row, kind in enumerate(profiles(state.chip)):
        y = TRAY_TOP + row * TRAY_ROW
        free = state.free(kind.name)
        yield text(MARGIN, y + 17, kind.name, "f-ink" if free else "f-quiet")
        for start in kind.starts:
            x = LEFT + start * SLICE + GAP / 2
            width = kind.memory_slices * SLICE - GAP
            looks = 'rx="3" stroke-width="2"' if start in free else 'rx="3" stroke-dasharray="4 5"'
            yield rect(x, y, width, TRAY_ROW - 8, f"f-none {'s-ink' if start in free else 's-line'}", looks)
        choice = _choice(state, kind)
        if choice is not None:
            center = LEFT + choice * SLICE + kind.memory_slices * SLICE / 2
            yield f'<circle class="f-ink" cx="{center:g}" cy="{y + (TRAY_ROW - 8) / 2:g}" r="5"/>'


def _choice(state: Board, kind: Profile) -> int | None:
    try:
        return state.choice(kind.name)
    except InsufficientResources:
        return None


def _legend(y: float) -> Iterator[str]:
    yield rect(MARGIN, y - 12, 16, 16, "f-none s-line", 'rx="3"')
    yield text(MARGIN + 24, y + 1, "free", "f-quiet", size=SMALLEST_TEXT)
    yield rect(MARGIN + 80, y - 12, 16, 16, "f-none s-line", 'rx="3"')
    yield path(hatching(MARGIN + 80, y - 12, 16, 16), "f-none s-idle", 'stroke-width="1.5"')
    yield text(MARGIN + 104, y + 1, "stranded: no instance can take it", "f-quiet", size=SMALLEST_TEXT)
    yield f'<circle class="f-ink" cx="{MARGIN + 370:g}" cy="{y - 4:g}" r="5"/>'
    yield text(MARGIN + 384, y + 1, "the driver's choice", "f-quiet", size=SMALLEST_TEXT)
    yield rect(MARGIN + 540, y - 12, 28, 16, "f-none s-line", 'rx="3" stroke-dasharray="4 5"')
    yield text(MARGIN + 576, y + 1, "a start that is taken or of no use now", "f-quiet", size=SMALLEST_TEXT)


def _board_twin(state: Board, said: str, selected: int | None) -> str:
    lines = [said]
    for instance in sorted(state.instances, key=lambda i: i.start):
        held = " (selected)" if instance.start == selected else ""
        lines.append(f"- {_instance_said(instance)}{held}")
    left = leftovers(state)
    for name, share in (("SMs", left.sms), ("memory", left.memory_gib)):
        lines.append(f"{name}: {_share_said(share)}")
    for name, share in (("memory slices", left.memory_slices), ("compute slices", left.compute_slices)):
        lines.append(
            f"{name}: {share.used:g} used, {share.reachable:g} reachable, {share.stranded:g} stranded"
        )
    lines.append("One more instance may start at memory slice (driver's choice in brackets):")
    for kind in profiles(state.chip):
        choice = _choice(state, kind)
        starts = " ".join(f"[{s}]" if s == choice else str(s) for s in state.free(kind.name))
        lines.append(f"  {kind.name:12} {starts or 'nowhere'}")
    return "\n".join(lines)
