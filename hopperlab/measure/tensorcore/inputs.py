"""Hostile inputs for tensor cores, made from a seed: every way that aligning, cutting and adding may go wrong."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from hopperlab.measure.patterns import random_words
from hopperlab.models.tensorcore.formats import INPUT_FORMATS, InputFormat

if TYPE_CHECKING:
    import numpy as np

LOWEST_EXPONENT = -130  # of accumulators, which are to be FP32
EXPONENT_BITS = {"e4m3": 4, "e5m2": 5, "f16": 5, "bf16": 8, "tf32": 8}


def operands(
    distribution: str, a_format: str, b_format: str, shape: tuple[int, int, int], seed: Sequence[int]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Give A (M, K), B (N, K) and C (M, N) of a distribution, for `shape` = (M, N, K).

    A and B come in the formats' dtypes, C as float32 of about the size of the products.
    """
    rows, columns, k = shape
    make = DISTRIBUTIONS[distribution]
    a = make(INPUT_FORMATS[a_format], rows, k, [*seed, 0])
    b = make(INPUT_FORMATS[b_format], columns, k, [*seed, 1])
    if distribution == "cancelling pairs":
        a[:, 1::2], b[:, 1::2] = a[:, ::2], -b[:, ::2]
    return a, b, _accumulators(rows, columns, _exponent(a) + _exponent(b), [*seed, 2])


def _accumulators(rows: int, columns: int, exponent: int, seed: Sequence[int]) -> np.ndarray:
    """Give normal numbers of full precision: of 2**exponent, times powers of two from 2**-6 to 2**9."""
    import numpy as np

    exponent = max(exponent, LOWEST_EXPONENT)
    exponents = (random_words([*seed, 1], rows * columns) % 16).astype(np.int32) - 6 + exponent
    wide = np.ldexp(_normal(rows, columns, seed), exponents.reshape(rows, columns))
    return np.clip(wide, -1e38, 1e38).astype(np.float32)


def _exponent(operand: np.ndarray) -> int:
    """Give the exponent of the middle one of an operand's magnitudes, zeros and specials left out."""
    import numpy as np

    magnitudes = np.abs(operand.astype(np.float32))
    some = magnitudes[np.isfinite(magnitudes) & (magnitudes > 0)]
    return int(np.frexp(np.sort(some)[some.size // 2])[1]) if some.size else 0


def _normal(rows: int, k: int, seed: Sequence[int]) -> np.ndarray:
    """Give sums of twelve uniform numbers, less six: nearly normal, and the same bits on every machine."""
    import numpy as np

    uniform = random_words(seed, 12 * rows * k).reshape(12, rows, k) >> 12
    return uniform.sum(axis=0, dtype=np.int64) / 2.0**20 - 6.0


def _uniform(rows: int, k: int, seed: Sequence[int]) -> np.ndarray:
    return random_words(seed, rows * k).reshape(rows, k) / 2.0**32


def _cast(values: np.ndarray, fmt: InputFormat) -> np.ndarray:
    import numpy as np

    return values.astype(np.float32).astype(fmt.dtype)


def _bits(fmt: InputFormat, rows: int, k: int, seed: Sequence[int]) -> np.ndarray:
    """Give random bits, as unsigned integers of the format's size."""
    import numpy as np

    word = np.dtype(f"u{fmt.dtype.itemsize}")
    return random_words(seed, rows * k).astype(word).reshape(rows, k)


def _exponent_mask(fmt: InputFormat) -> int:
    bits = 8 * fmt.dtype.itemsize - 1
    exponent = EXPONENT_BITS[fmt.name]
    return (2**exponent - 1) << (bits - exponent)


def normal(fmt: InputFormat, rows: int, k: int, seed: Sequence[int]) -> np.ndarray:
    """Give normal numbers of deviation 1."""
    return _cast(_normal(rows, k, seed), fmt)


def uniform(fmt: InputFormat, rows: int, k: int, seed: Sequence[int]) -> np.ndarray:
    """Give uniform numbers in [0, 1): all sums grow, and small terms are cut."""
    return _cast(_uniform(rows, k, seed), fmt)


def finite_codes(fmt: InputFormat, rows: int, k: int, seed: Sequence[int]) -> np.ndarray:
    """Give random bits without NaN and infinity: every exponent is as likely as any other."""
    import numpy as np

    bits = _bits(fmt, rows, k, seed)
    special = ~np.isfinite(bits.view(fmt.dtype).astype(np.float32))
    mask = bits.dtype.type(_exponent_mask(fmt))
    return np.where(special, bits & ~mask, bits).view(fmt.dtype)


def all_codes(fmt: InputFormat, rows: int, k: int, seed: Sequence[int]) -> np.ndarray:
    """Give normal numbers, and in one row of four, in one element of 64, any bits, infinities and NaN."""
    import numpy as np

    values = normal(fmt, rows, k, seed)
    bits = _bits(fmt, rows, k, [*seed, 1])
    sign, exponent = bits & bits.dtype.type(1 << (8 * bits.itemsize - 1)), _exponent_mask(fmt)
    infinite, nan = (
        sign | bits.dtype.type(exponent),
        sign | bits.dtype.type((1 << (8 * bits.itemsize - 1)) - 1),
    )
    choice = random_words([*seed, 2], rows * k).reshape(rows, k)
    odd = np.choose(choice // 64 % 3, [bits, infinite, nan])
    chosen = (choice % 64 == 0) & (np.arange(rows) % 4 == 0)[:, np.newaxis]
    return np.where(chosen, odd, values.view(bits.dtype)).view(fmt.dtype)


def subnormals(fmt: InputFormat, rows: int, k: int, seed: Sequence[int]) -> np.ndarray:
    """Give subnormal numbers, and normal ones of the lowest exponent."""
    bits = _bits(fmt, rows, k, seed)
    lowest = _exponent_mask(fmt) & -_exponent_mask(fmt)
    keep = bits.dtype.type(~_exponent_mask(fmt) & (2 ** (8 * bits.dtype.itemsize) - 1) | lowest)
    return (bits & keep).view(fmt.dtype)


def sparse(fmt: InputFormat, rows: int, k: int, seed: Sequence[int]) -> np.ndarray:
    """Give zeros, of both signs, but for one element in eight."""
    import numpy as np

    kept = random_words([*seed, 1], rows * k).reshape(rows, k) % 8 == 0
    return _cast(np.where(kept, 1.0, 0.0) * _normal(rows, k, seed), fmt)


def one_giant(fmt: InputFormat, rows: int, k: int, seed: Sequence[int]) -> np.ndarray:
    """Give small numbers, and in each stretch of 32 a single one 64 times as large: it decides what is cut."""
    import numpy as np

    place = random_words([*seed, 1], rows * k).reshape(rows, k)[:, ::32] % 32
    giants = np.arange(k) % 32 == np.repeat(place, 32, axis=1)[:, :k]
    return _cast(_normal(rows, k, seed) * np.where(giants, 64.0, 1.0) / 8.0, fmt)


DISTRIBUTIONS: dict[str, Callable[..., np.ndarray]] = {
    "normal": normal,
    "uniform": uniform,
    "finite codes": finite_codes,
    "all codes": all_codes,
    "subnormals": subnormals,
    "sparse": sparse,
    "one giant": one_giant,
    "cancelling pairs": normal,
}
