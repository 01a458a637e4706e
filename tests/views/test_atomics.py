"""The pictures of lesson 19 and their twins."""

import re

from hopperlab.models.atomics import game
from hopperlab.views import atomics as views

MEASURED = {"one word": [(1, 0.5), (132, 0.7)], "a word for each thread": [(1, 6.0), (132, 220.0)]}


def test_a_ladder_draws_every_try_and_numbers_what_raised_the_word():
    tries = game(321, 518, 1800, later=300)
    picture = views.ladder(tries, ["near", "far"], "the word", until=1800, title="one near, one far")
    assert picture.svg.count('stroke-width="3"') == sum(one.raised for one in tries)
    assert picture.svg.count('stroke-width="1.5"') == sum(not one.raised for one in tries) > 0
    assert f"near: {sum(one.player == 0 for one in tries)} tries, 1 in vain" in picture.text


def test_a_ladder_stays_within_its_edges():
    tries = game(321, 518, 1800, later=300)
    picture = views.ladder(tries, ["near", "far"], "the word", until=1800, title="one near, one far")
    heights = [float(y) for y in re.findall(r"L\d+ ([\d.]+)", picture.svg)]
    assert max(heights) <= views.TOP + views.TALL + 0.1


def test_additions_name_what_is_pointed_out_and_tell_all():
    picture = views.additions(MEASURED, {"one word": 1.0}, spread="one word", sms=132, card="card")
    assert picture.title == "132 SMs, one word: 0.7 additions a clock (measured), 0.69 (modelled)"
    assert "a word for each thread: 1: 6 (5.88), 132: 220 (241)" in picture.text
    assert "shared memory of one SM (measured): one word: 1" in picture.text


def test_every_pair_is_in_a_bar():
    groups = {"both near": [210.0, 214.9, 215.0, 218.0], "both far": [319.0]}
    picture = views.pairs(groups, {"both near": 215.0, "both far": 313.0}, card="card")
    bars = [trace for trace in picture.figure.data if trace.type == "bar"]
    assert [sum(bar.y) for bar in bars] == [4, 1]
    assert "both near: 4 pairs, median 215 cycles (measured, card), 215 (modelled)" in picture.text
