"""A kernel that can be moved along the roofline: so many multiply-adds for every value that is read and written."""

from functools import cache

from numba import cuda, float32

from hopperlab.device import Kernel, kernel

BYTES = 8
"""Read and written for each value."""

VALUES = 4
"""Values of a thread: four loads under way, and four chains of multiply-adds beside each other."""

UNROLLED = 16


@cache
def multiply_adds(rounds: int) -> Kernel:
    """Give the kernel of `rounds` multiply-adds a value: its intensity is 2 * rounds / 8 FLOP a byte.

    A thread takes `VALUES` values; blocks and threads must cover the array exactly.

    Raises
    ------
    ValueError
        If rounds are less than one, or more than 16 and no multiple of 16.
    """
    if rounds < 1 or (rounds > UNROLLED and rounds % UNROLLED):
        raise ValueError(f"rounds={rounds} must be 1 to {UNROLLED}, or a multiple of {UNROLLED}")

    inner, outer = min(rounds, UNROLLED), max(1, rounds // UNROLLED)

    @kernel(signature="void(float32[::1], float32[::1])")
    def work(values, results):
        i = cuda.blockIdx.x * cuda.blockDim.x * VALUES + cuda.threadIdx.x
        apart = cuda.blockDim.x
        a, b, c, d = values[i], values[i + apart], values[i + 2 * apart], values[i + 3 * apart]
        for _ in range(outer):
            for _ in range(inner):
                a = cuda.fma(a, float32(0.5), float32(1.0))
                b = cuda.fma(b, float32(0.5), float32(1.0))
                c = cuda.fma(c, float32(0.5), float32(1.0))
                d = cuda.fma(d, float32(0.5), float32(1.0))
        results[i], results[i + apart], results[i + 2 * apart], results[i + 3 * apart] = a, b, c, d

    return work


def intensity(rounds: int) -> float:
    """FLOP a byte; a multiply-add is two."""
    return 2 * rounds / BYTES
