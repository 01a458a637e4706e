"""What the rungs on the ordinary lanes share: how 256 threads divide a tile of D, and the products of one step.

A warp's lanes stand in 4 rows of 8, the eight warps in 4 rows of 2. A thread has `each` x `each` elements of D, 16
rows and 16 columns apart. So a warp reads eight neighboring rows of B at a time, and these lie in eight different
groups of banks: with `PITCH` elements from one row to the next, or with `STEP` of them and a swizzle of 32 bytes.
"""

from numba import cuda

THREADS = 256
SIDE = 16
"""Threads along each edge of a tile of D."""

STEP = 8
"""Elements along K that a tile of A or B holds: 32 bytes."""

PITCH = STEP + 4
CHUNK = 4
"""Elements of 16 bytes, which a thread reads at once and a swizzle moves as one."""

SIGNATURE = "void(float32[:, ::1], float32[:, ::1], float32[:, ::1])"


@cuda.jit(device=True)
def place(thread):
    """Give row and column of a thread in the 16 x 16 of a block."""
    warp, lane = thread // 32, thread % 32
    return warp // 2 * 4 + lane // 8, warp % 2 * 8 + lane % 8


@cuda.jit(device=True)
def add_products(sums, a, b, row, column, a_chunk, b_chunk):
    """Add to a thread's sums the products of one chunk along K, which lies at these columns of the two tiles."""
    for k in range(CHUNK):
        for i in range(sums.shape[0]):
            for j in range(sums.shape[1]):
                x, y = a[row + SIDE * i, a_chunk + k], b[column + SIDE * j, b_chunk + k]
                sums[i, j] = cuda.fma(x, y, sums[i, j])
