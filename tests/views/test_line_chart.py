"""Axes that place values where they belong, and a chart that names its lines."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hopperlab.views.line_chart import Axis, line_chart, powers_of_ten

LINEAR = Axis("GB", 20, 620, {100: "100"})
LOGARITHMIC = Axis("GB/s", 1, 10_000, powers_of_ten(0, 4), logarithmic=True)


@pytest.mark.parametrize("axis", [LINEAR, LOGARITHMIC], ids=["linear", "logarithmic"])
@given(data=st.data())
def test_values_keep_their_order_between_the_ends(axis, data):
    one, other = sorted(data.draw(st.lists(st.floats(axis.low, axis.high), min_size=2, max_size=2)))
    assert 0 <= axis.share(one) <= axis.share(other) <= 1 + 1e-12
    assert axis.share(axis.low) == 0
    assert axis.share(axis.high) == pytest.approx(1)


def test_a_factor_is_a_distance_on_a_logarithmic_axis():
    assert LOGARITHMIC.share(100) - LOGARITHMIC.share(10) == pytest.approx(
        LOGARITHMIC.share(10_000) - LOGARITHMIC.share(1000)
    )


def test_lines_are_named_and_marks_are_ringed():
    picture = line_chart(
        "T", "twin", LINEAR, LOGARITHMIC, {"a": [(20, 1), (620, 9)], "b": [(20, 2), (620, 3)]}, [(100, 5)]
    )
    assert picture.svg.count("<circle") == 1
    assert picture.svg.count('stroke-width="3"') == 5
    assert ">a</text>" in picture.svg
    assert ">b</text>" in picture.svg
    assert powers_of_ten(-1, 1) == {0.1: "0.1", 1.0: "1", 10.0: "10"}
