"""The pictures of lesson 17 say in words what they draw."""

import numpy as np
import pytest

from hopperlab.views import power as views


@pytest.mark.parametrize(("numbers", "told"), [([7] * 32, "0 of 248"), ([0, 255] * 16, "248 of 248")])
def test_bits_that_change_are_counted(numbers, told):
    rows = {"these": (0.1, 300.0, 1800.0), "others": (0.2, 400.0, 1700.0)}
    measured = {"these": (310.0, 1790.0), "others": (405.0, 1710.0)}
    picture = views.bits(
        np.array(numbers, np.uint8), rows, measured, chosen="these", title="t", note="Measured: on X."
    )
    assert told in picture.text
    assert (
        "others: 20.0% of bits change, 400 W, 1700 MHz (modelled); 405 W, 1710 MHz (measured)" in picture.text
    )
    assert picture.svg.count("<rect") >= 32 * 8
    assert picture.text.endswith("Measured: on X.")


def test_the_recorded_curve_is_hidden_until_asked_for():
    drawn = [(0.0, 1980), (2.0, 1395)]
    beside = {"W, as read": [(0.0, 120), (2.0, 689)], "degrees C": [(0.0, 36), (2.0, 58)]}
    recorded = [(0.0, 1980), (1.0, 1710), (2.0, 1695)]
    hidden = views.clock_curve(drawn, None, beside={}, title="t", card="X")
    shown = views.clock_curve(drawn, recorded, beside=beside, title="t", card="X")
    assert "hidden" in hidden.text
    assert hidden.svg.count("s-measured") < shown.svg.count("s-measured")
    assert "least 1695" in shown.text
    assert "1710" not in hidden.text
    assert "degrees C, measured: 36 at first, at most 58, 58 in the end" in shown.text
    assert shown.svg.count("s-measured") == hidden.svg.count("s-measured") + 3


def test_readings_are_drawn_beside_the_model():
    picture = views.trailing([0, 1, 2], [1, 2, 3], np.array([1, 2, 4]), [(0, 5)], ["rest"], card="X")
    assert {"reading, measured, X", "reading, modelled"} <= {trace.name for trace in picture.figure.data}
    assert "rest: from 0.0 s, settles at 5 W" in picture.text
