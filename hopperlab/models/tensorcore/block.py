"""One step of a tensor core, exactly: align, cut, add, write. The specification, in whole numbers.

1. Each product is exact: the product of the significands, at the sum of the exponents. It is not normalized,
   so it may be anything below 4; subnormals keep a significand below 1. Products of zero take no part.
2. All terms, the accumulator among them, are aligned to the largest exponent E of the block.
3. Each term keeps F bits below 2**E; what lies lower is cut off, toward zero.
4. The sum of what is left is exact.
5. It is written once: FP32 by cutting it to G fraction bits of its own exponent, FP16 by rounding to
   nearest even. Too large is infinity; zero is +0.
Where the IEEE sum of the terms is infinite or NaN, the result is that.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from hopperlab.models.tensorcore.formats import FLOAT16, InputFormat, OutputFormat
from hopperlab.models.tensorcore.units import Unit, unit_named


@dataclass(frozen=True)
class Term:
    """What one product, or the accumulator, brings into the sum.

    The exact value is `significand` * 2**(`exponent` - `fraction_bits`); `aligned` is the whole number of grid
    steps that enters the sum, of its own sign. `factors` are a and b, or c alone.
    """

    factors: tuple[float, ...]
    significand: int
    fraction_bits: int
    exponent: int
    aligned: int

    @property
    def value(self) -> Fraction:
        """The term before anything is cut."""
        return self.significand * Fraction(2) ** (self.exponent - self.fraction_bits)


@dataclass(frozen=True)
class Block:
    """One step with all that happened in it.

    `exponent` is E, or None if there was nothing to align; `total` the sum in steps of `grid`. A step with NaN or
    infinity among its values has a result and terms, but none of the numbers in between.
    """

    unit: Unit
    products: tuple[Term, ...]
    accumulator: Term
    exponent: int | None
    total: int
    result: np.floating

    @property
    def terms(self) -> tuple[Term, ...]:
        """Products in order of K, then the accumulator."""
        return (*self.products, self.accumulator)

    @property
    def grid(self) -> Fraction:
        """What one unit of `aligned` and of `total` is worth."""
        return (
            Fraction(0) if self.exponent is None else Fraction(2) ** (self.exponent - self.unit.fraction_bits)
        )

    @property
    def exact(self) -> Fraction:
        """Sum of all terms, nothing cut."""
        return sum((term.value for term in self.terms), Fraction(0))

    def cut(self, term: Term) -> Fraction:
        """What a term lost when it was aligned."""
        return term.value - term.aligned * self.grid

    @property
    def lost_in_alignment(self) -> Fraction:
        """Exact sum minus the sum of the aligned terms."""
        return sum((self.cut(term) for term in self.terms), Fraction(0))

    @property
    def lost_in_output(self) -> Fraction:
        """Sum of the aligned terms minus the result; for a finite result."""
        return self.total * self.grid - Fraction(float(self.result))

    def __str__(self) -> str:
        """The step as a table: term, exponent, aligned steps, what was cut."""
        if self.exponent is None:
            return f"{self.unit.name}: nothing to align, result {float(self.result)}"
        rows = [
            f"{self.unit.name}: E = {self.exponent}, steps of 2^{self.exponent - self.unit.fraction_bits}"
        ]
        for term in self.terms:
            if term.significand:
                name = " x ".join(f"{factor:g}" for factor in term.factors)
                rows.append(f"{name:>24} {term.aligned:>12} steps, cut {float(self.cut(term)):g}")
        rows.append(f"{'sum':>24} {self.total:>12} steps = {float(self.total * self.grid):.10g}")
        rows.append(f"{'written':>24} {float(self.result):.10g} (exact {float(self.exact):.10g})")
        return "\n".join(rows)


def explain_block(
    a: ArrayLike, b: ArrayLike, c: float = 0.0, unit: str | Unit = "hopper.wgmma.e4m3"
) -> Block:
    """Carry out one step of a unit and keep everything.

    One block, whatever the instruction makes of it: a unit with a late accumulator starts its blocks from zero
    and takes them in its own order of K, which is `matmul`'s affair.

    Parameters
    ----------
    a, b
        Vectors of one length, up to the unit's block, in the unit's formats (ml_dtypes arrays or uint8 codes for
        FP8, float16, bfloat16, float32 for TF32).
    c
        The accumulator, a value of the unit's output format.
    unit
        A name of `UNITS`, or a `Unit`.

    Raises
    ------
    ValueError
        For vectors that do not fit, or a C that the output format does not hold.
    TypeError
        For a dtype that the unit does not take, or a C that is no number.
    """
    unit = unit_named(unit)
    a, b = unit.a.values(a, "a"), unit.b.values(b, "b")
    if a.ndim != 1 or a.shape != b.shape or len(a) > unit.block:
        shapes = f"a {a.shape}, b {b.shape}"
        raise ValueError(f"{shapes}: must be two vectors of one length, at most {unit.block} for {unit.name}")
    if isinstance(c, bool | str) or not hasattr(c, "__float__") or np.ndim(c):
        raise TypeError(f"c={c!r} must be a number")
    with np.errstate(over="ignore"):
        held = float(unit.output.dtype.type(c))
    if not (math.isnan(held) or held == float(c)):
        raise ValueError(f"c={c!r} must be a value of {unit.output.title}")
    return step(a.tolist(), b.tolist(), float(c), unit)


def step(a: Sequence[float], b: Sequence[float], c: float, unit: Unit) -> Block:
    """One step on values that are known to be of the unit's formats."""
    special = _ieee_special(a, b, c)
    if special is not None:
        blank = [Term(factors, 0, 0, 0, 0) for factors in (*zip(a, b, strict=True), (c,))]
        return Block(unit, tuple(blank[:-1]), blank[-1], None, 0, _written(special, unit.output))

    products = [_product(x, y, unit) for x, y in zip(a, b, strict=True)]
    accumulator = ((c,), *_taken_apart(c, unit.output))
    terms = [*products, accumulator]
    exponents = [exponent for _, significand, _, exponent in terms if significand]
    if not exponents:
        zeros = [Term(*term, aligned=0) for term in terms]
        return Block(unit, tuple(zeros[:-1]), zeros[-1], None, 0, unit.output.dtype.type(0))

    largest = max(*exponents, unit.minimum_exponent)
    aligned = [Term(*term, _align(*term[1:], largest, unit.fraction_bits)) for term in terms]
    total = sum(term.aligned for term in aligned)
    result = _write(total * Fraction(2) ** (largest - unit.fraction_bits), unit)
    return Block(unit, tuple(aligned[:-1]), aligned[-1], largest, total, result)


def _product(x: float, y: float, unit: Unit) -> tuple[tuple[float, float], int, int, int]:
    """Multiply: significands and exponents apart, nothing rounded, nothing normalized."""
    x_significand, x_bits, x_exponent = _taken_apart(x, unit.a)
    y_significand, y_bits, y_exponent = _taken_apart(y, unit.b)
    return (x, y), x_significand * y_significand, x_bits + y_bits, x_exponent + y_exponent


def _taken_apart(x: float, fmt: InputFormat | OutputFormat) -> tuple[int, int, int]:
    """Significand as a signed whole number, its fraction bits, and the exponent of a value of `fmt`."""
    exponent = max(math.frexp(x)[1] - 1, fmt.minimum_exponent)
    return int(math.ldexp(x, fmt.fraction_bits - exponent)), fmt.fraction_bits, exponent


def _align(significand: int, fraction_bits: int, exponent: int, largest: int, kept_bits: int) -> int:
    """Move a term to the block's exponent, keep `kept_bits` below it, and cut the rest toward zero."""
    shift = kept_bits - fraction_bits - (largest - exponent)
    magnitude = abs(significand) << shift if shift >= 0 else abs(significand) >> -shift
    return -magnitude if significand < 0 else magnitude


def _write(exact: Fraction, unit: Unit) -> np.floating:
    """Round the sum to the output, once."""
    output = unit.output
    magnitude = abs(exact)
    if not magnitude:
        return output.dtype.type(0)
    exponent = max(_floor_log2(magnitude), output.minimum_exponent)
    last_place = Fraction(2) ** (exponent - unit.output_fraction_bits)
    places = round(magnitude / last_place) if output is FLOAT16 else magnitude // last_place  # ties to even
    if places * last_place >= Fraction(2) ** (output.maximum_exponent + 1):
        return output.dtype.type(math.inf if exact > 0 else -math.inf)
    return output.dtype.type(float(places * last_place * (1 if exact > 0 or not places else -1)))


def _floor_log2(x: Fraction) -> int:
    """Exponent of a positive fraction."""
    guess = x.numerator.bit_length() - x.denominator.bit_length()
    return guess if x >= Fraction(2) ** guess else guess - 1


def _ieee_special(a: Sequence[float], b: Sequence[float], c: float) -> float | None:
    """Return NaN or infinity where IEEE arithmetic would give it for the sum of the terms, else None."""
    specials = [c] if not math.isfinite(c) else []
    for x, y in zip(a, b, strict=True):
        if not (math.isfinite(x) and math.isfinite(y)):
            specials.append(x * y)
    return sum(specials) if specials else None


def _written(special: float, output: OutputFormat) -> np.floating:
    """NaN or infinity in the output format, NaN being the one that tensor cores write."""
    return output.from_float64(np.array([special]))[0]
