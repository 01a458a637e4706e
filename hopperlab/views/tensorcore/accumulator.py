"""One block of a tensor core: terms aligned to the largest exponent as rows of bits, what is cut off, both sums."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import groupby

from hopperlab.models.tensorcore import Block, Term
from hopperlab.views import svg
from hopperlab.views.picture import Picture
from hopperlab.views.svg import SMALLEST_TEXT, path, rect, text

BIT, ROW = 21, 34
LEFT, TOP, WIDTH = 250, 128, 1010
ABOVE = 7  # columns above the largest exponent, for products up to 4 and for carries
MOST_BELOW = 10  # columns below the last kept bit
MOST_ROWS = 8


def accumulator(block: Block) -> Picture:
    """Draw a step: a row for each kind of term, the sum that the unit keeps, and the exact sum beside it.

    Columns are powers of two. Bits to the right of the line are cut off, term by term, before anything is added.

    Parameters
    ----------
    block
        From `hopperlab.models.tensorcore.explain_block`.
    """
    result = float(block.result)
    if block.exponent is None:
        title = f"Nothing to align: the result is {result:g}"
        drawing = svg.document(WIDTH, 80, title, title, [text(20, 46, title, size=21, bold=True)])
        return Picture(
            title, f"{block}. Every product is zero, or one of the values is NaN or infinite.", svg=drawing
        )
    exact = float(block.exact)
    title = f"Exact sum {exact:.10g}, written {result:.10g}" + (
        "" if exact == result else f": {exact - result:.6g} lost"
    )
    rows = _rows(block)
    lowest = _lowest(block)
    height = TOP + ROW * (len(rows) + 3) + 76
    body = [text(20, 36, title, size=21, bold=True), text(20, 64, _kept_words(block), "f-quiet")]
    body += _columns(block, lowest, TOP, ROW * (len(rows) + 3) + 8)
    for place, (name, value, kept) in enumerate(rows):
        body += _bits(name, value, kept, block, lowest, TOP + place * ROW)
    y = TOP + len(rows) * ROW + 12
    total = block.total * block.grid
    body += _bits("sum of what is kept", total, total, block, lowest, y, bold=True)
    body += _bits("written", Fraction(result), Fraction(result), block, lowest, y + ROW, bold=True)
    body += _bits("exact sum", block.exact, block.exact, block, lowest, y + 2 * ROW, bold=True)
    body += _legend(height - 26)
    drawing = svg.document(WIDTH, height, title, _kept_words(block), body)
    return Picture(title, _twin(block, rows), svg=drawing)


def _kept_words(block: Block) -> str:
    unit, grid = block.unit, block.exponent - block.unit.fraction_bits
    return (
        f"{unit.name}: largest exponent {block.exponent}; {unit.fraction_bits} bits below it are kept, "
        f"so steps of 2^{grid}; {unit.output_fraction_bits} fraction bits are written."
    )


def _rows(block: Block) -> list[tuple[str, Fraction, Fraction]]:
    """Terms that are not zero, equal ones together: name, value, and what is kept of it."""
    terms = sorted((t for t in block.terms if t.significand), key=lambda t: (-abs(t.value), t.factors))
    grouped = [list(group) for _, group in groupby(terms, key=lambda t: (t.factors, t.value))]
    rows = [(_name(group), group[0].value, group[0].aligned * block.grid) for group in grouped]
    if len(rows) > MOST_ROWS:
        rows = [*rows[: MOST_ROWS - 1], (f"and {len(rows) - MOST_ROWS + 1} smaller", *rows[-1][1:])]
    return rows


def _name(terms: Sequence[Term]) -> str:
    factors = terms[0].factors
    name = f"C = {factors[0]:.7g}" if len(factors) == 1 else f"{factors[0]:.6g} x {factors[1]:.6g}"
    return name if len(terms) == 1 else f"{len(terms)} times {name}"


def _lowest(block: Block) -> int:
    """Power of two of the last column."""
    grid = block.exponent - block.unit.fraction_bits
    deepest = min((_last_bit(t.value) for t in block.terms if t.significand), default=grid)
    return max(min(deepest, grid), grid - MOST_BELOW)


def _last_bit(value: Fraction) -> int:
    """Power of two of the lowest bit that is set; the denominator is a power of two."""
    if value.denominator > 1:
        return 1 - value.denominator.bit_length()
    return (value.numerator & -value.numerator).bit_length() - 1


def _columns(block: Block, lowest: int, top: float, height: float) -> Iterator[str]:
    grid = block.exponent - block.unit.fraction_bits
    for power in range(block.exponent + ABOVE, lowest - 1, -1):
        if (power - block.exponent) % 4 == 0 or power == grid:
            x = _x(power, block) + BIT / 2
            if power == grid or abs(power - grid) > 1:
                anchor = "end" if power == grid else "middle"
                yield text(x, top - 12, f"2^{power}", "f-quiet", size=SMALLEST_TEXT, anchor=anchor)
    line = _x(grid, block) + BIT
    yield path(
        f"M{line:g} {top - 30}v{height + 30}", "f-none s-finding", 'stroke-width="2" stroke-dasharray="6 4"'
    )
    yield text(line + 6, top - 32, "cut off", "f-finding", size=SMALLEST_TEXT)


def _x(power: int, block: Block) -> float:
    return LEFT + (block.exponent + ABOVE - power) * BIT


def _bits(
    name: str, value: Fraction, kept: Fraction, block: Block, lowest: int, y: float, bold: bool = False
) -> Iterator[str]:
    """A row: sign and name, a box for every bit from the highest one set to the last."""
    yield text(LEFT - 34, y + 20, name, anchor="end", bold=bold)
    yield text(LEFT - 14, y + 20, "-" if value < 0 else "+", anchor="middle")
    magnitude, stays = abs(value), abs(kept)
    if not magnitude:
        yield text(LEFT + ABOVE * BIT, y + 20, "0", bold=True)
        return
    highest = min(_highest_bit(magnitude), block.exponent + ABOVE)
    for power in range(highest, max(lowest, min(_last_bit(magnitude), highest)) - 1, -1):
        bit = int(magnitude / Fraction(2) ** power) & 1
        is_kept = int(stays / Fraction(2) ** power) & 1 == bit and power >= _last_kept(block, bold)
        x = _x(power, block)
        fill = ("f-compute" if bit else "f-line") if is_kept else "f-none s-idle"
        ink = ("on-hue0" if bit else "f-ink") if is_kept else "f-quiet"
        dashed = "" if is_kept else 'stroke-dasharray="3 2"'
        yield rect(x + 1, y + 2, BIT - 2, 26, fill, dashed)
        yield text(x + BIT / 2, y + 20, str(bit), ink, size=SMALLEST_TEXT, anchor="middle")


def _last_kept(block: Block, is_sum: bool) -> int:
    """Power of two of the last column in which a bit is kept; an exact sum loses none."""
    return -(10**6) if is_sum else block.exponent - block.unit.fraction_bits


def _highest_bit(magnitude: Fraction) -> int:
    guess = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
    return guess if magnitude >= Fraction(2) ** guess else guess - 1


def _legend(y: float) -> Iterator[str]:
    x = 20.0
    for fill, more, words in (
        ("f-compute", "", "a one that is kept"),
        ("f-line", "", "a zero that is kept"),
        ("f-none s-idle", 'stroke-dasharray="3 2"', "a bit that is cut off"),
    ):
        yield rect(x, y - 14, 18, 18, fill, more)
        yield text(x + 26, y, words)
        x += 230


def _twin(block: Block, rows: Sequence[tuple[str, Fraction, Fraction]]) -> str:
    lines = [_kept_words(block), f"{'term':>24}  {'value':>16}  {'kept':>16}  {'cut off':>12}"]
    lines += [
        f"{name:>24}  {float(value):16.10g}  {float(kept):16.10g}  {float(value - kept):12.6g}"
        for name, value, kept in rows
    ]
    total = float(block.total * block.grid)
    lines.append(
        f"Sum of what is kept {total:.10g}; written {float(block.result):.10g}; exact {float(block.exact):.10g}."
    )
    return "\n".join(lines)
