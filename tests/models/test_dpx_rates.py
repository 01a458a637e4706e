"""The pipes of an SM: what decides how many results a line gives in a clock."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hopperlab.models.dpx import fused, results_per_clock
from hopperlab.models.dpx.rates import LANES, pipe_of

CODE = st.lists(
    st.sampled_from(["IADD3 R0, R1, R2", "VIADDMNMX R1", "IMAD.IADD R0", "FADD R1", "F2I.TRUNC R2"]),
    min_size=1,
)


@given(CODE)
def test_the_fullest_pipe_decides(code):
    counts = {pipe: sum(pipe_of(one) == pipe for one in code) for pipe in LANES}
    busiest = max(counts[pipe] / LANES[pipe] for pipe in LANES)
    assert results_per_clock(code) == pytest.approx(1 / busiest)


@given(CODE, CODE)
def test_more_code_is_never_faster(one, other):
    assert results_per_clock(one + other) <= min(results_per_clock(one), results_per_clock(other)) + 1e-12


def test_two_pipes_work_beside_each_other():
    assert results_per_clock(["IMAD.IADD R0", "VIMNMX R1"]) == results_per_clock(["VIADDMNMX R1"]) == 64
    assert results_per_clock(["IADD3 R0", "VIMNMX R1"]) == 32


def test_only_hoppers_own_instructions_are_fused():
    assert [fused(one) for one in ("VIADDMNMX.RELU R1, R2", "VIMNMX3 R1", "VIMNMX R1", "IADD3 R1")] == [
        True,
        True,
        False,
        False,
    ]


def test_no_instructions_have_no_rate():
    with pytest.raises(ValueError, match="instructions is empty"):
        results_per_clock([])
