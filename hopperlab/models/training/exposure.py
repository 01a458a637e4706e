"""Why some networks are exposed to eight bits: sums of few terms, and channels of unlike size.

The talk says that networks such as MobileNet lose accuracy (talk-082). A depthwise convolution sums nine terms a
channel, where a matrix product sums hundreds, and its channels share one scale. Both effects are shown here
without training; that such a network loses so and so much is not.
"""

import numpy as np

from hopperlab.models import fp8
from hopperlab.models.arguments import finite_number, whole_number
from hopperlab.models.scaling import quantize_blocks, quantize_current

DRAWS = 2000
MOST_TERMS = 1 << 16
MOST_OCTAVES = 200
INT8 = "int8"


def dot_error(terms: int, same_sign: bool, fmt: str = "e4m3", seed: int = 0) -> float:
    """Error of dot products of FP8 operands, as a share of the products' root mean square.

    Operands are normal, of one scale, each tensor scaled to the format's range; sums are exact.

    Parameters
    ----------
    terms
        Terms of each sum: 9 for a depthwise 3 x 3 convolution.
    same_sign
        Whether all operands are positive, as behind a ReLU, so that errors average out; else they keep pace
        with the sum.
    """
    whole_number("terms", terms, 1, MOST_TERMS)
    rng = np.random.default_rng(seed)
    draws = max(200, min(DRAWS, 1_000_000 // terms))
    a, b = rng.normal(size=(2, draws, terms))
    if same_sign:
        a, b = np.abs(a), np.abs(b)
    rounded = np.einsum("ij,ij->i", *(_through(x, fmt) for x in (a, b)))
    exact = np.einsum("ij,ij->i", a, b)
    return float(np.sqrt(np.mean((rounded - exact) ** 2) / np.mean(exact**2)))


def _through(x: np.ndarray, fmt: str) -> np.ndarray:
    return quantize_current(x, fmt).dequantize().astype(np.float64)


def worst_channel_db(octaves: float, fmt: str = "e4m3", per_channel: bool = False, seed: int = 0) -> float:
    """Signal to rounding noise of the smallest channel, in dB, where channels span so many octaves.

    Parameters
    ----------
    octaves
        Largest channel over smallest, as a power of two, 0 to 200.
    fmt
        A format of `models.fp8`, or "int8": whole numbers -127 to 127 times one scale.
    per_channel
        One scale for each channel, instead of one for the tensor.
    """
    if finite_number("octaves", octaves, at_least=0) > MOST_OCTAVES:
        raise ValueError(f"octaves={octaves!r} must be at most {MOST_OCTAVES}")
    check_eight_bits(fmt)
    rng = np.random.default_rng(seed)
    sizes = 2.0 ** np.linspace(0, -octaves, 32)
    x = rng.normal(size=(32, 512)) * sizes[:, None]
    if fmt == INT8:
        rounded = int8_through(x, axis=1 if per_channel else None)
    elif per_channel:
        rounded = quantize_blocks(x, fmt, (1, x.shape[1])).dequantize()
    else:
        rounded = quantize_current(x, fmt).dequantize()
    noise = np.mean((rounded[-1] - x[-1]) ** 2)
    return float(10 * np.log10(np.mean(x[-1] ** 2) / noise))


def check_eight_bits(fmt: str) -> None:
    """Refuse what is neither "int8" nor a format of `models.fp8`."""
    allowed = (INT8, *fp8.FORMATS)
    if fmt not in allowed:
        raise ValueError(f"fmt={fmt!r} must be one of {', '.join(map(repr, allowed))}")


def int8_through(x: np.ndarray, limit: float | None = None, axis: int | None = None) -> np.ndarray:
    """Round to INT8 and back: 255 values from -limit to limit, the largest magnitude unless it is given.

    Zeros stay zeros, whatever the limit.

    Raises
    ------
    ValueError
        If a limit is negative, infinite or NaN.
    """
    x = np.asarray(x)
    if limit is None:
        limit = np.abs(x).max(axis=axis, keepdims=axis is not None, initial=0)
    limit = np.asarray(limit, np.float64)
    if not (np.isfinite(limit).all() and (limit >= 0).all()):
        raise ValueError(f"limit={limit} must be finite and at least 0")
    step = np.where(limit > 0, limit, 1) / 127
    return np.clip(np.rint(x / step), -127, 127) * (limit / 127)


def largest_error(fmt: str) -> float:
    """Largest relative error of rounding to nearest in the normal range of an FP8 format: half a last place."""
    return 2.0 ** -(fp8.format_named(fmt).mantissa_bits + 1)
