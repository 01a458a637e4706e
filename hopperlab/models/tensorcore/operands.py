"""A matrix as a unit sees it: values, exponents, and which blocks hold a NaN or an infinity."""

from dataclasses import dataclass

import numpy as np

from hopperlab.models.tensorcore.formats import InputFormat

NO_PRODUCT = np.int16(-4000)  # exponent of a zero: with it no sum of two exponents reaches a real one
LEFT_OUT = np.int16(-8000)  # exponent of an element that a sparse instruction does not multiply at all


@dataclass(frozen=True)
class Operand:
    """Rows of A, or columns of B, along K; K is padded with zeros, which take no part, to whole blocks.

    values
        float64, (rows, K), exact.
    exponents
        int16, (rows, K): of each value as the unit takes it, NO_PRODUCT for zero, LEFT_OUT where sparse.
    special
        bool, (rows, blocks): whether the block holds a NaN or an infinity.
    """

    values: np.ndarray
    exponents: np.ndarray
    special: np.ndarray

    @property
    def arrays(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The three arrays, in order."""
        return self.values, self.exponents, self.special


def operand(values: np.ndarray, fmt: InputFormat, block: int, left_out: np.ndarray | None = None) -> Operand:
    """Prepare values of shape (rows, K), of format `fmt`, for blocks of `block` elements."""
    rows, k = values.shape
    blocks = -(-k // block)
    padded = np.zeros((rows, blocks * block))
    padded[:, :k] = values
    exponents = ((padded.view(np.uint64) >> 52) & 0x7FF).astype(np.int16) - np.int16(1023)
    not_finite, zero = exponents == 1024, exponents == -1023  # no value of a narrow format is subnormal here
    np.maximum(exponents, fmt.minimum_exponent, out=exponents)
    exponents[not_finite | zero] = NO_PRODUCT
    if left_out is not None:
        exponents[:, :k][left_out] = LEFT_OUT
    return Operand(padded, exponents, not_finite.reshape(rows, blocks, block).any(axis=2))
