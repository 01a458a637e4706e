"""How many bytes a second memory gives: by footprint, by bytes in flight, and beside a library.

Reads go past the L1 cache, so that the L2 cache or device memory answers. Three sweeps: over footprints, with
the card full; over blocks, widths and loads in flight, from the L2 cache and from device memory; and whole
gigabytes read, written and copied, in turns with torch where it is installed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from hopperlab.measure.experiment import Experiment

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
STREAM_BYTES = 2 * GIB
REPEATS = 5
PEER_REPEATS = 20

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
        "streams": progress.map("streams", ["read", "write", "copy"], lambda how: _stream(card, fields, how)),
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


def _stream(card: Card, fields: _Fields, how: str) -> list:
    """Give [how, {who: [bytes, seconds of each launch]}]: our kernels and torch's, in turns."""
    from hopperlab.measure.memory.timing import queued_seconds

    ours, check = _OURS[how](card, fields)
    launches = ours | _peers(fields, how)
    taken = queued_seconds(*(launch for _, launch in launches.values()), repeats=PEER_REPEATS)
    for _, launch in ours.values():  # once more, for others wrote to the same memory
        launch()
    check()
    return [
        how,
        {who: [nbytes, times] for (who, (nbytes, _)), times in zip(launches.items(), taken, strict=True)},
    ]


Launches = dict[str, tuple[int, "Callable[[], Any]"]]
READ_SHAPES = (
    (16, 1, 4),
    (16, 2, 4),
    (16, 4, 2),
    (8, 4, 4),
    (16, 4, 4),
)  # width, loads in flight, blocks of an SM


def _our_reads(card: Card, fields: _Fields) -> tuple[Launches, Callable]:
    """Give what launches our reads, with the bytes of each, and what looks at their work afterwards."""
    from hopperlab.kernels.memory.stream import TILE_BYTES

    field, launches, checks = fields[0], {}, []
    for width, in_flight, of_an_sm in READ_SHAPES:
        walk = _whole_walk(THREADS * width * in_flight, of_an_sm * card.sms)
        launch, check = field.reader(width, in_flight, walk, STREAM_BYTES)
        name = f"loads of {width} bytes, {in_flight} in flight, {of_an_sm} blocks an SM"
        launches[name] = (walk.nbytes, launch)
        checks.append(check)
    walk = _whole_walk(TILE_BYTES, 2 * card.sms)
    launch, check = field.reader_of_tiles(walk, STREAM_BYTES)
    launches["copy engine"] = (walk.nbytes, launch)
    return launches, lambda: [check() for check in [*checks, check]]


def _our_write(card: Card, fields: _Fields) -> tuple[Launches, Callable]:
    launches, check = {}, None
    for name, walk in _stores(card).items():
        launch, check = fields[1].writer(2, walk)
        launches[name] = (walk.nbytes, launch)
    return launches, check


def _our_copy(card: Card, fields: _Fields) -> tuple[Launches, Callable]:
    launches, check = {}, None
    for name, walk in _stores(card).items():
        launch, check = fields[0].copier(fields[1], 2, walk)
        launches[name] = (2 * walk.nbytes, launch)
    return launches, check


def _stores(card: Card) -> dict[str, Walk]:
    """Ways of blocks that store: few that stay, and one for each tile."""
    from hopperlab.measure.memory.streams import Walk

    tile = THREADS * 16 * 2
    tiles = STREAM_BYTES // tile
    return {
        "blocks that stay": _whole_walk(tile, 4 * card.sms),
        "a block a tile": Walk(tile, tiles, tiles, 0, 1),
    }


_OURS = {"read": _our_reads, "write": _our_write, "copy": _our_copy}


def _whole_walk(tile: int, blocks: int) -> Walk:
    """A walk over `STREAM_BYTES`, and a little around the end, so that all blocks have equally many tiles."""
    from hopperlab.measure.memory.streams import Walk

    tiles = STREAM_BYTES // tile
    return Walk(tile, tiles, blocks, blocks, -(-tiles // blocks))


def _peers(fields: _Fields, how: str) -> Launches:
    """Give what launches torch's kernels on the same memory; nothing where torch is not installed.

    A read takes one half of the field and then the other, so that the L2 cache holds nothing of it.
    """
    try:
        import torch
    except ImportError:
        return {}
    import numpy as np

    source = torch.as_tensor(fields[0].words.view(np.float32), device="cuda")
    halves = [source[: STREAM_BYTES // 4], source[STREAM_BYTES // 4 :]]
    turn = [0]

    def next_half() -> Any:
        turn[0] = 1 - turn[0]
        return halves[turn[0]]

    target = torch.as_tensor(fields[1].words.view(np.float32), device="cuda")
    peers = {
        "read": {
            "torch.sum, float32": lambda: torch.sum(next_half()),
            "torch.sum, float64": lambda: torch.sum(next_half().view(torch.float64)),
            "torch.amax, float32": lambda: torch.amax(next_half()),
            "torch.linalg.vector_norm, float32": lambda: torch.linalg.vector_norm(next_half()),
        },
        "write": {"torch.fill_": lambda: target.fill_(1.0)},
        "copy": {"torch.copy_": lambda: target.copy_(next_half())},
    }
    nbytes = STREAM_BYTES * (2 if how == "copy" else 1)
    return {who: (nbytes, launch) for who, launch in peers[how].items()}


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
