"""The chain of steps along K for a whole product, compiled: the same bits as `block.step`, a million times faster.

Everything is exact in float64: a product has at most 22 significant bits, scaling by a power of two costs none, a
block's sum stays below 2**53. So a term is cut by one multiplication and one truncation, and the order of the sum
is free, which is what lets the compiler use vectors. Importing this module loads numba.
"""

import numpy as np

from hopperlab.models.fp8.compiled import compiled
from hopperlab.models.tensorcore.operands import LEFT_OUT, NO_PRODUCT

LARGEST_POWER = 700
POWERS_OF_TWO = np.ldexp(1.0, np.arange(-LARGEST_POWER, LARGEST_POWER + 1))

COLUMNS_AT_ONCE = 32  # columns of B and elements of K whose operands stay in the L2 cache of a core
ELEMENTS_AT_ONCE = 512


def _largest_exponent(a_exponents, b_exponents):
    """Return the largest exponent of the products."""
    largest = NO_PRODUCT
    for k in range(a_exponents.size):
        largest = max(largest, np.int16(a_exponents[k] + b_exponents[k]))
    return np.int32(largest)


def _cut_sum(a, b, scale):
    """Sum the products, each cut to whole steps."""
    total = 0.0
    for k in range(a.size):
        total += np.trunc(a[k] * b[k] * scale)
    return total


def _exponent(x):
    """Floor of the base-2 logarithm, read from the bits; far below all others for zero."""
    return np.int32((np.float64(x).view(np.uint64) >> np.uint64(52)) & np.uint64(0x7FF)) - np.int32(1023)


def _written(x, fraction_bits, minimum_exponent, maximum_exponent, nearest):
    """Write a sum to the output."""
    if not nearest and minimum_exponent <= _exponent(x) <= maximum_exponent:
        cut_off = (np.uint64(1) << np.uint64(52 - fraction_bits)) - np.uint64(1)
        return np.uint64(np.float64(x).view(np.uint64) & ~cut_off).view(np.float64)
    if x == 0.0:
        return 0.0
    exponent = max(_exponent(x), minimum_exponent)
    places = x * POWERS_OF_TWO[LARGEST_POWER + fraction_bits - exponent]
    places = np.rint(places) if nearest else np.trunc(places)
    result = places * POWERS_OF_TWO[LARGEST_POWER + exponent - fraction_bits]
    if abs(result) >= POWERS_OF_TWO[LARGEST_POWER + maximum_exponent + 1]:
        return np.inf if result > 0.0 else -np.inf
    return result + 0.0  # never -0


def _special_sum(a, b, multiplied, c):
    """Sum the terms that are NaN or infinite; a finite result means that there are none."""
    total = 0.0 if np.isfinite(c) else c
    for k in range(a.size):
        term = a[k] * b[k]
        if multiplied[k] and not np.isfinite(term):
            total += term
    return total


_largest_exponent = compiled(_largest_exponent)
_cut_sum = compiled(_cut_sum, fastmath=("reassoc", "nsz"))
_exponent = compiled(_exponent)
_written = compiled(_written)
_special_sum = compiled(_special_sum)


def _chain(a, a_exponents, a_special, b, b_exponents, b_special, c, first, last, block, integers):
    """Chain the blocks first..last on C, in place, a tile of operands at a time."""
    fraction_bits, lowest, output_fraction_bits, output_minimum, output_maximum, nearest = integers
    blocks_at_once = max(1, ELEMENTS_AT_ONCE // block)
    for first_block in range(first, last, blocks_at_once):
        last_block = min(first_block + blocks_at_once, last)
        for first_column in range(0, b.shape[0], COLUMNS_AT_ONCE):
            last_column = min(first_column + COLUMNS_AT_ONCE, b.shape[0])
            for i in range(a.shape[0]):
                for j in range(first_column, last_column):
                    total = c[i, j]
                    for n in range(first_block, last_block):
                        k = slice(n * block, n * block + block)
                        b_values = b[j, k]
                        if a_special[i, n] or b_special[j, n] or not np.isfinite(total):
                            multiplied = a_exponents[i, k] != LEFT_OUT
                            ieee_sum = _special_sum(a[i, k], b_values, multiplied, total)
                            if not np.isfinite(ieee_sum):
                                total = ieee_sum
                                continue
                            b_values = np.where(multiplied, b_values, 0.0)
                        largest = max(_largest_exponent(a_exponents[i, k], b_exponents[j, k]), lowest)
                        if total != 0.0:
                            largest = max(largest, max(_exponent(total), output_minimum))
                        scale = POWERS_OF_TWO[LARGEST_POWER + fraction_bits - largest]
                        step = POWERS_OF_TWO[LARGEST_POWER + largest - fraction_bits]
                        total = (_cut_sum(a[i, k], b_values, scale) + np.trunc(total * scale)) * step
                        total = _written(total, output_fraction_bits, output_minimum, output_maximum, nearest)
                    c[i, j] = total


chain = compiled(_chain)
