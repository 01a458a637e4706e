"""How many bytes a second memory gives: by footprint, by bytes in flight, and beside a library.

Reads go past the L1 cache, so that the L2 cache or device memory answers. Three sweeps: over footprints, with
the card full; over blocks, widths and loads in flight, from the L2 cache and from device memory; and whole
gigabytes read, written and copied, in turns with torch where it is installed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hopperlab.measure.experiment import Experiment
from hopperlab.measure.memory.whole import PEER_REPEATS, STREAM_BYTES, in_turns

if TYPE_CHECKING:
    from hopperlab.device.silicon.card import Card
    from hopperlab.ledger import Recording
    from hopperlab.measure.audit import Comparison, Row
    from hopperlab.measure.memory.errors import Point
    from hopperlab.measure.memory.streams import Field, Walk
    from hopperlab.measure.progress import Progress

KIB, MIB, GIB = 2**10, 2**20, 2**30
THREADS = 512
FIELD_BYTES = 4 * GIB
REPEATS = 5

# Sweep over footprints: everyone reads everything, or every block its own share over and over.
EVERYTHING, OWN_SHARE, FEW_LINES = "everything", "own share", "few lines"
THROUGH_L1 = "own share through L1"
FULL_BLOCKS_OF_AN_SM, FULL_IN_FLIGHT, FULL_WIDTH = 2, 2, 16
FOOTPRINTS = tuple(round(MIB * 2 ** (n / 3)) // (16 * KIB) * 16 * KIB for n in range(-9, 31))
OWN_TILES = (*range(1, 17), 20, 24, 32, 48, 64)
FEW_BYTES = tuple(2 * KIB * 2**n for n in range(10))
L2_LAUNCH_BYTES, HBM_LAUNCH_BYTES = 8 * GIB, 2 * GIB

# Sweep over parallelism: (width, loads in flight of a thread), blocks on the card.
SHAPES = ((4, 1), (4, 4), (8, 2), (8, 4), (16, 1), (16, 2), (16, 4))
BLOCKS = (1, 2, 4, 8, 16, 32, 66, 99, 132, 198, 264, 396, 528)
LEVELS = {"L2": 16 * MIB, "HBM": FIELD_BYTES}
SLOWEST_SM, LAUNCH_SECONDS = 100e9, 500e-6  # bytes a second that a block may reach; what a launch takes
HBM_SHIFT = 128 * MIB


def run(card: Card, progress: Progress) -> dict[str, Any]:
    """Make the sweeps; a sample is a list of what was varied, bytes, the seconds of each launch, and the clock."""
    fields = _Fields()
    footprints = [
        *([EVERYTHING, footprint] for footprint in FOOTPRINTS),
        *([pattern, size] for pattern in (OWN_SHARE, THROUGH_L1) for size in _own_footprints(card)),
        *([FEW_LINES, footprint] for footprint in FEW_BYTES),
    ]
    shapes = [[level, *shape, blocks] for level in LEVELS for shape in SHAPES for blocks in BLOCKS]
    writes = [[how, footprint] for how in ("write", "copy") for footprint in FOOTPRINTS[9::2]]
    return {
        "footprints": progress.map("footprints", footprints, lambda case: _by_footprint(card, fields, *case)),
        "writes": progress.map("writes", writes, lambda case: _write_or_copy(card, fields, *case)),
        "shapes": progress.map("shapes", shapes, lambda case: _by_shape(fields, *case)),
        "streams": progress.map(
            "streams", ["read", "write", "copy"], lambda how: in_turns(card, fields, how)
        ),
    }


class _Fields:
    """Two fields of device memory, taken from the card when they are needed."""

    def __init__(self) -> None:
        self._fields: list[Field] = []

    def __getitem__(self, number: int) -> Field:
        from hopperlab.measure.memory.streams import Field

        while len(self._fields) <= number:
            self._fields.append(Field(FIELD_BYTES if not self._fields else STREAM_BYTES))
        return self._fields[number]


def _own_footprints(card: Card) -> list[int]:
    """Footprints of which every block has an equal share of whole tiles."""
    least = FULL_BLOCKS_OF_AN_SM * card.sms * THREADS * FULL_WIDTH * FULL_IN_FLIGHT
    return [least * shares for shares in OWN_TILES]


def _by_footprint(card: Card, fields: _Fields, pattern: str, footprint: int) -> list:
    from hopperlab.measure.memory.streams import Walk

    width, in_flight = (4, 1) if pattern == FEW_LINES else (FULL_WIDTH, FULL_IN_FLIGHT)
    tile = THREADS * width * in_flight
    blocks = (1 if pattern == FEW_LINES else FULL_BLOCKS_OF_AN_SM) * card.sms
    tiles = _unequal(footprint // tile, blocks) if pattern == EVERYTHING else footprint // tile
    nbytes = HBM_LAUNCH_BYTES if footprint > 2 * card.l2_bytes else L2_LAUNCH_BYTES
    if pattern == FEW_LINES:
        nbytes //= 8
    step = blocks if tiles > blocks or pattern in (OWN_SHARE, THROUGH_L1) else 1
    walk = Walk(tile, tiles, blocks, step, nbytes // (tile * blocks))
    work = fields[0].reader(width, in_flight, walk, through_l1=pattern == THROUGH_L1)
    return [pattern, footprint, walk.nbytes, *fields[0].timed(work, REPEATS)]


def _unequal(tiles: int, blocks: int) -> int:
    """Leave a tile out where every block would come back to its own tiles: they are to meet others each time."""
    return tiles - 1 if tiles > blocks and tiles % blocks == 0 else tiles


def _write_or_copy(card: Card, fields: _Fields, how: str, footprint: int) -> list:
    """Write, or copy half of a footprint to its other half; the bytes are those read and those written."""
    size = footprint if how == "write" else footprint // 2
    walk = _full_walk(card, size, L2_LAUNCH_BYTES // (1 if how == "write" else 2))
    if how == "write":
        work, nbytes = fields[1].writer(FULL_IN_FLIGHT, walk), walk.nbytes
    else:
        work, nbytes = fields[0].copier(fields[1], FULL_IN_FLIGHT, walk), 2 * walk.nbytes
    return [how, footprint, nbytes, *fields[how == "write"].timed(work, REPEATS)]


def _full_walk(card: Card, footprint: int, nbytes: int) -> Walk:
    from hopperlab.measure.memory.streams import Walk

    tile = THREADS * FULL_WIDTH * FULL_IN_FLIGHT
    blocks = FULL_BLOCKS_OF_AN_SM * card.sms
    return Walk(tile, max(1, footprint // tile), blocks, blocks, max(1, nbytes // (tile * blocks)))


def _by_shape(fields: _Fields, level: str, width: int, in_flight: int, blocks: int) -> list:
    from hopperlab.measure.memory.streams import Walk

    tile = THREADS * width * in_flight
    span = LEVELS[level] if level == "L2" else HBM_SHIFT * 8
    tiles = span // tile
    fair = min(SLOWEST_SM * blocks, 10e12 if level == "L2" else 4.5e12) * LAUNCH_SECONDS
    count = max(4, int(fair) // (tile * blocks))
    if level == "HBM":
        count = min(count, tiles // blocks)
    walk = Walk(tile, tiles, blocks, blocks, count)
    shift = HBM_SHIFT if level == "HBM" else 0
    case = [level, width, in_flight, blocks, walk.nbytes]
    return [*case, *fields[0].timed(fields[0].reader(width, in_flight, walk, shift), REPEATS)]


def results(samples: dict[str, Any]) -> dict[str, Any]:
    """Give bytes a second (10^9) of every case, the median over its launches."""
    from statistics import median

    def rate(nbytes: int, taken: Sequence[float]) -> float:
        return round(nbytes / median(taken) / 1e9, 1)

    def rows(of: str) -> list:
        return [[*case, rate(nbytes, taken), mhz] for *case, nbytes, taken, mhz in samples[of]]

    return {
        "columns": {
            "footprints": ["pattern", "footprint_bytes", "gb_per_s", "clock_mhz"],
            "writes": ["how", "footprint_bytes", "gb_per_s", "clock_mhz"],
            "shapes": ["level", "width", "loads_in_flight", "blocks", "gb_per_s", "clock_mhz"],
        },
        **{of: rows(of) for of in ("footprints", "writes", "shapes")},
        "streams": {
            how: {who: rate(*launched) for who, launched in launches.items()}
            for how, launches in samples["streams"]
        },
    }


def compare(recordings: Sequence[Recording]) -> Comparison:
    """Hold Little's law against the curves that it was not fitted to; what was published is in `claims.memory`."""
    from hopperlab.measure.audit import Comparison
    from hopperlab.measure.memory.errors import bandwidth_points, errors

    rows, notes, compared, beyond = [], [], 0, 0
    for recording in recordings:
        points = bandwidth_points(recording)
        off = errors(points)
        compared, beyond = compared + off.points, beyond + off.beyond
        rows += [_row(recording, point) for point in points if point.at in (1, 66, 528)]
        notes.append(f"{recording.card_name}: curves that the model of streams was not fitted to: {off}")
        notes.append(_beside_torch(recording))
    cards = ", ".join(sorted({r.card_name for r in recordings}))
    return Comparison("bandwidth", cards, compared, beyond, tuple(rows), tuple(notes))


def _row(recording: Recording, point: Point) -> Row:
    from hopperlab.measure.audit import Row
    from hopperlab.measure.memory.errors import TOLERANCE

    return Row(
        "memory",
        f"read, {point.curve}, {point.at:.0f} blocks",
        modelled=point.modelled,
        measured=point.measured,
        unit="GB/s",
        card=recording.card_name,
        tolerance=TOLERANCE,
    )


def best(recording: Recording, how: str, of_torch: bool = False) -> float:
    """Give the fastest of our streams, or of torch's, in 10^9 bytes a second; 0 where there is none."""
    streams = recording.results["streams"][how].items()
    return max((rate for who, rate in streams if who.startswith("torch.") == of_torch), default=0.0)


def at(recording: Recording, pattern: str, footprint: int) -> float:
    """Give the rate of a pattern at the footprint nearest to one, in 10^9 bytes a second."""
    found = [row for row in recording.results["footprints"] if row[0] == pattern]
    return min(found, key=lambda row: abs(row[1] - footprint))[2]


def _beside_torch(recording: Recording) -> str:
    ours, torch = best(recording, "read"), best(recording, "read", of_torch=True)
    share = f", {ours / torch:.3f} of torch's fastest read in turns with it" if torch else ""
    return f"{recording.card_name}: device memory read at {ours / 1000:.2f} TB/s{share}"


BANDWIDTH = Experiment(
    name="bandwidth",
    theme="memory",
    question="How many bytes a second do the L2 cache and device memory give, and how many must be in flight?",
    statistic="bytes over the median of the seconds of a launch; streams in turns with torch's",
    parameters={
        "threads": THREADS,
        "footprints": list(FOOTPRINTS),
        "shapes": [list(shape) for shape in SHAPES],
        "blocks": list(BLOCKS),
        "levels": LEVELS,
        "stream_bytes": STREAM_BYTES,
        "repeats": [REPEATS, PEER_REPEATS],
    },
    run=run,
    results=results,
    compare=compare,
    seconds=20,
    memory_bytes=FIELD_BYTES + STREAM_BYTES,
)
