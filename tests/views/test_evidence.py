"""Evidence: three kinds of marker that never hide each other, a twin with every number, clear refusals."""

import xml.etree.ElementTree as ElementTree

import pytest

from hopperlab.views.evidence import LEGS, Evidence, evidence
from hopperlab.views.finding import finding
from hopperlab.views.picture import Picture

ROWS = [
    Evidence(
        "hand-over", quoted=7, modelled=5.5, measured=5.25, spread=(5, 6), source="talk-032", card="H200 SXM"
    ),
    Evidence("read", modelled=180),
]


def test_every_leg_has_a_symbol_and_a_lane_of_its_own():
    shapes = [symbol for symbol, _, _ in LEGS.values()]
    lanes = [lane for _, lane, _ in LEGS.values()]
    assert len(set(shapes)) == len(set(lanes)) == 3


def test_equal_values_are_drawn_apart():
    figure = evidence([Evidence("same", 3, 3, 3)], title="Same", unit="x").figure
    assert len({(trace.x[0], trace.y[0]) for trace in figure.data}) == 3


def test_the_twin_has_every_number_and_where_it_is_from():
    words = evidence(ROWS, title="Hand-over", unit="cycles", note="Two cards.").text
    for part in ("7", "5.5", "5.25", "180", "talk-032", "H200 SXM", "Two cards.", "(cycles)"):
        assert part in words


def test_a_measured_value_has_its_spread():
    measured = evidence(ROWS, title="Hand-over", unit="cycles").figure.data[2]
    assert measured.error_x.array[0] == pytest.approx(0.75)
    assert measured.error_x.arrayminus[0] == pytest.approx(0.25)


def test_a_quoted_bound_points_to_where_the_quantity_may_lie():
    rows = [
        Evidence("equal", quoted=3),
        Evidence("less", quoted=3, relation="<"),
        Evidence("more", 4, relation=">"),
    ]
    picture = evidence(rows, title="Bounds", unit="x")
    quoted = picture.figure.data[0]
    assert list(quoted.marker.symbol) == ["diamond-open", "triangle-left-open", "triangle-right-open"]
    assert [text.rstrip() for text in quoted.text] == ["equal: 3", "less: < 3", "more: > 4"]
    assert list(picture.figure.layout.yaxis.ticktext) == [
        "equal",
        "less, quoted less than",
        "more, quoted more than",
    ]
    for told in ("  < 3 ", "  > 4 "):
        assert told in picture.text


def test_values_are_told_to_as_many_digits_as_are_asked_for():
    rows = [Evidence("exact", quoted=704_116, modelled=704_116)]
    assert evidence(rows, title="A case", unit="ns", digits=6).text.count("704116") == 2
    assert "7.041e+05" in evidence(rows, title="A case", unit="ns").text


def test_no_rows_and_values_off_a_logarithmic_axis_are_refused():
    with pytest.raises(ValueError, match="rows is empty"):
        evidence([], title="None", unit="x")
    with pytest.raises(ValueError, match="measured of 'zero' is 0; a logarithmic axis needs it above 0"):
        evidence([Evidence("zero", measured=0)], title="Zero", unit="x", logarithmic=True)


def test_a_finding_stands_above_its_picture_and_says_the_same_in_words():
    below = Picture("The board", "Nothing runs.", svg='<svg viewBox="0 0 100 50" width="100%"><g/></svg>')
    shown = finding("A hang", "Two blocks wait.", "Nobody arrives.", "Arrive.", below)
    tree = ElementTree.fromstring(shown.svg)
    drawn = " ".join(element.text or "" for element in tree.iter() if element.tag.endswith("text"))
    for words in ("Two blocks wait.", "Nobody arrives.", "Arrive."):
        assert words in drawn
        assert words in shown.text
    assert "Nothing runs." in shown.text


def test_a_finding_over_a_curve_is_refused():
    curve = evidence(ROWS, title="Curve", unit="x")
    with pytest.raises(ValueError, match="a finding stands above an SVG"):
        finding("A hang", "a", "b", "c", curve)
