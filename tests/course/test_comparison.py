import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hopperlab.course.comparison import LONGEST, difference, shown

NESTED = st.recursive(
    st.integers() | st.floats() | st.booleans() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@given(NESTED)
def test_everything_is_equal_to_itself(value) -> None:
    assert difference(value, value) == ""


@pytest.mark.parametrize(
    ("result", "right"),
    [
        (8.0, 8),
        (np.int64(8), 8),
        (np.float32(0.5), 0.5),
        ((1, 2), [1, 2]),
        (math.nan, math.nan),
        (0.1 + 0.2, 0.3),
        (np.array([1.0, 2.0]), np.array([1, 2])),
        (np.bool_(True), True),
        ({1, 2}, {2, 1}),
        (None, None),
    ],
)
def test_these_are_equal(result, right) -> None:
    assert difference(result, right) == ""


@pytest.mark.parametrize(
    ("result", "right", "told"),
    [
        (None, 3, "it gives None; is a return missing?"),
        ("3", 3, "it gives a str where an integer is wanted"),
        (1, True, "it gives an integer where a bool is wanted"),
        ([1, 2], 3, "it gives a list where an integer is wanted"),
        (3, [3], "it gives an integer where a list is wanted"),
        ([1, 2, 3], [1, 2], "its length is 3 where 2 is wanted"),
        ([1, [2, 5]], [1, [2, 3]], "at index 1, at index 1, the values differ"),
        ({"a": 1}, {"b": 1}, "its keys differ"),
        ({"a": 1}, {"a": 2}, "at key 'a', the values differ"),
        (np.zeros((2, 3)), np.zeros((3, 2)), "its shape is (2, 3) where (3, 2) is wanted"),
        ([0.0, 0.0], np.zeros(2), "it gives a list where an array is wanted"),
        (2.0000001, 2, "the values differ"),
        (1.001, 1.0, "the values differ"),
        (3, None, "it gives an integer where None is wanted"),
        (np.array([1, 2]), 1, "it gives an array where an integer is wanted"),
        ("ab", "ac", "the values differ"),
    ],
)
def test_these_differ_and_it_is_said_how(result, right, told) -> None:
    assert difference(result, right) == told


def test_numpy_scalars_are_shown_as_numbers_and_long_values_are_cut() -> None:
    assert shown(np.int64(3)) == "3"
    assert shown([1, 2]) == "[1, 2]"
    assert len(shown(list(range(10_000)))) < LONGEST + 40
