"""Rung 1: a thread an element of D, and every operand fetched when it is needed."""

from numba import cuda, float32

from hopperlab.device import kernel

SIDE = 16
"""Threads along each edge of a block."""


@kernel(signature="void(float32[:, ::1], float32[:, ::1], float32[:, ::1])", launch_bounds=SIDE * SIDE)
def naive(a, b, d):
    """Multiply: D (M, N) = A (M, K) times B (N, K) transposed, all float32.

    Launch it on (N / SIDE, M / SIDE) blocks of (SIDE, SIDE) threads.
    """
    column, row = cuda.grid(2)
    total = float32(0)
    for k in range(a.shape[1]):
        total = cuda.fma(a[row, k], b[column, k], total)
    d[row, column] = total
