"""Chains of one instruction, timed by the SM's clock: alone for its latency, side by side for its rate."""

from functools import cache

from numba import cuda, int32, types

from hopperlab.device import Kernel, clock64, kernel
from hopperlab.kernels.throughput.instructions import OPERATIONS

UNROLLED = 8
"""Rounds between two looks at the loop's counter; a launch has a multiple of them."""


@cache
def chains(name: str, independent: int) -> Kernel:
    """Give the kernel that repeats an operation, and reads the clock before and after.

    It takes (values, clocks, rounds): values of shape (independent, 2, threads of the grid), which are replaced
    by what `rounds` rounds make of them, and uint64 clocks (threads, 2). A round is a = op(a, b), b = op(b, a),
    or a = op(a) twice: two applications, the second of which needs the first. Inside the loop nothing is read
    from memory, and all that is computed is written in the end: no compiler may leave it out.

    Parameters
    ----------
    name
        A name of `OPERATIONS`.
    independent
        Chains that a thread carries on side by side.

    Raises
    ------
    ValueError
        For a name that is no operation.
    """
    if name not in OPERATIONS:
        raise ValueError(f"name={name!r} is no operation; there are {', '.join(OPERATIONS)}")
    operation = OPERATIONS[name]
    apply = operation.apply
    dtype = getattr(types, operation.dtype)
    signature = f"void({operation.dtype}[:, :, ::1], uint64[:, ::1], int32)"

    @kernel(signature=signature)
    def repeat_two(values, clocks, rounds):
        thread = cuda.grid(1)
        a = cuda.local.array(independent, dtype)
        b = cuda.local.array(independent, dtype)
        for j in range(independent):
            a[j], b[j] = values[j, 0, thread], values[j, 1, thread]
        cuda.syncthreads()
        start = clock64()
        left = int32(rounds // UNROLLED)
        while left > 0:
            left = int32(left - 1)
            for _ in range(UNROLLED):
                for j in range(independent):
                    a[j] = apply(a[j], b[j])
                for j in range(independent):
                    b[j] = apply(b[j], a[j])
        end = clock64()
        clocks[thread, 0], clocks[thread, 1] = start, end
        for j in range(independent):
            values[j, 0, thread], values[j, 1, thread] = a[j], b[j]

    @kernel(signature=signature)
    def repeat_one(values, clocks, rounds):
        thread = cuda.grid(1)
        a = cuda.local.array(independent, dtype)
        for j in range(independent):
            a[j] = values[j, 0, thread]
        cuda.syncthreads()
        start = clock64()
        left = int32(rounds // UNROLLED)
        while left > 0:
            left = int32(left - 1)
            for _ in range(2 * UNROLLED):
                for j in range(independent):
                    a[j] = apply(a[j])
        end = clock64()
        clocks[thread, 0], clocks[thread, 1] = start, end
        for j in range(independent):
            values[j, 0, thread] = a[j]

    return repeat_two if operation.operands == 2 else repeat_one
