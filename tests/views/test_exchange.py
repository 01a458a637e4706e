"""The pictures of exchange say in words what they show, and show what the models say."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hopperlab.models.exchange import MEMORY, ONE_SIDED, PROTOCOLS, Latencies, exchange
from hopperlab.views import exchange as views
from hopperlab.views.palette import contrast

cycles = st.floats(1, 2000)


@given(
    latencies=st.builds(
        Latencies, memory=cycles, network=cycles, fence=cycles, wake=cycles, missed=st.floats(0, 1)
    )
)
def test_the_ladder_tells_every_message_and_keeps_it_within_its_frame(latencies):
    for protocol in PROTOCOLS:
        left, right = exchange(protocol, latencies), exchange(ONE_SIDED, latencies)
        picture = views.ladder(left, right)
        told = picture.text.splitlines()
        assert len(told) == 2 + len(left.messages) + len(right.messages)
        assert f"{left.cycles:.0f} cycles" in told[0]
        assert "modelled" in picture.title
        height = float(re.search(r'viewBox="0 0 1010 (\d+)"', picture.svg)[1])
        for tops in re.findall(r'd="M[\d.]+ ([\d.]+)L', picture.svg):
            assert 0 <= float(tops) <= height


def test_the_ladder_draws_the_l2_only_where_it_is_used():
    for protocol in PROTOCOLS:
        drawn = views.ladder(exchange(protocol), exchange(ONE_SIDED)).svg
        uses = any(MEMORY in message[1:3] for message in exchange(protocol).messages)
        assert (">L2</text>" in drawn) == uses


def test_a_ladder_of_nothing_is_drawn_too():
    nothing = Latencies(0, 0, 0, 0, 0)
    assert "0 cycles" in views.ladder(exchange(ONE_SIDED, nothing), exchange(ONE_SIDED, nothing)).text


def test_the_matrix_leaves_out_the_diagonal_and_tells_the_parts():
    matrix = [[41 if i == j else 90 + i + j for j in range(4)] for i in range(4)]
    picture = views.latency_matrix(matrix, "made up")
    assert picture.title == "Remote 91 to 95 cycles, own 41: measured, made up"
    assert [row[i] for i, row in enumerate(picture.figure.data[0].z)] == [None] * 4
    assert "leave 0.00 cycles rms of the 12 pairs" in picture.text
    assert re.findall(r"^ +\d +(\d+\.\d)", picture.text, re.MULTILINE) == ["45.0", "46.0", "47.0", "48.0"]


CURVES = {"of 2": {1024: 0.2, 2048: 1.7}, "of 4": {2048: 1.0}}


def test_gains_are_told_for_every_curve_and_size_with_what_is_quoted():
    picture = views.gains(CURVES, title="t", x="bins", quoted=(2, 3, "talk-042"), limits={1500: "here"})
    assert "of 2" in picture.text
    assert re.search(r"of 4 .* - +1\.00", picture.text)
    assert "quoted: 2 to 3 (talk-042)" in picture.text
    assert "1500: here" in picture.text
    assert [tuple(trace.y) for trace in picture.figure.data] == [(0.2, 1.7), (1.0,)]
    assert len({(trace.line.dash, trace.marker.symbol) for trace in picture.figure.data}) == 2


def test_gains_of_nothing_are_refused():
    with pytest.raises(ValueError, match="curves"):
        views.gains({}, title="t", x="bins")


def test_rates_are_markers_where_measured_and_lines_where_modelled():
    picture = views.rates({"one": {2: 4.0, 4: 8.0}}, {"one": {2: 5.0, 4: 8.5}}, "t")
    assert [trace.mode for trace in picture.figure.data] == ["markers", "lines"]
    assert "one: 2: 4.00 (5.00); 4: 8.00 (8.50)" in picture.text


def test_colors_stand_out_from_paper():
    for picture in (views.rates(CURVES, {}, "t"), views.gains(CURVES, title="t", x="x")):
        for trace in picture.figure.data:
            color = trace.marker.color or trace.line.color
            assert contrast(color, "#FFFFFF") > 2.2
