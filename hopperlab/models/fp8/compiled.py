"""Kernels on the CPU: compiled by numba when first called, and spread over threads.

Threads are Python's own, around kernels that release the interpreter lock. Unlike numba's `parallel=True`
they survive a fork, may be used from several threads at once, and add nothing to the compile time.
"""

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from itertools import pairwise

from hopperlab.models.arguments import whole_number

MAX_THREADS = 1024


def numba_is_there() -> bool:
    """Whether numba can be imported; asked without importing it."""
    return find_spec("numba") is not None


def compiled(function: Callable, fastmath: Iterable[str] = ()) -> Callable:
    """Compile `function` with numba, cached on disk wherever a cache directory can be written.

    `fastmath` names the freedoms with floating point that the compiler may take, as LLVM calls them.
    """
    import numba

    options = {"nogil": True, "error_model": "numpy", "fastmath": set(fastmath)}
    try:
        return numba.njit(cache=True, **options)(function)
    except RuntimeError:  # numba found no directory that it may write
        return numba.njit(**options)(function)


def thread_count(threads: int | None) -> int:
    """Return `threads`, or the number of cores this process may use when it is None."""
    if threads is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return whole_number("threads", threads, 1, MAX_THREADS)


def run_in_slices(work: Callable[[slice], object], length: int, threads: int) -> None:
    """Call `work` on `threads` slices that cover range(length), each in a thread of its own."""
    threads = max(1, min(threads, length))
    bounds = [length * t // threads for t in range(threads + 1)]
    slices = [slice(a, b) for a, b in pairwise(bounds)]
    if threads == 1:
        work(slices[0])
        return
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(work, slices))
