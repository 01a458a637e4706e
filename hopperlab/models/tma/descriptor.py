"""The tensor map: what one thread tells the tensor memory accelerator, once, about a tensor.

The host encodes it with ``cuTensorMapEncodeTiled``; after that, a kernel names a box by its coordinates
alone. The fields are the driver's, in the driver's order: dimension 0 is the innermost, sizes and boxes
count elements, strides count bytes, and the stride of dimension 0 is one element and is not given.

Enumerators carry the driver's numbers, so that a descriptor turns into a call by value.
"""

from dataclasses import dataclass, replace
from enum import IntEnum
from math import prod

import ml_dtypes
import numpy as np

MAX_RANK = 5  # dimensions; claim lit-031
MAP_BYTES, MAP_ALIGNMENT = 128, 64  # of an encoded map in memory, bytes; claims lit-038.b and lit-038.a


class ElementType(IntEnum):
    """The element types that Hopper copies, as CU_TENSOR_MAP_DATA_TYPE_*."""

    UINT8 = 0
    UINT16 = 1
    UINT32 = 2
    INT32 = 3
    UINT64 = 4
    INT64 = 5
    FLOAT16 = 6
    FLOAT32 = 7
    FLOAT64 = 8
    BFLOAT16 = 9
    FLOAT32_FTZ = 10
    TFLOAT32 = 11
    TFLOAT32_FTZ = 12

    @property
    def dtype(self) -> np.dtype:
        """The numpy type of an element; the FTZ and TF32 kinds of float32 are float32 in memory."""
        return _DTYPES.get(self) or np.dtype(self.name.lower())

    @property
    def nbytes(self) -> int:
        """Bytes an element takes, 1 to 8."""
        return self.dtype.itemsize

    @property
    def floating(self) -> bool:
        """Whether out-of-bounds elements may be filled with NaN."""
        return self >= ElementType.FLOAT16


_DTYPES = {
    ElementType.BFLOAT16: np.dtype(ml_dtypes.bfloat16),
    ElementType.FLOAT32_FTZ: np.dtype(np.float32),
    ElementType.TFLOAT32: np.dtype(np.float32),
    ElementType.TFLOAT32_FTZ: np.dtype(np.float32),
}
_ELEMENT_TYPES = {kind.dtype: kind for kind in reversed(ElementType)}


class Interleave(IntEnum):
    """How channels are grouped in global memory, as CU_TENSOR_MAP_INTERLEAVE_*."""

    NONE = 0
    BYTES_16 = 1
    BYTES_32 = 2


class Swizzle(IntEnum):
    """How 16-byte chunks are shuffled in shared memory, as CU_TENSOR_MAP_SWIZZLE_* (lit-039.a)."""

    NONE = 0
    BYTES_32 = 1
    BYTES_64 = 2
    BYTES_128 = 3

    @property
    def span(self) -> int:
        """Bytes within which chunks change places: 32, 64 or 128; 0 without swizzle."""
        return 0 if self == Swizzle.NONE else 16 << self


class L2Promotion(IntEnum):
    """The grain in which the L2 fetches from memory, as CU_TENSOR_MAP_L2_PROMOTION_*."""

    NONE = 0
    BYTES_64 = 1
    BYTES_128 = 2
    BYTES_256 = 3


class Fill(IntEnum):
    """What a load puts where the box hangs over the tensor's edge, as CU_TENSOR_MAP_FLOAT_OOB_FILL_*."""

    ZERO = 0
    NAN = 1


@dataclass(frozen=True)
class Descriptor:
    """The arguments of ``cuTensorMapEncodeTiled``, innermost dimension first; accepted or not.

    Parameters
    ----------
    element_type
        What an element is.
    global_address
        Where the tensor begins, a byte address.
    global_dim
        Elements in each dimension; how many dimensions there are is the rank.
    global_strides
        Bytes from one index to the next, of every dimension but the innermost: rank - 1 numbers.
    box_dim
        Elements of the box in each dimension.
    element_strides
        Every how many elements one is taken; all 1 if left out. Without interleave the first is ignored.
    interleave, swizzle, l2_promotion, fill
        As their classes say.

    Raises
    ------
    ValueError
        If the lengths do not fit together. Everything else is what ``rules`` are for.
    """

    element_type: ElementType
    global_address: int
    global_dim: tuple[int, ...]
    global_strides: tuple[int, ...]
    box_dim: tuple[int, ...]
    element_strides: tuple[int, ...] = ()
    interleave: Interleave = Interleave.NONE
    swizzle: Swizzle = Swizzle.NONE
    l2_promotion: L2Promotion = L2Promotion.NONE
    fill: Fill = Fill.ZERO

    def __post_init__(self) -> None:
        """Turn sequences into tuples of plain ints, fill in the element strides, and check the lengths."""
        for name in ("global_dim", "global_strides", "box_dim", "element_strides"):
            object.__setattr__(self, name, tuple(int(number) for number in getattr(self, name)))
        if not self.element_strides:
            object.__setattr__(self, "element_strides", (1,) * self.rank)
        lengths = (("box_dim", self.rank), ("element_strides", self.rank), ("global_strides", self.rank - 1))
        for name, length in lengths:
            length = max(length, 0)
            if len(getattr(self, name)) != length:
                raise ValueError(
                    f"{name}={getattr(self, name)}: {length} numbers are needed for {self.rank} dimensions"
                )

    @property
    def rank(self) -> int:
        """Number of dimensions, as global_dim has them."""
        return len(self.global_dim)

    @property
    def inner_bytes(self) -> int:
        """Bytes of the box's innermost row, as the driver counts them."""
        return self.box_dim[0] * self.element_type.nbytes if self.rank else 0

    @property
    def steps(self) -> tuple[int, ...]:
        """The element strides in effect: that of dimension 0 is ignored without interleave (lit-037.a)."""
        if self.interleave == Interleave.NONE:
            return (1, *self.element_strides[1:])
        return self.element_strides

    @property
    def box_shape(self) -> tuple[int, ...]:
        """Elements loaded in each dimension, innermost first: ceil(box / element stride) (lit-037.b)."""
        return tuple(-(-size // step) for size, step in zip(self.box_dim, self.steps, strict=True))

    @property
    def box_bytes(self) -> int:
        """Bytes that one copy of a box counts on the barrier: the whole box, also where it hangs outside.

        That the outside counts was measured on an H200 (see claim recalled-005).
        """
        return prod(self.box_shape) * self.element_type.nbytes

    def changed(self, **fields: object) -> "Descriptor":
        """A copy with some fields replaced."""
        return replace(self, **fields)


def describe(
    array: np.ndarray,
    box: tuple[int, ...],
    *,
    element_type: ElementType | None = None,
    global_address: int = 0,
    element_strides: tuple[int, ...] = (),
    swizzle: Swizzle = Swizzle.NONE,
    fill: Fill = Fill.ZERO,
    l2_promotion: L2Promotion = L2Promotion.NONE,
) -> Descriptor:
    """The descriptor of a numpy array; `box` and `element_strides` in the array's order, outermost first.

    Parameters
    ----------
    array
        The tensor, 1 to 5 dimensions, its last axis contiguous.
    box
        Elements of the box along each axis of `array`.
    element_type
        Taken from the array's dtype if left out; say it to tell TFLOAT32 from FLOAT32.
    global_address
        The address that the array's first byte has on the device.

    Raises
    ------
    ValueError
        If the array's dtype is none that the engine copies, or its last axis is not contiguous.
    """
    if element_type is None:
        if array.dtype not in _ELEMENT_TYPES:
            known = ", ".join(dict.fromkeys(str(kind.dtype) for kind in ElementType))
            raise ValueError(f"array has dtype {array.dtype}: allowed are {known}")
        element_type = _ELEMENT_TYPES[array.dtype]
    if array.ndim and array.shape[-1] > 1 and array.strides[-1] != array.itemsize:
        raise ValueError(
            f"array has a stride of {array.strides[-1]} bytes along its last axis: {array.itemsize} is "
            "needed, the innermost dimension being contiguous"
        )
    return Descriptor(
        element_type,
        global_address,
        array.shape[::-1],
        array.strides[-2::-1] if array.ndim > 1 else (),
        box[::-1],
        element_strides[::-1],
        swizzle=swizzle,
        l2_promotion=l2_promotion,
        fill=fill,
    )
