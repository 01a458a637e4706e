"""Pipelines, rungs and roofs drawn: what they say in words, and that it can be read."""

import xml.etree.ElementTree as ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hopperlab.chip import chip
from hopperlab.models.gemm import Rounds, pipeline
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


WIDTHS = (256, 224, 192, 160, 128, 64)
RESULTS = [(5120, 5120, 2), (128, 128, 1), (16384, 16384, 1), (128, 16384, 2), (16384, 128, 1)]


@pytest.mark.parametrize("line", LINES, ids=lambda line: f"{len(line.steps)} steps")
def test_every_pipeline_is_well_formed_legible_and_inside_its_frame(line):
    assert_legible(views.timeline(line, note="a note").svg)


@pytest.mark.parametrize(("m", "n", "together"), RESULTS)
def test_all_rounds_are_well_formed_legible_and_inside_their_frame(m, n, together):
    assert_legible(views.rounds([Rounds(m, n, columns, together) for columns in WIDTHS], note="a note").svg)


def assert_legible(drawn):
    root = ElementTree.fromstring(drawn)
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


@given(st.integers(1, 9000), st.integers(1, 9000), st.sampled_from([1, 2]))
def test_the_twin_of_the_rounds_tells_each_width_and_who_is_done_first(m, n, together):
    cuts = [Rounds(m, n, columns, together) for columns in WIDTHS]
    picture = views.rounds(cuts)
    rows = {int(row.split()[0]): row for row in picture.text.splitlines()[1:]}
    for cut in cuts:
        assert rows[cut.columns].split()[1:5] == list(map(str, (cut.tiles, cut.count, cut.last, cut.idle)))
    (first,) = (columns for columns, row in rows.items() if row.endswith("done first"))
    assert min(cut.time for cut in cuts) == next(cut.time for cut in cuts if cut.columns == first)
    assert f"{first} columns are done first" in picture.title


def test_as_many_rounds_are_drawn_as_there_are_and_the_last_is_as_full_as_it_is():
    (cut,) = cuts = [Rounds(5120, 5120, 256)]
    root = ElementTree.fromstring(views.rounds(cuts).svg)
    (full,) = (path for path in root.iter(f"{SVG}path") if path.get("class") == "f-compute")
    assert full.get("d").count("M") == cut.count - 1
    heights = {r.get("class"): float(r.get("height")) for r in list(root.iter(f"{SVG}rect"))[1:3]}
    assert heights["f-compute"] / sum(heights.values()) == pytest.approx(cut.last / cut.sms, rel=1e-3)


def test_rounds_of_different_results_or_of_none_are_refused():
    for cuts in ([], [Rounds(128, 128, 64), Rounds(256, 128, 64)]):
        with pytest.raises(ValueError, match="all of one result"):
            views.rounds(cuts)


def test_the_table_of_changes_tells_every_share_the_mean_and_what_was_chosen():
    shares = {"1 x 2 x 3": {"before": 0.5, "after": 1.25}}
    picture = views.changes(
        shares, {"before": 0.5, "after": 1.1}, {"1 x 2 x 3": "so"}, title="t", card="a card"
    )
    assert [row.split() for row in picture.text.splitlines()[-2:]] == [
        ["1", "x", "2", "x", "3", "0.500", "1.250", "so"],
        ["geometric", "mean", "0.500", "1.100"],
    ]
    (heat,) = picture.figure.data
    assert list(map(list, heat.text)) == [["0.500", "1.250"], ["0.500", "1.100"]]
    assert "a card" in picture.text


def test_a_shape_without_one_of_the_changes_is_refused():
    with pytest.raises(ValueError, match=r"has \['before'\]; the means are of \['before', 'after'\]"):
        views.changes({"s": {"before": 1.0}}, {"before": 1.0, "after": 1.0}, {}, title="t", card="c")
