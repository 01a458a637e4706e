"""The model of two players at one word, and of additions a clock."""

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hopperlab import ledger
from hopperlab.measure.atomics import hand_off
from hopperlab.models import atomics as model

TRIPS = st.integers(20, 600)
PAUSES = st.integers(0, 200)


@given(TRIPS, TRIPS, PAUSES, st.integers(0, 500))
def test_the_pace_of_the_game_is_that_of_the_formula(first, second, pause, later):
    period = max(first, second) + pause
    raised = [one.value for one in model.game(first, second, 60 * period, later, pause) if one.raised]
    expected = 60 * period / model.hand_off_cycles(first, second, pause)
    assert abs(len(raised) - expected) <= 2 * (1 + later / period) + 4
    assert raised == list(range(1, len(raised) + 1))


@given(TRIPS, TRIPS, PAUSES, st.integers(0, 500))
def test_players_take_turns_and_wait_for_their_answers(first, second, pause, later):
    tries = model.game(first, second, 5000, later, pause)
    turns = [one.player for one in tries if one.raised]
    assert all(player == number % 2 for number, player in enumerate(turns))
    for player, trip in enumerate((first, second)):
        own = [one for one in tries if one.player == player]
        assert all(math.isclose(one.answered - one.sent, trip) for one in own)
        pairs = pairwise(own)
        assert all(math.isclose(after.sent - before.answered, pause, abs_tol=1e-6) for before, after in pairs)


@given(TRIPS, TRIPS, PAUSES)
def test_the_farther_player_never_tries_in_vain_once_the_game_goes(first, second, pause):
    farther = 0 if first > second else 1
    tries = [one for one in model.game(first, second, 20_000, pause=pause) if one.player == farther]
    assert first == second or all(one.raised for one in tries[2:])


def test_the_pause_is_fitted_to_near_pairs_and_holds_for_all_others():
    (pairs,), (sides,) = ledger.recordings("hand_off"), ledger.recordings("l2_map")
    found = hand_off.by_sides(hand_off.pair_matrix(pairs.samples), sides.results["sides"])
    near, far = model.NEAR_CYCLES, model.FAR_CYCLES
    assert (near, far) == (sides.results["near_cycles"], sides.results["far_cycles"])
    both_near, mixed, both_far = sorted(found.values())
    assert both_near == pytest.approx(model.hand_off_cycles(near, near), rel=0.001)
    assert mixed == pytest.approx(model.hand_off_cycles(near, far), rel=0.02)
    assert both_far == pytest.approx(model.hand_off_cycles(far, far), rel=0.04)


@pytest.mark.parametrize(
    ("spread", "worst"),
    [("one word", 0.015), ("a line for each thread", 0.01), ("a word for each thread", 0.15)],
)
def test_additions_are_as_recorded_also_where_they_were_not_fitted(spread, worst):
    (found,) = ledger.recordings("atomic_additions")
    for name, sms, rate in found.results["global"]:
        if name == spread:
            fitted = sms in model.ADDITIONS[spread].fitted
            assert model.additions_per_clock(name, sms) == pytest.approx(rate, rel=0.02 if fitted else worst)


def test_the_pause_in_shared_memory_is_fitted_to_one_place_and_holds_for_three_others():
    (found,) = ledger.recordings("hand_off")
    cycles = found.results["hand_off_cycles"]
    in_a_cluster, in_an_sm = (
        model.hand_off_cycles(trip, trip, model.PAUSE_IN_SHARED_CYCLES)
        for trip in (model.CLUSTER_CYCLES, model.SHARED_CYCLES)
    )
    assert cycles["cluster, the word with the first player"] == pytest.approx(in_a_cluster, rel=0.001)
    assert cycles["cluster, the word with the second player"] == pytest.approx(in_a_cluster, rel=0.01)
    assert cycles["cluster, the word with a third block"] == pytest.approx(in_a_cluster, rel=0.01)
    assert cycles["shared, two warps"] == pytest.approx(in_an_sm, rel=0.07)


@given(st.sampled_from(list(model.ADDITIONS)), st.integers(1, 131))
def test_more_sms_never_make_fewer_additions(spread, sms):
    assert model.additions_per_clock(spread, sms) <= model.additions_per_clock(spread, sms + 1)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: model.hand_off_cycles(0, 1), "first=0"),
        (lambda: model.hand_off_cycles(1, -1), "second=-1"),
        (lambda: model.hand_off_cycles(1, 1, -1), "pause=-1"),
        (lambda: model.additions_per_clock("two words", 1), "spread='two words'"),
        (lambda: model.additions_per_clock("one word", 133), "sms=133"),
        (lambda: model.game(1, 1, math.inf), "until=inf"),
        (lambda: model.game(0.1, 1, 5), "first=0.1"),
        (lambda: model.game(1, 1, 5, later=-1), "later=-1"),
    ],
)
def test_bad_input_is_refused_by_name(call, words):
    with pytest.raises(ValueError, match=words.replace("(", r"\(")):
        call()
