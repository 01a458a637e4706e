"""Kernels about the tensor memory accelerator: boxes copied, shared out, stored and added; bytes in bulk."""

from functools import cache

from numba import cuda, float32, int32, types, uint8, uint32

from hopperlab.device import Kernel, bulk, cluster, fence, kernel, mbarrier, nanosleep, tma

HEIGHT, WIDTH = 16, 32
"""Rows and columns of a tile in `copy_tiles`, `broadcast_tile` and `add_tiles`."""

TILE_BYTES = 4 * HEIGHT * WIDTH


def box_signature(rank: int) -> tuple:
    """Give the argument types of `copy_box` for a rank."""
    return (tma.map_type(rank), tma.map_type(rank), types.UniTuple(int32, rank), uint32)


@kernel(signature=(tma.map_type(2), tma.map_type(2)))
def copy_tiles(source, target):
    """Copy an image tile by tile, a block each: one thread asks, waits, and asks again for the way back.

    Where a tile hangs over the image's edge, what is loaded there is filled in and what is stored there is
    left out: no thread compares an index with a size.

    Parameters
    ----------
    source, target
        Maps of float32 images, with boxes of `HEIGHT` rows and `WIDTH` columns. The grid has as many blocks
        along x and y as it takes to cover the image.
    """
    tile = cuda.shared.array((HEIGHT, WIDTH), float32, alignment=128)
    full = mbarrier.shared()
    if cuda.threadIdx.x == 0:
        mbarrier.init(full, 1)
        fence.mbarrier_init()
        corner = (cuda.blockIdx.x * WIDTH, cuda.blockIdx.y * HEIGHT)
        mbarrier.arrive_expect_tx(full, TILE_BYTES)
        tma.load(tile, source, corner, full)
        mbarrier.wait(full, 0)
        tma.store(target, corner, tile)
        tma.commit_group()
        tma.wait_group(0)


@kernel(signature=box_signature(2))
def copy_box(source, target, corner, nbytes):
    """Copy one box, of any rank, from one tensor to another.

    Parameters
    ----------
    source, target
        Maps of the same rank, with equal boxes.
    corner
        Where the box begins in both: a coordinate for each dimension, innermost first.
    nbytes
        Of the box. The tile's bytes are the launch's dynamic shared memory.
    """
    tile = cuda.shared.array(0, uint8, alignment=128)
    full = mbarrier.shared()
    if cuda.threadIdx.x == 0:
        mbarrier.init(full, 1)
        fence.mbarrier_init()
        mbarrier.arrive_expect_tx(full, nbytes)
        tma.load(tile, source, corner, full)
        mbarrier.wait(full, 0)
        tma.store(target, corner, tile)
        tma.commit_group()
        tma.wait_group(0)


def landing_signature(rank: int) -> tuple:
    """Give the argument types of `land_box` for a rank."""
    return (tma.map_type(rank), types.UniTuple(int32, rank), uint32, float32[::1])


@kernel(signature=landing_signature(2))
def land_box(source, corner, nbytes, landed):
    """Bring one box, of any rank, into shared memory: one thread asks, all wait and look.

    Parameters
    ----------
    source
        Map of a float32 tensor.
    corner
        Where the box begins: a coordinate for each dimension, innermost first.
    nbytes
        What the barrier is told to expect.
    landed
        Gets the tile, as it lies in shared memory. The launch's dynamic shared memory holds it.
    """
    tile = cuda.shared.array(0, float32, alignment=1024)
    full = mbarrier.shared()
    thread = cuda.threadIdx.x
    if thread == 0:
        mbarrier.init(full, 1)
        fence.mbarrier_init()
        mbarrier.arrive_expect_tx(full, nbytes)
        tma.load(tile, source, corner, full)
    cuda.syncthreads()  # the barrier is there before any other thread waits on it
    mbarrier.wait(full, 0)
    for i in range(thread, landed.size, cuda.blockDim.x):
        landed[i] = tile[i]


@kernel(signature=(tma.map_type(2), float32[:, :, ::1]))
def broadcast_tile(source, copies):
    """Bring one tile into every block of a cluster, read from memory once.

    Parameters
    ----------
    source
        Map of a float32 image, with a box of `HEIGHT` rows and `WIDTH` columns.
    copies
        For each block of the grid, what it got: `HEIGHT` rows of `WIDTH`, read by `WIDTH` threads. The
        clusters take the image's tiles from left to right.
    """
    tile = cuda.shared.array((HEIGHT, WIDTH), float32, alignment=128)
    full = mbarrier.shared()
    column = cuda.threadIdx.x
    if column == 0:
        mbarrier.init(full, 1)
        fence.mbarrier_init()
        mbarrier.arrive_expect_tx(full, TILE_BYTES)  # every block expects the whole tile
    cluster.sync()  # every barrier is there before bytes count on it
    if column == 0 and cluster.block_rank() == 0:
        number = cuda.blockIdx.x // cluster.num_blocks()
        everyone = (uint32(1) << cluster.num_blocks()) - uint32(1)
        tma.load_multicast(tile, source, (number * WIDTH, 0), full, everyone)
    mbarrier.wait(full, 0, scope="cluster")
    for row in range(HEIGHT):
        copies[cuda.blockIdx.x, row, column] = tile[row, column]


@kernel(signature=(tma.map_type(2), float32))
def add_tiles(target, value):
    """Add a value to a whole image, without loading it: the memory system adds the tiles that come.

    Parameters
    ----------
    target
        Map of a float32 image, with boxes of `HEIGHT` rows and `WIDTH` columns; a block of `WIDTH` threads
        covers each.
    value
        What is added.
    """
    tile = cuda.shared.array((HEIGHT, WIDTH), float32, alignment=128)
    column = cuda.threadIdx.x
    for row in range(HEIGHT):
        tile[row, column] = value
    fence.proxy_async_shared()  # each thread shows the engine what it wrote,
    cuda.syncthreads()  # and only then one of them starts it
    if column == 0:
        tma.reduce(target, (cuda.blockIdx.x * WIDTH, cuda.blockIdx.y * HEIGHT), tile)
        tma.commit_group()
        tma.wait_group(0)


@cache
def stream_copy(piece_bytes: int, pieces: int) -> Kernel:
    """Give a kernel that copies memory through shared memory: a block, `pieces` that follow each other.

    One thread of a block asks for all of its pieces and sends each on as it lands. The grid covers the memory;
    a block's dynamic shared memory holds its pieces, and more of it lets fewer blocks share an SM. Blocks that
    end and make room for the next are faster than blocks that go on.
    """
    portion = piece_bytes * pieces

    @kernel(signature="void(uint8[::1], uint8[::1])")
    def stream(source, target):
        ring = cuda.shared.array(0, uint8, alignment=128)
        full = mbarrier.shared(pieces)
        first = cuda.blockIdx.x * portion
        rest = source.size - first
        if cuda.threadIdx.x == 0:
            for piece in range(pieces):
                mbarrier.init(full[piece], 1)
            fence.mbarrier_init()
            if rest >= portion:
                for piece in range(pieces):
                    at = piece * piece_bytes
                    mbarrier.arrive_expect_tx(full[piece], piece_bytes)
                    bulk.load(ring[at:], source[first + at :], piece_bytes, full[piece])
                for piece in range(pieces):
                    at = piece * piece_bytes
                    mbarrier.wait(full[piece], 0)
                    bulk.store(target[first + at :], ring[at:], piece_bytes)
            else:
                mbarrier.arrive_expect_tx(full[0], rest)
                bulk.load(ring, source[first:], rest, full[0])
                mbarrier.wait(full[0], 0)
                bulk.store(target[first:], ring, rest)
            bulk.commit_group()
            bulk.wait_group_read(0)  # what is still read from must not be given to another block

    return stream


@kernel(signature=(tma.map_type(2), types.UniTuple(int32, 2), uint32, uint8[::1], uint32[::1]))
def observe_load(source, corner, nbytes, landed, phases):
    """Load one box into memory that was filled with 0xA5, and show every byte and when its barrier turned.

    Parameters
    ----------
    source
        A map of any rank.
    corner
        Where the box begins, innermost first.
    nbytes
        What the barrier is told to expect.
    landed
        Gets all of the dynamic shared memory, which is as large.
    phases
        Gets the barrier's parity twice: with the bytes landed and an arrival missing, and after that arrival.
        0 and 1 mean that exactly `nbytes` counted.
    """
    tile = cuda.shared.array(0, uint8, alignment=1024)
    full = mbarrier.shared()
    for i in range(cuda.threadIdx.x, landed.size, cuda.blockDim.x):
        tile[i] = 0xA5
    fence.proxy_async_shared()
    cuda.syncthreads()
    if cuda.threadIdx.x == 0:
        mbarrier.init(full, 2)
        fence.mbarrier_init()
        mbarrier.arrive_expect_tx(full, nbytes)
        tma.load(tile, source, corner, full)
        for _ in range(10):
            nanosleep(4000)
        phases[0] = mbarrier.test_wait(full, 0)
        mbarrier.arrive(full)
        phases[1] = mbarrier.test_wait(full, 0)
        fence.proxy_async()
    cuda.syncthreads()
    for i in range(cuda.threadIdx.x, landed.size, cuda.blockDim.x):
        landed[i] = tile[i]


@cache
def write_box(operation: str) -> Kernel:
    """Give a kernel that writes one tile to a box: "store" it, or combine it by a reduction of that name."""

    @kernel(signature=(tma.map_type(2), types.UniTuple(int32, 2), uint8[::1]))
    def stored(target, corner, given):
        tile = cuda.shared.array(0, uint8, alignment=1024)
        for i in range(cuda.threadIdx.x, given.size, cuda.blockDim.x):
            tile[i] = given[i]
        fence.proxy_async_shared()
        cuda.syncthreads()
        if cuda.threadIdx.x == 0:
            tma.store(target, corner, tile)
            tma.commit_group()
            tma.wait_group(0)

    @kernel(signature=(tma.map_type(2), types.UniTuple(int32, 2), uint8[::1]))
    def combined(target, corner, given):
        tile = cuda.shared.array(0, uint8, alignment=1024)
        for i in range(cuda.threadIdx.x, given.size, cuda.blockDim.x):
            tile[i] = given[i]
        fence.proxy_async_shared()
        cuda.syncthreads()
        if cuda.threadIdx.x == 0:
            tma.reduce(target, corner, tile, operation)
            tma.commit_group()
            tma.wait_group(0)

    return stored if operation == "store" else combined
