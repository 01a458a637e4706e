"""The roofline: memory below the ridge, arithmetic above, for every chip that has the numbers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hopperlab.chip import NAMES, chip
from hopperlab.models.roofline import LANES, Roofline, product_intensity, roofline

CHIPS = [name for name in NAMES if name != "GH100"]


@given(st.floats(1e9, 1e16), st.floats(1e9, 1e14), st.floats(1e-3, 1e6))
def test_a_program_is_bound_by_memory_or_by_arithmetic_and_by_both_at_the_ridge(peak, rate, intensity):
    roof = Roofline("some chip", peak, rate)
    assert roof.attainable(intensity) <= min(peak, intensity * rate) * (1 + 1e-12)
    assert roof.attainable(roof.ridge) == pytest.approx(peak)
    limit = "memory" if roof.attainable(intensity) < peak else "arithmetic"
    assert roof.limit(intensity) == limit or intensity == pytest.approx(roof.ridge)


@pytest.mark.parametrize("name", CHIPS)
def test_tensor_cores_move_the_ridge_to_the_right(name):
    assert roofline(chip(name), LANES).ridge < roofline(chip(name), "bf16").ridge


def test_an_h200s_fp8_needs_four_hundred_flop_a_byte():
    assert roofline(chip("H200 SXM"), "fp8").ridge == pytest.approx(412, abs=1)


@given(st.integers(1, 512), st.integers(1, 512), st.integers(1, 512), st.sampled_from([1, 2, 4]))
def test_the_intensity_of_a_product_counts_each_operand_once(m, n, k, nbytes):
    moved = sum(rows * k * nbytes for rows in (m, n)) + m * n * 4
    assert product_intensity(m, n, k, nbytes) * moved == pytest.approx(2 * m * n * k)


def test_what_no_roof_has_is_refused():
    with pytest.raises(ValueError, match="data_type='fp4'"):
        roofline(chip("H200 SXM"), "fp4")
    with pytest.raises(ValueError, match="'fp8': the A100"):
        roofline(chip("A100 PCIe 40GB"), "fp8")
    with pytest.raises(ValueError, match="intensity=0"):
        Roofline("some chip", 1.0, 1.0).attainable(0)
