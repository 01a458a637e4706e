"""What everyone holds after each step of a collective: ranks across, shards down, the values in each."""

from collections.abc import Iterator

from hopperlab.models.collectives import complete, run, transfers
from hopperlab.views import svg
from hopperlab.views.picture import Picture
from hopperlab.views.svg import SMALLEST_TEXT, group, rect, text

MARGIN, LEFT = 20, 110
CELL, GAP = 74, 6
SWITCH_COLUMN = -1


def holdings(op: str, algorithm: str, ranks: int, step: int) -> Picture:
    """The grid of what each rank holds of each shard after some steps.

    Parameters
    ----------
    op, algorithm, ranks
        As in `hopperlab.models.collectives.transfers`; ranks at most 8.
    step
        Steps that are done, from 0; beyond the last, all are.
    """
    if ranks > 8:
        raise ValueError(f"ranks={ranks} must be in 2 to 8, or the grid cannot be read")
    messages = transfers(op, algorithm, ranks)
    steps = messages[-1].step + 1
    done = min(step, steps)
    held = run(op, ranks, messages, done)
    now = [one for one in messages if one.step == done - 1]
    finished = complete(op, ranks, held)
    title = f"{op} by {algorithm}, {ranks} ranks: step {done} of {steps}" + (", complete" if finished else "")
    shards = range(ranks)
    columns = list(range(ranks)) + ([SWITCH_COLUMN] if algorithm == "in-network" else [])
    moved = {(one.target, one.shard) for one in now}
    body = [text(MARGIN, 34, title, size=20, bold=True)]
    body.append(text(MARGIN, 60, "In each cell: how many ranks' values are in it.", "f-quiet"))
    for place, rank in enumerate(columns):
        name = "switch" if rank == SWITCH_COLUMN else f"rank {rank}"
        body.append(text(LEFT + place * (CELL + GAP) + CELL / 2, 94, name, anchor="middle"))
    for shard in shards:
        y = 106 + shard * 40
        body.append(text(MARGIN, y + 22, f"shard {shard}"))
        for place, rank in enumerate(columns):
            values = held.get((rank, shard), frozenset())
            body += _cell(values, ranks, LEFT + place * (CELL + GAP), y, (rank, shard) in moved)
    y = 106 + ranks * 40 + 24
    said = (
        f"{len(now)} messages crossed in this step; what they brought has a thick frame."
        if now
        else "Nothing moved yet."
    )
    body.append(text(MARGIN, y, said, "f-quiet"))
    width = max(LEFT + len(columns) * (CELL + GAP) + MARGIN, 820)
    rows = [
        f"shard {shard}: "
        + ", ".join(
            f"{'switch' if rank == SWITCH_COLUMN else f'rank {rank}'} {_words(held.get((rank, shard), frozenset()))}"
            for rank in columns
        )
        for shard in shards
    ]
    drawing = svg.document(width, y + 20, title, said, body)
    return Picture(title, "\n".join(["Values held, by rank of origin (modelled).", *rows, said]), svg=drawing)


def _words(values: frozenset[int]) -> str:
    return "+".join(map(str, sorted(values))) if values else "nothing"


def _cell(values: frozenset[int], ranks: int, x: float, y: float, moved: bool) -> Iterator[str]:
    fill = "f-none" if not values else "f-hue2" if len(values) == ranks else "f-hue0"
    ink = "f-quiet" if not values else "on-hue2" if len(values) == ranks else "on-hue0"
    frame = 'stroke-width="4"' if moved else 'stroke-width="1"'
    parts = [rect(x, y, CELL, 32, f"{fill} {'s-finding' if moved else 's-line'}", f'rx="4" {frame}')]
    label = f"{len(values)} of {ranks}" if values else "-"
    parts.append(text(x + CELL / 2, y + 21, label, ink, size=SMALLEST_TEXT, anchor="middle"))
    yield group(parts, "cell", _words(values))
