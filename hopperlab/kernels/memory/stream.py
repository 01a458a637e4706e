"""Streams: reading, writing and copying with a chosen width, and a chosen number of bytes in flight."""

from functools import cache

from numba import cuda, int32, uint32, uint64

from hopperlab.device import Kernel, bulk, clock64, fence, global_timer, kernel, mbarrier
from hopperlab.kernels.memory.access import load_l2, load_l2_v2, load_v2, store_v2

WIDTHS = (4, 8, 16)
"""Bytes of one access of a thread."""

THREADS = 512
"""Threads of a block; of `read_tiles`, 32."""

TILE_BYTES = 16384
"""Bytes of a copy in `read_tiles`."""

STAGES = 6
"""Copies of a block of `read_tiles` under way at a time."""

PERIOD = 2**20
"""Words after which `fill` begins anew: 4 MiB."""

SCRAMBLE = 0x9E3779B1
"""What `fill` multiplies by: odd, so that no two words of a period are equal."""

TICKS = 4_000_000
"""Cycles that `tick` waits."""

_TYPES = {4: "uint32", 8: "uint64", 16: "uint64"}


@cuda.jit(device=True)
def _next(tile, step, tiles, total):
    """Go on by `step` tiles, around the end; not before `total` is known, which is never 1.

    Without the latter a compiler lets the next tile's loads begin before this one's are there, and there are
    more in flight than one has asked for.
    """
    tile = int32(tile + step)
    if total == uint64(1):
        tile = tiles
    return int32(tile - tiles) if tile >= tiles else tile


@cuda.jit(device=True)
def _stamp(times, moment):
    """Note cycles and nanoseconds, of the first block alone: their ratio is the clock."""
    if cuda.blockIdx.x == 0 and cuda.threadIdx.x == 0:
        times[moment, 0], times[moment, 1] = clock64(), global_timer()


@kernel(signature="void(uint64[:, ::1])")
def tick(times):
    """Wait for a few milliseconds and note cycles and nanoseconds before and after: their ratio is the clock."""
    _stamp(times, 0)
    start = clock64()
    while clock64() - start < uint64(TICKS):
        pass
    _stamp(times, 1)


@kernel(signature="void(uint32[::1])")
def fill(words):
    """Fill memory with numbers that look random and come again every `PERIOD` words."""
    for i in range(cuda.grid(1), words.size, cuda.gridsize(1)):
        words[i] = uint32(uint32(i) % uint32(PERIOD)) * uint32(SCRAMBLE)


@cache
def read(width: int, in_flight: int, through_l1: bool = False) -> Kernel:
    """Give the kernel whose threads load `width` bytes, `in_flight` of them at a time.

    It takes (words, tiles, step, count, sums, times). A tile is what the `THREADS` threads of a block load at a time; a
    block reads `count` of the first `tiles` tiles, beginning with that of its number and going on by `step`,
    around the end; both are below `tiles`. `sums` gets, for each thread of the grid, the sum of all that it
    read, `times` the first block's cycles and nanoseconds at begin and end: uint64, (2, 2).

    Parameters
    ----------
    width
        One of `WIDTHS`; the words are uint32 for 4 bytes, else uint64.
    in_flight
        Loads of a thread before it needs the first.
    through_l1
        Whether the L1 cache may answer loads of 16 bytes; others pass it by.
    """
    load_pair = load_v2 if through_l1 else load_l2_v2
    word = _TYPES[width]
    signature = f"void({word}[::1], int32, int32, int32, uint64[::1], uint64[:, ::1])"

    @kernel(signature=signature)
    def read_singly(words, tiles, step, count, sums, times):
        held = cuda.local.array(in_flight, uint64)
        total = uint64(0)
        tile = int32(int32(cuda.blockIdx.x) % tiles)
        _stamp(times, 0)
        for _ in range(count):
            first = uint64(tile) * uint64(THREADS * in_flight) + uint64(cuda.threadIdx.x)
            for j in range(in_flight):
                held[j] = load_l2(words, first + uint64(j * THREADS))
            for j in range(in_flight):
                total += held[j]
            tile = _next(tile, step, tiles, total)
        sums[cuda.grid(1)] = total
        _stamp(times, 1)

    @kernel(signature=signature)
    def read_in_pairs(words, tiles, step, count, sums, times):
        low = cuda.local.array(in_flight, uint64)
        high = cuda.local.array(in_flight, uint64)
        total = uint64(0)
        tile = int32(int32(cuda.blockIdx.x) % tiles)
        _stamp(times, 0)
        for _ in range(count):
            first = uint64(tile) * uint64(2 * THREADS * in_flight) + uint64(2 * cuda.threadIdx.x)
            for j in range(in_flight):
                low[j], high[j] = load_pair(words, first + uint64(2 * j * THREADS))
            for j in range(in_flight):
                total += low[j] + high[j]
            tile = _next(tile, step, tiles, total)
        sums[cuda.grid(1)] = total
        _stamp(times, 1)

    return read_in_pairs if width == 16 else read_singly


@cache
def write(in_flight: int) -> Kernel:
    """Give the kernel whose threads store 16 bytes, `in_flight` of them a tile.

    It takes (words, tiles, step, count, value, times), as `read` does; every word becomes `value`.
    """

    @kernel(signature="void(uint64[::1], int32, int32, int32, uint64, uint64[:, ::1])")
    def write_pairs(words, tiles, step, count, value, times):
        tile = int32(int32(cuda.blockIdx.x) % tiles)
        _stamp(times, 0)
        for _ in range(count):
            first = uint64(tile) * uint64(2 * THREADS * in_flight) + uint64(2 * cuda.threadIdx.x)
            for j in range(in_flight):
                store_v2(words, first + uint64(2 * j * THREADS), (value, value))
            tile = _next(tile, step, tiles, uint64(0))
        _stamp(times, 1)

    return write_pairs


@cache
def copy(in_flight: int) -> Kernel:
    """Give the kernel whose threads copy 16 bytes, `in_flight` of them at a time.

    It takes (source, target, tiles, step, count, times), as `read` does.
    """

    @kernel(signature="void(uint64[::1], uint64[::1], int32, int32, int32, uint64[:, ::1])")
    def copy_pairs(source, target, tiles, step, count, times):
        low = cuda.local.array(in_flight, uint64)
        high = cuda.local.array(in_flight, uint64)
        tile = int32(int32(cuda.blockIdx.x) % tiles)
        _stamp(times, 0)
        for _ in range(count):
            first = uint64(tile) * uint64(2 * THREADS * in_flight) + uint64(2 * cuda.threadIdx.x)
            for j in range(in_flight):
                low[j], high[j] = load_l2_v2(source, first + uint64(2 * j * THREADS))
            for j in range(in_flight):
                store_v2(target, first + uint64(2 * j * THREADS), (low[j], high[j]))
            tile = _next(tile, step, tiles, uint64(0))
        _stamp(times, 1)

    return copy_pairs


@kernel(signature="void(uint64[::1], int32, int32, int32, uint64[::1], uint64[:, ::1])")
def read_tiles(words, tiles, step, count, sums, times):
    """Let one thread of a block read tiles by the copy engine, `STAGES` of them under way.

    Its arguments are those of `read`, of tiles of `TILE_BYTES`; `sums` gets, for each block, the sum of the
    first words of its tiles. The tiles lie in shared memory and nobody else looks at them.
    """
    memory = cuda.shared.array(0, uint64, alignment=128)
    full = mbarrier.shared(STAGES)
    words_of_a_tile = TILE_BYTES // 8
    if cuda.threadIdx.x == 0:
        for stage in range(STAGES):
            mbarrier.init(full[stage], 1)
        fence.mbarrier_init()
        total = uint64(0)
        ahead = behind = 0
        asked = int32(int32(cuda.blockIdx.x) % tiles)
        _stamp(times, 0)
        while behind < count:
            while ahead < count and ahead < behind + STAGES:
                stage = ahead % STAGES
                mbarrier.arrive_expect_tx(full[stage], TILE_BYTES)
                source = words[uint64(asked) * uint64(words_of_a_tile) :]
                bulk.load(memory[stage * words_of_a_tile :], source, TILE_BYTES, full[stage])
                asked = _next(asked, step, tiles, uint64(0))
                ahead += 1
            stage = behind % STAGES
            mbarrier.wait(full[stage], behind // STAGES % 2)
            total += memory[stage * words_of_a_tile]
            behind += 1
        sums[cuda.blockIdx.x] = total
        _stamp(times, 1)
