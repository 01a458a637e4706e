"""Collectives as messages: any of them, on any of the networks, alone or two at once."""

from collections.abc import Sequence

from hopperlab.models.arguments import finite_number, whole_number
from hopperlab.models.collectives import closed_form
from hopperlab.models.collectives.protocol import SWITCH, Transfer, transfers
from hopperlab.models.fabric.contention import Message, Network, Simulation, simulate

PIECES_IN_FLIGHT = 2  # of an in-network all-reduce that is pipelined


def job(
    op: str,
    algorithm: str,
    ranks: int | Sequence[int],
    nbytes: float,
    name: str = "",
    first: int = 0,
    pieces: int = 1,
) -> list[Message]:
    """The messages of one collective.

    Parameters
    ----------
    op, algorithm
        As in `hopperlab.models.collectives.transfers`.
    ranks
        How many GPUs, or which, in order.
    nbytes
        The size, as nccl-tests counts it.
    name
        The job's name.
    first
        How many messages stand before these in the list that is simulated.
    pieces
        Cut the buffer into so many, of which two are in flight at a time.
    """
    members = list(range(ranks)) if isinstance(ranks, int) else list(ranks)
    whole_number("ranks", len(members), 2, 64)
    if len(set(members)) < len(members):
        raise ValueError(f"ranks={members} names a rank twice")
    finite_number("nbytes", nbytes, above=0)
    whole_number("pieces", pieces, 1, 4096)
    steps = _whole_buffers(op, algorithm, len(members))
    shard = nbytes / len(members) / pieces
    made: list[Message] = []
    first_arrivals: list[dict[int, int]] = []
    for piece in range(pieces):
        gate = first_arrivals[piece - PIECES_IN_FLIGHT] if piece >= PIECES_IN_FLIGHT else {}
        first_arrivals.append(_add_piece(made, op, steps, members, shard, gate, name, first))
    return made


def _whole_buffers(op: str, algorithm: str, ranks: int) -> list[tuple[Transfer, int]]:
    """Every message with the shards that it counts: a tree sends all shards of a buffer as one."""
    steps = transfers(op, algorithm, ranks)
    if algorithm != "tree":
        return [(one, 1) for one in steps]
    return [(one, ranks) for one in steps if one.shard == 0]


def _add_piece(
    made: list[Message],
    op: str,
    steps: list[tuple[Transfer, int]],
    members: list[int],
    shard: float,
    gate: dict[int, int],
    name: str,
    first: int,
) -> dict[int, int]:
    """Add one piece's messages; give the number of the first that each rank gets.

    A message waits for what its sender must have received; the first ones wait for an earlier piece (``gate``).
    """
    arrived: dict[tuple[int, int], list[int]] = {}
    coming: dict[tuple[int, int], list[int]] = {}
    first_arrival: dict[int, int] = {}
    step = 0
    for one, shards in steps:
        if one.step != step:
            step = one.step
            for place, numbers in coming.items():
                arrived.setdefault(place, []).extend(numbers)
            coming = {}
        number = first + len(made)
        needs = [] if op == "all-to-all" else arrived.get((one.source, one.shard), [])
        if not needs and one.source in gate:
            needs = [gate[one.source]]
        ends = [end if end == SWITCH else members[end] for end in (one.source, one.target)]
        made.append(Message(*ends, shard * shards, tuple(needs), name))
        coming.setdefault((one.target, one.shard), []).append(number)
        first_arrival.setdefault(one.target, number)
    return first_arrival


def run_collective(
    network: Network,
    op: str,
    algorithm: str,
    nbytes: float,
    pieces: int = 1,
    packet_bytes: float | None = 4096,
) -> Simulation:
    """One collective over all GPUs of a network."""
    return simulate(network, job(op, algorithm, network.ranks, nbytes, pieces=pieces), packet_bytes)


def closed_form_seconds(network: Network, op: str, algorithm: str, nbytes: float, pieces: int = 1) -> float:
    """The closed form for a network that is one switch: see `hopperlab.models.collectives.seconds`.

    Raises
    ------
    ValueError
        If the network is another.
    """
    if ("up", 0) not in network.paths or len(network.paths) != 2 * network.ranks:
        raise ValueError(f"network={network.name!r} must be one switch; no closed form holds for others")
    link = network.paths["up", 0]
    latency = 2e-9 * link.latency_ns
    return closed_form.seconds(op, algorithm, network.ranks, nbytes, link.bytes_per_second, latency, pieces)
