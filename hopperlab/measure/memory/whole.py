"""Whole gigabytes of device memory read, written and copied: our kernels and torch's, in turns.

torch is a peer where it is installed; nothing of it is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hopperlab.device.silicon.card import Card
    from hopperlab.measure.memory.streams import Field, Walk

THREADS = 512
STREAM_BYTES = 2 * 2**30
PEER_REPEATS = 20
READ_SHAPES = ((16, 1, 4), (16, 2, 4), (16, 4, 2), (8, 4, 4), (16, 4, 4))
"""Ways to read: bytes of a load, loads of a thread in flight, blocks of an SM."""

Launches = dict[str, tuple[int, Callable[[], Any]]]


def in_turns(card: Card, fields: Sequence[Field], how: str) -> list:
    """Give [how, {who: [bytes, seconds of each launch]}]: our kernels and torch's, in turns."""
    from hopperlab.measure.timing import seconds

    ours, check = _OURS[how](card, fields)
    launches = ours | _peers(fields, how)
    taken = seconds(*(launch for _, launch in launches.values()), repeats=PEER_REPEATS)
    for _, launch in ours.values():  # once more, for others wrote to the same memory
        launch()
    check()
    return [
        how,
        {who: [nbytes, times] for (who, (nbytes, _)), times in zip(launches.items(), taken, strict=True)},
    ]


def _our_reads(card: Card, fields: Sequence[Field]) -> tuple[Launches, Callable]:
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


def _our_write(card: Card, fields: Sequence[Field]) -> tuple[Launches, Callable]:
    launches, check = {}, None
    for name, walk in _stores(card).items():
        launch, check = fields[1].writer(2, walk)
        launches[name] = (walk.nbytes, launch)
    return launches, check


def _our_copy(card: Card, fields: Sequence[Field]) -> tuple[Launches, Callable]:
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


def _peers(fields: Sequence[Field], how: str) -> Launches:
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
