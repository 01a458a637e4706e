"""Cases of tiles that are read and thrown away: a word of each is added up."""

import numpy as np

from hopperlab.device import tma
from hopperlab.kernels import tiles
from hopperlab.measure.kernel_outputs.case import CYCLES, Case, case, words

SIDE = tiles.SIDE
NO_NAN = np.uint32(0xBFFFFFFF)
"""Bits that may be set: an exponent of ones alone is then no number's."""


def _image(seed: int, rows: int, columns: int) -> np.ndarray:
    """Give an image of any bits but NaN's: they are added up as whole numbers."""
    bits = words(seed, rows * columns) & NO_NAN
    return bits.view(np.float32).reshape(rows, columns)


def _report(blocks: int) -> tuple[np.ndarray, np.ndarray]:
    return np.zeros(blocks, np.uint32), np.zeros(blocks, np.uint32)


def _numbers(*values: int) -> tuple[np.int32, ...]:
    return tuple(np.int32(value) for value in values)


@case
def read_boxes(seed: int) -> Case:
    """Boxes of one shape after the other, in a ring of more stages or fewer, around the image's end."""
    height, width = ((8, 16), (4, 32), (16, 8), (1, 64), (8, 8))[seed % 5]
    stages, share, each = 1 + seed, 1 + seed % 2, 3 + seed
    rows = 4 * height
    source = tma.tensor_map(_image(seed, rows, 2 * width), (height, width))
    arguments = (source, *_numbers(width, height, each, stages, share, rows), *_report(4))
    memory = stages * 4 * height * width
    return Case(tiles.read_boxes, (2, 2), 64, arguments, memory, undetermined=CYCLES)


@case
def read_shared_boxes(seed: int) -> Case:
    """Clusters of two, of which one block asks, or both."""
    requesters, stages = 1 + seed % 2, 1 + seed // 2
    image = _image(seed, 2 * SIDE, 2 * SIDE)
    source = tma.tensor_map(image, (SIDE // requesters, SIDE))
    arguments = (source, *_numbers(2 + seed, stages, requesters, 2 * SIDE), *_report(4))
    memory = stages * tiles.TILE_BYTES
    return Case(tiles.read_shared_boxes, (4, 1), 64, arguments, memory, 2, undetermined=CYCLES)


@case
def read_by_cp_async(seed: int) -> Case:
    """Over the image's lower edge."""
    stages = (1, 2, 3, 4, 2)[seed % 5]
    arguments = (_image(seed, 100, 2 * SIDE), *_numbers(2), *_report(2))
    memory = stages * tiles.TILE_BYTES
    return Case(tiles.read_by_cp_async(stages), (2, 1), tiles.THREADS, arguments, memory, undetermined=CYCLES)


@case
def read_by_loads(seed: int) -> Case:
    """The same."""
    arguments = (_image(seed, 100, 2 * SIDE), *_numbers(2), *_report(2))
    return Case(tiles.read_by_loads, (2, 1), tiles.THREADS, arguments, tiles.TILE_BYTES, undetermined=CYCLES)


def _links(seed: int) -> np.ndarray:
    """Give a chain through 20 places, 16 bytes each, from place 0 on."""
    others = np.argsort(words(seed, 19), kind="stable") + 1
    order = np.concatenate([[0], others]).astype(np.uint32) * np.uint32(tiles.CHUNK)
    links = np.zeros(20 * tiles.CHUNK, np.uint32)
    links[order] = np.roll(order, -1)
    return links


@case
def chase_by_engine(seed: int) -> Case:
    """More steps than there are links, or fewer."""
    arguments = (_links(seed), *_numbers(3 + 10 * seed), *_report(1))
    return Case(tiles.chase_by_engine, 1, 32, arguments, undetermined=CYCLES)


@case
def chase_by_loads(seed: int) -> Case:
    """The same."""
    arguments = (_links(seed), *_numbers(3 + 10 * seed), *_report(1))
    return Case(tiles.chase_by_loads, 1, 32, arguments, undetermined=CYCLES)
