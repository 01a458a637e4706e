"""mma.sync, the way before Hopper: a warp gathers small tiles into registers, multiplies, and waits for it."""

from functools import cache

from numba import cuda, float32, types, uint32

from hopperlab.device import Kernel, kernel, mma

ROWS, COLUMNS = 16, 8
STEP = 8  # words of 32 bits along K that an instruction takes


@cuda.jit(device=True)
def words_of_a(a, row, word):
    """This lane's words of a tile of A: rows `row` on, words `word` on along K."""
    return a[row, word], a[row + 8, word], a[row, word + 4], a[row + 8, word + 4]


@cache
def warp_product(a_format: str, b_format: str, accumulators: str = "f32") -> Kernel:
    """Give the kernel D = C + A B^T in one pair of formats, each block a warp with a tile of 16 x 8.

    It takes A (M, K), B (N, K) as words of 32 bits along K, and C and D: (M, N) of float32, or (M, N / 2) of
    uint32 that hold two float16. Launch it on (M / 16, N / 8) blocks of 32 threads.
    """
    words = types.Array(uint32, 2, "C")

    @kernel(signature=(words, words, types.Array(float32, 2, "C"), types.Array(float32, 2, "C")))
    def multiply_to_float32(a, b, c, d):
        group, lane = cuda.threadIdx.x >> 2, cuda.threadIdx.x & 3
        row, column = cuda.blockIdx.x * ROWS + group, cuda.blockIdx.y * COLUMNS + 2 * lane
        tile = (c[row, column], c[row, column + 1], c[row + 8, column], c[row + 8, column + 1])
        for k in range(0, a.shape[1], STEP):
            b_row = cuda.blockIdx.y * COLUMNS + group
            b_words = (b[b_row, k + lane], b[b_row, k + lane + 4])
            tile = mma.sync(tile, words_of_a(a, row, k + lane), b_words, a_format, b_format)
        d[row, column], d[row, column + 1] = tile[0], tile[1]
        d[row + 8, column], d[row + 8, column + 1] = tile[2], tile[3]

    @kernel(signature=(words, words, words, words))
    def multiply_to_float16(a, b, c, d):
        group, lane = cuda.threadIdx.x >> 2, cuda.threadIdx.x & 3
        row, pair = cuda.blockIdx.x * ROWS + group, cuda.blockIdx.y * (COLUMNS // 2) + lane
        tile = (c[row, pair], c[row + 8, pair])
        for k in range(0, a.shape[1], STEP):
            b_row = cuda.blockIdx.y * COLUMNS + group
            b_words = (b[b_row, k + lane], b[b_row, k + lane + 4])
            tile = mma.sync(tile, words_of_a(a, row, k + lane), b_words, a_format, b_format)
        d[row, pair], d[row + 8, pair] = tile[0], tile[1]

    return multiply_to_float32 if accumulators == "f32" else multiply_to_float16
