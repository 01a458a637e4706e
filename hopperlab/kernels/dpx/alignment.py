"""Smith-Waterman, many alignments of one query at once: a warp keeps the query, and targets pass through it.

Each lane keeps sixteen columns of the query. In every step each lane takes the letter that its left neighbor
had in the step before, so that the cells of an anti-diagonal are computed together, across the lanes, with
nothing but shuffles between them.
"""

from functools import cache

from numba import cuda, int32

from hopperlab.device import Kernel, kernel
from hopperlab.kernels.dpx.arithmetic import Arithmetic

LANES = 32
WARPS = 4
COLUMNS = 16  # of a lane
QUERY = LANES * COLUMNS  # letters of the query
LETTERS = 4
EVERYONE = 0xFFFFFFFF


@cache
def smith_waterman(arithmetic: Arithmetic) -> Kernel:
    """Give the kernel in one arithmetic; a warp aligns one target, or two where words hold pairs.

    Launch it with a block of (128, 1) for every four warps. `models.dpx.smith_waterman` computes the same.
    """
    numbers, joined, number = arithmetic.numbers, arithmetic.joined, arithmetic.number
    add, largest = arithmetic.add, arithmetic.largest
    add_then_largest = arithmetic.add_then_largest
    add_then_largest_relu = arithmetic.add_then_largest_relu
    letters = LETTERS**numbers  # pairs of letters, where words hold two numbers

    @kernel(signature="void(uint8[::1], uint8[:, ::1], int32[::1], int32, int32, int32, int32)")
    def align(query, targets, scores, match, mismatch, gap_open, gap_extend):
        profile = cuda.shared.array((letters, COLUMNS, LANES), int32)
        lane, warp = cuda.threadIdx.x & 31, cuda.threadIdx.x >> 5
        for c in range(COLUMNS):
            mine = int32(query[lane * COLUMNS + c])
            low = int32(gap_open + (match if mine == warp else -mismatch))
            for letter in range(letters // LETTERS):
                high = int32(gap_open + (match if mine == letter else -mismatch))
                profile[warp + LETTERS * letter, c, lane] = joined(low, high)
        cuda.syncthreads()

        # All H are kept as H - gap_open: that is what a gap begins with, and the profile adds it back.
        none = joined(-gap_open, -gap_open)
        extend = joined(-gap_extend, -gap_extend)
        above, gap_above = cuda.local.array(COLUMNS, int32), cuda.local.array(COLUMNS, int32)
        for c in range(COLUMNS):
            above[c] = gap_above[c] = none
        best = right = gap_right = corner = none
        letter = ahead = int32(0)
        first = (int32(cuda.blockIdx.x) * WARPS + warp) * numbers
        rows = int32(targets.shape[1])
        for step in range(rows + LANES - 1):
            if (step & 31) == 0 and step + lane < rows:
                ahead = int32(0)
                for n in range(numbers):
                    ahead |= int32(targets[first + n, step + lane]) << int32(2 * n)
            left = cuda.shfl_up_sync(EVERYONE, right, 1)
            gap_left = cuda.shfl_up_sync(EVERYONE, gap_right, 1)
            letter = cuda.shfl_up_sync(EVERYONE, letter, 1)
            entering = cuda.shfl_sync(EVERYONE, ahead, step & 31)
            if lane == 0:
                left, gap_left, letter = none, none, entering
            if lane <= step < rows + lane:
                diagonal, corner = corner, left
                for c in range(COLUMNS):
                    gap_left = add_then_largest(gap_left, extend, left)
                    gap_above[c] = add_then_largest(gap_above[c], extend, above[c])
                    gap = largest(gap_left, gap_above[c])
                    score = add_then_largest_relu(diagonal, profile[letter, c, lane], gap)
                    diagonal, left = above[c], add(score, none)
                    above[c] = left
                    best = largest(best, left)
                right, gap_right = left, gap_left
        for distance in (16, 8, 4, 2, 1):
            best = largest(best, cuda.shfl_down_sync(EVERYONE, best, distance))
        if lane == 0:
            for n in range(numbers):
                scores[first + n] = number(best, n) + gap_open

    return align
