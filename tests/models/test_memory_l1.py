"""The L1 cache's model: which lines share a set, and what a chase loses."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hopperlab.kernels.memory.chases import COUNTED, SETTLING
from hopperlab.ledger import recordings
from hopperlab.models.memory import L1Cache, Staircase, pools_of, ring, sets_of
from hopperlab.models.memory.l1 import FOLLOWED, missing
from hopperlab.models.memory.sets import COLUMNS, POOLS, SETS, WAYS

ROOM = Staircase().l1_lines(0)
numbers = st.integers(0, 2 ** len(COLUMNS) - 1)


def shipped():
    (found,) = (r for r in recordings(experiment="memory_latency") if r.card.slug == "nvidia-h200")
    return found


def lines_of_set(numbers):
    sets = sets_of(numbers)
    return np.bincount(sets, minlength=SETS)[sets]


RINGS = [sample for sample in shipped().samples["lines"] if sample[0] == 0 and (sample[3] or sample[1] > 1)]


@pytest.mark.parametrize("sample", RINGS, ids=lambda s: f"{s[2]} lines, stride {s[1]}, far {s[3]}")
def test_exactly_the_lines_of_sets_that_overflow_missed(sample):
    """Line by line, on an H200: not one misses that the hash lets fit, and not one fits that it lets miss."""
    _, stride, lines, far, late = sample
    places = np.array([*range(lines), *([far] if far else [])])
    numbers = shipped().samples["address"] // 128 + places * stride
    overflowing = places[lines_of_set(numbers) > WAYS]
    assert sorted(line for line, _ in late) == overflowing.tolist()
    assert {count for _, count in late} <= {COUNTED}


GIVEN_KIB = {0: 0, 100: 132, 132: 164, 228: 228}
"""By shared KiB asked for, what the driver gave the kernel that counts misses."""


@pytest.mark.parametrize(
    "sample",
    [sample for sample in shipped().samples["lines"] if sample[1] == 1 and not sample[3]],
    ids=lambda s: f"{s[2]} lines, {s[0]} KiB",
)
def test_rings_about_the_capacity_lost_as_many_lines_as_the_cache_does(sample):
    """Rounds that an H200 counted, against the same rounds in the model."""
    shared, _, lines, _, late = sample
    cache = L1Cache(Staircase().l1_lines(GIVEN_KIB[shared]))
    order = shipped().samples["address"] // 128 + ring(lines).astype(np.int64)
    cache.visit(order, SETTLING)
    assert cache.visit(order, COUNTED) == pytest.approx(sum(count for _, count in late), rel=0.15)


@given(numbers, numbers)
def test_what_two_lines_differ_by_decides_how_their_sets_differ(one, other):
    alone = sets_of(np.array([one, other, one ^ other]))
    assert alone[0] ^ alone[1] == alone[2]


def test_lines_side_by_side_fill_all_sets_and_pools_alike():
    assert np.bincount(sets_of(np.arange(WAYS * SETS))).tolist() == [WAYS] * SETS
    assert np.bincount(pools_of(np.arange(SETS))).tolist() == [SETS // POOLS] * POOLS


@given(st.integers(0, len(COLUMNS) - 12).filter(lambda bit: bit + 10 < 22), st.integers(1, ROOM))
def test_lines_whose_stride_is_a_power_of_two_stay_apart_up_to_512(power, lines):
    sets = sets_of(np.arange(min(lines, SETS)) << power)
    assert len(set(sets.tolist())) == min(lines, SETS)


@given(st.integers(2, 5000))
def test_a_ring_visits_each_line_once_from_the_first_on(lines):
    order = ring(lines)
    assert order[0] == 0
    assert sorted(order.tolist()) == list(range(lines))


@given(st.integers(1, 1500), st.sampled_from([1, 3, 5, 64, 65]), st.integers(4, 1928))
def test_a_ring_misses_only_where_a_set_or_a_pool_has_no_room(lines, stride, places):
    numbers = stride * np.arange(lines)
    pools = np.bincount(pools_of(sets_of(numbers)), minlength=POOLS)
    fits = lines_of_set(numbers).max() <= WAYS and pools.max() <= places // POOLS
    assert (missing(lines, stride, places) == 0) == fits


@given(st.integers(2, 700), st.sampled_from([1, 3, 7]), st.sampled_from([168, 424, 936]))
def test_leaving_out_lines_that_cannot_miss_changes_nothing(lines, stride, places):
    numbers, order = stride * np.arange(lines), ring(lines)
    if np.ptp(np.bincount(sets_of(numbers), minlength=SETS)) <= 1:
        return  # there a pool stands for all
    cache = L1Cache(places)
    cache.visit(numbers)
    cache.visit(numbers[order], 2)
    assert cache.visit(numbers[order], 2) / 2 / lines == pytest.approx(missing(lines, stride, places))


def test_five_lines_of_a_set_miss_in_turn_and_lines_that_hit_are_kept():
    five = np.flatnonzero(sets_of(np.arange(4096)) == 0)[:5]
    thrashed = L1Cache(ROOM)
    assert thrashed.visit(five, 3) == 15
    kept = L1Cache(ROOM)
    kept.visit(five[:2], 2)  # both hit
    assert kept.visit(five, 10) == 3 * 10


def test_half_of_a_set_is_kept_at_most():
    eight = np.flatnonzero(sets_of(np.arange(8192)) == 7)[:8]
    cache = L1Cache(ROOM)
    cache.visit(eight[:WAYS], 2)  # all four hit; two of them count as just loaded again
    cache.visit(eight[WAYS:])
    assert cache.visit(eight[:WAYS]) == 2


def test_a_pool_loses_a_line_of_each_of_its_sets_in_turn():
    side_by_side = np.arange(2 * SETS)
    cache = L1Cache(2 * SETS)
    assert cache.visit(side_by_side) == 2 * SETS
    assert cache.visit(side_by_side) == 0
    assert cache.visit(np.arange(2 * SETS, 3 * SETS)) == SETS
    assert cache.visit(side_by_side[SETS:]) == 0  # each set lost one line, and not the one it used last


@pytest.mark.parametrize(("shared", "over"), [(32, 192), (100, 192), (100, 256), (132, 192), (132, 256)])
def test_a_round_loses_one_line_of_every_set_over_a_wide_range(shared, over):
    room = Staircase().l1_lines(shared)
    assert missing(room + over, 1, room) * (room + over) == pytest.approx(SETS, rel=0.06)


@given(st.integers(FOLLOWED, 10**7), st.sampled_from([1, 5]))
def test_far_beyond_the_cache_hits_go_with_one_over_lines(lines, stride):
    hits = [1 - missing(n, stride, ROOM) for n in (FOLLOWED, lines)]
    assert hits[1] * lines**2 == pytest.approx(hits[0] * FOLLOWED**2)


def test_a_cache_without_places_or_ways_is_refused():
    with pytest.raises(ValueError, match="places=3"):
        L1Cache(3)
    with pytest.raises(ValueError, match="ways=0"):
        L1Cache(ROOM, 0)
