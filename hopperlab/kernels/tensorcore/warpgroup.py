"""wgmma, the whole of it: tiles come by TMA, a warpgroup multiplies them, and the sum leaves its registers."""

from functools import cache

from numba import cuda, int32, types, uint8

from hopperlab.device import Kernel, fence, kernel, mbarrier, tma, wgmma

ROWS = 64
STEP = 128  # bytes along K that a tile holds: four instructions


@cache
def tile_product(a_format: str, b_format: str, columns: int = 64, accumulators: str = "f32") -> Kernel:
    """Give the kernel D = C + A B^T in one pair of formats, each block a tile of 64 x `columns`.

    It takes maps of A (M, K) and B (N, K) as bytes, in boxes of (64, 128) and (columns, 128) with a swizzle of
    128, C and D (M, N) as float32 or float16, and the bytes of a row, a multiple of 128. Launch it on
    (M / 64, N / columns) blocks of 128 threads.
    """
    element = "float32" if accumulators == "f32" else "float16"
    map_type = tma.map_type(2)
    signature = (
        map_type,
        map_type,
        types.Array(getattr(types, element), 2, "C"),
        types.Array(getattr(types, element), 2, "C"),
        int32,
    )

    @kernel(signature=signature)
    def multiply(a_map, b_map, c, d, row_bytes):
        a = cuda.shared.array((ROWS, STEP), uint8, alignment=1024)
        b = cuda.shared.array((columns, STEP), uint8, alignment=1024)
        full = mbarrier.shared()
        leader = cuda.threadIdx.x == 0
        if leader:
            mbarrier.init(full, 1)
            fence.mbarrier_init()
        cuda.syncthreads()

        row, column = cuda.blockIdx.x * ROWS, cuda.blockIdx.y * columns
        tile = wgmma.load(c, row, column, columns)
        parity = 0
        for k in range(0, row_bytes, STEP):
            if leader:
                mbarrier.arrive_expect_tx(full, (ROWS + columns) * STEP)
                tma.load(a, a_map, (k, row), full)
                tma.load(b, b_map, (k, column), full)
            mbarrier.wait(full, parity)
            parity ^= 1
            wgmma.fence()
            for step in range(STEP // 32):
                a_step = wgmma.advance(wgmma.descriptor(a), step)
                b_step = wgmma.advance(wgmma.descriptor(b), step)
                tile = wgmma.mma_async(tile, a_step, b_step, a_format, b_format)
            wgmma.commit_group()
            tile = wgmma.wait_group(tile)
            cuda.syncthreads()
        wgmma.store(tile, d, row, column)

    return multiply
