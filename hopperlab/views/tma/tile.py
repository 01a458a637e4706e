"""The tile in shared memory, in lines of all 32 banks: what lies where after the swizzle, and who wants what."""

from collections.abc import Iterator

import numpy as np

from hopperlab.models.tma import BankConflicts, Footprint
from hopperlab.views import svg

BANK, LINE = 14.5, 14  # px of a bank and of a line
LABEL = 62  # px, left of the lines
BANKS, WORD, LINE_BYTES, CHUNK = 32, 4, 128, 16
MOST_LINES = 32
BARS = 64  # px of the highest bar


def tile(
    places: Footprint, addresses: np.ndarray, width: int, conflicts: BankConflicts, x: float, y: float
) -> list[str]:
    """Draw the lines, the words that the warp wants, and below each bank how many it is asked for."""
    lines = min(MOST_LINES, -(-places.shared_bytes // LINE_BYTES))
    across, drawn = x + LABEL, []
    states = _words(places)[: lines * BANKS].reshape(lines, BANKS)
    drawn.append(svg.path(svg.boxes(_runs(states == LOADED, across, y)), "f-engine", 'opacity="0.3"'))
    filled = "".join(svg.hatching(*run) for run in _runs(states == FILLED, across, y))
    drawn.append(svg.path(filled, "f-none s-idle"))
    drawn.append(_wanted(addresses, width, conflicts, lines, across, y))
    drawn += _chunks(places, lines, across, y)
    drawn += _frame(lines, across, y)
    drawn += [
        svg.text(x, y + LINE * line + 12, str(LINE_BYTES * line), "f-quiet", size=14)
        for line in range(0, lines, 4)
    ]
    return [*drawn, *_bars(conflicts, across, y + LINE * lines + 8)]


EMPTY, FILLED, LOADED = range(3)


def _words(places: Footprint) -> np.ndarray:
    """What each word of the shared tile holds: nothing of it, only fill, or something loaded."""
    words = np.zeros(-(-places.shared_bytes // LINE_BYTES) * BANKS, np.uint8)
    itemsize = places.nbytes // places.inside.size
    for part in range(0, itemsize, WORD):
        at = (places.shared_offsets.ravel() + part) // WORD
        np.maximum.at(words, at, np.where(places.inside.ravel(), LOADED, FILLED).astype(np.uint8))
    return words


def _runs(mask: np.ndarray, x: float, y: float) -> Iterator[tuple[float, float, float, float]]:
    """Rectangles of neighboring words for which the mask is true, equal ones of lines below each other as one."""
    edges = np.diff(np.pad(mask.astype(np.int8), ((0, 0), (1, 1))), axis=1)
    begun: dict[tuple[int, int], int] = {}  # the line in which a run from one bank to another began
    for line, found in enumerate([*edges, np.zeros_like(edges[0])]):
        runs = set(
            zip(np.flatnonzero(found == 1).tolist(), np.flatnonzero(found == -1).tolist(), strict=True)
        )
        for start, end in sorted(begun.keys() - runs):
            first = begun.pop((start, end))
            yield x + BANK * start, y + LINE * first, BANK * (end - start), LINE * (line - first)
        begun |= dict.fromkeys(runs - begun.keys(), line)


def _wanted(
    addresses: np.ndarray, width: int, conflicts: BankConflicts, lines: int, x: float, y: float
) -> str:
    words = np.unique(addresses[:, None] // WORD + np.arange(max(1, width // WORD)))
    boxes = [
        (x + BANK * (word % BANKS) + 1.5, y + LINE * (word // BANKS) + 1.5, BANK - 3, LINE - 3)
        for word in words
        if word < lines * BANKS
    ]
    crowded = conflicts.passes > conflicts.least
    return svg.path(svg.boxes(boxes), "f-waiting" if crowded else "f-compute")


def _chunks(places: Footprint, lines: int, x: float, y: float) -> Iterator[str]:
    """The number that each chunk of 16 bytes has in its row of the box."""
    row = places.shared_offsets.reshape(-1, places.shared_offsets.shape[-1])
    step = CHUNK * places.inside.size // places.nbytes
    for number, offsets in enumerate(row[:, ::step].T):
        for offset in offsets:
            line, within = divmod(int(offset), LINE_BYTES)
            if line < lines:
                middle = x + BANK * (within // WORD + 2)
                yield svg.text(middle, y + LINE * line + 12, str(number), size=12, anchor="middle")


def _frame(lines: int, x: float, y: float) -> Iterator[str]:
    width, height = BANKS * BANK, LINE * lines
    chunks = "".join(f"M{x + BANK * bank:g} {y:g}v{height}" for bank in range(4, BANKS, 4))
    yield svg.path(chunks, "f-none s-line")
    yield svg.rect(x, y, width, height, "f-none s-quiet", 'stroke-width="2"')


def _bars(conflicts: BankConflicts, x: float, y: float) -> Iterator[str]:
    """Words wanted of each bank in the worst group of lanes."""
    wanted = conflicts.words.max(axis=0)
    most = max(int(wanted.max()), 4)
    boxes = [
        (x + BANK * bank + 2, y, BANK - 4, BARS * count / most)
        for bank, count in enumerate(wanted.tolist())
        if count
    ]
    crowded = conflicts.passes > conflicts.least
    yield svg.path(svg.boxes(boxes), "f-waiting" if crowded else "f-compute")
    for bank in range(0, BANKS, 4):
        yield svg.text(x + BANK * bank, y + BARS + 20, f"b{bank}", "f-quiet", size=14)
