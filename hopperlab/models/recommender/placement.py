"""Which table on which GPU: memory must fit, and the busiest GPU sets the time of a step.

A table is looked up on the GPU that holds it: that costs memory bandwidth, as many rows as a sample has entries
in it. The pooled vectors then cross the fabric. The slowest GPU keeps all others waiting.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

from hopperlab.models.arguments import finite_number, whole_number

GB = 10**9


@dataclass(frozen=True)
class Table:
    """One embedding table.

    Attributes
    ----------
    name
        What to call it.
    rows, columns
        Vectors, and their length.
    entries
        Rows that one sample looks up; their vectors are added ("pooled") to one.
    """

    name: str
    rows: int
    columns: int
    entries: int
    element_bytes: int = 2

    @property
    def nbytes(self) -> int:
        """Memory that it takes."""
        return self.rows * self.columns * self.element_bytes

    def read(self, batch: int) -> int:
        """Bytes that are read from memory for a batch."""
        return batch * self.entries * self.columns * self.element_bytes

    def sent(self, batch: int) -> int:
        """Bytes of pooled vectors for a batch."""
        return batch * self.columns * self.element_bytes


@dataclass(frozen=True)
class Machine:
    """GPUs that are alike.

    Attributes
    ----------
    memory_bytes
        For tables, of one GPU.
    memory_bytes_per_second
        Achieved by lookups; an assumption, to be varied.
    link_bytes_per_second
        Of one GPU, one direction.
    """

    gpus: int
    memory_bytes: int = 80 * GB
    memory_bytes_per_second: float = 2000 * GB
    link_bytes_per_second: float = 225 * GB

    def __post_init__(self) -> None:
        """Refuse what is no machine."""
        whole_number("gpus", self.gpus, 1, 4096)
        for name in ("memory_bytes", "memory_bytes_per_second", "link_bytes_per_second"):
            finite_number(name, getattr(self, name), above=0)


@dataclass(frozen=True)
class Load:
    """What one GPU bears in a step.

    Attributes
    ----------
    nbytes
        Of its tables.
    lookup_seconds, exchange_seconds
        Its time.
    fits
        Whether its memory holds its tables.
    """

    nbytes: int
    lookup_seconds: float
    exchange_seconds: float
    fits: bool

    @property
    def seconds(self) -> float:
        """Lookup, then exchange."""
        return self.lookup_seconds + self.exchange_seconds


def load(tables: Sequence[Table], placement: Sequence[int], machine: Machine, batch: int) -> list[Load]:
    """What every GPU bears.

    Parameters
    ----------
    placement
        The GPU of each table.

    Raises
    ------
    ValueError
        If the placement has another length than the tables, or names a GPU that is not there.
    """
    whole_number("batch", batch, 1, 10**9)
    if len(placement) != len(tables):
        raise ValueError(f"placement has {len(placement)} GPUs for {len(tables)} tables")
    for gpu in placement:
        whole_number("placement", gpu, 0, machine.gpus - 1)
    others = (machine.gpus - 1) / machine.gpus
    loads = []
    for gpu in range(machine.gpus):
        own = [table for table, place in zip(tables, placement, strict=True) if place == gpu]
        nbytes = sum(table.nbytes for table in own)
        loads.append(
            Load(
                nbytes,
                sum(table.read(batch) for table in own) / machine.memory_bytes_per_second,
                sum(table.sent(batch) for table in own) * others / machine.link_bytes_per_second,
                nbytes <= machine.memory_bytes,
            )
        )
    return loads


def step_seconds(tables: Sequence[Table], placement: Sequence[int], machine: Machine, batch: int) -> float:
    """The slowest GPU's lookup and exchange: all wait for it.

    Raises
    ------
    ValueError
        If the tables of a GPU do not fit its memory; the message names the GPU.
    """
    loads = load(tables, placement, machine, batch)
    for gpu, one in enumerate(loads):
        if not one.fits:
            raise ValueError(
                f"placement: GPU {gpu} would hold {one.nbytes / GB:.1f} GB of tables; it has room for "
                f"{machine.memory_bytes / GB:.1f} GB"
            )
    return max(one.seconds for one in loads)


def greedy(tables: Sequence[Table], machine: Machine, batch: int, by: str = "time") -> list[int]:
    """Largest table first, each to the GPU that has least so far and room for it.

    Parameters
    ----------
    by
        What "large" and "least" mean: ``"bytes"`` of memory, or ``"time"`` of a step.

    Raises
    ------
    ValueError
        If a table finds no GPU with room, or ``by`` is another word.
    """
    if by not in ("bytes", "time"):
        raise ValueError(f"by={by!r} must be bytes or time")

    def cost(table: Table) -> float:
        return table.nbytes if by == "bytes" else _seconds(table, machine, batch)

    bearing, used = [0.0] * machine.gpus, [0] * machine.gpus
    placement = [0] * len(tables)
    for number in sorted(range(len(tables)), key=lambda number: -cost(tables[number])):
        table = tables[number]
        room = [gpu for gpu in range(machine.gpus) if used[gpu] + table.nbytes <= machine.memory_bytes]
        if not room:
            raise ValueError(
                f"table {table.name} of {table.nbytes / GB:.1f} GB finds no GPU with room for it"
            )
        gpu = min(room, key=lambda gpu: bearing[gpu])
        bearing[gpu] += cost(table)
        used[gpu] += table.nbytes
        placement[number] = gpu
    return placement


def _seconds(table: Table, machine: Machine, batch: int) -> float:
    others = (machine.gpus - 1) / machine.gpus
    return (
        table.read(batch) / machine.memory_bytes_per_second
        + table.sent(batch) * others / machine.link_bytes_per_second
    )


def improved(
    tables: Sequence[Table], placement: Sequence[int], machine: Machine, batch: int, rounds: int = 100
) -> list[int]:
    """Move or swap tables of the slowest GPU as long as that shortens the step: a local optimum."""
    best = list(placement)
    least = step_seconds(tables, best, machine, batch)
    for _ in range(whole_number("rounds", rounds, 1, 10_000)):
        better = _better(tables, best, machine, batch, least)
        if better is None:
            break
        best, least = better
    return best


def _better(
    tables: Sequence[Table], placement: list[int], machine: Machine, batch: int, least: float
) -> tuple[list[int], float] | None:
    loads = load(tables, placement, machine, batch)
    slowest = max(range(machine.gpus), key=lambda gpu: loads[gpu].seconds)
    found = None
    for number in (n for n, gpu in enumerate(placement) if gpu == slowest):
        for trial in _trials(placement, number, slowest, machine.gpus):
            loads = load(tables, trial, machine, batch)
            seconds = max(one.seconds for one in loads)
            if all(one.fits for one in loads) and seconds < least * (1 - 1e-12):
                found, least = trial, seconds
    return None if found is None else (found, least)


def _trials(placement: list[int], number: int, slowest: int, gpus: int):
    for gpu in range(gpus):
        if gpu != slowest:
            yield [*placement[:number], gpu, *placement[number + 1 :]]
    for other, gpu in enumerate(placement):
        if gpu != slowest:
            trial = list(placement)
            trial[number], trial[other] = gpu, slowest
            yield trial


def random_placement(tables: Sequence[Table], machine: Machine, seed: int = 0) -> list[int]:
    """A GPU for each table by chance; it may not fit."""
    chance = Random(seed)
    return [chance.randrange(machine.gpus) for _ in tables]


def split(table: Table, parts: int) -> list[Table]:
    """A table cut by columns into tables of equal length, each with its share of lookups and of what is sent.

    Raises
    ------
    ValueError
        If the columns do not divide by the parts.
    """
    whole_number("parts", parts, 1, table.columns)
    if table.columns % parts:
        raise ValueError(f"parts={parts} must divide the {table.columns} columns of {table.name}")
    columns = table.columns // parts
    return [replace(table, name=f"{table.name}.{part}", columns=columns) for part in range(parts)]


def example_tables(seed: int = 0, count: int = 16) -> list[Table]:
    """Made-up tables in the manner of the talk's example: many look up one row a sample, some up to 300 (lit-211)."""
    whole_number("count", count, 1, 512)
    chance = Random(seed)
    return [
        Table(
            f"T{number}",
            rows=chance.choice((5, 10, 20, 40, 80, 120)) * 10**6,
            columns=chance.choice((32, 64, 96, 128)),
            entries=chance.choice((1, 1, 120, 180, 240, 300)),
        )
        for number in range(count)
    ]
