"""Lesson 01 against the models, the recordings and the simulator that it shows."""

import pytest

from hopperlab.course.chip import LESSON
from hopperlab.course.chip.specimens import SPECIMENS
from hopperlab.lessons import chip as lesson
from tests.lessons.every_position import draw_every_position


@pytest.mark.parametrize("name", LESSON.panels)
def test_every_position_of_every_control_draws(name):
    draw_every_position(lesson.panel(name))


def test_an_arithmetic_that_a_chip_lacks_is_told_in_words():
    panel = lesson.panel("roofline")
    panel.controls["name"].value = "A100 SXM4 40GB"
    panel.controls["kind"].value = "fp8"
    assert panel.error is None
    assert panel.picture.text == "The A100 SXM4 40GB has no tensor cores for fp8."


def test_the_kernel_computes_in_the_simulator_what_the_model_says():
    rows = dict(lesson.stepped().blocks[0].rows)
    assert rows["equal to the model, bit for bit"] == "yes"
    assert rows["FLOP a byte"] == "1"


def test_the_product_of_the_factors_is_about_six():
    rows = {row[0]: row[2] for row in lesson.factors().blocks[0].rows}
    assert float(rows["all of these"]) == pytest.approx(6.35, abs=0.01)


@pytest.mark.parametrize("specimen", SPECIMENS, ids=lambda specimen: specimen.name)
def test_every_sheet_read_wrongly_is_found_out(specimen):
    assert specimen.picture().text.count(": wrong") == 1


def test_the_sweep_has_one_measured_curve():
    assert sum(trace.name == "measured" for trace in lesson.sweep().figure.data) == 1
