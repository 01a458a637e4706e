"""The pictures of lesson 03 and their twins."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hopperlab.views import dpx as views
from hopperlab.views.side_by_side import side_by_side


def test_a_fused_line_says_so_in_picture_and_twin():
    picture = views.line_and_code("Mine", "out = max(a + b, c)", ["VIADDMNMX R1, R2", "IADD3 R3"])
    assert (
        picture.title == "Mine: fused in part, 2 instructions, at most 32 results a clock and SM (modelled)"
    )
    assert "VIADDMNMX R1, R2  <- fused" in picture.text
    assert "one fused instruction" in picture.svg


@given(st.integers(1, 9), st.integers(1, 9), st.data())
def test_cells_are_filled_in_the_order_of_anti_diagonals(rows, columns, data):
    done = data.draw(st.integers(0, rows * columns))
    mask = views.filled_mask(rows, columns, done)
    assert mask.sum() == done
    i, j = np.indices((rows, columns))
    if 0 < done < rows * columns:
        assert (i + j)[mask].max() <= (i + j)[~mask].min()


def test_the_race_counts_cells_and_tells_the_best_so_far():
    scores = np.array([[0, 2], [2, 4]])
    picture = views.race([0, 1], [0, 1], scores, {"fused": 4, "apart": 1.9})
    assert "fused: 4 of 4 cells filled, best score so far 4" in picture.text
    assert "apart: 1 of 4 cells filled, best score so far 0" in picture.text


def test_wrong_rows_are_marked_in_words():
    picture = side_by_side("Sums", ["n", "score"], [["1", "2"], ["2", "5"]], wrong=[1])
    assert picture.text.splitlines() == ["n, score", "1, 2", "2, 5: wrong"]
    assert picture.svg.count(">wrong<") == 1


def test_rates_have_the_card_the_unit_and_what_was_published():
    picture = views.rates(
        {"fused": {"one": 60.0}, "apart": {"one": 5.0}}, {"one": 58.8}, "A card", "results", "T"
    )
    assert [trace.type for trace in picture.figure.data] == ["bar", "bar", "scatter"]
    assert "58.8" in picture.text
    assert "A card" in picture.text


def test_rates_without_a_publication_are_only_measured():
    picture = views.rates({"fused": {"one": 60.0}}, {}, "A card", "results", "T")
    assert len(picture.figure.data) == 1
    with pytest.raises(StopIteration):
        next(trace for trace in picture.figure.data if trace.type == "scatter")
