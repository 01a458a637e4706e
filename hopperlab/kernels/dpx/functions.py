"""One DPX function on whole arrays, and chains of it that show how fast it is."""

from functools import cache

from numba import cuda, int32

from hopperlab.device import Kernel, clock64, dpx, kernel
from hopperlab.kernels.dpx import arithmetic
from hopperlab.models.dpx import FUNCTIONS, function_named

ROUNDS = 512
UNROLLED = 4  # rounds between two looks at the loop's counter


@cache
def on_arrays(name: str) -> Kernel:
    """Give the kernel that applies a function to arrays: (a, b, c, results, high, low).

    All are int32, whatever the function's type, and of one length. `c` is read by functions of three. `vib`
    functions write what they tell to `high` and `low`, as 0 or 1; of 32-bit numbers to `low` alone.
    """
    function, said = function_named(name), getattr(dpx, name)
    signature = f"void({', '.join(['int32[::1]'] * 6)})"

    if function.tells and function.packed:

        @kernel(signature=signature)
        def apply(a, b, c, results, high, low):
            i = cuda.grid(1)
            if i < results.size:
                result, first_high, first_low = said(a[i], b[i])
                results[i], high[i], low[i] = int32(result), first_high, first_low

    elif function.tells:

        @kernel(signature=signature)
        def apply(a, b, c, results, high, low):
            i = cuda.grid(1)
            if i < results.size:
                result, first = said(a[i], b[i])
                results[i], low[i] = int32(result), first

    elif function.arguments == 3:

        @kernel(signature=signature)
        def apply(a, b, c, results, high, low):
            i = cuda.grid(1)
            if i < results.size:
                results[i] = int32(said(a[i], b[i], c[i]))

    else:

        @kernel(signature=signature)
        def apply(a, b, c, results, high, low):
            i = cuda.grid(1)
            if i < results.size:
                results[i] = int32(said(a[i], b[i]))

    return apply


APART = {
    "viaddmax_s32": arithmetic.APART.add_then_largest,
    "viaddmax_s32_relu": arithmetic.APART.add_then_largest_relu,
    "viaddmin_s32": arithmetic.APART.add_then_smallest,
    "viaddmax_s16x2": arithmetic.PAIRS_APART.add_then_largest,
    "viaddmax_s16x2_relu": arithmetic.PAIRS_APART.add_then_largest_relu,
    "viaddmin_u16x2": arithmetic.PAIRS_APART.add_then_smallest,
}
"""What computes the same without DPX, for the functions that the dynamic programs use."""

TIMED = tuple(name for name, function in FUNCTIONS.items() if not function.tells)
"""Functions whose results can be chained: all but the `vib` functions, whose predicates lead nowhere."""


@cache
def chains(name: str, independent: int, apart: bool = False) -> Kernel:
    """Give the kernel that rotates numbers through a function, and reads the clock before and after.

    Parameters
    ----------
    name
        A function of `TIMED`.
    independent
        Chains that each thread carries on side by side. In a chain every result is the last operand of the
        next application: with one chain its latency shows, with many, and many threads, its throughput.
    apart
        Whether to compute it without DPX, as `APART` does.

    Notes
    -----
    The kernel takes (values, clocks): an int32 array of shape (threads, independent, arguments) that is
    replaced by what ROUNDS rounds make of it, and a uint64 array (threads, 2). A round is as many
    applications as the function has arguments, so that no number is moved.
    """
    arguments = function_named(name).arguments
    said = APART[name] if apart else getattr(dpx, name)
    signature = "void(int32[:, :, ::1], uint64[:, ::1])"

    @kernel(signature=signature)
    def rotate_three(values, clocks):
        thread = cuda.grid(1)
        a = cuda.local.array(independent, int32)
        b = cuda.local.array(independent, int32)
        c = cuda.local.array(independent, int32)
        for j in range(independent):
            a[j], b[j], c[j] = values[thread, j, 0], values[thread, j, 1], values[thread, j, 2]
        cuda.syncthreads()
        start = clock64()
        left = int32(ROUNDS // UNROLLED)
        while left > 0:
            left = int32(left - 1)
            for _ in range(UNROLLED):
                for j in range(independent):
                    a[j] = int32(said(a[j], b[j], c[j]))
                for j in range(independent):
                    b[j] = int32(said(b[j], c[j], a[j]))
                for j in range(independent):
                    c[j] = int32(said(c[j], a[j], b[j]))
        end = clock64()
        clocks[thread, 0], clocks[thread, 1] = start, end
        for j in range(independent):
            values[thread, j, 0], values[thread, j, 1], values[thread, j, 2] = a[j], b[j], c[j]

    @kernel(signature=signature)
    def rotate_two(values, clocks):
        thread = cuda.grid(1)
        a = cuda.local.array(independent, int32)
        b = cuda.local.array(independent, int32)
        for j in range(independent):
            a[j], b[j] = values[thread, j, 0], values[thread, j, 1]
        cuda.syncthreads()
        start = clock64()
        left = int32(ROUNDS // UNROLLED)
        while left > 0:
            left = int32(left - 1)
            for _ in range(UNROLLED):
                for j in range(independent):
                    a[j] = int32(said(a[j], b[j]))
                for j in range(independent):
                    b[j] = int32(said(b[j], a[j]))
        end = clock64()
        clocks[thread, 0], clocks[thread, 1] = start, end
        for j in range(independent):
            values[thread, j, 0], values[thread, j, 1] = a[j], b[j]

    return rotate_three if arguments == 3 else rotate_two
