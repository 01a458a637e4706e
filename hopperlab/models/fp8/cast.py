"""Casts into and out of FP8: one rounding from any of the wider formats."""

from functools import lru_cache

import ml_dtypes
import numpy as np
from numpy.typing import ArrayLike

from hopperlab.models.fp8.compiled import numba_is_there, thread_count
from hopperlab.models.fp8.fast_cast import round_to_nearest
from hopperlab.models.fp8.formats import Format, format_named
from hopperlab.models.fp8.rounding import check_rounding, check_saturate, round_to_codes

ENGINES = ("auto", "numba", "numpy")
WORTH_COMPILING = 1 << 14  # elements; below it numpy is done before numba has loaded
WORTH_A_THREAD = 1 << 18  # elements a thread
CHUNK = 1 << 14  # elements; numpy's intermediate arrays then stay in the caches


def encode(
    x: ArrayLike,
    fmt: str,
    saturate: bool = True,
    rounding: str = "nearest_even",
    *,
    rng: np.random.Generator | None = None,
    threads: int | None = None,
    engine: str = "auto",
) -> np.ndarray:
    """Cast to FP8 with one rounding, as `cvt.rn.satfinite` does on the card when left at the defaults.

    Parameters
    ----------
    x
        Array of float16, bfloat16, float32 or float64 of any shape and byte order, or Python numbers.
    fmt
        "e4m3", "e5m2" (OCP OFP8, as CUDA), "e4m3_ieee" or "e4m3_fnuz".
    saturate
        True is CUDA's SATFINITE: whatever is too large, infinity too, becomes the largest finite value of its
        sign (claim lit-049.c). False is NOSAT: infinity where the format has one, else NaN (lit-049.a, b).
    rounding
        One of `ROUNDINGS`. The hardware knows "nearest_even" only.
    rng
        The source of chance for "stochastic", which rounds up with probability remainder / step.
    threads
        Threads for large arrays; None means every core.
    engine
        "numba" and "numpy" give the same codes; "auto" takes numba for large arrays rounded to nearest even.

    Returns
    -------
    numpy.ndarray
        The shape of `x` in the format's ml_dtypes dtype. Every NaN becomes the one NaN the card writes
        (0x7F for E4M3 and E5M2).

    Raises
    ------
    ValueError
        For a format, rounding or engine that does not exist, or chance missing or left over.
    TypeError
        For an array of another dtype, or a `saturate` that is no bool.
    """
    target = format_named(fmt)
    check_rounding(rounding, rng)
    check_saturate(saturate)
    if engine not in ENGINES:
        raise ValueError(f"engine={engine!r} must be one of {', '.join(map(repr, ENGINES))}")
    threads = thread_count(threads)
    values = _wide(x)
    flat = np.ascontiguousarray(values).reshape(-1)
    if _takes_numba(engine, flat.size, rounding):
        codes = round_to_nearest(flat, target, saturate, min(threads, 1 + flat.size // WORTH_A_THREAD))
    else:
        codes = _in_chunks(flat, target, saturate, rounding, rng)
    return codes.view(target.dtype).reshape(values.shape)


def decode(codes: ArrayLike, fmt: str) -> np.ndarray:
    """Give the values of FP8 codes as float32, exactly.

    Parameters
    ----------
    codes
        uint8 codes, an array in the format's own ml_dtypes dtype, or Python integers 0..255; any shape.
    fmt
        As for `encode`.

    Raises
    ------
    TypeError
        If `codes` are none of these, or belong to another format.
    ValueError
        If a Python integer is no code.
    """
    target = format_named(fmt)
    codes = _small_integers(codes)
    if codes.dtype not in (np.dtype(np.uint8), target.dtype):
        raise TypeError(f"codes: dtype {codes.dtype} must be uint8 or {target.dtype} for fmt={fmt!r}")
    return np.asarray(_values(target)[codes.view(np.uint8)])


@lru_cache
def _values(fmt: Format) -> np.ndarray:
    """Return the value of each of the 256 codes, read from its fields."""
    code = np.arange(256)
    magnitude = code & 0x7F
    field, mantissa = magnitude >> fmt.mantissa_bits, magnitude & (2**fmt.mantissa_bits - 1)
    exponent = np.maximum(field, 1) - fmt.bias
    significand = mantissa / 2**fmt.mantissa_bits + (field > 0)
    value = np.where(code > 0x7F, -1.0, 1.0) * np.ldexp(significand, exponent)
    value[magnitude > fmt.largest_code] = np.nan
    if fmt.has_infinity:
        value[[fmt.overflow_code, fmt.overflow_code | 0x80]] = np.inf, -np.inf
    value[fmt.nan_code] = np.nan  # E4M3FNUZ keeps its only NaN where others have -0
    value = value.astype(np.float32)
    value.flags.writeable = False
    return value


def _wide(x: ArrayLike) -> np.ndarray:
    """Return `x` as float32 or float64, with nothing lost."""
    values = np.asarray(x)
    values = values.astype(values.dtype.newbyteorder("="), copy=False)
    if values.dtype in (np.dtype(np.float32), np.dtype(np.float64)):
        return values
    if values.dtype in (np.dtype(np.float16), np.dtype(ml_dtypes.bfloat16)):
        return values.astype(np.float32)
    if values.dtype.kind in "iu" and not isinstance(x, np.ndarray | np.generic):
        return values.astype(np.float64)  # exact up to 2**53; all beyond it is too large for FP8 either way
    raise TypeError(f"x: dtype {values.dtype} must be float16, bfloat16, float32 or float64")


def _small_integers(codes: ArrayLike) -> np.ndarray:
    """Return Python integers as uint8, and arrays as they are."""
    array = np.asarray(codes)
    if isinstance(codes, np.ndarray | np.generic) or (array.dtype.kind != "i" and array.size):
        return array
    if array.size and not 0 <= array.min() <= array.max() <= 255:
        raise ValueError(f"codes={codes!r} must be in 0 to 255")
    return array.astype(np.uint8)


def _takes_numba(engine: str, size: int, rounding: str) -> bool:
    """Whether this cast runs compiled."""
    if engine == "numba" and rounding != "nearest_even":
        raise ValueError(f"rounding={rounding!r} must be 'nearest_even' for engine='numba'")
    worth_it = engine == "auto" and rounding == "nearest_even" and size >= WORTH_COMPILING
    return engine == "numba" or (worth_it and numba_is_there())


def _in_chunks(
    flat: np.ndarray, fmt: Format, saturate: bool, rounding: str, rng: np.random.Generator | None
) -> np.ndarray:
    """Round with numpy, a chunk at a time."""
    codes = np.empty(flat.size, np.uint8)
    for start in range(0, flat.size, CHUNK):
        part = slice(start, start + CHUNK)
        codes[part] = round_to_codes(flat[part], fmt, saturate, rounding, rng)
    return codes
