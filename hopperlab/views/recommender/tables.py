"""Tables on GPUs: each GPU's time as a stack of its tables, and how full its memory is."""

from collections.abc import Iterator, Sequence

from hopperlab.models.recommender import Load, Machine, Table, load
from hopperlab.views import svg
from hopperlab.views.picture import Picture
from hopperlab.views.svg import SMALLEST_TEXT, group, rect, text

WIDTH, MARGIN, TOP, TALL = 1010, 20, 100, 260


def placed_tables(
    tables: Sequence[Table],
    placement: Sequence[int],
    machine: Machine,
    batch: int,
    chosen: int | None = None,
    note: str = "",
) -> Picture:
    """Which table is where; the tallest stack is the step's time. A GPU that is overfull says so.

    Parameters
    ----------
    tables, placement, machine, batch
        As in `hopperlab.models.recommender.load`.
    chosen
        The number of a table to be framed.
    note
        A sentence under the title.
    """
    loads = load(tables, placement, machine, batch)
    longest = max(one.seconds for one in loads)
    even = sum(one.seconds for one in loads) / machine.gpus
    over = [gpu for gpu, one in enumerate(loads) if not one.fits]
    title = (
        f"GPU {over[0]} is overfull: {loads[over[0]].nbytes / 1e9:.1f} GB for {machine.memory_bytes / 1e9:.0f}"
        if over
        else f"A step takes {longest * 1e3:.2f} ms; shared evenly it would take {even * 1e3:.2f}"
    )
    scale = TALL / max(longest, 1e-12)
    pitch = (WIDTH - 2 * MARGIN) / machine.gpus
    body = [text(MARGIN, 34, title, "f-finding" if over else "f-ink", size=20, bold=True)]
    said = f"Height: time of a step. Below: memory. {note}".strip()
    body.append(text(MARGIN, 60, said, "f-quiet"))
    framed = None if chosen is None else tables[chosen]
    for gpu in range(machine.gpus):
        own = [
            (table, _seconds(table, machine, batch))
            for table, place in zip(tables, placement, strict=True)
            if place == gpu
        ]
        body += _stack(own, MARGIN + pitch * gpu, pitch, scale, framed)
        body += _memory(loads[gpu], machine, MARGIN + pitch * gpu, pitch, gpu)
    rows = [
        f"GPU {gpu}: {one.seconds * 1e3:.2f} ms, {one.nbytes / 1e9:.1f} of {machine.memory_bytes / 1e9:.0f} GB, "
        f"tables {', '.join(t.name for t, place in zip(tables, placement, strict=True) if place == gpu) or 'none'}"
        for gpu, one in enumerate(loads)
    ]
    drawing = svg.document(WIDTH, TOP + TALL + 80, title, "\n".join(rows), body)
    return Picture(title, "\n".join(["Modelled.", *rows, *([note] if note else [])]), svg=drawing)


def _seconds(table: Table, machine: Machine, batch: int) -> float:
    return load([table], [0], machine, batch)[0].seconds


def _stack(
    own: Sequence[tuple[Table, float]], x: float, pitch: float, scale: float, framed: Table | None
) -> Iterator[str]:
    y = TOP + TALL
    for table, seconds in sorted(own, key=lambda pair: -pair[1]):
        height = max(seconds * scale, 6 if table is framed else 1)
        y -= height
        hue = "hue1" if table.entries > 1 else "hue3"
        classes, frame = f"f-{hue}", 'rx="3"'
        if table is framed:
            classes, frame = f"{classes} s-finding", f'{frame} stroke-width="4"'
        parts = [rect(x + 8, y, pitch - 16, max(height - 2, 1), classes, frame)]
        if height >= 20:
            label = f"{table.name}: {table.entries} rows"
            parts.append(
                text(
                    x + pitch / 2, y + height / 2 + 5, label, f"on-{hue}", size=SMALLEST_TEXT, anchor="middle"
                )
            )
        yield group(
            parts, "table", f"{table.name}: {table.entries} rows a sample, {table.nbytes / 1e9:.1f} GB"
        )


def _memory(one: Load, machine: Machine, x: float, pitch: float, gpu: int) -> Iterator[str]:
    y, wide = TOP + TALL + 12, pitch - 16
    share = min(one.nbytes / machine.memory_bytes, 1)
    yield rect(x + 8, y, wide, 16, "f-none s-line", 'rx="3"')
    yield rect(x + 8, y, max(wide * share, 1), 16, "f-memory" if one.fits else "f-finding", 'rx="3"')
    label = f"GPU {gpu}: {one.nbytes / 1e9:.0f} of {machine.memory_bytes / 1e9:.0f} GB"
    yield text(
        x + pitch / 2,
        y + 36,
        label,
        "f-ink" if one.fits else "f-finding",
        size=SMALLEST_TEXT,
        anchor="middle",
    )
