"""The A100's way to copy in the background: every thread copies 16 bytes a time, and waits for its own."""

from numba import cuda, float32

from hopperlab.device import cp_async, kernel

THREADS = 256
STAGES = 4
AHEAD = STAGES - 1
"""Tiles that are under way while one is worked on."""

TILE = 4 * THREADS
"""Elements of a tile: 16 bytes a thread."""


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
