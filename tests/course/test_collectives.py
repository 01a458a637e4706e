"""The exercises of lessons 12 to 14 against oracles of another make: counting, trying all, substituting."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hopperlab.course.collectives.exercises import bytes_sent, crossing
from hopperlab.course.fabric.exercises import communication_share, place, worst_half
from hopperlab.course.sharp_tenancy.exercises import pod_for, who_gets_trees
from hopperlab.models.collectives import seconds, transfers
from hopperlab.models.fabric import spines_needed


@given(st.integers(2, 16), st.booleans())
def test_bytes_sent_are_those_of_counted_messages(ranks, in_switch):
    messages = transfers("all-reduce", "in-network" if in_switch else "ring", ranks)
    counted = Counter(one.source for one in messages)[0]
    assert bytes_sent(ranks, ranks * 4.0, in_switch) == pytest.approx(4.0 * counted)


@given(st.integers(4, 64), st.floats(1e9, 1e12), st.floats(1e-7, 1e-4))
def test_at_the_crossing_both_take_equally_long(ranks, rate, latency):
    size = crossing(ranks, rate, latency)
    ring, tree = (seconds("all-reduce", name, ranks, size, rate, latency) for name in ("ring", "tree"))
    assert ring == pytest.approx(tree)


@given(st.lists(st.integers(0, 72), min_size=2, max_size=8).filter(lambda links: len(links) % 2 == 0))
def test_no_half_is_worse_than_the_worst(links):
    side = worst_half(links)
    sums = [sum(links[n] for n in half) for half in combinations(range(len(links)), len(links) // 2)]
    least = min(min(one, sum(links) - one) for one in sums)
    assert min(sum(links[n] for n in side), sum(links) - sum(links[n] for n in side)) == least


@given(st.floats(0.05, 0.9), st.floats(1, 10))
def test_the_share_that_is_found_gives_both_speed_ups_back(share, compute):
    steps = [1 / ((1 - share) / compute + share / fabric) for fabric in (2, 9)]
    assert communication_share(2, steps[0], 9, steps[1]) == pytest.approx(share)


@given(st.lists(st.tuples(st.integers(1, 8), st.integers(1, 16)), min_size=1, max_size=8), st.integers(2, 4))
def test_tables_are_placed_within_a_third_of_the_best(tables, gpus):
    where = place(tables, gpus, 10**6)
    busy = [sum(t[1] for t, gpu in zip(tables, where, strict=True) if gpu == n) for n in range(gpus)]
    even = max(sum(t[1] for t in tables) / gpus, max(t[1] for t in tables))
    assert max(busy) <= even * (2 - 1 / gpus) + 1e-9  # Graham's bound for the slowest first, loosely


def test_every_count_of_gpus_gets_a_pod_that_holds_it_and_no_smaller():
    for gpus in range(1, 1017):
        units, servers, leaves, spines = pod_for(gpus)
        assert 8 * servers >= gpus
        assert units == 1 or 8 * (32 * (units - 1) - 1) < gpus
        assert (leaves, spines) == (8 * units, spines_needed(leaves))


@given(st.lists(st.sets(st.integers(0, 5), min_size=1, max_size=3), max_size=8))
def test_trees_never_share_a_leaf_and_nobody_is_refused_without_cause(jobs):
    granted = who_gets_trees([sorted(leaves) for leaves in jobs])
    taken = [leaves for leaves, given_one in zip(jobs, granted, strict=True) if given_one]
    assert sum(map(len, taken)) == len(set().union(*taken)) if taken else True
    for number, (leaves, given_one) in enumerate(zip(jobs, granted, strict=True)):
        before = [other for other, yes in zip(jobs[:number], granted[:number], strict=True) if yes]
        assert given_one == all(leaves.isdisjoint(other) for other in before)
