"""Tensor maps on the host: what is described, and what is refused before a kernel is launched."""

from types import SimpleNamespace

import numpy as np
import pytest

from hopperlab.device import tma
from hopperlab.models.tma import ElementType, Fill, L2Promotion, Swizzle


def device_array(shape, dtype=np.float32, *, address=1 << 20, strides=None):
    """What is known of a device array of another library."""
    interface = {"shape": shape, "typestr": np.dtype(dtype).str, "data": (address, False), "strides": strides}
    return SimpleNamespace(__cuda_array_interface__=interface)


def test_axes_are_given_in_the_arrays_order_and_kept_innermost_first():
    map_ = tma.tensor_map(device_array((8, 100, 64)), (2, 10, 32), element_strides=(1, 2, 1))
    d = map_.descriptor
    assert d.global_dim == (64, 100, 8)
    assert d.global_strides == (256, 25600)
    assert (d.box_dim, d.element_strides) == ((32, 10, 2), (1, 2, 1))
    assert (d.element_type, d.global_address) == (ElementType.FLOAT32, 1 << 20)
    assert map_.rank == 3
    assert map_.box_bytes == 32 * 5 * 2 * 4
    assert map_.on_device


def test_options_are_said_in_bytes_and_words():
    d = tma.tensor_map(device_array((64, 64)), (8, 32), swizzle=128, fill="nan", l2_fetch=256).descriptor
    assert (d.swizzle, d.fill, d.l2_promotion) == (Swizzle.BYTES_128, Fill.NAN, L2Promotion.BYTES_256)
    kind = ElementType.TFLOAT32
    assert tma.tensor_map(device_array((64,)), 16, element_type=kind).descriptor.element_type == kind


def test_rows_with_padding_are_described_by_their_strides():
    map_ = tma.tensor_map(device_array((10, 30), strides=(128, 4)), (5, 8))
    assert map_.descriptor.global_strides == (128,)


def test_a_numpy_array_is_described_but_is_not_on_a_device():
    map_ = tma.tensor_map(np.zeros((4, 16), np.uint8), (4, 16))
    assert not map_.on_device
    assert map_.descriptor.global_address == 0


@pytest.mark.parametrize(
    ("array", "options", "message"),
    [
        (device_array((64, 512)), {"box": (8, 257)}, r"box_dim=257: allowed are 1 to 256"),
        (device_array((64, 64)), {"box": (8, 3)}, r"its 12 bytes must be a multiple of 16"),
        (device_array((64, 64), address=8), {"box": (8, 32)}, r"global_address=8: must be a multiple of 16"),
        (device_array((64, 63)), {"box": (8, 32)}, r"global_strides=252: must be a multiple of 16"),
        (device_array((2,) * 6), {"box": (1,) * 5 + (4,)}, r"rank=6: allowed are 1 to 5"),
        (device_array((64, 64)), {"box": (8, 64), "swizzle": 64}, r"must fit in the swizzle's 64 bytes"),
        (
            device_array((64, 64), np.int32),
            {"box": (8, 32), "fill": "nan"},
            "NaN needs a floating-point type",
        ),
        (
            device_array((64, 64), strides=(4, 256)),
            {"box": (8, 32)},
            "stride of 256 bytes along its last axis",
        ),
        (device_array((64, 64), np.complex64), {"box": (8, 32)}, "array has dtype complex64"),
        (device_array((64, 64)), {"box": (32,)}, r"box_dim=\(32,\): 2 numbers are needed"),
        (device_array((64, 64)), {"box": (8, 32), "swizzle": 48}, "swizzle=48: allowed are 0, 32, 64, 128"),
        (device_array((64, 64)), {"box": (8, 32), "fill": "one"}, "fill='one': allowed are 'zero', 'nan'"),
    ],
)
def test_what_the_driver_would_refuse_is_refused_with_value_and_range(array, options, message):
    with pytest.raises(ValueError, match=message):
        tma.tensor_map(array, **options)


def test_what_is_no_array_is_a_type_error():
    with pytest.raises(TypeError, match="array is a list"):
        tma.tensor_map([1, 2, 3], 4)
