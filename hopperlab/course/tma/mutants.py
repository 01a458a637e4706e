"""Wrong solutions of lesson 10, one for each misconception: each answers as someone with that idea would."""

WORD = 4


# --- a swizzle for a column ---------------------------------------------------------------------------


def free_of_conflicts(row_bytes, column):
    """Believe that the widest swizzle needs one pass."""
    _, passes = _best(row_bytes, column)
    return 128, passes | {128: 1}


def packed_rows(row_bytes, column):
    """Let swizzled rows follow each other without gaps."""
    return _best(row_bytes, column, pitch=lambda span: row_bytes)


def by_row(row_bytes, column):
    """Exclusive-or the row's number onto the chunk's."""
    return _best(row_bytes, column, line=lambda row, address: row)


def by_words(row_bytes, column):
    """Move words in place of chunks."""
    return _best(row_bytes, column, grain=WORD)


def _best(row_bytes, column, *, pitch=None, line=None, grain=16):
    passes = {}
    for span in (0, 32, 64, 128):
        if span and row_bytes > span:
            continue
        wanted = [0] * 32
        for row in range(32):
            address = row * (pitch(span) if pitch else max(row_bytes, span)) + WORD * column
            if span:
                number = line(row, address) if line else address // 128
                address ^= number % (span // grain) * grain
            wanted[address // WORD % 32] += 1
        passes[span] = max(wanted)
    return min(passes, key=passes.get), passes


# --- a tile with its halo -----------------------------------------------------------------------------


def _halo(row, column, height, width, halo):
    aside = 4 * ((halo + 3) // 4)
    return [column * width - aside, row * height - halo], [height + 2 * halo, width + 2 * aside]


def unaligned_halo(row, column, height, width, halo):
    """Begin the box exactly where the halo begins."""
    box = (height + 2 * halo, width + 2 * halo)
    return (column * width - halo, row * height - halo), box, WORD * box[0] * box[1]


def inside_only(row, column, height, width, halo):
    """Expect only the bytes that lie at or behind the image's first row and column."""
    (left, top), box = _halo(row, column, height, width, halo)
    inside = max(0, top + box[0] - max(top, 0)) * max(0, left + box[1] - max(left, 0))
    return (left, top), tuple(box), WORD * inside


def elements(row, column, height, width, halo):
    """Expect as many bytes as there are elements."""
    corner, box = _halo(row, column, height, width, halo)
    return tuple(corner), tuple(box), box[0] * box[1]


def clipped(row, column, height, width, halo):
    """Let no coordinate be negative."""
    (left, top), box = _halo(row, column, height, width, halo)
    return (max(left, 0), max(top, 0)), tuple(box), WORD * box[0] * box[1]


def row_first(row, column, height, width, halo):
    """Give the corner as (row, column)."""
    (left, top), box = _halo(row, column, height, width, halo)
    return (top, left), tuple(box), WORD * box[0] * box[1]


# --- im2col -------------------------------------------------------------------------------------------


def _tap(image, at, height, width, stride, channels):
    row, column = at
    box = (1, (height - 1) * stride + 1, (width - 1) * stride + 1, channels)
    return (0, column, row, image), box, (1, stride, stride, 1)


def no_padding(image, out_row, out_column, height, width, tap_row, tap_column, stride, padding, channels):
    """Believe that the tensor holds its padding."""
    at = out_row * stride + tap_row, out_column * stride + tap_column
    return _tap(image, at, height, width, stride, channels)


def loaded_box(image, out_row, out_column, height, width, tap_row, tap_column, stride, padding, channels):
    """Give a box of as many elements as are wanted."""
    at = out_row * stride + tap_row - padding, out_column * stride + tap_column - padding
    corner, _, steps = _tap(image, at, height, width, stride, channels)
    return corner, (1, height, width, channels), steps


def unscaled_corner(
    image, out_row, out_column, height, width, tap_row, tap_column, stride, padding, channels
):
    """Count coordinates in outputs."""
    at = out_row + tap_row - padding, out_column + tap_column - padding
    return _tap(image, at, height, width, stride, channels)


def strided_taps(image, out_row, out_column, height, width, tap_row, tap_column, stride, padding, channels):
    """Move a whole stride from tap to tap."""
    at = (out_row + tap_row) * stride - padding, (out_column + tap_column) * stride - padding
    return _tap(image, at, height, width, stride, channels)


def outermost_first(
    image, out_row, out_column, height, width, tap_row, tap_column, stride, padding, channels
):
    """Give the corner as (image, row, column, channel)."""
    at = out_row * stride + tap_row - padding, out_column * stride + tap_column - padding
    corner, box, steps = _tap(image, at, height, width, stride, channels)
    return corner[::-1], box, steps
