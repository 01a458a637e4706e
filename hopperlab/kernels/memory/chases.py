"""Pointer chases: each load's address is what the last one brought, so that their latencies add up."""

from functools import cache

import numpy as np
from numba import cuda, int32, uint8, uint32, uint64

from hopperlab.device import Kernel, clock, kernel, smid
from hopperlab.kernels.memory.access import (
    constant_address,
    load_address,
    load_address_l2,
    load_constant,
    load_shared,
    shared_address,
)

SHARED_LINKS = 4096
"""Links of the ring in `chase_shared`, at most: 16 KiB."""

SHARED_STEP = 17
"""Words from one link there to the next."""

CONSTANT_BYTES = 65536
"""Constants that `chase_constants` follows: all there may be (article-018)."""

CONSTANT_STEP = 64
"""Bytes from one link there to the next."""

CONSTANT_UNROLLED = 4
"""Of them, loads between two looks at the loop's counter."""

UNROLLED = 16
"""Loads between two looks at a loop's counter, so that counting hides behind loading; hops are a multiple."""

VISITS = 16
"""Visits to a line that `revisit_lines` times."""

LATE = 150
"""Cycles between those of an L1 hit and those of a miss, with the clock's own."""

SETTLING, COUNTED = 4, 8
"""Rounds of `count_misses` that are not counted, and rounds that are."""

MOST_LINES = 4096
"""Lines whose misses `count_misses` can keep: the L1 cache must not lose more to them than to any block."""


@kernel(signature="void(uint64[::1], uint64, uint32[::1], uint64)")
def link_up(words, base, order, stride):
    """Make a ring of lines: each holds the address of the line that follows it in `order`.

    Parameters
    ----------
    words
        The memory that the ring lies in.
    base
        The address of its first word.
    order
        Numbers of lines, each once.
    stride
        Words from one line to the next.
    """
    for i in range(cuda.grid(1), order.size, cuda.gridsize(1)):
        following = i + 1 if i + 1 < order.size else 0
        words[uint64(order[i]) * stride] = base + uint64(8) * stride * uint64(order[following])


@kernel(signature="void(uint32[::1], int32, uint32[::1], uint32[::1])")
def chase(chain, hops, cycles, ends):
    """Follow a chain of indices from its element 0, in one thread, as plain Python says it.

    Between two loads stands the multiply-add that makes an address of an index. `chase_addresses` has none.

    Parameters
    ----------
    chain
        For each element, the index of the next.
    hops
        How many are followed for warming up, and as many again for the time.
    cycles
        Gets the clock cycles of the latter.
    ends
        Gets the index at which the chain was left.
    """
    link = uint32(0)
    for _ in range(hops):
        link = chain[link]
    ends[0] = link
    left = int32(hops // UNROLLED)
    start = clock()
    while left > 0:
        left = int32(left - 1)
        for _ in range(UNROLLED):
            link = chain[link]
    ends[0] = link
    cycles[0] = clock() - start


@cache
def chase_addresses(through_l1: bool = True) -> Kernel:
    """Give the kernel that follows addresses, through the L1 cache or past it.

    It takes (words, base, stride, lines, hops, cycles, ends): a ring as `link_up` makes it, and how many lines
    it has. The block reads the whole ring once, line after line; then one thread follows it for `hops` hops to
    settle and as many again for the time. `cycles` gets the clock cycles of the latter, `ends` the address at
    which the ring was left.
    """
    load = load_address if through_l1 else load_address_l2

    @kernel(signature="void(uint64[::1], uint64, uint64, int32, int32, uint32[::1], uint64[::1])")
    def follow(words, base, stride, lines, hops, cycles, ends):
        total = uint64(0)
        for i in range(cuda.threadIdx.x, lines, cuda.blockDim.x):
            total += load(base + uint64(8) * stride * uint64(i))
        if total == uint64(1):  # it never is; but loads that nobody wants would be left out
            ends[0] = total
        cuda.syncthreads()
        if cuda.threadIdx.x == 0:
            address = base
            for _ in range(hops):
                address = load(address)
            ends[0] = address
            left = int32(hops // UNROLLED)
            start = clock()
            while left > 0:
                left = int32(left - 1)
                for _ in range(UNROLLED):
                    address = load(address)
            ends[0] = address
            cycles[0] = clock() - start

    return follow


@kernel(signature="void(uint64[::1], uint64, uint8[::1], uint64[::1])")
def count_misses(words, base, misses, ends):
    """Follow a ring round by round, in one thread, and count for each hop how often it missed the L1 cache.

    Parameters
    ----------
    words
        The memory that the ring lies in, as `link_up` makes it.
    base
        The address of its first line.
    misses
        Gets for each hop of a round, in order, how many of `COUNTED` rounds it took longer than `LATE` cycles;
        as long as the ring, up to `MOST_LINES`.
    ends
        Gets the address at which the ring was left: `base`.
    """
    seen = cuda.shared.array(1, uint64)
    counts = cuda.shared.array(MOST_LINES, uint8)
    for hop in range(misses.size):
        counts[hop] = 0
    address = base
    for turn in range(SETTLING + COUNTED):
        for hop in range(misses.size):
            start = clock()
            address = load_address(address)
            seen[0] = address  # waits until the load is done
            late = uint32(clock() - start) > uint32(LATE)
            if late and turn >= SETTLING:
                counts[hop] += 1
    ends[0] = seen[0]
    for hop in range(misses.size):
        misses[hop] = counts[hop]


@cache
def revisit_lines(by_atomics: bool = False) -> Kernel:
    """Give the kernel with which one SM loads each of some lines over and over, past its L1.

    It takes (sm, words, base, stride, cycles, ends): the number of the SM, the lines as for `link_up`, which
    are written to, and for each SM and line the clock cycles of `VISITS` visits and what the last one gave. One
    block an SM; those on other SMs do nothing. Atomic additions of 0 take the place of loads if `by_atomics`: no
    copy of a line can answer these, only the line itself.
    """

    @kernel(signature="void(uint32, uint64[::1], uint64, uint64, uint32[:, ::1], uint64[:, ::1])")
    def load_lines(sm, words, base, stride, cycles, ends):
        if cuda.threadIdx.x == 0 and smid() == sm:
            for line in range(cycles.shape[1]):
                address = base + uint64(8) * stride * uint64(line)
                words[stride * uint64(line)] = address
                cuda.threadfence()
                for _ in range(2):
                    address = load_address_l2(address)
                ends[sm, line] = address
                start = clock()
                for _ in range(VISITS):
                    address = load_address_l2(address)
                ends[sm, line] = address
                cycles[sm, line] = clock() - start

    @kernel(signature="void(uint32, uint64[::1], uint64, uint64, uint32[:, ::1], uint64[:, ::1])")
    def add_to_lines(sm, words, base, stride, cycles, ends):
        if cuda.threadIdx.x == 0 and smid() == sm:
            for line in range(cycles.shape[1]):
                at = stride * uint64(line)
                words[at] = 0
                cuda.threadfence()
                for _ in range(2):
                    at += cuda.atomic.add(words, at, uint64(0))
                ends[sm, line] = at
                start = clock()
                for _ in range(VISITS):
                    at += cuda.atomic.add(words, at, uint64(0))
                ends[sm, line] = at
                cycles[sm, line] = clock() - start

    return add_to_lines if by_atomics else load_lines


@kernel(signature="void(int32, int32, uint32[::1], uint32[::1])")
def chase_shared(links, hops, cycles, ends):
    """Follow `links` addresses through shared memory; `hops` as in `chase`.

    `cycles` gets the clock cycles, `ends` the number of the link at which the ring was left.
    """
    ring = cuda.shared.array(SHARED_LINKS, uint32)
    base = shared_address(ring)
    for i in range(cuda.threadIdx.x, links, cuda.blockDim.x):
        ring[i] = base + uint32(4) * uint32((i + int32(SHARED_STEP)) % links)
    cuda.syncthreads()
    if cuda.threadIdx.x == 0:
        address = base
        for _ in range(hops):
            address = load_shared(address)
        ends[0] = address
        left = int32(hops // UNROLLED)
        start = clock()
        while left > 0:
            left = int32(left - 1)
            for _ in range(UNROLLED):
                address = load_shared(address)
        ends[0] = (address - base) // uint32(4)
        cycles[0] = clock() - start


CONSTANTS = np.arange(1, CONSTANT_BYTES // 4 + 1, dtype=np.uint32) * np.uint32(4)
CONSTANTS += np.uint32(CONSTANT_STEP - 4)


@kernel(signature="void(int32, int32, uint32[::1], uint32[::1])")
def chase_constants(links, laps, cycles, ends):
    """Follow addresses through constant memory, `CONSTANT_STEP` bytes a hop.

    Parameters
    ----------
    links
        Links of a lap, a multiple of `CONSTANT_UNROLLED`.
    laps
        How many laps are timed, after two to warm up.
    cycles
        Gets their clock cycles.
    ends
        Gets where the constants begin, 0, and where the last lap ended.
    """
    lap = uint32(CONSTANT_STEP * links)
    base = constant_address(cuda.const.array_like(CONSTANTS))
    address = base
    for _ in range(2):
        for _ in range(links):
            address = load_constant(address)
        address -= lap
    ends[0] = address
    start = clock()
    for _ in range(laps):
        left = int32(links // CONSTANT_UNROLLED)
        while left > 0:
            left = int32(left - 1)
            for _ in range(CONSTANT_UNROLLED):
                address = load_constant(address)
        address -= lap
    ends[1] = address + lap
    cycles[0] = clock() - start
