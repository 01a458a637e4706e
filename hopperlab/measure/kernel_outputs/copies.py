"""Cases of copies: tensor boxes, bytes in bulk, elements the A100's way, and pipelines of them."""

import numpy as np

from hopperlab.device import tma
from hopperlab.kernels import cp_async, pipelines
from hopperlab.kernels import tma as kernels
from hopperlab.measure.kernel_outputs.case import Case, case, enter, real, whole, words

BOX = (kernels.HEIGHT, kernels.WIDTH)
SHAPES = ((16, 32), (40, 80), (17, 36), (1, 4), (33, 64))  # of images
SWIZZLES = (0, 32, 64, 128, 0)


def _grid(shape: tuple[int, int]) -> tuple[int, int]:
    return -(-shape[1] // kernels.WIDTH), -(-shape[0] // kernels.HEIGHT)


@case
def copy_tiles(seed: int) -> Case:
    """An image that the tiles may hang over."""
    image = real(seed, SHAPES[seed % 5])
    maps = tma.tensor_map(image, BOX), tma.tensor_map(np.zeros_like(image), BOX)
    return Case(kernels.copy_tiles, _grid(image.shape), 32, maps)


@case
def add_tiles(seed: int) -> Case:
    """The same."""
    image = real(seed, SHAPES[seed % 5])
    arguments = (tma.tensor_map(image, BOX), np.float32(0.1))
    return Case(kernels.add_tiles, _grid(image.shape), kernels.WIDTH, arguments)


@case
def broadcast_tile(seed: int) -> Case:
    """Two tiles for two clusters."""
    blocks = (1, 2, 3, 4, 8)[seed % 5]
    source = tma.tensor_map(real(seed, (kernels.HEIGHT, 2 * kernels.WIDTH)), BOX)
    copies = np.zeros((2 * blocks, *BOX), np.float32)
    return Case(kernels.broadcast_tile, 2 * blocks, kernels.WIDTH, (source, copies), cluster=blocks)


@case
def copy_box(seed: int) -> Case:
    """A box of one dimension to five, over the edge of all but the innermost."""
    rank = 1 + seed % 5
    shape, box = (3, 4, 5, 6, 16)[-rank:], (2, 2, 2, 2, 8)[-rank:]
    corner = tuple(np.int32(at) for at in (4, 5, 1, 3, 2)[:rank])
    source, target = (tma.tensor_map(a, box) for a in (real(seed, shape), np.zeros(shape, np.float32)))
    arguments = (source, target, corner, np.uint32(source.box_bytes))
    return Case(kernels.copy_box, 1, 32, arguments, shared_bytes=source.box_bytes)


@case
def land_box(seed: int) -> Case:
    """A box over an edge, of a swizzled tile or a plain one."""
    swizzle = SWIZZLES[seed % 5]
    source = tma.tensor_map(real(seed, (20, 40)), (8, (swizzle or 64) // 4), swizzle=swizzle)
    corner = tuple(np.int32(at) for at in ((-4, 2), (32, -4), (4, 15), (36, 18), (-8, -2))[seed % 5])
    arguments = (source, corner, np.uint32(source.box_bytes), np.ones(source.box_bytes // 4, np.float32))
    return Case(kernels.land_box, 1, 64, arguments, shared_bytes=source.box_bytes)


@case
def copy_tiles_by_threads(seed: int) -> Case:
    """An image that the tiles may hang over."""
    image = real(seed, SHAPES[seed % 5])
    arguments = (image, np.zeros_like(image))
    return Case(cp_async.copy_tiles_by_threads, _grid(image.shape), cp_async.COPIERS, arguments)


@case
def observe_load(seed: int) -> Case:
    """A box over the edges of an image, swizzled, filled with zeros or NaN."""
    swizzle, fill = SWIZZLES[seed % 5], ("zero", "nan")[seed % 2]
    image = real(seed, (20, 40))
    source = tma.tensor_map(image, (8, (swizzle or 64) // 4), swizzle=swizzle, fill=fill)
    corner = tuple(np.int32(at) for at in ((-4, 2), (32, -4), (4, 15), (36, 18), (-8, -2))[seed % 5])
    arguments = (source, corner, np.uint32(source.box_bytes), *_observed(source.box_bytes))
    return Case(kernels.observe_load, 1, 64, arguments, shared_bytes=source.box_bytes)


def _observed(nbytes: int) -> tuple[np.ndarray, np.ndarray]:
    return np.zeros(nbytes, np.uint8), np.zeros(2, np.uint32)


def _writing(operation: str) -> None:
    def make(seed: int) -> Case:
        swizzle = SWIZZLES[seed % 5]
        floats = operation in ("store", "add") and seed % 2 == 1
        image = real(seed, (20, 40)) if floats else words(seed, 800).reshape(20, 40)
        target = tma.tensor_map(image, (8, (swizzle or 64) // 4), swizzle=swizzle)
        given = real(seed, target.box_bytes // 4, 1) if floats else words(seed, target.box_bytes // 4, 1)
        corner = tuple(np.int32(at) for at in ((4, 2), (32, 4), (4, 15), (36, 18), (8, 0))[seed % 5])
        arguments = (target, corner, given.view(np.uint8))
        return Case(kernels.write_box(operation), 1, 64, arguments, shared_bytes=target.box_bytes)

    enter(f"write_box {operation}", make)


for _operation in ("store", "add", "min", "max", "inc", "dec", "and", "or", "xor"):
    _writing(_operation)


@case
def stream_copy(seed: int) -> Case:
    """Whole portions, and a rest."""
    source = whole(seed, 16 * (37 + 100 * seed), 0, 256, np.uint8)
    blocks = -(-source.size // 1024)
    arguments = (source, np.zeros_like(source))
    return Case(kernels.stream_copy(256, 4), blocks, 32, arguments, shared_bytes=1024)


def _scaling(kernel: object, threads: int) -> None:
    def make(seed: int) -> Case:
        source = real(seed, (1 + 2 * seed, pipelines.TILE))
        return Case(kernel, 1 + seed % 2, threads, (np.float32(0.3), source, np.zeros_like(source)))

    enter(kernel.name, make)


_scaling(pipelines.scale_in_stages, pipelines.CONSUMERS)
_scaling(pipelines.scale_with_a_producer, pipelines.WITH_A_PRODUCER_WARP)
_scaling(pipelines.scale_with_warpgroups, pipelines.WITH_A_PRODUCER_WARPGROUP)


@case
def scale_as_on_the_a100(seed: int) -> Case:
    """Some tiles, for one block or two."""
    source = real(seed, (1 + 2 * seed) * cp_async.TILE)
    arguments = (np.float32(0.3), source, np.zeros_like(source))
    return Case(cp_async.scale_as_on_the_a100, 1 + seed % 2, cp_async.THREADS, arguments)
