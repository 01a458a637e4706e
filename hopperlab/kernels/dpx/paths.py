"""Floyd-Warshall in tiles: the pivot tile first, then the tiles in its row and column, then all others.

Nearly all the work is in the others, where every step of k is a sum and a minimum with no order among cells.
"""

from functools import cache

from numba import cuda, int32

from hopperlab.device import Kernel, kernel
from hopperlab.kernels.dpx.arithmetic import Arithmetic

TILE = 64  # numbers on a side
ROWS = 8  # of a thread
WORDS = 4  # of a thread, in each of its rows
PADDED = TILE + 1  # so that a column of the tile lies in different banks

SIGNATURE = "void(int32[:, ::1], int32)"


def threads(arithmetic: Arithmetic) -> int:
    """Give the threads of a block: each takes ROWS x WORDS words of the tile."""
    return TILE * TILE // arithmetic.numbers // (ROWS * WORDS)


@cache
def relax_around_pivot(arithmetic: Arithmetic) -> Kernel:
    """Give the kernel for the pivot tile (a grid of 1) and for the tiles in its row and column (2 * tiles).

    Its cells depend on each other, so that the block meets after every k.
    """
    numbers, joined, number = arithmetic.numbers, arithmetic.joined, arithmetic.number
    add_then_smallest = arithmetic.add_then_smallest
    words, step = TILE // numbers, threads(arithmetic)

    @kernel(signature=SIGNATURE)
    def relax_pivot(distances, stage):
        pivot, own = cuda.shared.array((TILE, words), int32), cuda.shared.array((TILE, words), int32)
        row = column = stage
        in_row = in_column = True
        if cuda.gridDim.x > 1:
            in_row = (cuda.blockIdx.x & 1) == 0
            in_column = not in_row
            row = stage if in_row else int32(cuda.blockIdx.x >> 1)
            column = stage if in_column else int32(cuda.blockIdx.x >> 1)
            if row == column:
                return
        for i in range(ROWS * WORDS):
            place = i * step + cuda.threadIdx.x
            y, x = place // words, place % words
            pivot[y, x] = distances[stage * TILE + y, stage * words + x]
            own[y, x] = distances[row * TILE + y, column * words + x]
        for k in range(TILE):
            cuda.syncthreads()
            for i in range(ROWS * WORDS):
                place = i * step + cuda.threadIdx.x
                y, x = place // words, place % words
                to_k = number(own[y, k // numbers] if in_column else pivot[y, k // numbers], k % numbers)
                from_k = own[k, x] if in_row else pivot[k, x]
                shorter = add_then_smallest(joined(to_k, to_k), from_k, own[y, x])
                if shorter != own[y, x]:  # never in row k or column k, which others are reading
                    own[y, x] = shorter
        cuda.syncthreads()
        for i in range(ROWS * WORDS):
            place = i * step + cuda.threadIdx.x
            distances[row * TILE + place // words, column * words + place % words] = own[
                place // words, place % words
            ]

    return relax_pivot


@cache
def relax_others(arithmetic: Arithmetic) -> Kernel:
    """Give the kernel for all tiles outside the pivot's row and column; the grid is (tiles, tiles)."""
    numbers, joined, number = arithmetic.numbers, arithmetic.joined, arithmetic.number
    add_then_smallest = arithmetic.add_then_smallest
    words, step = TILE // numbers, threads(arithmetic)
    across = words // WORDS

    @kernel(signature=SIGNATURE)
    def relax(distances, stage):
        to_pivot = cuda.shared.array((TILE, PADDED), int32)  # [k, row], in all halves of a word
        from_pivot = cuda.shared.array((TILE, words), int32)  # [k, column]
        if cuda.blockIdx.x == stage or cuda.blockIdx.y == stage:
            return
        first_row, first_word = int32(cuda.blockIdx.y) * TILE, int32(cuda.blockIdx.x) * words
        for i in range(ROWS * WORDS):
            place = i * step + cuda.threadIdx.x
            y, x = place // words, place % words
            from_pivot[y, x] = distances[stage * TILE + y, first_word + x]
            lengths = distances[first_row + y, stage * words + x]
            for n in range(numbers):
                length = number(lengths, n)
                to_pivot[numbers * x + n, y] = joined(length, length)
        cuda.syncthreads()

        row, word = cuda.threadIdx.x // across * ROWS, cuda.threadIdx.x % across
        shortest = cuda.local.array((ROWS, WORDS), int32)
        for r in range(ROWS):
            for w in range(WORDS):
                shortest[r, w] = distances[first_row + row + r, first_word + word + across * w]
        for k in range(TILE):
            for r in range(ROWS):
                for w in range(WORDS):
                    shortest[r, w] = add_then_smallest(
                        to_pivot[k, row + r], from_pivot[k, word + across * w], shortest[r, w]
                    )
        for r in range(ROWS):
            for w in range(WORDS):
                distances[first_row + row + r, first_word + word + across * w] = shortest[r, w]

    return relax


def floyd_warshall(arithmetic: Arithmetic, distances: object, stream: object = 0) -> None:
    """Launch all stages on a device array of shape (n, n / numbers), int32; n is a multiple of 64.

    Raises
    ------
    ValueError
        If the shape is another.
    """
    n = distances.shape[0]
    if n % TILE or distances.shape[1] * arithmetic.numbers != n:
        raise ValueError(
            f"distances: shape {tuple(distances.shape)} must be (n, n / {arithmetic.numbers}), "
            f"n a multiple of {TILE}"
        )
    tiles, block = n // TILE, threads(arithmetic)
    around, others = relax_around_pivot(arithmetic), relax_others(arithmetic)
    for stage in range(tiles):
        around[1, block, stream](distances, stage)
        if tiles > 1:
            around[2 * tiles, block, stream](distances, stage)
            others[(tiles, tiles), block, stream](distances, stage)
