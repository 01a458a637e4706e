"""Rounding to nearest even at the speed of memory: the cast as one branch-free loop for numba.

Same result as `rounding.round_to_codes`, code for code. The loop keeps every integer in the source's own
word, so that the compiler can put 8 float32 (4 float64) into one vector register.
"""

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from hopperlab.models.fp8.compiled import compiled, run_in_slices
from hopperlab.models.fp8.formats import Format
from hopperlab.models.fp8.rounding import SOURCES


def round_to_nearest(x: np.ndarray, fmt: Format, saturate: bool, threads: int) -> np.ndarray:
    """Round a flat, contiguous float32 or float64 array to uint8 codes of `fmt`, once, to nearest even."""
    source = SOURCES[x.dtype]
    word = source.word
    bits, codes = x.view(word), np.empty(x.size, np.uint8)
    constants = (
        word(fmt.mantissa_bits),
        word(source.bias + fmt.minimum_exponent),
        word(fmt.largest_code),
        word(fmt.largest_code if saturate else fmt.overflow_code),
        word(fmt.nan_code),
        fmt.has_negative_zero,
    )
    kernel = _kernel(word, source.fraction_bits, source.infinity, source.sign_shift)
    run_in_slices(lambda part: kernel(bits[part], codes[part], *constants), x.size, threads)
    return codes


@lru_cache
def _kernel(word: type, fraction_bits: int, infinity: int, sign_shift: int) -> Callable:
    """Compile the cast for one source."""
    one, sign_bit, seven = word(1), word(0x80), word(sign_shift - 7)
    bits_of_fraction, bits_of_infinity = word(fraction_bits), word(infinity)
    bits_of_magnitude, hidden_bit = word(2**sign_shift - 1), word(2**fraction_bits)
    no_bits, everything_out = word(0), word(fraction_bits + 2)

    def cast(bits, codes, mantissa_bits, minimum_field, largest_code, overflow_code, nan_code, negative_zero):
        base_shift = word(bits_of_fraction - mantissa_bits)
        for i in range(bits.size):
            magnitude = word(bits[i] & bits_of_magnitude)
            field = word(magnitude >> bits_of_fraction)
            # The hidden bit of a source subnormal would be wrong, but all of it is shifted out.
            significand = word((magnitude & word(hidden_bit - one)) | hidden_bit)
            grid_field = max(field, minimum_field)
            shift = min(word(base_shift + word(grid_field - field)), everything_out)
            just_under_half = word(word(one << word(shift - one)) - one)
            odd = word(word(significand >> shift) & one)
            steps = word(word(significand + word(just_under_half + odd)) >> shift)
            code = word(steps + word(word(grid_field - minimum_field) << mantissa_bits))
            code = overflow_code if code > largest_code else code
            sign = word(word(bits[i] >> seven) & sign_bit)
            sign = sign if negative_zero or code > no_bits else no_bits
            codes[i] = nan_code if magnitude > bits_of_infinity else word(code | sign)

    return compiled(cast)
