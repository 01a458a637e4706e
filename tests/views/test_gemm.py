"""Pipelines, rungs and roofs drawn: what they say in words, and that it can be read."""

import xml.etree.ElementTree as ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hopperlab.chip import chip
from hopperlab.models.gemm import pipeline
from hopperlab.models.roofline import LANES, roofline
from hopperlab.views import gemm as views
from hopperlab.views.roofline import Program
from hopperlab.views.roofline import roofline as roofs

SVG = "{http://www.w3.org/2000/svg}"
LINES = [
    pipeline(2, 8, 1436, 1024, 576, late=True),
    pipeline(6, 12, 4308, 256, 200, late=True),
    pipeline(1, 1, 0, 5),
    pipeline(3, 40, 100, 100),
]


@pytest.mark.parametrize("line", LINES, ids=lambda line: f"{len(line.steps)} steps")
def test_every_pipeline_is_well_formed_legible_and_inside_its_frame(line):
    root = ElementTree.fromstring(views.timeline(line, note="a note").svg)
    width, height = (float(x) for x in root.get("viewBox").split()[2:])
    for element in root.iter(f"{SVG}text"):
        size = float(element.get("font-size", 15))
        assert size >= 14
        drawn = 0.66 * size * len(element.text)
        left = float(element.get("x")) - (drawn / 2 if element.get("text-anchor") == "middle" else 0)
        assert left >= -12, element.text
        assert left + drawn <= width + 60, element.text
        assert float(element.get("y")) <= height
    for element in root.iter(f"{SVG}rect"):
        assert float(element.get("x")) + float(element.get("width")) <= width + 1


@given(st.integers(1, 6), st.integers(1, 20), st.integers(0, 3000), st.integers(1, 2000))
def test_the_twin_tells_every_step_and_every_bubble(stages, steps, latency, compute):
    line = pipeline(stages, steps, latency, compute)
    text = views.timeline(line).text
    for step in line.steps:
        assert f"step {step.number} {step.asked:.0f}, {step.landed:.0f}, " in text
    assert f"{len(line.bubbles)} bubbles" in text
    for start, end in line.bubbles:
        assert f"{start:.0f} to {end:.0f}" in text


def test_bubbles_are_hatched_and_not_told_by_color_alone():
    drawn = views.timeline(LINES[0]).svg
    assert drawn.count('"f-none s-waiting"') == len(LINES[0].bubbles) + 1  # and one in the legend


def test_the_ladder_tells_each_rungs_three_numbers_and_its_gain():
    picture = views.rungs(
        ["low", "high"],
        {"low": 1e12, "high": 3e12},
        {"low": 2e12, "high": 4e12},
        {"high": 5e12},
        title="two rungs",
        card="a card",
    )
    rows = picture.text.splitlines()
    assert rows[1].split() == ["1.", "low", "1", "2", "-"]
    assert rows[2].split() == ["2.", "high", "3", "4", "5", "3.00"]
    assert [trace.name for trace in picture.figure.data] == [
        "measured",
        "modelled, at most",
        "cuBLASLt, measured",
    ]


def test_depths_tell_every_point():
    picture = views.depths({"ours": {256: 1e12, 1024: 2e12}}, title="by depth", card="a card")
    assert "ours: K=256 1, K=1024 2" in picture.text


def test_a_roof_is_a_line_with_a_corner_at_its_ridge_and_programs_are_marks():
    roof = roofline(chip("H200 SXM"), LANES)
    picture = roofs([roof], [Program("sum", 0.25, 1e12), Program("tile", 32, 2e13, "modelled")])
    line, measured, modelled = picture.figure.data
    assert line.x[1] == roof.ridge
    assert (measured.name, modelled.name) == ("measured", "modelled")
    assert "sum: 1 TFLOP/s at 0.25 FLOP/byte (measured)" in picture.text
    assert "ridge at 14 FLOP/byte" in picture.text
    with pytest.raises(ValueError, match="roofs is empty"):
        roofs([])


def test_labels_of_programs_that_lie_close_stand_in_a_row_below_the_lowest():
    roof = roofline(chip("H200 SXM"), "bf16")
    close = [Program("a", 85, 5e14, label="5"), Program("b", 85, 6e14, label="6")]
    picture = roofs([roof], [*close, Program("c", 1, 1e12, label="1")])
    assert picture.figure.data[-1].text == ("5, 6", "", "1")
