"""The kernel that moves along the roofline: its arithmetic is there, and rounds as the model does."""

import numpy as np
import pytest

from hopperlab.kernels.roofline import UNROLLED, VALUES, intensity, multiply_adds
from hopperlab.measure.roofline import expected


@pytest.mark.parametrize("rounds", [1, 3, UNROLLED, 4 * UNROLLED])
def test_the_simulator_gives_the_models_bits(rounds):
    values = np.linspace(-9, 9, 2 * 32 * VALUES, dtype=np.float32)
    run = multiply_adds(rounds).simulate(2, 32, (values, np.zeros_like(values)))
    assert not run.findings
    assert (run.outputs["results"] == expected(values, rounds)).all()


@pytest.mark.parametrize("rounds", [1, 16, 512])
def test_no_multiply_add_is_removed(rounds):
    code = multiply_adds(rounds).sass()
    assert code.count("FFMA") >= VALUES * min(rounds, UNROLLED)
    assert multiply_adds(rounds).resources().spill_store_bytes == 0


def test_the_intensity_counts_two_for_a_multiply_add():
    assert intensity(4) == 1
    assert intensity(512) == 128


@pytest.mark.parametrize("rounds", [0, -1, UNROLLED + 1])
def test_other_rounds_are_refused(rounds):
    with pytest.raises(ValueError, match=f"rounds={rounds} must be 1 to {UNROLLED}"):
        multiply_adds(rounds)
