"""A tensor in FP8 and the factor that undoes its scaling: whole, or block by block."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from hopperlab.models import fp8
from hopperlab.models.arguments import whole_number
from hopperlab.models.scaling.factors import amax, current_scale, in_fp32

MOST_IN_A_BLOCK = 1 << 20


@dataclass(frozen=True)
class Quantized:
    """FP8 values with what they stand for.

    codes
        The tensor in the format's ml_dtypes dtype.
    scale_inv
        float32: what a value is multiplied with to have it back; a scalar, or one for each block.
    fmt
        Name of the format.
    block
        Rows and columns of a block, or None for one scale in all. Blocks at the edge may be smaller.
    """

    codes: np.ndarray
    scale_inv: np.ndarray
    fmt: str
    block: tuple[int, int] | None = None

    def dequantize(self) -> np.ndarray:
        """Return the values as float32, rounded once."""
        scale_inv = self.scale_inv
        if self.block is not None:
            scale_inv = _over_blocks(scale_inv, self.codes.shape, self.block)
        return fp8.decode(self.codes, self.fmt) * scale_inv


def quantize(x: ArrayLike, fmt: str, scale: ArrayLike) -> Quantized:
    """Scale in FP32 and cast with saturation, as the kernels do; `scale_inv` is 1 / scale.

    Raises
    ------
    ValueError
        If a scale is zero, negative, infinite or NaN, or so small that FP32 does not hold its inverse.
    """
    scale = in_fp32("scale", scale)
    if scale.ndim:
        raise ValueError(f"scale: shape {scale.shape} must be (): see quantize_blocks")
    return Quantized(_scaled_codes(x, fmt, scale), _inverse(scale), fmt)


def quantize_current(
    x: ArrayLike, fmt: str = "e4m3", *, epsilon: float = 0.0, power_of_two: bool = False
) -> Quantized:
    """Quantize with the scale of the tensor's own amax: current scaling."""
    return quantize(x, fmt, current_scale(amax(x), fmt, epsilon=epsilon, power_of_two=power_of_two))


def quantize_blocks(
    x: ArrayLike,
    fmt: str = "e4m3",
    block: tuple[int, int] = (1, 128),
    *,
    epsilon: float = 0.0,
    power_of_two: bool = False,
) -> Quantized:
    """Quantize a matrix with one scale for each block: 1 x 128 for activations, 128 x 128 for weights.

    Parameters
    ----------
    x
        Matrix of any shape; the last blocks are smaller where it does not divide.
    block
        Rows and columns of a block.
    fmt, epsilon, power_of_two
        As for `current_scale`.
    """
    x = np.asarray(x)
    if x.ndim != 2:
        raise ValueError(f"x: shape {x.shape} must be that of a matrix")
    if not isinstance(block, tuple | list) or len(block) != 2:
        raise ValueError(f"block={block!r} must be two whole numbers")
    sizes = [whole_number("block", size, 1, MOST_IN_A_BLOCK) for size in block]
    rows, columns = (min(size, max(1, whole)) for size, whole in zip(sizes, x.shape, strict=True))
    largest = _block_amax(in_fp32("x", x), (rows, columns))
    scale = current_scale(largest, fmt, epsilon=epsilon, power_of_two=power_of_two)
    codes = _scaled_codes(x, fmt, _over_blocks(scale, x.shape, (rows, columns)))
    return Quantized(codes, _inverse(scale), fmt, (rows, columns))


def _scaled_codes(x: ArrayLike, fmt: str, scale: np.ndarray) -> np.ndarray:
    """Scale and cast."""
    if not (np.isfinite(scale).all() and (scale > 0).all()):
        raise ValueError(f"scale={scale} must be finite and above zero")
    with np.errstate(over="ignore"):
        return fp8.encode(in_fp32("x", x) * scale, fmt)


def _inverse(scale: np.ndarray) -> np.ndarray:
    """Return what undoes a scale; FP32 has none for one below 2**-128, and zeros would come back as NaN."""
    with np.errstate(over="ignore"):
        inverse = np.float32(1) / scale
    if np.isinf(inverse).any():
        raise ValueError(f"scale={scale} must have an inverse in FP32: be 2**-128 or more")
    return inverse


def _block_amax(x: np.ndarray, block: tuple[int, int]) -> np.ndarray:
    """Return the amax of each block, NaN left aside."""
    tiles = [-(-size // step) for size, step in zip(x.shape, block, strict=True)]
    padded = np.zeros([n * step for n, step in zip(tiles, block, strict=True)], np.float32)
    padded[: x.shape[0], : x.shape[1]] = np.abs(x)
    by_block = padded.reshape(tiles[0], block[0], tiles[1], block[1])
    return np.fmax.reduce(by_block, axis=(1, 3), initial=np.float32(0))


def _over_blocks(values: np.ndarray, shape: tuple[int, int], block: tuple[int, int]) -> np.ndarray:
    """Spread one value a block over the elements of a matrix."""
    spread = values.repeat(block[0], axis=0).repeat(block[1], axis=1)
    return spread[: shape[0], : shape[1]]
