"""Casts, codes and accumulators drawn: what they say in words, and that it can be read."""

import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

from hopperlab.models import fp8, tensorcore
from hopperlab.views import fp8 as views
from hopperlab.views import tensorcore as sums
from hopperlab.views.fp8.number_line import plain

SVG = "{http://www.w3.org/2000/svg}"
VALUES = (
    0.3,
    465.0,
    -431.99999999999994,
    float("inf"),
    float("-inf"),
    float("nan"),
    -0.0,
    2.0**-17,
    1e30,
    2.0**-40,
)


def block(a, b, c, unit="hopper.wgmma.e4m3"):
    dtype = tensorcore.UNITS[unit].a.dtype
    return tensorcore.explain_block(np.array(a, dtype), np.array(b, dtype), c, unit)


def pictures():
    rng = np.random.default_rng(0)
    many = rng.normal(size=32).astype(np.float32)
    return [
        *(views.number_line(x, saturate) for x in VALUES for saturate in (True, False)),
        *(views.number_line(-1.19, rounding=mode) for mode in fp8.ROUNDINGS if mode != "stochastic"),
        *(views.code_wheel(code, fmt) for fmt in fp8.FORMATS for code in (0, 1, 0x7C, 0x7F, 0x80, 0xFE)),
        sums.accumulator(block([1.0] * 32, [1.0] * 32, 2.0**14)),
        sums.accumulator(block([256, -256, 7.5], [256, 256, 1], -3.0)),
        sums.accumulator(block(many, many[::-1].copy(), 1.0)),
        sums.accumulator(block([0.0], [0.0], 0.0)),
        sums.accumulator(block([448.0] * 32, [448.0] * 32, 2.0**20)),
    ]


@pytest.mark.parametrize("picture", pictures(), ids=lambda p: p.title[:40])
def test_every_picture_is_well_formed_legible_and_inside_its_frame(picture):
    root = ElementTree.fromstring(picture.svg)
    width, height = (float(x) for x in root.get("viewBox").split()[2:])
    for element in root.iter(f"{SVG}text"):
        size = float(element.get("font-size", 15))
        assert size >= 14
        drawn = (0.66 if element.get("font-weight") else 0.56) * size * len(element.text)
        left = float(element.get("x")) - {"middle": drawn / 2, "end": drawn}.get(
            element.get("text-anchor"), 0
        )
        assert left >= -12, element.text
        assert left + drawn <= width + 12, element.text
        assert 0 < float(element.get("y")) < height
    assert root.find(f"{SVG}title").text == picture.title
    assert '="nan' not in picture.svg


@pytest.mark.parametrize("x", VALUES)
@pytest.mark.parametrize("saturate", [True, False])
def test_the_number_line_says_what_the_cast_gives(x, saturate):
    picture = views.number_line(x, saturate)
    for fmt in ("e4m3", "e5m2"):
        result = fp8.explain(x, fmt, saturate).result
        assert f"{plain(result.value)} in {result.fmt.title}" in picture.title
        assert f"0x{result.code:02X}" in picture.text
        drawn = {e.text for e in ElementTree.fromstring(picture.svg).iter(f"{SVG}text")}
        assert any(f"0x{result.code:02X}" in word for word in drawn)


def test_the_wheel_has_a_spoke_for_each_code_and_names_what_it_holds():
    for fmt in fp8.FORMATS:
        picture = views.code_wheel(0x7E, fmt)
        wheel = picture.svg.count("L") - 1  # and the pointer
        assert wheel == 256
        assert str(fp8.unpack(0x7E, fmt).bits) in picture.text


def test_the_accumulator_counts_what_is_cut_and_keeps_the_exact_sum_beside():
    picture = sums.accumulator(block([1.0] * 32, [1.0] * 32, 2.0**14))
    assert picture.title == "Exact sum 16416, written 16384: 32 lost"
    assert "32 times 1 x 1" in picture.text
    assert picture.svg.count('stroke-dasharray="3 2"') == 2  # one bit cut, one in the legend


def test_more_terms_than_rows_are_told():
    rng = np.random.default_rng(0)
    many = rng.normal(size=32).astype(np.float32)
    assert "smaller" in sums.accumulator(block(many, many[::-1].copy(), 1.0)).text


def test_the_bias_curve_says_every_point():
    curve = sums.Curve("one chain", (-0.001, -0.25))
    picture = sums.bias_curve((256, 16384), [curve], "ones")
    assert picture.title == "one chain: -25 % at K = 16384"
    assert "-25.0000" in picture.text
    assert picture.svg.count("f-none s-modelled") == 2  # the line, and its sample beside the name
    with pytest.raises(ValueError, match="0 lines"):
        sums.bias_curve((1,), [], "ones")
    with pytest.raises(ValueError, match="curves has 4 lines; one to 3"):
        sums.bias_curve((256, 16384), [curve] * 3, "ones", allowed=0.001)
    with pytest.raises(ValueError, match="a bias of 0"):
        sums.bias_curve((256, 16384), [sums.Curve("exact", (0.0, -0.25))], "ones")


def test_the_bias_curve_shows_what_is_allowed():
    curves = [sums.Curve("one chain", (-0.001, -0.25)), sums.Curve("promoted every 128", (-0.0006, -0.0006))]
    picture = sums.bias_curve((256, 16384), curves, "ones", allowed=0.001)
    assert picture.title == "one chain: -25 %; promoted every 128: -0.06 % at K = 16384"
    assert ">allowed: 0.1 %<" in picture.svg
    assert picture.svg.count("f-none s-modelled") == 6
