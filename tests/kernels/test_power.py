"""The kernel that draws power: nothing but products, of numbers that are no NaN."""

import re

import numpy as np
import pytest

from hopperlab.kernels import power
from hopperlab.measure.power.fillings import filled, product
from tests.kernels.machine_code import assert_has, code_without_spill


@pytest.mark.exhaustive
@pytest.mark.parametrize("kernel", [power.multiply, power.multiply_given], ids=["multiply", "multiply_given"])
def test_its_products_are_of_fp8_and_stay_in_registers(kernel):
    code = code_without_spill(kernel)
    assert_has(code, r"QGMMA\.64x256x32\.F32\.E4M3\.E4M3")
    assert len(re.findall("QGMMA", code)) % power.TOGETHER == 0


def test_no_byte_that_it_makes_is_a_nan():
    from hopperlab.models.fp8 import decode

    bytes_made = np.unique(np.arange(256, dtype=np.uint8) & np.uint8(power.NO_NAN))
    assert np.isfinite(decode(bytes_made, "e4m3")).all()
    assert len(bytes_made) == 128


def test_given_numbers_are_multiplied_along_all_of_their_rows():
    rows, columns = filled("sorted")
    d = np.zeros((power.ROWS, power.COLUMNS), np.float32)
    run = power.multiply_given.simulate(1, 128, (rows, columns, np.int32(1), d))
    assert run.findings == ()
    expected = product("sorted")
    assert np.abs(run["d"] - expected).max() < 0.01 * np.abs(expected).max()
