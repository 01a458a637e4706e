"""One access through an NVLink Network: its stations, and what the owner's link TLB holds."""

from collections.abc import Iterator

from hopperlab.models.addressing import Access, Pod
from hopperlab.views import svg
from hopperlab.views.picture import Picture
from hopperlab.views.svg import SMALLEST_TEXT, path, rect, text

WIDTH, MARGIN = 1010, 20
STATIONS = ("page table of the source", "fabric", "link TLB of the owner", "memory of the owner")
BOX, GAP, TOP = 222, 27, 100


def access_path(pod: Pod, buffer: str) -> Picture:
    """The last access, station by station, and the state of a buffer."""
    last = pod.last
    title = last.words if last else "No access yet"
    role = "f-finding" if last and (last.fault or last.stale) else "f-ink"
    body = svg.lines(MARGIN, 34, title, 100, role, bold=True)
    for place, name in enumerate(STATIONS):
        body += _station(name, MARGIN + place * (BOX + GAP), last)
    rows = _state(pod, buffer)
    for line, row in enumerate(rows):
        body.append(text(MARGIN, TOP + 150 + line * svg.LINE_HEIGHT, row, size=SMALLEST_TEXT))
    height = TOP + 160 + len(rows) * svg.LINE_HEIGHT
    stations = [f"{stage.place}: {stage.found}" for stage in last.stages] if last else []
    twin = "\n".join(["Modelled: no public document gives a link TLB's size or timing.", *stations, *rows])
    return Picture(title, twin, svg=svg.document(WIDTH, height, title, twin, body))


def _station(name: str, x: float, last: Access | None) -> Iterator[str]:
    found, frame = _found(name, last)
    width = 'stroke-width="3"' if frame != "s-line" else ""
    yield rect(x, TOP, BOX, 100, f"f-paper {frame}", f'rx="6" {width}')
    yield text(x + 12, TOP + 26, name, bold=True, size=SMALLEST_TEXT)
    yield from svg.lines(x + 12, TOP + 54, found, 27, "f-ink", size=SMALLEST_TEXT)
    if name != STATIONS[-1]:
        y = TOP + 50
        yield path(f"M{x + BOX} {y}h{GAP - 4}m-8 -6l8 6l-8 6", "f-none s-ink", 'stroke-width="2"')


def _found(name: str, last: Access | None) -> tuple[str, str]:
    """What a station found, and its frame: passed, refused, or not reached."""
    if last is None:
        return "not reached", "s-line"
    if name == STATIONS[-1]:
        if last.physical is None:
            return "not reached", "s-line"
        owner, page = last.physical
        return f"page {page} of GPU {owner}", "s-finding" if last.stale else "s-engine"
    stage = next((stage for stage in last.stages if stage.place == name), None)
    if stage is None:
        return "not reached", "s-line"
    stale = last.stale and name == "link TLB of the owner"
    found = f"stale {stage.found}" if stale else stage.found
    return found, "s-engine" if stage.passed and not stale else "s-finding"


def _state(pod: Pod, name: str) -> list[str]:
    buffer = pod.buffers.get(name)
    if buffer is None:
        return [f"{name}: not exported"]
    granted = ", ".join(f"GPU {gpu}" for gpu in sorted(buffer.granted)) or "nobody"
    mapped = sorted({gpu for (gpu, _), (mapped, _) in pod.mapped.items() if mapped == name})
    held = pod.cached.get(buffer.owner, ())
    entries = ", ".join(f"GPU {gpu} network {network} to physical {page}" for gpu, network, page in held)
    return [
        f"{name}: {buffer.pages} pages of GPU {buffer.owner}; mapped by "
        + (", ".join(f"GPU {gpu}" for gpu in mapped) or "nobody")
        + f"; permission for {granted}",
        f"Link TLB of GPU {buffer.owner}, {len(held)} of {pod.entries} entries: {entries or 'empty'}",
    ]
