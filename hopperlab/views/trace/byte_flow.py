"""Bytes between blocks, engines and global memory up to one step: how many have come, how many are under way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from hopperlab.device.trace import Event
from hopperlab.views import svg
from hopperlab.views.picture import Picture
from hopperlab.views.trace.frame import TOP, WIDTH, framed
from hopperlab.views.trace.steps import Steps
from hopperlab.views.trace.words import counted

MARGIN = 20
MOST_BLOCKS = 8
GLOBAL_TALL, BLOCK_TALL = 34, 40
BETWEEN = 130  # px from global memory to the blocks
LEVEL = 44  # px that each arrow between blocks takes
MOST_ARROWS = 8  # between blocks
ASIDE = 24  # px from a block's middle: arrows leave at the right and come at the left
LETTER = 8.0  # px of a letter of a label
GLOBAL = "global memory"
THREADS = "threads"


@dataclass
class Flow:
    """Bytes from one place to another: a block's number or `GLOBAL`; `words` say what moved them."""

    source: int | str
    target: int | str
    landed: int = 0
    under_way: int = 0
    words: dict[str, None] = field(default_factory=dict)

    @property
    def by_threads(self) -> bool:
        """Whether threads alone moved them, and no engine."""
        return set(self.words) == {THREADS}


def byte_flow(steps: Steps, place: int | None = None) -> Picture:
    """Draw which bytes have moved, and which are under way, after a step.

    Parameters
    ----------
    steps
        Of any run; what threads read and write is known only where it was traced with trace="accesses".
    place
        After which step; the last if left out.
    """
    place = steps.last if place is None else place
    flows = flows_of(steps, place)
    blocks = _shown_blocks(steps, flows)
    width = (WIDTH - 2 * MARGIN) / len(blocks)
    top = TOP + GLOBAL_TALL + BETWEEN
    body = [svg.rect(MARGIN, TOP, WIDTH - 2 * MARGIN, GLOBAL_TALL, "f-memory", 'rx="5" fill-opacity="0.45"')]
    body.append(svg.text(WIDTH / 2, TOP + 22, GLOBAL, anchor="middle", bold=True))
    middles = {block: MARGIN + width * (number + 0.5) for number, block in enumerate(blocks)}
    for block, x in middles.items():
        body += _block(steps, block, x, top, width)
        body += _to_and_from(flows, block, x, top, width)
    between = [flow for flow in flows if {flow.source, flow.target} <= middles.keys()][:MOST_ARROWS]
    levels = _levels(between, middles)
    for flow, level in zip(between, levels, strict=True):
        body += _between(flow, middles, top + BLOCK_TALL, level)
    bottom = top + BLOCK_TALL + LEVEL * (max(levels, default=-1) + 1) + 34
    notes = _notes(steps, flows, blocks)
    body += _legend(bottom)
    body += [svg.text(20, bottom + 28 + 20 * row, note, "f-quiet", size=14) for row, note in enumerate(notes)]
    told = [_row(flow) for flow in flows] or ["Nothing has moved yet."]
    return framed(steps, place, body, bottom + 24 + 22 * len(notes), "\n".join([*told, *notes]))


def flows_of(steps: Steps, place: int) -> list[Flow]:
    """Give all flows up to a step, in the order in which they began."""
    flows: dict[tuple, Flow] = {}
    under_way: dict[int, tuple[Flow, int]] = {}
    for event in steps.until(place):
        if event.verb == "issue":
            flow = _of_copy(flows, event)
            if flow is not None:
                flow.under_way += event.data["nbytes"]
                under_way[event.data["copy"]] = (flow, event.data["nbytes"])
        elif event.verb == "land" and event.data["copy"] in under_way:
            flow, nbytes = under_way.pop(event.data["copy"])
            flow.under_way -= nbytes
            flow.landed += nbytes
        elif event.verb in ("read", "write", "atomic"):
            _of_access(flows, event)
    return list(flows.values())


def _flow(flows: dict[tuple, Flow], source: int | str, target: int | str, word: str) -> Flow:
    flow = flows.setdefault((source, target), Flow(source, target))
    flow.words[word] = None
    return flow


def _of_copy(flows: dict[tuple, Flow], event: Event) -> Flow | None:
    """The flow that a copy belongs to; None for what copies nothing, such as a product of matrices."""
    data = event.data
    if data["target_space"] is None:
        return None
    ends = [
        data[f"{end}_owner"] if data[f"{end}_space"] == "shared" else GLOBAL for end in ("source", "target")
    ]
    source = event.block if data["source_space"] is None else ends[0]
    return _flow(flows, source, ends[1], event.what)


def _of_access(flows: dict[tuple, Flow], event: Event) -> None:
    space, owner = event.data["space"], event.data["owner"]
    if space == "global":
        other: int | str = GLOBAL
    elif space == "shared" and owner != event.block:
        other = owner
    else:
        return
    source, target = (other, event.block) if event.verb == "read" else (event.block, other)
    _flow(flows, source, target, THREADS).landed += event.data["nbytes"]


def _shown_blocks(steps: Steps, flows: Sequence[Flow]) -> list[int]:
    """The blocks that most bytes go to and come from; the first ones where none do."""
    moved = {stay.block: 0 for stay in steps.stays}
    for flow in flows:
        for end in (flow.source, flow.target):
            if end in moved:
                moved[end] += flow.landed + flow.under_way
    return sorted(sorted(moved, key=lambda block: (-moved[block], block))[:MOST_BLOCKS])


def _block(steps: Steps, block: int, x: float, top: float, width: float) -> Iterator[str]:
    stay = next(stay for stay in steps.stays if stay.block == block)
    wide = min(width - 14, 200)
    yield svg.rect(x - wide / 2, top, wide, BLOCK_TALL, "f-none s-ink", 'rx="5" stroke-width="2"')
    yield svg.text(x, top + 18, f"block {block}", anchor="middle", bold=True)
    yield svg.text(x, top + 34, f"SM {stay.sm}", "f-quiet", size=13, anchor="middle")


def _to_and_from(flows: Sequence[Flow], block: int, x: float, top: float, width: float) -> Iterator[str]:
    """The arrows between a block and global memory, down at the left, up at the right."""
    for source, target, side in ((GLOBAL, block, -1), (block, GLOBAL, +1)):
        for flow in flows:
            if (flow.source, flow.target) != (source, target):
                continue
            at = x + side * width / 4
            high, low = TOP + GLOBAL_TALL + 4, top - 4
            start, end = (high, low) if side < 0 else (low, high)
            yield from _arrow([(at, start), (at, end)], flow)
            for row, words in enumerate(_labels(flow, width / 2)):
                yield from _label(at, high + 36 + 19 * row, words)


def _label(x: float, y: float, words: str) -> Iterator[str]:
    """Words over an arrow, their middle at (x, y)."""
    wide = LETTER * len(words) + 4
    yield svg.rect(x - wide / 2, y - 10, wide, 19, "f-paper")
    yield svg.text(x, y + 5, words, size=14, anchor="middle")


def _levels(flows: Sequence[Flow], middles: dict[int, float]) -> list[int]:
    """How deep each arrow between blocks is drawn: those that do not cross share a level."""
    taken: list[list[tuple[float, float]]] = []
    found = []
    for flow in flows:
        left, right = sorted((middles[flow.source] + ASIDE, middles[flow.target] - ASIDE))
        level = next(
            (n for n, spans in enumerate(taken) if all(right <= a or b <= left for a, b in spans)), len(taken)
        )
        if level == len(taken):
            taken.append([])
        taken[level].append((left, right))
        found.append(level)
    return found


def _between(flow: Flow, middles: dict[int, float], bottom: float, level: int) -> Iterator[str]:
    """An arrow from block to block, below them."""
    here, there = middles[flow.source] + ASIDE, middles[flow.target] - ASIDE
    y = bottom + LEVEL * (level + 1) - 8
    yield from _arrow([(here, bottom + 4), (here, y), (there, y), (there, bottom + 4)], flow)
    yield from _label((here + there) / 2, y, ", ".join(_labels(flow, abs(here - there) - 20)))


def _labels(flow: Flow, room: float) -> list[str]:
    """What an arrow says, in as many words as fit."""
    fits = room > LETTER * len("00,000 bytes")
    words = []
    if flow.landed or not flow.under_way:
        words.append(counted(flow.landed, "byte") if fits else f"{flow.landed:,} B")
    if flow.under_way:
        words.append(f"{flow.under_way:,}{' under way' if fits else ' B'}")
    by = next(iter(flow.words))
    return [*words, by] if room > LETTER * len(by) else words


def _arrow(points: list[tuple[float, float]], flow: Flow) -> Iterator[str]:
    stroke = "s-compute" if flow.by_threads else "s-engine"
    fill = "f-compute" if flow.by_threads else "f-engine"
    dashes = ' stroke-dasharray="7 5"' if flow.under_way else ""
    (x, y), *rest = points
    line = f"M{x:.5g} {y:.5g}" + "".join(f"L{a:.5g} {b:.5g}" for a, b in rest)
    yield svg.path(line, f"f-none {stroke}", f'stroke-width="{5 if flow.under_way else 3}"{dashes}')
    (before, end) = list(pairwise(points))[-1]
    down = 1 if end[1] > before[1] else -1
    yield svg.path(f"M{end[0]:.5g} {end[1] + 3 * down:.5g}l-7 {-12 * down}h14z", fill)


def _legend(y: float) -> Iterator[str]:
    x = 20.0
    for words, stroke, more in (
        ("an engine has brought", "s-engine", 'stroke-width="3"'),
        ("some are under way", "s-engine", 'stroke-width="5" stroke-dasharray="7 5"'),
        ("threads alone moved", "s-compute", 'stroke-width="3"'),
    ):
        yield svg.path(f"M{x:g} {y - 5:g}h34", f"f-none {stroke}", more)
        yield svg.text(x + 42, y, words, "f-quiet", size=14)
        x += 240


def _notes(steps: Steps, flows: Sequence[Flow], blocks: Sequence[int]) -> list[str]:
    notes = []
    if not steps.trace.accesses:
        notes.append('What threads read and write was not traced: simulate with trace="accesses" to see it.')
    if len(steps.stays) > len(blocks):
        notes.append(f"{len(steps.stays) - len(blocks)} more blocks are told in words only.")
    drawn = {*blocks, GLOBAL}
    between = [f for f in flows if GLOBAL not in (f.source, f.target) and {f.source, f.target} <= drawn]
    if len(between) > MOST_ARROWS:
        notes.append(f"{len(between) - MOST_ARROWS} more ways between blocks are told in words only.")
    return notes


def _row(flow: Flow) -> str:
    ends = [end if end == GLOBAL else f"block {end}" for end in (flow.source, flow.target)]
    way = f", {flow.under_way:,} under way" if flow.under_way else ""
    return f"{ends[0]} to {ends[1]}: {counted(flow.landed, 'byte')}{way}, by {', '.join(flow.words)}"
