"""Every full layout of a card, and what each costs in SMs."""

from collections.abc import Iterator

from hopperlab import chip as chips
from hopperlab.models.mig import MEMORY_SLICES, Board, maximal_layouts, sms_lost
from hopperlab.views import svg
from hopperlab.views.mig.hues import HUES
from hopperlab.views.picture import Picture
from hopperlab.views.svg import SMALLEST_TEXT, hatching, path, rect, text

MARGIN = 20
LAYOUT_ROW = 30
LAYOUT_SLICE = 82


def layouts(chip: str) -> Picture:
    """Every full layout of the base profiles, a row each, from the one that costs fewest SMs to the most.

    Raises
    ------
    ValueError
        If the chip has no MIG.
    """
    boards = [Board(chip, layout) for layout in maximal_layouts(chip)]
    boards.sort(key=lambda b: (sms_lost(b), len(b.instances)))
    lost = [sms_lost(b) for b in boards]
    total = chips.chip(chip).sms
    title = (
        f"{chip}: {len(boards)} full layouts cost {100 * lost[0]:.0f} to {100 * lost[-1]:.0f} % of its SMs"
    )
    note = "Each row is full: nothing can be added. What MIG costs depends on the layout."
    left = MARGIN + 10
    body = [text(MARGIN, 34, title, size=22, bold=True), text(MARGIN, 60, note, "f-quiet")]
    for row, state in enumerate(boards):
        y = 86 + row * LAYOUT_ROW
        body += _layout_row(state, left, y)
        words = f"{round(lost[row] * total)} SMs, {100 * lost[row]:.0f} % lost"
        body.append(text(left + MEMORY_SLICES * LAYOUT_SLICE + 16, y + 17, words))
    width = left + MEMORY_SLICES * LAYOUT_SLICE + 210
    drawing = svg.document(width, 86 + LAYOUT_ROW * len(boards) + 16, title, note, body)
    twin = [note] + [
        f"{round(loss * total):3} SMs lost ({100 * loss:2.0f} %)  "
        + " ".join(f"{i.profile.name}@{i.start}" for i in state.instances)
        for state, loss in zip(boards, lost, strict=True)
    ]
    return Picture(title, "\n".join(twin), svg=drawing)


def _layout_row(state: Board, left: float, y: float) -> Iterator[str]:
    for instance in state.instances:
        kind = instance.profile
        hue = HUES[kind.compute_slices]
        x, width = left + instance.start * LAYOUT_SLICE, kind.memory_slices * LAYOUT_SLICE - 3
        yield rect(x, y, width, LAYOUT_ROW - 6, f"f-hue{hue}", 'rx="3"')
        short = kind.name.split(".")[0]
        yield text(x + width / 2, y + 17, short, f"on-hue{hue}", size=SMALLEST_TEXT, anchor="middle")
    for slice_ in set(range(MEMORY_SLICES)) - {s for i in state.instances for s in i.memory}:
        x = left + slice_ * LAYOUT_SLICE
        yield path(hatching(x, y, LAYOUT_SLICE - 3, LAYOUT_ROW - 6), "f-none s-idle", 'stroke-width="1.5"')
