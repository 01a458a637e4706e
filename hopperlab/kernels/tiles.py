"""Tiles read as fast as they come: by the engine, by threads with and without cp.async, shared by a cluster.

All of these read and throw away: what is measured is the way into shared memory. A word of each tile is added
up, which proves that it came.
"""

from functools import cache

from numba import cuda, float32, int32, uint32

from hopperlab.device import Kernel, bulk, clock, cluster, cp_async, fence, kernel, mbarrier, tma

SIDE = 64
"""Rows and columns of the tile that all ways read alike: 16 KiB of float32."""

TILE_BYTES = 4 * SIDE * SIDE
THREADS = 256
"""Of a block whose threads copy."""

ASKS, READS = 0, 32
"""The first threads of the two warps of `read_boxes` and `read_shared_boxes`: one asks, one reads."""

MOST_STAGES = 16
CHUNK = 4
"""Elements of 16 bytes."""

REPORT = (uint32[::1], uint32[::1])


@kernel(signature=(tma.map_type(2), int32, int32, int32, int32, int32, int32, *REPORT))
def read_boxes(source, width, height, each, stages, share, rows, cycles, sums):
    """Read the boxes of an image, `stages` of them under way: one thread asks, one reads a word.

    A block begins at the box that its index names, and goes down the image by as many boxes as the grid is high.

    Parameters
    ----------
    source
        Map of a float32 image, its box `height` rows of `width` columns.
    width, height
        Of a box.
    each
        Boxes that a block reads.
    stages
        1 to `MOST_STAGES`. A block's dynamic shared memory holds as many boxes.
    share
        Neighboring blocks along x that read the same boxes: 1 if each reads its own.
    rows
        Of the image: below the last, it begins anew.
    cycles, sums
        For each block, row by row of the grid: clock cycles taken, and the sum of each box's first word.
    """
    ring = cuda.shared.array(0, uint32, alignment=1024)
    full = mbarrier.shared(MOST_STAGES)
    empty = mbarrier.shared(MOST_STAGES)
    thread, block = cuda.threadIdx.x, cuda.blockIdx.y * cuda.gridDim.x + cuda.blockIdx.x
    words = width * height
    if thread == 0:
        for stage in range(stages):
            mbarrier.init(full[stage], 1)
            mbarrier.init(empty[stage], 1)
        fence.mbarrier_init()
    cuda.syncthreads()
    stage, lap = 0, uint32(0)
    if thread == ASKS:
        left, top, step = cuda.blockIdx.x // share * width, cuda.blockIdx.y * height, cuda.gridDim.y * height
        for _ in range(each):
            mbarrier.wait(empty[stage], lap ^ uint32(1))
            mbarrier.arrive_expect_tx(full[stage], uint32(4 * words))
            tma.load(ring[stage * words :], source, (left, top), full[stage])
            top = top + step if top + step < rows else top + step - rows
            stage += 1
            if stage == stages:
                stage, lap = 0, lap ^ uint32(1)
    elif thread == READS:
        total = uint32(0)
        start = clock()
        for _ in range(each):
            mbarrier.wait(full[stage], lap)
            total += ring[stage * words]
            mbarrier.arrive(empty[stage])
            stage += 1
            if stage == stages:
                stage, lap = 0, lap ^ uint32(1)
        cycles[block], sums[block] = clock() - start, total


@kernel(signature=(tma.map_type(2), int32, int32, int32, int32, *REPORT))
def read_shared_boxes(source, each, stages, requesters, rows, cycles, sums):
    """Let a cluster along x read tiles that all of its blocks need: some of them ask, and what comes goes to all.

    Parameters
    ----------
    source
        Map of a float32 image. With R requesters its box has `SIDE` / R rows of `SIDE` columns.
    each, stages, rows
        As for `read_boxes`; a cluster takes tiles of `SIDE` rows and columns.
    requesters
        1, if the block of rank 0 asks for whole tiles; or the cluster's size, if each asks for a part.
    cycles, sums
        As for `read_boxes`.
    """
    ring = cuda.shared.array(0, uint32, alignment=1024)
    full = mbarrier.shared(MOST_STAGES)
    empty = mbarrier.shared(MOST_STAGES)
    thread, block = cuda.threadIdx.x, cuda.blockIdx.y * cuda.gridDim.x + cuda.blockIdx.x
    rank, size = int32(cluster.block_rank()), int32(cluster.num_blocks())
    if thread == 0:
        for stage in range(stages):
            mbarrier.init(full[stage], 1)
            mbarrier.init(empty[stage], uint32(size))
        fence.mbarrier_init()
    cluster.sync()
    stage, lap = 0, uint32(0)
    if thread == ASKS:
        everyone = (uint32(1) << uint32(size)) - uint32(1)
        part = rank * (SIDE // requesters)
        left, step = cuda.blockIdx.x // size * SIDE, cuda.gridDim.y * SIDE
        top = cuda.blockIdx.y * SIDE + part
        for _ in range(each):
            mbarrier.wait(empty[stage], lap ^ uint32(1), scope="cluster")  # all have read what was there
            mbarrier.arrive_expect_tx(full[stage], TILE_BYTES)
            if rank < requesters:
                at = stage * SIDE * SIDE + part * SIDE
                tma.load_multicast(ring[at:], source, (left, top), full[stage], everyone)
            top = top + step if top + step < rows else top + step - rows
            stage += 1
            if stage == stages:
                stage, lap = 0, lap ^ uint32(1)
    elif thread >= READS:
        total = uint32(0)
        start = clock()
        for _ in range(each):
            mbarrier.wait(full[stage], lap, scope="cluster")
            total += ring[stage * SIDE * SIDE]
            cuda.syncwarp()
            if thread - READS < size:  # a lane tells each block that this one has read
                mbarrier.arrive_relaxed(cluster.map_shared_rank(empty[stage], uint32(thread - READS)))
            stage += 1
            if stage == stages:
                stage, lap = 0, lap ^ uint32(1)
        if thread == READS:
            cycles[block], sums[block] = clock() - start, total
    cluster.sync()  # no block leaves while others may still write to it


@cache
def read_by_cp_async(stages: int) -> Kernel:
    """Give a kernel that reads an image's tiles as on the A100, with so many stages.

    Every thread computes its addresses, compares them with the image's edges, and copies 16 bytes a time. The
    kernel's arguments are the image, `each`, `cycles` and `sums`, as for `read_boxes`.
    """
    ahead = stages - 1

    @kernel(signature=(float32[:, ::1], int32, *REPORT), launch_bounds=THREADS)
    def read(source, each, cycles, sums):
        ring = cuda.shared.array(0, uint32, alignment=1024)
        thread = cuda.threadIdx.x
        row, column = thread // (SIDE // CHUNK), thread % (SIDE // CHUNK) * CHUNK
        left, top, step = cuda.blockIdx.x * SIDE + column, cuda.blockIdx.y * SIDE, cuda.gridDim.y * SIDE
        total = uint32(0)
        start = clock()
        for k in range(each + ahead):
            if k < each:
                for part in range(SIDE * SIDE // (THREADS * CHUNK)):
                    down = row + part * (THREADS * CHUNK // SIDE)
                    if top + down < source.shape[0] and left < source.shape[1]:
                        at = (k % stages * SIDE + down) * SIDE + column
                        cp_async.copy(ring, at, source, (top + down, left), cache="cg")
                top += step
            cp_async.commit_group()
            if k >= ahead:
                cp_async.wait_group(ahead)
                cuda.syncthreads()
                total += ring[(k - ahead) % stages * SIDE * SIDE]
                cuda.syncthreads()  # the tile is read before it is copied over
        if thread == 0:
            block = cuda.blockIdx.y * cuda.gridDim.x + cuda.blockIdx.x
            cycles[block], sums[block] = clock() - start, total

    return read


@kernel(signature=(float32[:, ::1], int32, *REPORT), launch_bounds=THREADS)
def read_by_loads(source, each, cycles, sums):
    """Read an image's tiles by plain loads and stores: through registers, 4 bytes a thread and a time."""
    tile = cuda.shared.array(0, float32, alignment=1024)
    words = cuda.shared.array(0, uint32, alignment=1024)  # the same memory
    thread = cuda.threadIdx.x
    row, column = thread // SIDE, thread % SIDE
    left, top, step = cuda.blockIdx.x * SIDE + column, cuda.blockIdx.y * SIDE, cuda.gridDim.y * SIDE
    total = uint32(0)
    start = clock()
    for _ in range(each):
        for part in range(SIDE * SIDE // THREADS):
            down = row + part * (THREADS // SIDE)
            inside = top + down < source.shape[0] and left < source.shape[1]
            tile[down * SIDE + column] = source[top + down, left] if inside else float32(0)
        top += step
        cuda.syncthreads()
        total += words[0]
        cuda.syncthreads()
    if thread == 0:
        block = cuda.blockIdx.y * cuda.gridDim.x + cuda.blockIdx.x
        cycles[block], sums[block] = clock() - start, total


@kernel(signature="void(uint32[::1], int32, uint32[::1], uint32[::1])")
def chase_by_engine(links, steps, cycles, sums):
    """Follow links through memory, 16 bytes fetched by the engine at each: one copy's whole latency.

    Parameters
    ----------
    links
        At a word's index, the index of the next; each on 16 bytes.
    steps
        Links to follow.
    cycles, sums
        Clock cycles taken, and where it ended.
    """
    inbox = cuda.shared.array(4, uint32, alignment=16)
    full = mbarrier.shared()
    if cuda.threadIdx.x == 0:
        mbarrier.init(full, 1)
        fence.mbarrier_init()
        at = uint32(0)
        start = clock()
        for i in range(steps):
            mbarrier.arrive_expect_tx(full, 16)
            bulk.load(inbox, links[at:], 16, full)
            mbarrier.wait(full, i % 2)
            at = inbox[0]
        cycles[0] = clock() - start
        sums[0] = at


@kernel(signature="void(uint32[::1], int32, uint32[::1], uint32[::1])")
def chase_by_loads(links, steps, cycles, sums):
    """Follow the same links by plain loads."""
    if cuda.threadIdx.x == 0:
        at = uint32(0)
        start = clock()
        for _ in range(steps):
            at = links[at]
        cycles[0] = clock() - start
        sums[0] = at
