"""What a tile costs in instructions: the A100's way, thread by thread, and Hopper's, one thread and a box.

On the A100 every thread computes addresses and issues ``cp.async`` (LDGSTS) of 4, 8 or 16 bytes, again and
again. On Hopper one thread issues one tensor copy (claim talk-041); only a tile with more than 256 elements
along a dimension takes several.
"""

from dataclasses import dataclass
from math import prod

from hopperlab.models.tma.rules import MAX_BOX

CP_ASYNC_WIDTHS = (4, 8, 16)  # bytes a thread copies at once; PTX ISA, cp.async
BULK_UNIT = 16  # bytes: size and addresses of a bulk copy are multiples of it; claims lit-043.a and lit-043.b
WARP = 32


@dataclass(frozen=True)
class CopyCost:
    """Instructions that bring one tile in.

    Attributes
    ----------
    threads
        Threads that take part.
    rounds
        Times that the busiest thread issues a copy; each comes with address arithmetic of its own.
    thread_instructions
        Copies issued by all threads together.
    warp_instructions
        Copies issued by all warps together: what takes issue slots.
    """

    threads: int
    rounds: int
    thread_instructions: int
    warp_instructions: int


def cp_async_instructions(nbytes: int, threads: int, width: int = 16) -> CopyCost:
    """The cost of a tile with the A100's cp.async, shared evenly by `threads` threads.

    Parameters
    ----------
    nbytes
        Size of the tile, a multiple of `width`.
    threads
        Threads that share the work, 1 to 1024.
    width
        Bytes a copy: 4, 8 or 16.
    """
    if width not in CP_ASYNC_WIDTHS:
        raise ValueError(f"width={width}: cp.async copies 4, 8 or 16 bytes")
    if nbytes < width or nbytes % width:
        raise ValueError(f"nbytes={nbytes}: it must be a positive multiple of the width, {width} bytes")
    if not 1 <= threads <= 1024:
        raise ValueError(f"threads={threads}: allowed are 1 to 1024")
    copies = nbytes // width
    full_rounds, rest = divmod(copies, threads)
    warps = full_rounds * _warps(threads) + _warps(rest)
    return CopyCost(min(threads, copies), full_rounds + (rest > 0), copies, warps)


def load_store_instructions(nbytes: int, threads: int, width: int = 4) -> CopyCost:
    """The cost of a tile with plain loads and stores, by way of registers: each copy is a load and a store.

    Parameters
    ----------
    nbytes, threads, width
        As for ``cp_async_instructions``.
    """
    copies = cp_async_instructions(nbytes, threads, width)
    return CopyCost(
        copies.threads, 2 * copies.rounds, 2 * copies.thread_instructions, 2 * copies.warp_instructions
    )


def tensor_copy_instructions(tile: tuple[int, ...], box: tuple[int, ...] | None = None) -> CopyCost:
    """The cost of a tile with tensor copies, all issued by one thread.

    Parameters
    ----------
    tile
        Elements of the tile in each dimension.
    box
        Elements of the tensor map's box; as large as allowed if left out.
    """
    box = tuple(min(size, MAX_BOX) for size in tile) if box is None else box
    if len(box) != len(tile) or min(tile, default=0) < 1 or min(box) < 1 or max(box) > MAX_BOX:
        raise ValueError(f"box={box}: for a tile of {tile}, allowed are 1 to {MAX_BOX} a dimension")
    copies = prod(-(-size // step) for size, step in zip(tile, box, strict=True))
    return CopyCost(threads=1, rounds=copies, thread_instructions=copies, warp_instructions=copies)


def check_bulk_copy(nbytes: int, source: int, destination: int) -> None:
    """Refuse a one-dimensional bulk copy whose size or addresses are no multiples of 16 bytes.

    Raises
    ------
    ValueError
        Naming the argument; PTX leaves such a copy undefined (claims lit-043.a and lit-043.b).
    """
    for name, number in (("nbytes", nbytes), ("source", source), ("destination", destination)):
        if number < 0 or number % BULK_UNIT:
            raise ValueError(f"{name}={number}: a bulk copy needs a multiple of {BULK_UNIT} bytes")
    if nbytes == 0:
        raise ValueError("nbytes=0: a bulk copy needs at least 16 bytes")


def _warps(threads: int) -> int:
    return -(-threads // WARP)
