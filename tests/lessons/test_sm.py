"""Lesson 02 against the models, the recordings and the simulator that it shows."""

import pytest

from hopperlab.chip import chip
from hopperlab.course.sm import LESSON
from hopperlab.course.sm.exercises import blocks, cycles
from hopperlab.course.sm.specimens import SPECIMENS
from hopperlab.lessons import sm as lesson
from hopperlab.models.clusters import blocks_per_sm
from hopperlab.models.sm import Operands
from tests.lessons.every_position import draw_every_position


@pytest.mark.parametrize("name", LESSON.panels)
def test_every_position_of_every_control_draws(name):
    draw_every_position(lesson.panel(name))


@pytest.mark.parametrize("threads", range(128, 1025, 128))
@pytest.mark.parametrize("registers", [16, 24, 32, 64])
def test_where_nothing_is_rounded_the_solution_is_the_calculator(threads, registers):
    for shared in range(228):
        expected = blocks_per_sm(chip("H100 SXM5"), threads, registers, shared * 1024)
        assert blocks(threads, registers, shared) == expected


@pytest.mark.parametrize("columns", range(8, 257, 8))
@pytest.mark.parametrize("a_in_registers", [False, True])
def test_the_solution_of_feeding_is_the_model(columns, a_in_registers):
    assert cycles(columns, a_in_registers) == Operands(columns, a_in_registers).cycles


@pytest.mark.parametrize("specimen", SPECIMENS, ids=lambda specimen: specimen.name)
def test_every_specimen_is_found_out(specimen):
    assert "wrong" in specimen.picture().text
    assert len(specimen.found()) > 30


def test_the_kernel_multiplies_in_the_simulator():
    rows = lesson.stepped().blocks[0].rows
    assert rows[0][1] == "yes"
    assert rows[1][1] == "0"


def test_the_units_end_with_the_measured_latency_of_shared_memory():
    assert "23.0 cycles" in lesson.units().text


def test_the_calculator_says_what_was_asked_and_what_each_rule_is_needed_for():
    measured, fit, rules, registers = lesson.calculator().blocks
    assert measured.rows[0][2:] == ["5000", "0"]
    assert fit.startswith("4,363 of the 5,000 fit")
    *needed, (_, last) = rules.rows
    assert all(int(otherwise) > 0 for _, otherwise in needed)
    assert last == "0"
    assert "none of them" in registers


def test_the_panel_of_generations_sets_the_card_beside_the_last_of_them():
    text = repr(lesson.panel("generations"))
    assert (
        "FP8, FLOP a clock and SM (quoted): V100 none, A100 none, H100 8192; measured 8143 (H200 SXM)" in text
    )
