"""The models of memory: what holds whatever the parameters, and errors on curves that were held out."""

import dataclasses
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hopperlab.models.memory import Staircase, Streams

KIB, MIB, GIB = 2**10, 2**20, 2**30
STAIRCASE, STREAMS = Staircase(), Streams()
footprints = st.integers(KIB, 64 * GIB)
strides = st.integers(1, 1 << 14).map(lambda lines: 128 * lines)
levels = st.sampled_from(["L2", "HBM"])
widths = st.sampled_from([4, 8, 16])


@settings(deadline=None)
@given(footprints, strides, st.integers(0, 228))
def test_a_larger_footprint_is_never_nearer(footprint, stride, shared):
    nearer = STAIRCASE.latency(footprint, stride, shared_kib=shared)
    assert nearer <= STAIRCASE.latency(2 * footprint, stride, shared_kib=shared) + 1e-9


@settings(deadline=None)
@given(footprints, strides, st.integers(0, 196))
def test_more_shared_memory_never_brings_a_byte_nearer(footprint, stride, shared):
    more = STAIRCASE.latency(footprint, stride, shared_kib=shared + 32)
    assert more >= STAIRCASE.latency(footprint, stride, shared_kib=shared) * (1 - 0.02)


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
    with pytest.raises(ValueError, match="address=130"):
        STAIRCASE.latency(MIB, address=130)
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
