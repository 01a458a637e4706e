"""Statistics of times, and the guards against measuring nothing."""

import numpy as np
import pytest

from hopperlab.kernels.holding import hold
from hopperlab.measure.timing import QUEUEING_NS, require_instructions, require_work, spread


def test_the_median_comes_with_its_spread():
    found = spread([1.0, 2.0, 3.0, 4.0, 100.0])
    assert found.median == 3.0
    assert found.low < found.median < found.high < 100.0
    assert found.samples == 5


def test_no_samples_have_no_median():
    with pytest.raises(ValueError, match="samples is empty"):
        spread([])


def test_a_kernel_that_did_no_work_does_not_count():
    require_work("copy", np.arange(4), np.arange(4))
    with pytest.raises(RuntimeError, match="copy: 3 of 4 results are wrong"):
        require_work("copy", np.zeros(4), np.arange(4))
    with pytest.raises(RuntimeError, match="does not count"):
        require_work("copy", np.zeros(3), np.arange(4))


def test_a_kernel_without_the_instruction_is_not_measured():
    require_instructions("max", "VIADDMNMX R1, R2 ;", "VIADDMNMX")
    with pytest.raises(RuntimeError, match=r"max: .* no VIMNMX3"):
        require_instructions("max", "VIADDMNMX R1, R2 ;", "VIADDMNMX", "VIMNMX3")


def test_a_launch_is_held_until_it_is_queued():
    run = hold.simulate(1, 1, (QUEUEING_NS,))
    assert not run.findings
    assert run.cycles > QUEUEING_NS  # nanoseconds of the simulated clock, which is faster than 1 GHz
