"""FP8 casts on the card: arrays into and out of both formats, casts fused with amax and scale, and every bit."""

from functools import cache

from numba import cuda, float32, int32, int64, uint8, uint16, uint32
from numba.cuda import libdevice

from hopperlab.device import Kernel, fp8, kernel

EVERYONE = 0xFFFFFFFF
SCRAMBLE = 0x9E3779B1  # odd, so that it takes each pattern to another one, and none is left out


@cache
def encode_array(fmt: str) -> Kernel:
    """Give the kernel that casts float32 to codes, "e4m3" or "e5m2", two values a thread."""

    @kernel(signature="void(float32[::1], uint16[::1])")
    def encode(values, pairs):
        i = cuda.grid(1)
        if i < pairs.size:
            pairs[i] = fp8.encode(values[2 * i], values[2 * i + 1], fmt)

    return encode


@cache
def encode_half_array(fmt: str, relu: bool = False) -> Kernel:
    """Give the kernel that casts float16 to codes, two values a thread; negative ones to 0 if `relu`."""
    encode_halves = fp8.encode_halves_relu if relu else fp8.encode_halves

    @kernel(signature="void(float16[::1], uint16[::1])")
    def encode(values, pairs):
        i = cuda.grid(1)
        if i < pairs.size:
            pairs[i] = encode_halves(values[2 * i], values[2 * i + 1], fmt)

    return encode


@cache
def decode_array(fmt: str) -> Kernel:
    """Give the kernel that turns codes into float16, two values a thread."""

    @kernel(signature="void(uint16[::1], float16[::1])")
    def decode(pairs, values):
        i = cuda.grid(1)
        if i < pairs.size:
            low, high = fp8.decode(pairs[i], fmt)
            values[2 * i], values[2 * i + 1] = low, high

    return decode


@cuda.jit(device=True)
def larger_magnitude(largest, value):
    """The larger of `largest` and |value|; a NaN is never larger, as in CUDA's fmaxf."""
    magnitude = abs(value)
    return magnitude if magnitude > largest else largest


@cuda.jit(device=True)
def raise_amax(amax, largest):
    """Raise amax[0], the bits of a float32, to the largest of the block's threads."""
    for distance in (16, 8, 4, 2, 1):
        largest = larger_magnitude(largest, cuda.shfl_down_sync(EVERYONE, largest, distance))
    if (cuda.threadIdx.x & 31) == 0:
        # The bits of floats that are not negative are in the order of the floats.
        cuda.atomic.max(amax, 0, libdevice.float_as_int(largest))


@kernel(signature="void(float32[::1], int32[::1])")
def find_amax(values, amax):
    """Find the largest magnitude: the first of three kernels. `amax` holds the bits of a float32, 0 at first.

    Like the others it takes an even number of values, two at a time, so that as many bytes are under way in each.
    """
    largest = float32(0)
    for i in range(cuda.grid(1), values.size // 2, cuda.gridsize(1)):
        low, high = values[2 * i], values[2 * i + 1]
        largest = larger_magnitude(larger_magnitude(largest, low), high)
    raise_amax(amax, largest)


@kernel(signature="void(float32[::1], float32, float32[::1])")
def multiply(values, scale, scaled):
    """Scale: the second of three kernels; `encode_array` is the third."""
    for i in range(cuda.grid(1), values.size // 2, cuda.gridsize(1)):
        low, high = values[2 * i], values[2 * i + 1]
        scaled[2 * i], scaled[2 * i + 1] = low * scale, high * scale


@cache
def scale_and_encode(fmt: str) -> Kernel:
    """Give the kernel that does all three in one pass: amax for the next step, this step's scale, the cast.

    amax is that of the values before they are scaled. This is the cast of delayed scaling: its scale is known
    before the values are.
    """

    @kernel(signature="void(float32[::1], float32, uint16[::1], int32[::1])")
    def cast(values, scale, pairs, amax):
        largest = float32(0)
        for i in range(cuda.grid(1), pairs.size, cuda.gridsize(1)):
            low, high = values[2 * i], values[2 * i + 1]
            largest = larger_magnitude(larger_magnitude(largest, low), high)
            pairs[i] = fp8.encode(low * scale, high * scale, fmt)
        raise_amax(amax, largest)

    return cast


@cache
def find_changes(fmt: str, relu: bool) -> Kernel:
    """Give the kernel that casts all 2**32 patterns of float32 and reports where the code changes.

    It takes (changes, counts): uint32 (room, 2), in which each row is a pattern and its code, wherever the code
    is not that of the pattern before (that of 0 counts as a change), in no order; and int32 (2,), of changes,
    and of patterns whose codes in the low and in the high half differ. Start it with 2**16 threads.
    """
    encode = fp8.encode_relu if relu else fp8.encode

    @kernel(signature="void(uint32[:, ::1], int32[::1])")
    def look(changes, counts):
        first = uint32(cuda.grid(1)) << uint32(16)
        before = uint16(encode(float32(0), libdevice.int_as_float(int32(first - uint32(1))), fmt)) >> uint16(
            8
        )
        for step in range(1 << 16):
            pattern = uint32(first + uint32(step))
            value = libdevice.int_as_float(int32(pattern))
            other = libdevice.int_as_float(int32(uint32(pattern * uint32(SCRAMBLE))))
            code = uint8(encode(value, other, fmt))
            if code != uint16(encode(other, value, fmt)) >> uint16(8):
                cuda.atomic.add(counts, 1, 1)
            if code != before or pattern == uint32(0):
                place = cuda.atomic.add(counts, 0, 1)
                if place < changes.shape[0]:
                    changes[place, 0], changes[place, 1] = pattern, code
            before = code

    return look


@cache
def check_half_pairs(fmt: str, relu: bool) -> Kernel:
    """Give the kernel that casts all 2**32 pairs of float16.

    It takes (halves, codes, differ): all 2**16 float16, the code of each, and int64 (1,), to which it adds the
    pairs whose codes are not those of their halves. Start it with 2**16 threads.
    """
    encode = fp8.encode_halves_relu if relu else fp8.encode_halves

    @kernel(signature="void(float16[::1], uint8[::1], int64[::1])")
    def check(halves, codes, differ):
        mine = cuda.grid(1)
        low, code = halves[mine], uint16(codes[mine])
        wrong = int64(0)
        for other in range(1 << 16):
            expected = uint16(code | uint16(uint16(codes[other]) << uint16(8)))
            wrong += encode(low, halves[other], fmt) != expected
        if wrong:
            cuda.atomic.add(differ, 0, wrong)

    return check
