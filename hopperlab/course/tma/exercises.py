"""Three functions to write: a swizzle for a transposed read, a tile with its halo, and im2col by hand in rank 4."""

from typing import Any

import numpy as np

from hopperlab.course.draws import Draw
from hopperlab.course.exercises import Exercise
from hopperlab.course.misconceptions import Misconception
from hopperlab.course.tma import mutants
from hopperlab.course.tma.landing import counted, fault, named_tile
from hopperlab.models.tma import Swizzle, bank_conflicts, describe, warp_access

ROWS = 32


def column_swizzle(row_bytes, column):
    """Give (best, passes): passes that a column takes by swizzle (0, 32, 64, 128), and the best swizzle.

    row_bytes: of a row of the box, a multiple of 16 up to 128. The tile has 32 rows of
    4-byte words, and lane i reads word `column` of row i. A row must fit within the swizzle's
    span, and takes the whole span of shared memory. The engine exclusive-ors the number of
    the 128-byte line, modulo the chunks of a span, onto the number of the 16-byte chunk.
    Of swizzles with equally few passes, the smallest is best.
    """
    passes = {}
    for span in (0, 32, 64, 128):
        if span and row_bytes > span:
            continue
        wanted = [0] * 32  # words of each bank
        for row in range(32):
            # your part: where the word lies after the swizzle, and count its bank
            address = row * max(row_bytes, span) + 4 * column
            if span:
                address ^= address // 128 % (span // 16) * 16
            wanted[address // 4 % 32] += 1
            # end of your part
        passes[span] = max(wanted)
    return min(passes, key=passes.get), passes


def _right_swizzle(row_bytes, column):
    tile = np.zeros((ROWS, row_bytes // 4), np.float32)
    passes = {}
    for mode in Swizzle:
        if mode == Swizzle.NONE or row_bytes <= mode.span:
            addresses, width = warp_access(describe(tile, tile.shape, swizzle=mode), "a column", column)
            passes[mode.span] = bank_conflicts(addresses, width).passes
    return min(passes, key=passes.get), passes


def _columns(draw: Draw) -> tuple:
    row_bytes = 16 * draw.integer(1, 8)
    return row_bytes, draw.integer(0, row_bytes // 4 - 1)


SWIZZLE = Exercise(
    "swizzle",
    "A warp reads a tile by columns, as for a transposed operand. Which swizzle takes the fewest passes?",
    solution=column_swizzle,
    inputs=_columns,
    right=_right_swizzle,
    examples=[(128, 0), (64, 3), (32, 1), (48, 11), (16, 0)],
    hints=[
        "First without swizzle: row and column give a byte address. The word's bank is address // 4 % 32.",
        "With a swizzle a row starts every `span` bytes, however narrow it is. The line is address // 128.",
        "Exclusive-or 16 * (line % (span // 16)) onto the address. Then count banks as before.",
    ],
    misconceptions=[
        Misconception(
            "the 128-byte swizzle removes every conflict",
            mutants.free_of_conflicts,
            "It moves 16-byte chunks among 8 places: 32 lanes of 4 bytes still share 8 banks, four to each.",
        ),
        Misconception(
            "a swizzled row takes only its own bytes",
            mutants.packed_rows,
            "With a swizzle, every row takes a whole span. A narrow one leaves the rest of it free.",
        ),
        Misconception(
            "the swizzle goes by the row's number",
            mutants.by_row,
            "It goes by the address: the number of the 128-byte line. Four rows of 32 bytes share a line.",
        ),
        Misconception(
            "the swizzle moves words",
            mutants.by_words,
            "Its grain is 16 bytes (lit-040.d). The place of a word within its chunk never changes.",
        ),
    ],
    because="The models are `hopperlab.models.tma.swizzle_offset` and `bank_conflicts`; 1,040 loads of a card agree.",
)


def halo_tile(row, column, height, width, halo):
    """Give (corner, box, nbytes) of one box that brings a tile of an image together with its halo.

    The image is float32, and may end anywhere. The tile is number `row`, `column` of tiles of
    `height` rows and `width` columns, both multiples of 4; the halo is `halo` elements wide
    on every side. A box must begin, in a row, on a multiple of 16 bytes, and its rows are
    multiples of 16 bytes: make it as small as that allows.

    corner: innermost first, (column, row). box: outermost first, (rows, columns).
    nbytes: what the barrier must expect.
    """
    # your part: widen the halo to whole 16-byte units in the rows, and count the bytes
    aside = 4 * ((halo + 3) // 4)
    corner = (column * width - aside, row * height - halo)
    box = (height + 2 * halo, width + 2 * aside)
    return corner, box, 4 * box[0] * box[1]
    # end of your part


IMAGE_SHAPE = (20, 28)


def _judge_halo(result: Any, row: int, column: int, height: int, width: int, halo: int) -> str | None:
    """Look for the tile and its halo in the box, and let the simulator bring it in."""
    try:
        corner, box, nbytes = result
        left, top = corner
    except (TypeError, ValueError):
        return "give (corner, box, nbytes), with corner (column, row) and box (rows, columns)"
    tile, complaint = named_tile(IMAGE_SHAPE, corner, box)
    if tile is None:
        return complaint
    rows = np.arange(row * height - halo, (row + 1) * height + halo)
    columns = np.arange(column * width - halo, (column + 1) * width + halo)
    if rows[0] < top or rows[-1] >= top + box[0] or columns[0] < left or columns[-1] >= left + box[1]:
        return "the box lacks a part of the tile or of its halo"
    wanted = _taken(counted(IMAGE_SHAPE), rows, columns)
    if not np.array_equal(tile[np.ix_(rows - top, columns - left)], wanted):
        return "the box holds another part of the image"
    aside = columns[0] - left, left + box[1] - 1 - columns[-1]
    if rows.size < box[0] or max(aside) > 3:
        return "it brings all that is needed, but a smaller box would do"
    return fault(IMAGE_SHAPE, corner, box, nbytes) or None


def _taken(image: np.ndarray, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """The elements of these rows and columns, zero outside the image."""
    inside = np.logical_and.outer(
        (rows >= 0) & (rows < image.shape[0]), (columns >= 0) & (columns < image.shape[1])
    )
    found = image[np.ix_(rows % image.shape[0], columns % image.shape[1])]
    return np.where(inside, found, np.float32(0))


def _tiles(draw: Draw) -> tuple:
    return (
        draw.integer(0, 3),
        draw.integer(0, 3),
        4,
        4 * draw.integer(1, 2),
        draw.integer(1, 5),
    )


HALO = Exercise(
    "halo",
    "Describe an image's tile with its halo as one box. The check brings your box in, in the simulator.",
    solution=halo_tile,
    inputs=_tiles,
    judge=_judge_halo,
    examples=[(0, 0, 4, 8, 1), (1, 1, 4, 8, 2), (2, 2, 4, 4, 4), (1, 2, 4, 4, 5)],
    inputs_tried=12,
    hints=[
        "In rows, the box begins `halo` above the tile and ends `halo` below. Negative coordinates are fine.",
        "In columns it begins on a multiple of 4 elements: widen the halo to the next one, on both sides.",
        "corner = (column * width - aside, row * height - halo); the bytes are 4 times the whole box, inside or not.",
    ],
    misconceptions=[
        Misconception(
            "a box begins anywhere",
            mutants.unaligned_halo,
            "In the innermost dimension a box begins and ends on 16 bytes. Else the copy is an illegal instruction.",
        ),
        Misconception(
            "out-of-bounds bytes do not count",
            mutants.inside_only,
            "All of the box counts on the barrier, filled in or not.",
        ),
        Misconception(
            "bytes are elements", mutants.elements, "The barrier counts bytes, 4 for each element."
        ),
        Misconception(
            "the box must be clipped to the image",
            mutants.clipped,
            "It may hang out on every side. A clipped box shifts the tile, and every thread would have to know.",
        ),
        Misconception(
            "coordinates come row first",
            mutants.row_first,
            "Coordinates are innermost first: column, then row. The box of `tma.tensor_map` is outermost first.",
        ),
    ],
    because="On an H200 a box that began between 16-byte units was an illegal instruction; the simulator refuses it.",
)


def tap_box(image, out_row, out_column, height, width, tap_row, tap_column, stride, padding, channels):
    """Give (corner, box, element_strides) of one copy: a filter tap's pixels for a patch of outputs.

    The tensor is of rank 4: images, rows, columns, channels. Output (y, x) of a convolution
    reads, for the tap (r, s), the pixel (y * stride + r - padding, x * stride + s - padding).
    The patch is the outputs from (out_row, out_column) on, `height` by `width`, of one image.

    corner: innermost first, (channel, column, row, image). box and element_strides: outermost
    first. A box counts the elements that it spans; every element_strides-th of them is loaded.
    """
    # your part: where the tap's pixels begin, how far they span, and every how many-th is wanted
    corner = (0, out_column * stride + tap_column - padding, out_row * stride + tap_row - padding, image)
    box = (1, (height - 1) * stride + 1, (width - 1) * stride + 1, channels)
    return corner, box, (1, stride, stride, 1)
    # end of your part


TENSOR_SHAPE = (2, 9, 11)  # images, rows, columns


def _judge_tap(result: Any, *arguments: int) -> str | None:
    """Hold the box against the pixels of the convolution's formula, and let the simulator bring it in."""
    image, out_row, out_column, height, width, tap_row, tap_column, stride, padding, channels = arguments
    try:
        corner, box, steps = result
        lengths = {len(corner), len(box), len(steps)}
    except (TypeError, ValueError):
        return "give (corner, box, element_strides)"
    if lengths != {4}:
        return "corner, box and element_strides have four numbers each"
    shape = (*TENSOR_SHAPE, channels)
    tile, complaint = named_tile(shape, corner, box, steps)
    if tile is None:
        return complaint
    if tile.shape != (1, height, width, channels):
        loaded = " x ".join(map(str, tile.shape))
        return f"{loaded} elements land; 1 x {height} x {width} x {channels} are wanted"
    rows = (out_row + np.arange(height)) * stride + tap_row - padding
    columns = (out_column + np.arange(width)) * stride + tap_column - padding
    tensor = counted(shape)
    planes = [_taken(tensor[image, ..., channel], rows, columns) for channel in range(channels)]
    return (
        None
        if np.array_equal(tile[0], np.stack(planes, -1))
        else "other pixels landed than the formula names"
    )


def _taps(draw: Draw) -> tuple:
    stride, padding = draw.integer(1, 3), draw.integer(0, 2)
    return (
        draw.integer(0, 1),
        draw.integer(0, 2),
        draw.integer(0, 2),
        draw.integer(1, 3),
        draw.integer(1, 3),
        draw.integer(0, 2),
        draw.integer(0, 2),
        stride,
        padding,
        4 * draw.integer(1, 2),
    )


IM2COL = Exercise(
    "im2col",
    "A convolution as a matrix product: describe, for one tap of the filter, the box that brings its column. The check "
    "brings it in, in the simulator.",
    solution=tap_box,
    inputs=_taps,
    judge=_judge_tap,
    examples=[
        (0, 0, 0, 3, 3, 0, 0, 1, 1, 4),
        (1, 1, 2, 2, 3, 2, 1, 2, 1, 8),
        (0, 2, 1, 3, 2, 1, 2, 3, 0, 4),
        (1, 0, 0, 2, 2, 0, 2, 2, 2, 4),
    ],
    inputs_tried=12,
    hints=[
        "The corner is the pixel of the patch's first output: put out_row and out_column into the formula. It may be "
        "negative.",
        "Outputs next to each other read pixels `stride` apart: that is the element stride of rows and columns.",
        "The box spans from the first pixel to the last: (height - 1) * stride + 1 rows, of which `height` are loaded.",
    ],
    misconceptions=[
        Misconception(
            "padding must be stored",
            mutants.no_padding,
            "Padding is what lies outside: begin `padding` earlier, and the engine fills in zeros.",
        ),
        Misconception(
            "the box counts what is loaded",
            mutants.loaded_box,
            "It counts what it spans; ceil(box / element stride) elements are loaded (lit-037.b).",
        ),
        Misconception(
            "coordinates count loaded elements",
            mutants.unscaled_corner,
            "Coordinates are the tensor's own. An element stride does not scale them.",
        ),
        Misconception(
            "taps are a stride apart",
            mutants.strided_taps,
            "The stride moves from output to output. Taps are neighbors (without dilation).",
        ),
        Misconception(
            "coordinates come outermost first",
            mutants.outermost_first,
            "Coordinates are innermost first: channel, column, row, image.",
        ),
    ],
    because="Hopper also has im2col tensor maps, which do this for many taps; by hand it is a box of rank 4 for each.",
)
