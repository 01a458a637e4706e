"""The models of memory: what holds whatever the parameters, and errors on curves that were held out."""

import dataclasses
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hopperlab.models.memory import Staircase, Streams

KIB, MIB, GIB = 2**10, 2**20, 2**30
STAIRCASE, STREAMS = Staircase(), Streams()
footprints = st.integers(KIB, 64 * GIB)
strides = st.integers(1, 1 << 14).map(lambda lines: 128 * lines)
levels = st.sampled_from(["L2", "HBM"])
widths = st.sampled_from([4, 8, 16])


@given(footprints, strides, st.integers(0, 228))
def test_a_larger_footprint_is_never_nearer(footprint, stride, shared):
    nearer = STAIRCASE.latency(footprint, stride, shared_kib=shared)
    assert nearer <= STAIRCASE.latency(2 * footprint, stride, shared_kib=shared) + 1e-9


@given(footprints, strides, st.integers(0, 227))
def test_more_shared_memory_never_brings_a_byte_nearer(footprint, stride, shared):
    more = STAIRCASE.latency(footprint, stride, shared_kib=shared + 1)
    assert more >= STAIRCASE.latency(footprint, stride, shared_kib=shared) - 1e-9


@given(footprints, strides)
def test_a_latency_lies_between_the_nearest_and_the_farthest(footprint, stride):
    cycles = STAIRCASE.latency(footprint, stride)
    assert STAIRCASE.l1_cycles - 1e-9 <= cycles <= STAIRCASE.memory_cycles


@given(footprints, strides)
def test_each_level_is_asked_only_what_the_nearer_one_missed(footprint, stride):
    l1, near, whole = STAIRCASE.shares(footprint, stride)
    assert 1 >= l1 >= near >= whole >= 0


def test_treads_are_the_levels_own_latencies():
    assert STAIRCASE.latency(KIB) == STAIRCASE.l1_cycles
    assert STAIRCASE.latency(KIB, through_l1=False) == STAIRCASE.l2_cycles
    assert math.isclose(STAIRCASE.latency(1024 * GIB), STAIRCASE.memory_cycles, rel_tol=1e-3)


@pytest.mark.parametrize(("shared", "kib"), [(0, 240), (64, 184), (100, 148), (164, 84), (228, 20)])
def test_the_l1_has_what_shared_memory_leaves(shared, kib):
    """The last footprints at L1 latency in the recording, whole steps of 8 KiB, are within it."""
    assert kib - 8 <= STAIRCASE.l1_bytes(shared) / KIB <= kib + 8


rings = st.floats(0.1, 500, allow_nan=False)
places = st.floats(0.5, 15.5, allow_nan=False)


@given(rings, places)
def test_a_ring_that_fits_loses_nothing_and_no_ring_more_than_it_has(lines, room):
    lost = STAIRCASE.lost(lines, room)
    assert 0 <= lost <= lines
    assert (lost == 0) == (lines <= room)


@given(rings, st.floats(0, 20), places, st.floats(0, 4))
def test_more_lines_or_fewer_places_never_lose_less(lines, more, room, fewer):
    lost = STAIRCASE.lost(lines, room)
    assert STAIRCASE.lost(lines + more, room) >= lost - 1e-9
    assert STAIRCASE.lost(lines, max(0.1, room - fewer)) >= lost - 1e-9


@given(st.floats(9, 12), st.floats(1.3, 2.2), st.floats(3.7, 4.4))
def test_sets_are_lost_one_by_one_and_lines_between_are_free(room, after_one, after_two):
    assert STAIRCASE.lost(room + after_one, room) == pytest.approx(4)
    assert after_two + room > 16 or STAIRCASE.lost(room + after_two, room) == pytest.approx(8)


@given(st.integers(1, 20_000), st.integers(0, 12), st.sampled_from([0, 64, 100, 228]))
def test_strides_that_are_powers_of_two_differ_only_in_their_footprints(lines, power, shared):
    stride = 128 << power
    assert STAIRCASE.shares(lines * stride, stride, shared_kib=shared) == pytest.approx(
        STAIRCASE.shares(lines * 128, shared_kib=shared)
    )


@given(st.integers(1, 8192), st.sampled_from([3, 5, 7, 33]), st.sampled_from([0, 100, 228]))
def test_a_stride_that_makes_carries_never_misses_the_l1_less(lines, factor, shared):
    uneven = STAIRCASE.shares(lines * 128 * factor, 128 * factor, shared_kib=shared)[0]
    assert uneven >= STAIRCASE.shares(lines * 128, shared_kib=shared)[0]


def test_a_hash_decides_only_near_the_capacity_and_at_strides_that_are_no_power_of_two():
    kib = STAIRCASE.l1_bytes(0) / KIB
    decided = [STAIRCASE.up_to_a_hash(share * kib * KIB * 5, 640) for share in (0.2, 0.5, 1, 2.5)]
    assert decided == [False, True, True, False]
    assert not STAIRCASE.up_to_a_hash(kib * KIB * 8, 1024)


def test_there_are_at_most_eight_parameters():
    assert len(dataclasses.fields(Staircase)) <= 8
    assert len(dataclasses.fields(Streams)) <= 8


@pytest.mark.parametrize("stride", [0, 64, 130, -128])
def test_a_stride_of_no_whole_lines_is_refused(stride):
    with pytest.raises(ValueError, match=f"stride={stride}"):
        STAIRCASE.latency(MIB, stride)


def test_other_bad_arguments_are_refused():
    with pytest.raises(ValueError, match="footprint=0"):
        STAIRCASE.latency(0)
    with pytest.raises(ValueError, match="shared_kib=229"):
        STAIRCASE.latency(MIB, shared_kib=229)
    with pytest.raises(ValueError, match="places=0"):
        STAIRCASE.lost(3, 0)
    with pytest.raises(ValueError, match="width=2"):
        STREAMS.bandwidth("L2", 2, 1, 1)
    with pytest.raises(ValueError, match="level='L1'"):
        STREAMS.bandwidth("L1", 4, 1, 1)
    with pytest.raises(ValueError, match="blocks=0"):
        STREAMS.bandwidth("L2", 4, 1, 0)


@given(levels, widths, st.integers(1, 8), st.integers(1, 131))
def test_more_blocks_up_to_the_sms_never_read_less(level, width, in_flight, blocks):
    less = STREAMS.bandwidth(level, width, in_flight, blocks)
    assert STREAMS.bandwidth(level, width, in_flight, blocks + 1) >= less * (1 - 1e-9)


@given(levels, st.integers(1, 8), st.integers(1, 1000))
def test_wider_loads_and_more_of_them_never_read_less(level, in_flight, blocks):
    rates = [STREAMS.bandwidth(level, width, in_flight, blocks) for width in (4, 8, 16)]
    assert rates == sorted(rates)
    assert STREAMS.bandwidth(level, 16, in_flight + 1, blocks) >= rates[-1] * (1 - 1e-9)


@given(widths, st.integers(1, 16), st.integers(1, 10_000))
def test_no_read_is_above_its_ceiling(width, in_flight, blocks):
    assert STREAMS.bandwidth("HBM", width, in_flight, blocks) < STREAMS.memory_bytes_per_s
    assert STREAMS.bandwidth("L2", width, in_flight, blocks, clock_hz=1e9) < STREAMS.l2_bytes_per_clock * 1e9


def test_littles_law_says_what_must_be_in_flight():
    needed = STREAMS.bytes_to_fill("HBM", clock_hz=1.98e9)
    assert math.isclose(needed, STREAMS.memory_bytes_per_s * STREAMS.memory_cycles / 1.98e9)
    assert 1.5 * MIB < needed < 2.5 * MIB
