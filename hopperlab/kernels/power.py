"""Kernels that keep the tensor cores busy with numbers of one's choice: what they draw depends on them."""

from numba import cuda, int32, uint8, uint32

from hopperlab.device import fence, kernel, wgmma

ROWS, COLUMNS, STEP = 64, 256, 128
TOGETHER = 4
"""Products of a group; as many as take all of `STEP`, 32 numbers each."""

FLOP_OF_A_GROUP = TOGETHER * 2 * ROWS * COLUMNS * 32
"""Floating-point operations of a block in a group: FP8, K of 32."""

NO_NAN = 0xF7
"""Bits of a byte that may be set: no E4M3 number with them is NaN."""


@kernel(signature="void(uint32, int32, float32[:, ::1])")
def multiply(scramble, groups, d):
    """Multiply the same two tiles of E4M3 numbers over and over: zeros if `scramble` is 0, else a mix.

    Parameters
    ----------
    scramble
        What makes the numbers: 0, or an odd number.
    groups
        How many groups of `TOGETHER` products a block makes.
    d
        Gets the sums: (64 * blocks, 256). A block is one warpgroup.
    """
    a = cuda.shared.array((ROWS, STEP), uint8, alignment=1024)
    b = cuda.shared.array((COLUMNS, STEP), uint8, alignment=1024)
    thread = uint32(cuda.threadIdx.x)
    for row in range(ROWS):
        a[row, thread] = uint8(
            (scramble * (thread + uint32(STEP * row) + uint32(1)) >> uint32(13)) & uint32(NO_NAN)
        )
    for row in range(COLUMNS):
        b[row, thread] = uint8(
            (scramble * (thread + uint32(STEP * row) + uint32(7)) >> uint32(11)) & uint32(NO_NAN)
        )
    fence.proxy_async_shared()
    cuda.syncthreads()
    tile = wgmma.zeros(COLUMNS, "f32")
    a_step, b_step = wgmma.descriptor(a), wgmma.descriptor(b)
    left = int32(groups)
    while left > 0:
        left = int32(left - 1)
        wgmma.fence()
        for _ in range(TOGETHER):
            tile = wgmma.mma_async(tile, a_step, b_step, "e4m3", "e4m3")
        wgmma.commit_group()
        tile = wgmma.wait_group(tile, 1)
    tile = wgmma.wait_group(tile, 0)
    wgmma.store(tile, d, cuda.blockIdx.x * ROWS, 0)


@kernel(signature="void(uint8[:, ::1], uint8[:, ::1], int32, float32[:, ::1])")
def multiply_given(rows, columns, groups, d):
    """Multiply two tiles of E4M3 numbers over and over, from their first column to their last in each group.

    The instructions are those of `multiply`, but that each of a group takes the next 32 of the 128 columns.

    Parameters
    ----------
    rows, columns
        The tiles: (64, 128) and (256, 128). Each row of `d` belongs to one of `rows`, each column to one of
        `columns`.
    groups
        How many groups of `TOGETHER` products a block makes.
    d
        Gets the sums: (64 * blocks, 256). A block is one warpgroup.
    """
    a = cuda.shared.array((ROWS, STEP), uint8, alignment=1024)
    b = cuda.shared.array((COLUMNS, STEP), uint8, alignment=1024)
    thread = uint32(cuda.threadIdx.x)
    for row in range(ROWS):
        a[row, thread ^ uint32(row % 8 * 16)] = rows[row, thread]  # swizzled, by chunks of 16 bytes
    for row in range(COLUMNS):
        b[row, thread ^ uint32(row % 8 * 16)] = columns[row, thread]
    fence.proxy_async_shared()
    cuda.syncthreads()
    tile = wgmma.zeros(COLUMNS, "f32")
    left = int32(groups)
    while left > 0:
        left = int32(left - 1)
        wgmma.fence()
        for step in range(TOGETHER):
            a_step = wgmma.advance(wgmma.descriptor(a), step)
            b_step = wgmma.advance(wgmma.descriptor(b), step)
            tile = wgmma.mma_async(tile, a_step, b_step, "e4m3", "e4m3")
        wgmma.commit_group()
        tile = wgmma.wait_group(tile, 1)
    tile = wgmma.wait_group(tile, 0)
    wgmma.store(tile, d, cuda.blockIdx.x * ROWS, 0)
