"""Lesson 03 against the models, the recordings and the simulator that it shows."""

import pytest
from numba import int32

from hopperlab import ledger
from hopperlab.course.dpx import LESSON, mutants
from hopperlab.course.dpx.exercises import cell, what_keeps_it_apart
from hopperlab.course.dpx.specimens import MATCH, SPECIMENS, scores_along_the_diagonal
from hopperlab.lessons import dpx as lesson
from hopperlab.models.dpx import FUNCTIONS
from tests.lessons.every_position import draw_every_position


@pytest.mark.parametrize("name", LESSON.panels)
def test_every_position_of_every_control_draws(name):
    draw_every_position(lesson.panel(name))


def test_the_race_runs_at_the_recorded_speeds():
    (recording,) = ledger.recordings("dpx_programs", card=lesson.CARD)
    gains = recording.results["times_faster_with_dpx"]["Smith-Waterman"]
    panel = lesson.panel("race")
    panel.controls["moment"].value = 100
    for width in lesson.RUNNERS:
        panel.controls["width"].value = width
        fused, apart = (int(part.split(": ")[1].split()[0]) for part in panel.picture.title.split("; "))
        assert fused == len(lesson.QUERY) * len(lesson.TARGET)
        assert fused / apart == pytest.approx(gains[width], rel=0.02)


def test_the_kernel_scores_in_the_simulator_as_the_model_does():
    rows = lesson.stepped(letters=3).blocks[0].rows
    assert len(rows) == 4
    assert all(simulated == modelled for *_, simulated, modelled in rows)


def test_a_score_wraps_when_16_bits_are_full_and_not_before():
    scores = scores_along_the_diagonal()
    wrapped = 32767 // MATCH + 1
    assert all(score == n * MATCH for n, score in enumerate(scores[: wrapped - 1], 1))
    assert scores[wrapped - 1] == 0


@pytest.mark.parametrize("specimen", SPECIMENS, ids=lambda specimen: specimen.name)
def test_every_specimen_is_found_out(specimen):
    assert "wrong" in specimen.picture().text
    assert len(specimen.found()) > 40


def test_code_that_would_not_fuse_is_told_why():
    assert what_keeps_it_apart(cell) is None
    assert "64 bits" in what_keeps_it_apart(lambda d, a, b, s, g: max(max(d + s, a - g), b - g))
    assert "nothing to fuse" in what_keeps_it_apart(lambda d, a, b, s, g: int32(d))
    assert "1 of its 2 maxima" in what_keeps_it_apart(mutants.gap_once)
    assert "a condition" in what_keeps_it_apart(mutants.one_condition)
    assert "cannot compile" in what_keeps_it_apart(lambda d, a, b, s, g: [object()])


def with_conditions(diagonal, above, left, score, gap):
    best, other = int32(diagonal + score), int32(above - gap)
    if other > best:
        best = other
    third = int32(left - gap)
    return third if third > best else best


def all_at_once(diagonal, above, left, score, gap):
    return max(int32(left - gap), int32(above - gap), int32(diagonal + score))


@pytest.mark.parametrize(
    "function", [cell, with_conditions, all_at_once, mutants.gap_once, mutants.one_condition]
)
def test_the_check_says_of_a_cell_what_the_assembler_makes_of_it(function):
    fused = lesson.machine_code(function).text.count("<- fused")
    assert (what_keeps_it_apart(function) is None) == (fused == 2)


def test_the_prose_counts_the_functions():
    assert len(FUNCTIONS) == 36


def test_silicon_sets_the_rates_beside_64_results_a_clock():
    rows = lesson.silicon().text.splitlines()[1:-1]
    assert [row.split()[2] for row in rows] == ["64"] * 4


def test_every_timed_form_has_its_place_in_the_table():
    (recording,) = ledger.recordings("dpx_rates", card=lesson.CARD)
    timed = [name for name, how, *_ in recording.results["functions"] if how == "fused"]
    cells = [cell for _, *row in lesson.forms().blocks[0].rows for cell in row if cell]
    assert len(cells) == len(timed) == 28
