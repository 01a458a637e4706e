"""One line of a dynamic program, written in ten ways: which of them become a fused instruction?

All but three compute the same number. `hopperlab.kernels.dpx.listing` has their machine code.
"""

from numba import float32, int32

from hopperlab.device import dpx, kernel

SIGNATURE = "void(int32[::1], int32[::1], int32[::1], int32[::1])"


@kernel(signature=SIGNATURE)
def called_by_name(a, b, c, out):
    """The sum and the maximum, called by the DPX function's name."""
    out[0] = dpx.viaddmax_s32(a[0], b[0], c[0])


@kernel(signature=SIGNATURE)
def written_out(a, b, c, out):
    """The sum and the maximum in plain Python, in 32 bits."""
    out[0] = max(int32(a[0] + b[0]), c[0])


@kernel(signature=SIGNATURE)
def with_a_condition(a, b, c, out):
    """The same with a condition."""
    through = int32(a[0] + b[0])
    out[0] = through if through > c[0] else c[0]


@kernel(signature=SIGNATURE)
def with_a_difference(a, b, c, out):
    """A difference instead of the sum: another number, but the same shape."""
    out[0] = max(int32(a[0] - b[0]), c[0])


@kernel(signature=SIGNATURE)
def with_a_floor(a, b, c, out):
    """The same, and never below 0."""
    out[0] = max(max(int32(a[0] + b[0]), c[0]), int32(0))


@kernel(signature=SIGNATURE)
def as_numba_adds(a, b, c, out):
    """The sum as numba has it unasked: of two int32 it makes an int64."""
    out[0] = max(a[0] + b[0], c[0])


@kernel(signature=SIGNATURE)
def maximum_first(a, b, c, out):
    """The maximum first, then the sum: another number, and another order."""
    out[0] = int32(max(a[0], c[0]) + b[0])


@kernel(signature=SIGNATURE)
def added_twice(a, b, c, out):
    """Two sums before the maximum: b is added on both sides."""
    out[0] = max(int32(a[0] + b[0]), int32(c[0] + b[0]))


@kernel(signature=SIGNATURE)
def without_comparing(a, b, c, out):
    """The old trick that needs no comparison's result but a mask of its bits."""
    through = int32(a[0] + b[0])
    out[0] = c[0] ^ ((through ^ c[0]) & int32(-int32(through > c[0])))


@kernel(signature=SIGNATURE)
def in_floats(a, b, c, out):
    """In FP32, and back."""
    out[0] = int32(max(float32(a[0]) + float32(b[0]), float32(c[0])))


LINES = {
    "Called by name": called_by_name,
    "Written out, in 32 bits": written_out,
    "With a condition": with_a_condition,
    "A difference": with_a_difference,
    "Never below 0": with_a_floor,
    "The sum as numba types it": as_numba_adds,
    "The maximum first": maximum_first,
    "Two sums": added_twice,
    "A mask instead of a maximum": without_comparing,
    "In floats": in_floats,
}
"""The ways to write it, by what they are called in the lesson."""
