"""Lesson 06 against its own recordings: what it answers is what the card did."""

import time

import pytest

from hopperlab import ledger
from hopperlab.course.clusters import LESSON, measured_map
from hopperlab.course.clusters.card import CARD
from hopperlab.course.clusters.predictions import AT_ONCE, IDLE, SIZES, TWO_BLOCKS
from hopperlab.course.clusters.specimens import SPECIMENS
from hopperlab.lessons import clusters as lesson
from hopperlab.lessons import start_here

PANELS = sorted(LESSON.panels)


def ran_at_once(size: int, blocks_per_sm: int) -> int:
    """Clusters that truly ran together on the recorded card."""
    placed = ledger.recordings("cluster_placement", card=CARD)[0]
    wanted = ["default", blocks_per_sm, size]
    return next(row[3] for row in placed.results["at_once"] if row[:3] == wanted)


def test_the_predictions_answers_are_what_ran_on_the_card():
    assert AT_ONCE.right_answer() == {f"of {size}": ran_at_once(size, 1) for size in SIZES}
    assert TWO_BLOCKS.right_answer() == ran_at_once(16, 2)
    assert start_here.LESSON.predictions["one-more"].right_answer() == ran_at_once(6, 1)


def test_the_explanation_of_notebook_00_ends_in_its_answer():
    asked = start_here.LESSON.predictions["one-more"]
    assert asked.explanation(asked.right_answer()).split(" = ")[1].startswith(str(asked.right_answer()))


def test_a_full_card_strands_some_sms_of_every_group():
    assert IDLE.right_answer() == "some of each"


def test_the_map_of_the_lesson_is_the_recorded_one():
    recording = ledger.recordings("gpc_map", card=CARD)[0]
    assert [list(group) for group in measured_map().groups] == recording.results["groups"]
    assert measured_map().sms == recording.card.sms


@pytest.mark.parametrize("name", PANELS)
def test_every_position_of_every_control_draws(name):
    panel = lesson.panel(name)
    for control in panel.controls.values():
        first = control.value
        positions = getattr(control, "options", None)
        values = [value for _, value in positions] if positions else _ends(control)
        for value in values:
            control.value = value
            assert panel.error is None
            assert len(panel.picture.text.split()) > 10
        control.value = first


def _ends(control) -> list:
    moved = getattr(control, "slider", control)
    return [moved.min, moved.max]


@pytest.mark.parametrize("name", PANELS)
def test_a_panel_draws_well_within_a_frame_of_patience(name):
    panel = lesson.panel(name)
    seconds = []
    for _ in range(5):
        started = time.perf_counter()
        panel.draw(**panel.values)
        seconds.append(time.perf_counter() - started)
    assert min(seconds) < 0.05


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("A cluster of 17", "1 to 16 (CUDA_ERROR_INVALID_CLUSTER_SIZE)"),
        ("A cluster that never launches", "the largest GPC"),
        ("A tail that strands a GPC", "1 of 8 clusters on 16 of 132 SMs"),
        ("A grid that waits for itself", "132 running blocks wait for the other 1"),
    ],
)
def test_every_specimen_is_found_out(name, words):
    specimen = next(one for one in SPECIMENS if one.name == name)
    assert words in specimen.finding
    assert specimen.finding in specimen.picture(10).text


def test_no_specimen_goes_untested():
    assert len(SPECIMENS) == 4


def test_the_figures_of_silicon_hold_model_and_card_equal():
    rows = lesson.silicon().figure.data
    by_leg = {trace.name: dict(zip(map(round, trace.y), trace.x, strict=True)) for trace in rows}
    assert len(by_leg["measured"]) == 6
    assert all(by_leg["modelled"][row] == value for row, value in by_leg["measured"].items())
