"""What sets the simulator's costs: one thing at a time, repeated, on a card."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from hopperlab.measure.cycles.case import CYCLES, ROUNDS, Boxes, Case, Kept

if TYPE_CHECKING:
    import numpy as np

KIB = 1024
FEW = 2
"""Simulated rounds of what takes the simulator long: each round takes the same."""

ELEMENTS = (64, 128, 512)
BLOCK_THREADS = (32, 64, 128, 256, 1024)
LOOP_THREADS = (32, 256, 1024)
CLUSTER_SHAPES = ((2, 128), (2, 1024), (4, 64), (4, 256), (8, 64), (8, 512), (16, 128), (16, 512))
RELAYS, FLAG_RELAYS = (3, 4, 6, 16), (3, 5)
SENDERS = (1, 8, 32, 64, 128, 512)
EXCHANGES = ((2, 1), (6, 1), (4, 2))  # blocks of a cluster, and with how many others each of them exchanges
PIECES = (64, 256, 1536, 6144, 12288)
LOADS_KIB, TOGETHER = (2, 8, 24), (1, 2, 4)


@cache
def cases() -> tuple[Case, ...]:
    """Give all calibration cases; none of them is one of the points."""
    return (*_memory(), *_words(), *_messages(), *_copies())


def _zeros(size: int, dtype: str = "uint32") -> np.ndarray:
    import numpy as np

    return np.zeros(size, dtype)


def _links(size: int) -> np.ndarray:
    """Give a chain through all of an array, in steps of more than 4 KiB."""
    import numpy as np

    return ((np.arange(size) + 1057) % size).astype(np.uint32)


def _memory() -> tuple[Case, ...]:
    from hopperlab.kernels.timing import memory

    return (
        Case("load, shared", lambda: memory.chase_shared, (ROUNDS, CYCLES, _zeros(1)), memory.CHAIN),
        Case("load, global", lambda: memory.chase_global, (ROUNDS, Kept(_links(65536)), CYCLES, _zeros(1))),
        Case("load of a part, shared", lambda: memory.chase_parts, (ROUNDS, CYCLES, _zeros(1)), memory.CHAIN),
        Case(
            "load, remote", lambda: memory.chase_remote, (ROUNDS, CYCLES, _zeros(1)), memory.CHAIN, 2, 2,
        ),
        Case("load of a mapped rank", lambda: memory.chase_ranks, (ROUNDS, CYCLES, _zeros(1)), 1, 2, 2),
        Case("store, shared", lambda: memory.store_shared, (ROUNDS, CYCLES, _zeros(1)), 32),
        Case("store, global", lambda: memory.store_global, (ROUNDS, Kept(_zeros(4096)), CYCLES), 32),
        Case(
            "atomic", lambda: memory.add_atomically, (ROUNDS, _zeros(4), CYCLES), grid=2, cluster=2,
            parts=("shared", "remote", "global"),
        ),
        *(
            Case(f"scan of {n} elements", lambda: memory.scan, (ROUNDS, _zeros(n), CYCLES), n, rounds=200)
            for n in ELEMENTS
        ),
        *(
            Case(f"smoothing of {n} elements", lambda: memory.smooth, (ROUNDS, _zeros(n, "float32"), CYCLES), n)
            for n in ELEMENTS
        ),
    )  # fmt: skip


def _words() -> tuple[Case, ...]:
    from hopperlab.kernels.timing import words

    return (
        Case("fma", lambda: words.fma_chain, (ROUNDS, _zeros(32, "float32"), CYCLES), 32, per=words.FOLLOWING),
        Case(
            "counting", lambda: words.count_along,
            (ROUNDS, _zeros(1, "int64")[0] + 13, CYCLES, _zeros(32, "int64")), 32,
        ),
        Case("shfl_xor_sync", lambda: words.shuffle_chain, (ROUNDS, _zeros(32, "int32"), CYCLES), 32),
        *(
            Case(f"syncwarp of {threads} threads", lambda: words.sync_warp, (ROUNDS, CYCLES), threads)
            for threads in LOOP_THREADS
        ),
        *(
            Case(f"syncthreads of {threads} threads", lambda: words.sync_block, (ROUNDS, CYCLES), threads)
            for threads in BLOCK_THREADS
        ),
        *(
            Case(
                f"cluster.sync of {blocks} x {threads} threads", lambda: words.sync_cluster, (ROUNDS, CYCLES),
                threads, blocks, blocks, simulated_rounds=FEW,
            )
            for blocks, threads in CLUSTER_SHAPES
        ),
        Case("store and", lambda: words.fences, (ROUNDS, _zeros(256), CYCLES), parts=words.FENCES),
        Case("barrier", lambda: words.barrier_words, (ROUNDS, CYCLES), parts=words.LOOKS),
        Case("barrier of a ring: wait for what has passed", lambda: words.ring_words, (ROUNDS, CYCLES)),
        Case("hand over by barriers", lambda: words.hand_over, (ROUNDS, CYCLES), 64, per=2),
    )  # fmt: skip


def _messages() -> tuple[Case, ...]:
    from hopperlab.kernels.timing import messages

    return (
        *(
            Case(
                f"relay in a cluster of {blocks}", lambda: messages.relay, (ROUNDS, CYCLES, _zeros(blocks)),
                32, blocks, blocks, per=blocks,
            )
            for blocks in RELAYS
        ),
        *(
            Case(
                f"exchange of {threads} x 16 bytes with {ways} of a cluster of {blocks}",
                lambda: messages.exchange_words, (ROUNDS, _number(ways), CYCLES), threads, blocks, blocks,
                simulated_rounds=FEW,
            )
            for blocks, ways in EXCHANGES
            for threads in SENDERS
        ),
        *(
            Case(
                f"relay of {nbytes} bytes by {word} in a cluster of {blocks}",
                lambda added=word == "bulk.send_reduce": messages.relay_pieces(added),
                (ROUNDS, _number(nbytes), CYCLES), 32, blocks, blocks, 2 * nbytes, simulated_rounds=FEW, per=blocks,
            )
            for blocks in (3, 6)
            for word in ("bulk.send", "bulk.send_reduce")
            for nbytes in PIECES
        ),
        *(
            Case(
                f"exchange of {nbytes} bytes by {word} in a cluster of {blocks}",
                lambda added=word == "bulk.send_reduce": messages.exchange_pieces(added),
                (ROUNDS, _number(nbytes), CYCLES), 32, blocks, blocks, 3 * nbytes,
                simulated_rounds=FEW,
            )
            for blocks in (2, 6)
            for word in ("bulk.send", "bulk.send_reduce")
            for nbytes in PIECES
        ),
        Case(
            "flag", lambda: messages.flag_words, (ROUNDS, _zeros(128), _zeros(128), CYCLES), parts=messages.FLAGS,
            simulated_rounds=8,
        ),
        *(
            Case(
                f"relay by flag around {blocks} blocks", lambda: messages.relay_by_flag,
                (ROUNDS, _zeros(32 * blocks), _zeros(32 * blocks), CYCLES, _zeros(blocks)), 32, blocks,
                per=blocks,
            )
            for blocks in FLAG_RELAYS
        ),
    )  # fmt: skip


def _number(value: int) -> np.uint32:
    import numpy as np

    return np.uint32(value)


def boxes_of(kib: int, together: int = 1) -> Case:
    """Give the case of tensor loads of so many KiB, `together` at a time."""
    from hopperlab.kernels.timing.copies import load_boxes

    rows, boxes = 4 * kib, 32  # rows of 256 bytes
    tensor = Boxes(_zeros(64 * rows * boxes, "float32").reshape(-1, 64), rows)
    more = f", {together} at a time" if together > 1 else ""
    numbers = _number(rows), _number(boxes), _number(together)
    return Case(
        f"tma.load of {kib} KiB{more}", lambda: load_boxes, (ROUNDS, tensor, *numbers, CYCLES), 32,
        shared_bytes=kib * KIB * together, simulated_rounds=4,
    )  # fmt: skip


def _copies() -> tuple[Case, ...]:
    from hopperlab.kernels.timing import copies

    sizes = [kib * KIB for kib in LOADS_KIB]
    return (
        *(boxes_of(kib, together) for kib in LOADS_KIB for together in TOGETHER),
        *(
            Case(
                f"bulk.load of {nbytes // KIB} KiB", lambda: copies.load_bytes,
                (ROUNDS, Kept(_zeros(32 * nbytes, "uint8")), _number(nbytes), CYCLES), 32, shared_bytes=nbytes,
            )
            for nbytes in sizes
        ),
        *(
            Case(
                f"bulk.store of {nbytes // KIB} KiB", lambda: copies.store_bytes,
                (ROUNDS, Kept(_zeros(nbytes, "uint8")), _number(nbytes), CYCLES), 32, shared_bytes=nbytes,
                parts=("until written", "until read"),
            )
            for nbytes in sizes
        ),
    )  # fmt: skip
