"""The pictures of lesson 02 and their twins."""

import pytest

from hopperlab.chip import chip
from hopperlab.models.clusters import block_limits
from hopperlab.models.sm import Operands, RegisterTile, delivery_energy, schedule
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
