"""Rounds and idle SMs, against tiles that are handed out one after the other."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hopperlab.models.gemm import Rounds
from hopperlab.models.gemm.rounds import SEAM, START, TILE_ROWS, UNSHARED

results = {
    "m": st.integers(1, 6000),
    "n": st.integers(1, 6000),
    "columns": st.sampled_from([64, 128, 160, 192, 224, 256]),
    "together": st.integers(1, 4),
    "sms": st.integers(4, 200),
}


@given(**results)
def test_tiles_handed_out_to_clusters_in_turn_take_as_many_rounds_and_leave_as_many_sms_idle(
    m, n, columns, together, sms
):
    clusters = sms // together
    taken = [0] * clusters
    at = 0
    for _ in range(0, m, TILE_ROWS * together):
        for _ in range(0, n, columns):
            taken[at % clusters] += 1
            at += 1
    found = Rounds(m, n, columns, together, sms)
    assert found.count == max(taken)
    assert found.tiles == together * at
    assert found.last == together * taken.count(max(taken))
    assert found.idle == sms - found.last


@given(**results)
def test_no_more_sums_are_used_than_the_sms_have_time_for(m, n, columns, together, sms):
    found = Rounds(m, n, columns, together, sms)
    assert 0 < found.used <= 1
    assert found.used <= found.tiles / (found.count * sms)


def test_the_eight_tiles_of_a_seventh_round():
    alone = Rounds(5120, 5120, 256)
    assert (alone.tiles, alone.count, alone.last, alone.idle) == (800, 7, 8, 124)
    narrower = Rounds(5120, 5120, 224)
    assert (narrower.tiles, narrower.count, narrower.last, narrower.idle) == (920, 7, 128, 4)
    assert alone.time == 7 * (256 + SEAM) * UNSHARED
    assert Rounds(5120, 5120, 224, together=2).time == 7 * (224 + SEAM) + START


def test_a_result_that_fills_every_sm_in_every_round_uses_all_of_them():
    assert Rounds(12 * TILE_ROWS, 33 * 256, 256).used == 1.0
    assert Rounds(12 * TILE_ROWS, 33 * 256, 256).idle == 0


def test_a_cluster_counts_its_tiles_below_the_result_too():
    assert Rounds(128, 256, 256).tiles == 1
    assert Rounds(128, 256, 256, together=2).tiles == 2
    assert Rounds(128, 256, 256, together=2, sms=5).at_once == 4


@pytest.mark.parametrize(
    ("arguments", "error", "named"),
    [
        ({"m": 0}, ValueError, "m=0"),
        ({"n": 0}, ValueError, "n=0"),
        ({"columns": 0}, ValueError, "columns=0"),
        ({"columns": 64.5}, TypeError, "columns=64.5"),
        ({"together": 17}, ValueError, "together=17 must be in 1 to 16"),
        ({"together": 3, "sms": 2}, ValueError, "together=3 must be in 1 to 2"),
        ({"sms": 0}, ValueError, "sms=0"),
    ],
)
def test_bad_input_is_refused_by_name(arguments, error, named):
    with pytest.raises(error, match=named):
        Rounds(**{"m": 128, "n": 256, "columns": 256} | arguments)
