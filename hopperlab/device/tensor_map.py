"""The tensor map as the host makes it: a checked description of an array, ready to be a kernel's argument."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import numpy as np

from hopperlab.models.tma import Descriptor, ElementType, Fill, L2Promotion, Swizzle, check, describe

SWIZZLES = {0: Swizzle.NONE, 32: Swizzle.BYTES_32, 64: Swizzle.BYTES_64, 128: Swizzle.BYTES_128}
FILLS = {"zero": Fill.ZERO, "nan": Fill.NAN}
L2_FETCHES = {
    0: L2Promotion.NONE,
    64: L2Promotion.BYTES_64,
    128: L2Promotion.BYTES_128,
    256: L2Promotion.BYTES_256,
}


@dataclass(frozen=True)
class TensorMap:
    """A tensor map: what the copy engine has to know of an array and of the boxes it copies.

    Attributes
    ----------
    descriptor
        The arguments of cuTensorMapEncodeTiled, innermost dimension first.
    array
        The array that is described; the map keeps it alive.
    on_device
        Whether the array is in device memory: only then can a card copy from it.
    """

    descriptor: Descriptor
    array: Any = field(repr=False, compare=False)
    on_device: bool

    @property
    def rank(self) -> int:
        """Number of dimensions."""
        return self.descriptor.rank

    @property
    def box_bytes(self) -> int:
        """Bytes that the copy of one box counts on its barrier, also where the box hangs over the edge."""
        return self.descriptor.box_bytes


def tensor_map(
    array: Any,
    box: int | tuple[int, ...],
    *,
    swizzle: int = 0,
    fill: str = "zero",
    element_strides: tuple[int, ...] = (),
    l2_fetch: int = 0,
    element_type: ElementType | None = None,
) -> TensorMap:
    """Describe an array to the copy engine.

    Parameters
    ----------
    array
        A device array (any `__cuda_array_interface__`), or a numpy array for the simulator; 1 to 5
        dimensions, the last one contiguous.
    box
        Elements of the box along each axis, in the order of the array's axes.
    swizzle
        Bytes within which 16-byte chunks change places in shared memory: 0 (not at all), 32, 64 or 128.
    fill
        What a load puts where the box hangs over the edge: "zero", or "nan" for floating-point elements.
    element_strides
        Along each axis, every how many elements one is taken; all of them if left out.
    l2_fetch
        Bytes that the L2 fetches at least: 0 (no more than asked), 64, 128 or 256.
    element_type
        Taken from the array's dtype if left out; needed to tell TFLOAT32 or BFLOAT16 from what they look like.

    Raises
    ------
    ValueError
        For everything that cuTensorMapEncodeTiled refuses, with argument, value and what is allowed.
    TypeError
        If `array` is no array.
    """
    layout, address, on_device = _layout(array)
    box = (box,) if isinstance(box, int) else tuple(box)
    descriptor = describe(
        layout,
        box,
        element_type=element_type,
        global_address=address,
        element_strides=tuple(element_strides),
        swizzle=_named("swizzle", swizzle, SWIZZLES),
        fill=_named("fill", fill, FILLS),
        l2_promotion=_named("l2_fetch", l2_fetch, L2_FETCHES),
    )
    return TensorMap(check(descriptor), array, on_device)


def _layout(array: Any) -> tuple[Any, int, bool]:
    """Give what describe() asks of an array, its address (0 in host memory), and whether it is on a device."""
    if isinstance(array, np.ndarray):
        return array, 0, False
    if not hasattr(array, "__cuda_array_interface__"):
        raise TypeError(f"array is a {type(array).__name__}; give a device array, or a numpy array")
    interface = array.__cuda_array_interface__
    dtype, shape = np.dtype(interface["typestr"]), tuple(interface["shape"])
    strides = interface.get("strides") or _packed(shape, dtype.itemsize)
    layout = SimpleNamespace(
        dtype=dtype, shape=shape, strides=tuple(strides), ndim=len(shape), itemsize=dtype.itemsize
    )
    return layout, interface["data"][0], True


def _packed(shape: tuple[int, ...], itemsize: int) -> tuple[int, ...]:
    """Give the strides, in bytes, of an array without gaps."""
    strides, step = [], itemsize
    for length in reversed(shape):
        strides.append(step)
        step *= length
    return tuple(reversed(strides))


def _named(argument: str, value: Any, known: dict) -> Any:
    if value not in known:
        raise ValueError(f"{argument}={value!r}: allowed are {', '.join(map(repr, known))}")
    return known[value]
