"""Two measurements that measure nothing: a loop whose result nobody wants, and one that is a multiplication.

Both look like `chains`, and both give rates that no SM can have. The published log that lists 956 lane results
a clock fell for the first (lit-147.a), the article's integer additions on an A100 maybe for the second
(article-035).
"""

from numba import cuda, float32, uint32

from hopperlab.device import clock64, kernel

ROUNDS = 4096


@kernel(signature="void(float32[::1], uint64[:, ::1])")
def forget(values, clocks):
    """Time `ROUNDS` multiply-adds, and never look at what they give: the compiler leaves the loop out."""
    thread = cuda.grid(1)
    a = values[thread]
    start = clock64()
    for _ in range(ROUNDS):
        a = cuda.fma(a, float32(0.5), float32(0.25))
    clocks[thread, 0], clocks[thread, 1] = start, clock64()


@kernel(signature="void(uint32[::1], uint64[:, ::1])")
def add_up(values, clocks):
    """Time `ROUNDS` integer additions of one number: the compiler multiplies, once.

    The sum is written, so that nothing is forgotten; and still there is no loop.
    """
    thread = cuda.grid(1)
    a = uint32(0)
    step = values[thread]
    start = clock64()
    for _ in range(ROUNDS):
        a = uint32(a + step)
    end = clock64()
    values[thread] = a
    clocks[thread, 0], clocks[thread, 1] = start, end
