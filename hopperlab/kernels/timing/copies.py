"""Copies of the engine between global and shared memory: alone, and several under way at once."""

from numba import cuda, uint8, uint32

from hopperlab.device import bulk, clock, fence, kernel, mbarrier, tma


@kernel(signature=(uint32, tma.map_type(2), uint32, uint32, uint32, uint32[::1]))
def load_boxes(rounds, source, rows, boxes, together, cycles):
    """Load boxes and wait for them, some at a time.

    Parameters
    ----------
    rounds
        How often to load and wait.
    source
        A map of float32, whose box has all columns.
    rows, boxes
        Rows of a box, and how many boxes the tensor has.
    together
        Boxes asked for at a time; dynamic shared memory has room for them.
    cycles
        The clock cycles of all rounds.
    """
    tile = cuda.shared.array(0, uint8, alignment=128)
    full = mbarrier.shared()
    if cuda.threadIdx.x == 0:
        mbarrier.init(full, 1)
        fence.mbarrier_init()
        nbytes = rows * uint32(256)
        box = uint32(0)
        start = clock()
        for i in range(rounds):
            mbarrier.arrive_expect_tx(full, nbytes * together)
            for k in range(together):
                tma.load(tile[k * nbytes :], source, (0, box * rows), full)
                box = (box + uint32(1)) & (boxes - uint32(1))
            mbarrier.wait(full, i % 2)
        cycles[0] = clock() - start


@kernel(signature="void(uint32, uint8[::1], uint32, uint32[::1])")
def load_bytes(rounds, source, nbytes, cycles):
    """Load bytes in bulk and wait for them: `nbytes` at a time, from another place of `source` each time."""
    tile = cuda.shared.array(0, uint8, alignment=128)
    full = mbarrier.shared()
    if cuda.threadIdx.x == 0:
        mbarrier.init(full, 1)
        fence.mbarrier_init()
        pieces = uint32(source.size) // nbytes
        piece = uint32(0)
        start = clock()
        for i in range(rounds):
            mbarrier.arrive_expect_tx(full, nbytes)
            bulk.load(tile, source[piece * nbytes :], nbytes, full)
            piece = (piece + uint32(1)) & (pieces - uint32(1))
            mbarrier.wait(full, i % 2)
        cycles[0] = clock() - start


@kernel(signature="void(uint32, uint8[::1], uint32, uint32[::1])")
def store_bytes(rounds, target, nbytes, cycles):
    """Store bytes in bulk: wait until they are there, and in a second part only until they have been read.

    The stores of the second part may pass each other: all of them write the same bytes.
    """
    tile = cuda.shared.array(0, uint8, alignment=128)
    for i in range(cuda.threadIdx.x, nbytes, cuda.blockDim.x):
        tile[i] = 1
    fence.proxy_async_shared()
    cuda.syncthreads()
    if cuda.threadIdx.x == 0:
        start = clock()
        for _ in range(rounds):
            bulk.store(target, tile, nbytes)
            bulk.commit_group()
            bulk.wait_group(0)
        cycles[0] = clock() - start
        start = clock()
        for _ in range(rounds):
            bulk.store(target, tile, nbytes)
            bulk.commit_group()
            bulk.wait_group_read(0)
        cycles[1] = clock() - start
        bulk.wait_group(0)
