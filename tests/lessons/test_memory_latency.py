"""Lesson 18 against the models, the recordings and the machine code that it speaks of."""

import re

import pytest

from hopperlab.course.memory.latency import LESSON, recorded
from hopperlab.course.memory.latency.specimens import SPECIMENS
from hopperlab.course.memory.latency.unread import LOADS_LEFT, LOADS_OF_CHASE, chase_unread
from hopperlab.kernels.memory import chase
from hopperlab.lessons import memory_latency as lesson
from hopperlab.models.memory import Staircase
from tests.lessons.every_position import draw_every_position

CLOCK = r".*(?:CS2R|S2UR|S2R)\S* \w+, SR_CLOCKLO.*\n"


@pytest.mark.parametrize("name", LESSON.panels)
def test_every_position_of_every_control_draws(name):
    draw_every_position(lesson.panel(name))


def test_every_line_is_near_to_one_side_of_the_chip_and_far_from_the_other():
    panel = lesson.panel("halves")
    for line in (0, 17, 95):
        panel.controls["line"].value = line
        panel.controls["how"].value = "atomics"
        assert panel.picture.title.count("for 66 SMs") == 2
        panel.controls["how"].value = "loads"
        assert "near for 132 SMs" in panel.picture.title


def test_a_gpc_lies_on_one_side():
    rows = lesson.panel("halves").picture.text.splitlines()
    assert len(rows) == 12
    assert all(": near," in row or ": far," in row for row in rows)


def test_the_knees_are_those_of_the_model():
    model = Staircase()
    assert recorded.l1_kib(0) * 1024 <= model.l1_bytes(0) < (recorded.l1_kib(0) + 8) * 1024
    half = model.l2_share * recorded.recording("l2_map").card.l2_bytes / 2
    assert 0.85 * half <= recorded.near_l2_mib() * 2**20 <= half


@pytest.mark.parametrize("kib", lesson.CARVE_OUTS)
def test_the_rule_of_the_l1_holds_within_a_step(kib):
    assert 0 <= 256 - max(8, kib) - 7 - recorded.l1_kib(kib) < 8


def test_the_chase_ends_in_the_simulator_where_it_must():
    rows = lesson.stepped().blocks[0].rows
    assert len(rows) == 3
    assert all(simulated == modelled for _, simulated, modelled, _ in rows)
    assert {row[-1] for row in rows} == {"30 of 30", "5 of 30"}


@pytest.mark.parametrize(("kernel", "loads"), [(chase, LOADS_OF_CHASE), (chase_unread, LOADS_LEFT)])
def test_the_compiler_drops_loads_that_nobody_reads(kernel, loads):
    timed = re.split(CLOCK, kernel.sass())[1]
    assert len(re.findall(r"\bLDG\S*", timed)) == loads


@pytest.mark.parametrize("specimen", SPECIMENS, ids=lambda specimen: specimen.name)
def test_every_specimen_is_found_out(specimen):
    assert "wrong" in specimen.picture().text
    assert len(specimen.found()) > 40


def test_the_prose_says_how_the_model_does_on_curves_held_out():
    report = str(lesson.misses())
    assert "seen: median error 0.4%, worst 9.1% of 669 points" in report
    assert "held out: median error 0.4%, worst 6.5% of 466 points" in report
    assert report.count("  held out  ") == 10
    assert "unseen: median error 0.8%, worst 5.5% of 540 points" in report
    assert report.count("  unseen  ") == 12


def test_the_l1_loses_a_line_of_every_set_and_then_none():
    text = lesson.lost_lines().text
    assert "132 KiB shared, room for 936 lines:" in text
    of_132 = text.split("132 KiB shared")[1].split("196 KiB shared")[0]
    rows = [[float(word) for word in line.split()] for line in of_132.splitlines()[1:]]
    flat = [measured for over, _, measured in rows if 185 <= over <= 260]
    assert len(flat) >= 2
    assert all(500 < lost < 530 for lost in flat)


def test_every_line_that_misses_shares_the_far_lines_set_as_modelled():
    panel = lesson.panel("same_set")
    measured = 0
    for bit in range(11, 28):
        for other in (10, 11, 12, 13, 19, 20, 21, 25):
            panel.controls["bit"].value = bit
            panel.controls["other"].value = other
            text = panel.picture.text
            assert "not as modelled" not in text
            measured += "as modelled" in text
    assert measured >= 23
