"""Sums, maxima and minima in several ways: with DPX by name, in plain words, and with nothing fused.

The dynamic programs of this theme are written once and made with each of them. What is fused is seen in the
machine code, not in the source: `PLAIN` becomes the same instructions as `NAMED`.
"""

from collections.abc import Callable
from dataclasses import dataclass

from numba import cuda, int16, int32, uint16, uint32

from hopperlab.device import dpx

LOWEST_PAIR = uint32(0x80008000)


@dataclass(frozen=True)
class Arithmetic:
    """How a dynamic program computes with words of 32 bits (int32), each of one number or of two.

    Attributes
    ----------
    name
        The way, and the type of the numbers: "named s32".
    numbers
        How many numbers a word holds, 1 or 2.
    joined
        From a number for the low half and one for the high half to a word; a word of one takes the low.
    number
        From a word and 0 or 1 to the number in its low or high half, signed.
    add, largest, add_then_largest, add_then_largest_relu
        a + b, max(a, b), max(a + b, c) and max(max(a + b, c), 0), of signed numbers.
    add_then_smallest
        min(a + b, c), of unsigned numbers; where a word holds one, of signed numbers.
    """

    name: str
    numbers: int
    joined: Callable
    number: Callable
    add: Callable
    largest: Callable
    add_then_largest: Callable
    add_then_largest_relu: Callable
    add_then_smallest: Callable

    def __str__(self) -> str:
        """Give the name."""
        return self.name


def _device(function: Callable) -> Callable:
    return cuda.jit(device=True)(function)


# One number a word, by name and in plain words.


@_device
def _low(low, high):
    return int32(low)


@_device
def _whole(word, place):
    return word


@_device
def _add(a, b):
    # numba makes int64 of the sum of two int32, which no DPX instruction takes: back to 32 bits at once.
    return int32(a + b)


@_device
def _largest(a, b):
    return max(a, b)


@_device
def _add_then_largest(a, b, c):
    return max(_add(a, b), c)


@_device
def _add_then_largest_relu(a, b, c):
    return max(max(_add(a, b), c), int32(0))


@_device
def _add_then_smallest(a, b, c):
    return min(_add(a, b), c)


# One number a word, each step an instruction of its own: the kernels are launched with blockDim.y and
# blockDim.z of 1, which the compiler cannot know. It has to multiply by them, and fuses nothing across a
# product. There are two of them, since a product that is used twice would be computed ahead.


@_device
def _add_apart(a, b):
    return int32(int32(a * int32(cuda.blockDim.y)) + b)


@_device
def _largest_apart(a, b):
    return int32(max(a, b) * int32(cuda.blockDim.z))


@_device
def _add_then_largest_apart(a, b, c):
    return max(_add_apart(a, b), c)


@_device
def _add_then_largest_relu_apart(a, b, c):
    return max(_largest_apart(_add_apart(a, b), c), int32(0))


@_device
def _add_then_smallest_apart(a, b, c):
    return min(_add_apart(a, b), c)


# Two numbers a word, by name.


@_device
def _pair(low, high):
    return int32((uint32(low) & uint32(0xFFFF)) | uint32(uint32(high) << uint32(16)))


@_device
def _half(word, place):
    return int32(int16(word >> int32(16))) if place else int32(int16(word))


@_device
def _add_pairs(a, b):
    # CUDA has an addition of pairs, but it is no DPX function; nothing is lower than the lowest pair.
    return int32(dpx.viaddmax_s16x2(a, b, LOWEST_PAIR))


@_device
def _largest_pair(a, b):
    largest, _, _ = dpx.vibmax_s16x2(a, b)
    return int32(largest)


@_device
def _add_then_largest_pair(a, b, c):
    return int32(dpx.viaddmax_s16x2(a, b, c))


@_device
def _add_then_largest_pair_relu(a, b, c):
    return int32(dpx.viaddmax_s16x2_relu(a, b, c))


@_device
def _add_then_smallest_pair(a, b, c):
    return int32(dpx.viaddmin_u16x2(a, b, c))


# Two numbers a word, taken apart and put together again: what is left where no instruction knows of halves.


@_device
def _add_pairs_apart(a, b):
    return _pair(_half(a, 0) + _half(b, 0), _half(a, 1) + _half(b, 1))


@_device
def _largest_pair_apart(a, b):
    return _pair(_largest_apart(_half(a, 0), _half(b, 0)), _largest_apart(_half(a, 1), _half(b, 1)))


@_device
def _add_then_largest_pair_apart(a, b, c):
    return _largest_pair_apart(_add_pairs_apart(a, b), c)


@_device
def _add_then_largest_pair_relu_apart(a, b, c):
    return _largest_pair_apart(_add_then_largest_pair_apart(a, b, c), int32(0))


@_device
def _add_then_smallest_pair_apart(a, b, c):
    low = min(int32(uint16(a + b)), int32(uint16(c)))
    high = min(int32(uint16((a >> 16) + (b >> 16))), int32(uint16(c >> 16)))
    return _pair(low, high)


NAMED = Arithmetic(
    name="named s32",
    numbers=1,
    joined=_low,
    number=_whole,
    add=_add,
    largest=_largest,
    add_then_largest=dpx.viaddmax_s32,
    add_then_largest_relu=dpx.viaddmax_s32_relu,
    add_then_smallest=dpx.viaddmin_s32,
)
PLAIN = Arithmetic(
    name="plain s32",
    numbers=1,
    joined=_low,
    number=_whole,
    add=_add,
    largest=_largest,
    add_then_largest=_add_then_largest,
    add_then_largest_relu=_add_then_largest_relu,
    add_then_smallest=_add_then_smallest,
)
APART = Arithmetic(
    name="apart s32",
    numbers=1,
    joined=_low,
    number=_whole,
    add=_add_apart,
    largest=_largest_apart,
    add_then_largest=_add_then_largest_apart,
    add_then_largest_relu=_add_then_largest_relu_apart,
    add_then_smallest=_add_then_smallest_apart,
)
NAMED_PAIRS = Arithmetic(
    name="named 16x2",
    numbers=2,
    joined=_pair,
    number=_half,
    add=_add_pairs,
    largest=_largest_pair,
    add_then_largest=_add_then_largest_pair,
    add_then_largest_relu=_add_then_largest_pair_relu,
    add_then_smallest=_add_then_smallest_pair,
)
PAIRS_APART = Arithmetic(
    name="apart 16x2",
    numbers=2,
    joined=_pair,
    number=_half,
    add=_add_pairs_apart,
    largest=_largest_pair_apart,
    add_then_largest=_add_then_largest_pair_apart,
    add_then_largest_relu=_add_then_largest_pair_relu_apart,
    add_then_smallest=_add_then_smallest_pair_apart,
)
ARITHMETICS = (NAMED, PLAIN, APART, NAMED_PAIRS, PAIRS_APART)
