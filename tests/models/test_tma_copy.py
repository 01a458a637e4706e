"""Copies of boxes against plain loops: places, values, bytes counted, and what stays untouched."""

import itertools

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hopperlab.models.tma import (
    NAN_HALFWORD,
    Descriptor,
    ElementType,
    Fill,
    Interleave,
    Swizzle,
    delivered,
    describe,
    footprint,
    global_addresses,
    load,
    multicast,
    store,
    tile_bytes,
)
from hopperlab.models.tma.reduction import ALLOWED, reduce


@st.composite
def boxes(draw, kinds=tuple(ElementType)):
    """A small accepted tensor map, coordinates around it, and a tile address."""
    kind = draw(st.sampled_from(kinds))
    rank = draw(st.integers(1, 5))
    swizzle = draw(st.sampled_from(Swizzle))
    row = 16 * draw(st.integers(1, (swizzle.span or 64) // 16))
    dim = [draw(st.integers(1, 9)) for _ in range(rank)]
    strides, pitch = [], dim[0] * kind.nbytes
    for size in dim[1:]:
        pitch = -(-pitch // 16) * 16 + 16 * draw(st.integers(0, 1))
        strides.append(pitch)
        pitch *= size
    descriptor = Descriptor(
        kind,
        4096,
        dim,
        strides,
        [row // kind.nbytes] + [draw(st.integers(1, 4)) for _ in dim[1:]],
        [draw(st.integers(1, 3)) for _ in dim],
        swizzle=swizzle,
        fill=draw(st.sampled_from(Fill)) if kind.floating else Fill.ZERO,
    )
    inner = 16 // kind.nbytes * draw(st.integers(-1, 1 + dim[0] * kind.nbytes // 16))
    coordinates = (inner, *(draw(st.integers(-3, size + 1)) for size in dim[1:]))
    return descriptor, coordinates, 128 * draw(st.integers(0, 9))


def memory_of(descriptor, seed=0):
    last = descriptor.global_strides[-1] * descriptor.global_dim[-1] if descriptor.rank > 1 else 0
    size = max(last, descriptor.global_dim[0] * descriptor.element_type.nbytes)
    return np.random.default_rng(seed).integers(1, 256, size, np.uint8)


def walk(descriptor, coordinates, shared_address, together=1):
    """The oracle: element by element, (global offset or None, shared offset), by the guide's formula.

    Elements of the innermost dimension are inside or outside by groups of `together`.
    """
    size, span = descriptor.element_type.nbytes, descriptor.swizzle.span
    steps = (1, *descriptor.element_strides[1:])
    counts = [-(-box // step) for box, step in zip(descriptor.box_dim, steps, strict=True)]
    pitch = max(descriptor.box_dim[0] * size, span)
    for row, outer in enumerate(itertools.product(*(range(count) for count in reversed(counts[1:])))):
        for inner in range(counts[0]):
            index = [
                start + step * place
                for start, step, place in zip(coordinates, steps, (inner, *reversed(outer)), strict=True)
            ]
            decides = [index[0] // together * together, *index[1:]]
            inside = all(0 <= i < n for i, n in zip(decides, descriptor.global_dim, strict=True))
            place = index[0] * size + sum(
                i * s for i, s in zip(index[1:], descriptor.global_strides, strict=True)
            )
            address = shared_address + row * pitch + inner * size
            if span:  # smem[y][((y + offset) % n) ^ x], y in lines of 128 bytes and x in chunks of 16
                line, chunk, byte = address // 128, address % 128 // 16, address % 16
                address = line * 128 + (line % (span // 16) ^ chunk) * 16 + byte
            yield (place if inside else None), address - shared_address


@settings(max_examples=150, deadline=None)
@given(boxes())
def test_a_load_agrees_with_the_walk_byte_by_byte(case):
    descriptor, coordinates, address = case
    kind = descriptor.element_type
    memory = memory_of(descriptor)
    expected = np.full(tile_bytes(descriptor), 0xEE, np.uint8)
    outside = bytes([NAN_HALFWORD & 255, NAN_HALFWORD >> 8] * 4) if descriptor.fill == Fill.NAN else bytes(8)
    steps = list(walk(descriptor, coordinates, address))
    for place, where in steps:
        one = bytes(memory[place : place + kind.nbytes]) if place is not None else outside[: kind.nbytes]
        if place is not None:
            one = delivered(np.frombuffer(one, kind.dtype), kind).tobytes()
        expected[where : where + kind.nbytes] = list(one)
    before = np.full(tile_bytes(descriptor), 0xEE, np.uint8)
    got, counted = load(descriptor, memory, coordinates, shared_address=address, shared=before)
    np.testing.assert_array_equal(got, expected)
    assert counted == len(steps) * kind.nbytes == descriptor.box_bytes
    assert (before == 0xEE).all()
    inside = [4096 + place for place, _ in steps if place is not None]
    assert list(global_addresses(descriptor, coordinates)) == inside


@settings(max_examples=100, deadline=None)
@given(boxes())
def test_a_store_writes_the_inside_to_the_next_sixteen_bytes_and_nothing_else(case):
    descriptor, coordinates, address = case
    coordinates = tuple(max(0, start) for start in coordinates)
    size, memory = descriptor.element_type.nbytes, memory_of(descriptor)
    tile = np.random.default_rng(1).integers(0, 256, tile_bytes(descriptor), np.uint8)
    expected = memory.copy()
    for place, where in walk(descriptor, coordinates, address, together=16 // size):
        if place is not None and place + size <= memory.size:
            expected[place : place + size] = tile[where : where + size]
    got = store(descriptor, memory, coordinates, tile, shared_address=address)
    np.testing.assert_array_equal(got, expected)


@settings(max_examples=100, deadline=None)
@given(boxes(kinds=tuple(ElementType)[:10]))
def test_what_is_loaded_and_stored_again_changes_nothing(case):
    descriptor, coordinates, address = case
    coordinates = tuple(max(0, start) for start in coordinates)
    together = 16 // descriptor.element_type.nbytes
    whole = -(-descriptor.global_dim[0] // together) * together  # rows of whole 16 bytes
    descriptor = descriptor.changed(global_dim=(whole, *descriptor.global_dim[1:]))
    memory = memory_of(descriptor)
    tile, _ = load(descriptor, memory, coordinates, shared_address=address)
    np.testing.assert_array_equal(
        store(descriptor, memory, coordinates, tile, shared_address=address), memory
    )
    empty = np.zeros_like(memory)
    stored = store(descriptor, empty, coordinates, tile, shared_address=address)
    again, _ = load(descriptor, stored, coordinates, shared_address=address)
    np.testing.assert_array_equal(again, tile)


@settings(max_examples=60, deadline=None)
@given(boxes())
def test_no_two_elements_of_a_tile_share_a_byte(case):
    descriptor, coordinates, address = case
    found = footprint(descriptor, coordinates, address)
    size = descriptor.element_type.nbytes
    touched = (found.shared_offsets[..., None] + np.arange(size)).ravel()
    assert np.unique(touched).size == touched.size == found.nbytes
    assert touched.max() < found.shared_bytes


def test_an_image_tile_with_its_halo_is_zero_outside_and_counts_whole():
    image = np.arange(1, 65, dtype=np.float32).reshape(8, 8)
    tile, nbytes = load(describe(image, (4, 8)), image, (-4, -1))
    expected = np.zeros((4, 8), np.float32)
    expected[1:, 4:] = image[:3, :4]
    np.testing.assert_array_equal(tile.view(np.float32).reshape(4, 8), expected)
    assert nbytes == 4 * 8 * 4


def test_a_box_wholly_outside_still_counts_its_bytes():
    image = np.ones((8, 8), np.float32)
    tile, nbytes = load(describe(image, (4, 8)), image, (100, 100))
    assert nbytes == 128
    assert not tile.any()


@pytest.mark.parametrize("kind", [kind for kind in ElementType if kind.floating])
def test_a_nan_fill_is_not_a_number_in_every_floating_type(kind):
    array = np.ones((4, 16), kind.dtype)
    tile, _ = load(describe(array, (4, 16), element_type=kind, fill=Fill.NAN), array, (8, 2))
    values = tile.view(kind.dtype).reshape(4, 16)
    assert np.isnan(values[:, 8:].astype(np.float64)).all()
    assert np.isnan(values[2:].astype(np.float64)).all()
    np.testing.assert_array_equal(values[:2, :8], array[2:, 8:])


def test_element_strides_take_every_second_row():
    array = np.arange(8 * 16, dtype=np.int32).reshape(8, 16)
    tile, nbytes = load(describe(array, (5, 4), element_strides=(2, 1)), array, (4, 1))
    np.testing.assert_array_equal(tile.view(np.int32).reshape(3, 4), array[1:6:2, 4:8])
    assert nbytes == 3 * 16


def test_tf32_rounds_to_ten_fraction_bits_and_nothing_is_flushed():
    values = np.array([1 + 2**-11, 1 + 3 * 2**-11, -1 - 2**-10, np.inf, 1e-40, -1e-40], np.float32)
    rounded = delivered(values, ElementType.TFLOAT32)
    np.testing.assert_array_equal(rounded[:4], np.array([1, 1 + 2**-9, -1 - 2**-10, np.inf], np.float32))
    assert not (rounded.view(np.uint32) & 0x1FFF).any()
    assert rounded[4] > 0 > rounded[5]
    np.testing.assert_array_equal(delivered(values, ElementType.TFLOAT32_FTZ), rounded)
    np.testing.assert_array_equal(delivered(values, ElementType.FLOAT32_FTZ), values)


@pytest.mark.parametrize("bits", [0x7FC00000, 0xFFC00000, 0x7F800001, 0xFFFFFFFF])
def test_every_nan_becomes_one_in_tf32_and_stays_in_the_other_kinds(bits):
    nan = np.array([bits], np.uint32).view(np.float32)
    assert delivered(nan, ElementType.TFLOAT32).view(np.uint32)[0] == 0x7FFFE000
    assert delivered(nan, ElementType.FLOAT32_FTZ).view(np.uint32)[0] == bits


def test_tf32_rounding_agrees_with_exact_arithmetic():
    rng = np.random.default_rng(8)
    values = np.ldexp(rng.uniform(1, 2, 5000), rng.integers(-100, 100, 5000)).astype(np.float32)
    values[:1000] = np.ldexp(1 + (2 * rng.integers(0, 2**10, 1000) + 1) / 2**11, 3)  # ties
    scale = np.ldexp(1.0, np.frexp(values.astype(np.float64))[1] - 11)
    exact = np.round(values.astype(np.float64) / scale) * scale
    np.testing.assert_array_equal(delivered(values, ElementType.TFLOAT32), exact)


def test_multicast_gives_each_named_block_the_whole_tile_and_its_bytes():
    array = np.arange(256, dtype=np.float32).reshape(16, 16)
    descriptor = describe(array, (8, 16))
    alone = load(descriptor, array, (0, 4))
    found = multicast(descriptor, array, (0, 4), 0b1010, 4)
    assert sorted(found) == [1, 3]
    for tile, nbytes in found.values():
        np.testing.assert_array_equal(tile, alone[0])
        assert nbytes == alone[1] == 512


@pytest.mark.parametrize(("mask", "size"), [(0, 4), (0b10000, 4), (1 << 16, 16), (1, 0), (1, 17)])
def test_a_mask_names_blocks_of_the_cluster(mask, size):
    array = np.ones((4, 4), np.float32)
    with pytest.raises(ValueError, match="allowed are"):
        multicast(describe(array, (4, 4)), array, (0, 0), mask, size)


def loop_reduce(operation, old, new):
    """The oracle for integers, by Python's own numbers."""
    return {
        "add": old + new,
        "min": min(old, new),
        "max": max(old, new),
        "inc": 0 if old >= new else old + 1,
        "dec": new if old == 0 or old > new else old - 1,
        "and": old & new,
        "or": old | new,
        "xor": old ^ new,
    }[operation]


@pytest.mark.parametrize(
    ("operation", "kind"),
    [(name, kind) for name, kinds in ALLOWED.items() for kind in sorted(kinds) if not kind.floating],
)
def test_an_integer_reduction_agrees_with_a_loop(operation, kind):
    rng = np.random.default_rng(4)
    limits = np.iinfo(kind.dtype)
    array = rng.integers(limits.min, limits.max, (6, 8), kind.dtype, endpoint=True)
    array[3:5, 4:] = [[limits.min, limits.max, 0, 1], [7, 8, 0, 0]]
    tile = rng.integers(limits.min, limits.max, (4, 8), kind.dtype, endpoint=True)
    tile[:2, :4] = [[limits.max, 1, 0, limits.max], [7, 7, 1, 0]]  # the wrap-arounds, equals, and one past
    got = reduce(describe(array, (4, 8)), array, (4, 3), tile, operation)
    expected = array.copy()
    for row, column in itertools.product(range(3), range(4)):
        value = loop_reduce(operation, int(array[3 + row, 4 + column]), int(tile[row, column]))
        bits = value % 2 ** (8 * kind.nbytes)
        expected[3 + row, 4 + column] = np.array(bits, f"u{kind.nbytes}").view(kind.dtype)
    np.testing.assert_array_equal(got, expected)


@pytest.mark.parametrize("dtype", [np.float16, ml_dtypes.bfloat16, np.float32, np.float64])
def test_a_float_reduction_adds_and_rounds_once(dtype):
    rng = np.random.default_rng(6)
    array, tile = (rng.normal(size=(4, 16)).astype(dtype) for _ in range(2))
    got = reduce(describe(array, (4, 16)), array, (0, 0), tile, "add")
    exact = array.astype(np.float64) + tile.astype(np.float64)
    np.testing.assert_array_equal(got.astype(np.float64), exact.astype(dtype).astype(np.float64))


def test_add_f32_flushes_subnormals_and_half_keeps_them():
    small = np.full((1, 4), 1e-40, np.float32)
    assert not reduce(describe(small, (1, 4)), small, (0, 0), small, "add").any()
    half = np.full((1, 8), 6e-8, np.float16)
    assert (reduce(describe(half, (1, 8)), half, (0, 0), half, "add") == half + half).all()


def test_a_reduction_works_through_a_swizzled_tile():
    array = np.arange(16 * 32, dtype=np.int32).reshape(16, 32)
    descriptor = describe(array, (16, 32), swizzle=Swizzle.BYTES_128)
    tile, _ = load(descriptor, array, (0, 0), shared_address=384)
    doubled = reduce(descriptor, array, (0, 0), tile, "add", shared_address=384)
    np.testing.assert_array_equal(doubled, 2 * array)


def test_a_reduction_refuses_what_ptx_has_not():
    array = np.ones((4, 4), np.float32)
    with pytest.raises(ValueError, match="element_type=FLOAT32: min takes"):
        reduce(describe(array, (4, 4)), array, (0, 0), array, "min")
    with pytest.raises(ValueError, match="operation='mul'"):
        reduce(describe(array, (4, 4)), array, (0, 0), array, "mul")
    overlapping = describe(array, (4, 4)).changed(global_strides=(0,))
    with pytest.raises(ValueError, match="share an address"):
        reduce(overlapping, array, (0, 0), array, "add")


def test_bad_arguments_of_a_copy_are_named():
    array = np.ones((8, 8), np.float32)
    descriptor = describe(array, (4, 4))
    with pytest.raises(ValueError, match=r"coordinates=\(0,\): 2 are needed"):
        load(descriptor, array, (0,))
    with pytest.raises(ValueError, match="allowed are -2147483648 to 2147483647"):
        load(descriptor, array, (0, 2**31))
    with pytest.raises(
        ValueError, match=r"coordinates=\(3, 0\): the innermost must be a multiple of 4 elements"
    ):
        load(descriptor, array, (3, 0))
    with pytest.raises(ValueError, match="shared_address=64: it must be a multiple of 128"):
        load(descriptor, array, (0, 0), shared_address=64)
    with pytest.raises(ValueError, match="a store begins at 0 or above"):
        store(descriptor, array, (-4, 0), np.zeros(64, np.uint8))
    with pytest.raises(ValueError, match="shared has 32 bytes"):
        store(descriptor, array, (0, 0), np.zeros(32, np.uint8))
    with pytest.raises(ValueError, match="memory has 128 bytes"):
        load(descriptor, array[:4], (0, 4))
    with pytest.raises(ValueError, match="without gaps"):
        load(descriptor, array[:, :4], (0, 0))
    with pytest.raises(ValueError, match="the tensor map is refused: box_dim"):
        load(descriptor.changed(box_dim=(3, 4)), array, (0, 0))
    spaced = Descriptor(
        ElementType.FLOAT16, 0, (8, 4, 4), (64, 256), (8, 4, 4), interleave=Interleave.BYTES_16
    )
    with pytest.raises(ValueError, match="only NONE is modelled"):
        load(spaced, np.zeros(1024, np.uint8), (0, 0, 0))
