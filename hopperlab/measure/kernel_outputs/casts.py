"""Cases of FP8: casts of arrays, casts fused with amax and scale, and the kernels that try every pattern."""

import numpy as np

from hopperlab.kernels import fp8
from hopperlab.measure.kernel_outputs.case import Case, case, real, words
from hopperlab.models.fp8 import encode

FORMATS = ("e4m3", "e5m2")
SPECIAL = np.array([0, -0.0, np.inf, -np.inf, 464, 465, 61440, 2**-9, 2**-10, 1.0625], np.float32)


def _format(seed: int) -> str:
    return FORMATS[seed % 2]


def _values(seed: int, count: int) -> np.ndarray:
    """Give normal and subnormal magnitudes of FP8, and some special values."""
    exponents = (words(seed, count, 1) % 30).astype(np.int32) - 14
    values = np.ldexp(real(seed, count), exponents).astype(np.float32)
    values[: SPECIAL.size] = SPECIAL
    return values


@case
def encode_array(seed: int) -> Case:
    """Values of every magnitude, and a NaN."""
    values = _values(seed, 200)
    values[-1] = np.nan
    return Case(fp8.encode_array(_format(seed)), 2, 64, (values, np.zeros(100, np.uint16)))


@case
def encode_half_array(seed: int) -> Case:
    """The same from float16, every third time without what is negative."""
    values = _values(seed, 200).astype(np.float16)
    kernel = fp8.encode_half_array(_format(seed), relu=seed % 3 == 2)
    return Case(kernel, 2, 64, (values, np.zeros(100, np.uint16)))


@case
def decode_array(seed: int) -> Case:
    """Every code."""
    pairs = np.arange(256, dtype=np.uint16) ^ np.uint16(seed << 8)
    return Case(fp8.decode_array(_format(seed)), 4, 64, (pairs, np.zeros(512, np.float16)))


@case
def find_amax(seed: int) -> Case:
    """A NaN among the values."""
    values = _values(seed, 300)
    values[2:4] = 1, np.nan
    return Case(fp8.find_amax, 2, 64, (values, np.zeros(1, np.int32)))


@case
def multiply(seed: int) -> Case:
    """Values of every magnitude."""
    values = _values(seed, 300)
    return Case(fp8.multiply, 2, 64, (values, np.float32(0.3), np.zeros_like(values)))


@case
def scale_and_encode(seed: int) -> Case:
    """All three in one."""
    arguments = (_values(seed, 300), np.float32(11.3), np.zeros(150, np.uint16), np.zeros(1, np.int32))
    return Case(fp8.scale_and_encode(_format(seed)), 2, 64, arguments)


@case
def find_changes(seed: int) -> Case:
    """The first 2**16 patterns; fp8_casts has them all."""
    kernel = fp8.find_changes(_format(seed), relu=seed % 3 == 2)
    return Case(kernel, 1, 1, (np.zeros((4, 2), np.uint32), np.zeros(2, np.int32)))


@case
def check_half_pairs(seed: int) -> Case:
    """Pairs with one float16, of which some codes are wrong; fp8_casts has all pairs."""
    halves = (np.arange(2**16, dtype=np.uint32) + words(seed, 1)[0]).astype(np.uint16).view(np.float16)
    relu = seed % 3 == 2
    codes = encode(np.where(halves < 0, np.float16(0), halves) if relu else halves, _format(seed)).view(
        np.uint8
    )
    codes[words(seed, 20 * seed, 1) % 2**16] ^= 1
    codes[0] = encode(halves[:1], _format(seed)).view(np.uint8)[0]
    return Case(fp8.check_half_pairs(_format(seed), relu), 1, 1, (halves, codes, np.zeros(1, np.int64)))
