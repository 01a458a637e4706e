"""The pictures of lesson 02 and their twins."""

import pytest

from hopperlab.chip import chip
from hopperlab.models.clusters import block_limits
from hopperlab.models.sm import GENERATIONS, Operands, RegisterTile, delivery_energy, schedule
from hopperlab.views import sm as views


def test_feeding_says_how_busy_the_tensor_cores_are():
    assert "80 of 128 bytes a clock (modelled), tensor cores busy in every clock" in (
        views.feeding(Operands(256)).title
    )
    assert "busy 22% of the time" in views.feeding(Operands(8)).title


@pytest.mark.parametrize(("registers", "limiter"), [(24, "warps"), (128, "registers")])
def test_occupancy_names_what_runs_out(registers, limiter):
    picture = views.occupancy(block_limits(chip("H100 SXM5"), 256, registers), 8, 64, "Clusters.")
    assert f"limited by {limiter}" in picture.title
    assert picture.svg.count(", the limit") == 1
    assert f"by {limiter}:" in picture.text


def test_scheduling_counts_idle_clocks():
    picture = views.scheduling(schedule(1, 4, 4, clocks=8), 4, 0.25)
    assert picture.text.splitlines() == [
        "issued in the 8 clocks shown: 2",
        "clocks in which nothing is issued: 6",
    ]


def test_tiles_and_delivery_say_what_is_modelled():
    tiles = views.register_tiles([RegisterTile(3), RegisterTile(8)])
    assert "8 x 8 sums: 96 registers, 25.0% occupancy, 128 multiply-adds a clock" in tiles.text
    delivery = views.delivery({1.0: delivery_energy(1)})
    assert "assumed" in delivery.figure.layout.xaxis.title.text
    assert "(modelled)" in delivery.title


MEASURED = {"fp16": 4072, "fp8": 8143}


def test_generations_show_every_rate_and_beside_the_last_what_was_measured():
    picture = views.generations(GENERATIONS[2], "fp8", MEASURED, "H200 SXM")
    assert picture.title == "H100, FP8: one wgmma keeps an SM's tensor cores busy for 128 clocks (modelled)"
    assert "FP8, FLOP a clock and SM (quoted): V100 none, A100 none, H100 8192; measured 8143 (H200 SXM)" in (
        picture.text
    )
    for one in GENERATIONS:
        for rate in one.rates.values():
            assert f">{rate}" in picture.svg
    assert picture.svg.count(">none<") == 6
    assert ">8192 (8143)<" in picture.svg
    assert ">8192<" in picture.svg  # INT8 was not measured


@pytest.mark.parametrize("one", GENERATIONS, ids=lambda one: one.name)
def test_a_type_that_a_generation_lacks_is_said_to_lack(one):
    lacking = {"fp64", "tf32", "fp16", "bf16", "fp8", "int8"} - set(one.rates)
    for kind in lacking:
        picture = views.generations(one, kind, MEASURED, "H200 SXM")
        assert picture.title == f"The {one.name}'s tensor cores do not take {kind.upper()}"
        assert "FLOP of one warp" not in picture.text
    assert views.generations(one, "fp16", MEASURED, "H200 SXM").svg.count("s-ink") >= 1


def test_feeding_is_drawn_without_plotly():
    picture = views.feeding(Operands(64))
    assert picture.figure is None
    assert ">supplied<" in picture.svg
