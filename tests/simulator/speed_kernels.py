"""Three kernels that numba's CUDA simulator can run too; run as a program, it times them there, in processor time."""

import json
import sys
import time

import numpy as np
from numba import cuda, float32

TILE = 16


def reduction(x, out):
    partial = cuda.shared.array(256, float32)
    thread = cuda.threadIdx.x
    partial[thread] = x[cuda.grid(1)]
    cuda.syncthreads()
    half = 128
    while half > 0:
        if thread < half:
            partial[thread] += partial[thread + half]
        cuda.syncthreads()
        half //= 2
    if thread == 0:
        out[cuda.blockIdx.x] = partial[0]


def product(a, b, c):
    left = cuda.shared.array((TILE, TILE), float32)
    right = cuda.shared.array((TILE, TILE), float32)
    x = cuda.threadIdx.x
    y = cuda.threadIdx.y
    row = cuda.blockIdx.y * TILE + y
    column = cuda.blockIdx.x * TILE + x
    total = float32(0)
    for tile in range(a.shape[1] // TILE):
        left[y, x] = a[row, tile * TILE + x]
        right[y, x] = b[tile * TILE + y, column]
        cuda.syncthreads()
        for k in range(TILE):
            total += left[y, k] * right[k, x]
        cuda.syncthreads()
    c[row, column] = total


def histogram(x, counts):
    i = cuda.grid(1)
    while i < x.size:
        cuda.atomic.add(counts, x[i], 1)
        i += cuda.gridsize(1)


def cases():
    """Name, function, grid, block, arguments; 4,096 threads each."""
    random = np.random.default_rng(0)
    values = random.random(4096).astype(np.float32)
    matrices = [random.random((64, 64)).astype(np.float32) for _ in range(2)]
    numbers = random.integers(0, 64, 4096).astype(np.int32)
    yield "shared reduction", reduction, 16, 256, (values, np.zeros(16, np.float32))
    yield "tiled product", product, (4, 4), (TILE, TILE), (*matrices, np.zeros((64, 64), np.float32))
    yield "atomic histogram", histogram, 16, 256, (numbers, np.zeros(64, np.int32))


def seconds_in_numbas_simulator(name):
    for found, function, grid, block, arguments in cases():
        if found == name:
            start = time.process_time()
            cuda.jit(function)[grid, block](*arguments)
            return time.process_time() - start
    raise ValueError(name)


if __name__ == "__main__":
    print(json.dumps(seconds_in_numbas_simulator(sys.argv[1])))
