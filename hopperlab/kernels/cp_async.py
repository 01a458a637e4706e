"""The A100's way to copy in the background: every thread copies 16 bytes a time, and waits for its own."""

from numba import cuda, float32

from hopperlab.device import cp_async, kernel

THREADS = 256
STAGES = 4
AHEAD = STAGES - 1
"""Tiles that are under way while one is worked on."""

TILE = 4 * THREADS
"""Elements of a tile: 16 bytes a thread."""

HEIGHT, WIDTH, CHUNK = 16, 32, 4
"""Rows and columns of a tile in `copy_tiles_by_threads`, and elements of 16 bytes."""

COPIERS = HEIGHT * WIDTH // CHUNK


@kernel(signature="void(float32, float32[::1], float32[::1])")
def scale_as_on_the_a100(factor, source, target):
    """Multiply an array by a factor, with `AHEAD` tiles under way while one is worked on.

    Parameters
    ----------
    factor
        What each element is multiplied by.
    source, target
        Arrays of a multiple of `TILE` elements; blocks of `THREADS` threads take tiles in turn.
    """
    ring = cuda.shared.array((STAGES, TILE), float32, alignment=16)
    thread = cuda.threadIdx.x
    tiles = source.size // TILE
    mine = (tiles - cuda.blockIdx.x + cuda.gridDim.x - 1) // cuda.gridDim.x
    for k in range(mine + AHEAD):
        if k < mine:
            first = (cuda.blockIdx.x + k * cuda.gridDim.x) * TILE
            cp_async.copy(ring, (k % STAGES, 4 * thread), source, first + 4 * thread, cache="cg")
        cp_async.commit_group()  # an empty group keeps the count
        done = k - AHEAD
        if done >= 0:
            cp_async.wait_group(AHEAD)
            cuda.syncthreads()
            first = (cuda.blockIdx.x + done * cuda.gridDim.x) * TILE
            for i in range(thread, TILE, THREADS):
                target[first + i] = ring[done % STAGES, i] * factor
            cuda.syncthreads()  # the tile is read before it is copied over


@kernel(signature="void(float32[:, ::1], float32[:, ::1])", launch_bounds=COPIERS)
def copy_tiles_by_threads(source, target):
    """Copy an image tile by tile, a block each: every thread has its address, its comparison, and its way back.

    Parameters
    ----------
    source, target
        Images with rows of a multiple of `CHUNK` elements. The grid has as many blocks along x and y as it takes
        to cover the image; blocks of `COPIERS` threads.
    """
    tile = cuda.shared.array((HEIGHT, WIDTH), float32, alignment=16)
    thread = cuda.threadIdx.x
    row, column = thread // (WIDTH // CHUNK), thread % (WIDTH // CHUNK) * CHUNK
    down, right = cuda.blockIdx.y * HEIGHT + row, cuda.blockIdx.x * WIDTH + column
    inside = down < source.shape[0] and right < source.shape[1]
    if inside:
        cp_async.copy(tile, (row, column), source, (down, right), cache="cg")
    cp_async.commit_group()
    cp_async.wait_group(0)
    cuda.syncthreads()  # the others' copies are there too
    if inside:
        for i in range(CHUNK):
            target[down, right + i] = tile[row, column + i]
