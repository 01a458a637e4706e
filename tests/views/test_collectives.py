"""Pictures of collectives: their words say what they draw, and the counts in them are the model's."""

import re

import pytest

from hopperlab.models.collectives import corrected_gain, spoken_gain
from hopperlab.views import collectives as views
from hopperlab.views.collectives import Measured


@pytest.mark.parametrize("ranks", [2, 4, 8, 16])
@pytest.mark.parametrize("ticks", [0, 3, 100])
def test_one_gpus_packets_are_drawn_and_counted(ranks, ticks):
    picture = views.one_gpu(ranks, ticks)
    ring, switch = 2 * (ranks - 1), ranks + 1
    assert f"{min(ticks, ring)} of {ring} packets" in picture.text
    assert f"{min(ticks, switch)} of {switch} packets" in picture.text
    assert picture.svg.count('class="packet"') == 2 * (ring + switch)
    assert picture.svg.count("f-none s-line") == 1 + 2 * (
        ring - min(ticks, ring) + switch - min(ticks, switch)
    )


def test_a_finished_sum_and_a_value_differ_in_shape_as_well_as_in_color():
    drawn = views.one_gpu(8, 20).svg
    squares = set(re.findall(r'f-hue0" [^>]*rx=\'([\d.]+)\'', drawn))
    circles = set(re.findall(r'f-hue2" [^>]*rx=\'([\d.]+)\'', drawn))
    assert squares == {"2"}
    assert not squares & circles


@pytest.mark.parametrize(
    ("op", "algorithm"), [("all-reduce", "ring"), ("all-reduce", "in-network"), ("all-gather", "ring")]
)
def test_holdings_end_complete_and_begin_with_nothing_moved(op, algorithm):
    assert "Nothing moved yet" in views.holdings(op, algorithm, 4, 0).text
    assert views.holdings(op, algorithm, 4, 99).title.endswith("complete")
    assert ("switch" in views.holdings(op, algorithm, 4, 1).text) == (algorithm == "in-network")


def test_gains_stand_on_one_axis_with_spoken_corrected_and_quoted():
    picture = views.sharp_gains({8: (1.31, "derived-019.b")})
    lines = {trace.name: dict(zip(trace.x, trace.y, strict=True)) for trace in picture.figure.data}
    spoken, corrected, _, users = lines.values()
    assert spoken[8] == round(spoken_gain(8), 4)
    assert corrected[2] == round(corrected_gain(2), 4) < 1
    assert users == {8: 1.31}
    assert "derived-019.b" in picture.text


def test_every_number_of_a_run_follows_the_units_switch():
    values = {
        unit: list(views.one_run("all-reduce", "in-network", 8, 2**33, 2**33 / 272e9, unit).figure.data[0].x)
        for unit in ("GB/s", "GiB/s", "Gb/s")
    }
    assert values["GB/s"] == [272.0, 476.0, 306.0, 450.0]
    assert values["Gb/s"] == [8 * value for value in values["GB/s"]]
    assert values["GiB/s"] == pytest.approx([value / 1.073741824 for value in values["GB/s"]], abs=0.05)


def test_a_busbw_above_the_link_is_explained():
    above = views.one_run("all-reduce", "in-network", 8, 2**33, 2**33 / 272e9)
    below = views.one_run("all-gather", "ring", 8, 2**33, 2**33 / 400e9)
    assert "above the link's speed because" in above.text
    assert "stays below" in below.text


def test_curves_show_what_was_measured_as_markers_with_its_provenance():
    measured = Measured("ring, H200 SXM", {2**20: 60.0, 2**30: 350.0}, "an H200, made for a test")
    picture = views.busbw_curves(8, multicast=False, measured=[measured])
    marks = [trace for trace in picture.figure.data if trace.mode == "markers"]
    assert [list(trace.y) for trace in marks] == [[60.0, 350.0]]
    assert not any(trace.name.startswith("NVLS") for trace in picture.figure.data)
    assert "measured on an H200, made for a test" in picture.text


def test_the_rate_of_adding_says_how_many_sms_it_takes():
    assert views.reduction_rate(8, 450, 25).title == "Full speed takes 48 SMs by ring, 4 with the switch"


@pytest.mark.parametrize(
    ("draw", "words"),
    [
        (lambda: views.holdings("all-reduce", "ring", 9, 1), "ranks=9 must be in 2 to 8"),
        (lambda: views.sharp_gains({}, 3), "ranks=3 must be one of 2, 4"),
        (lambda: views.one_gpu(1, 1), "ranks=1 must be in 2 to 64"),
    ],
)
def test_what_could_not_be_read_is_refused(draw, words):
    with pytest.raises(ValueError, match=words):
        draw()
