"""Lesson 19 against the recordings, the model and the kernels that it speaks of."""

import numpy as np
import pytest

from hopperlab.course.atomics import LESSON, recorded
from hopperlab.course.atomics.lost import ROUNDS, THREADS, count_without_atomic
from hopperlab.course.atomics.specimens import SPECIMENS, counted
from hopperlab.lessons import atomics as lesson
from tests.lessons.every_position import draw_every_position


@pytest.mark.parametrize("name", LESSON.panels)
def test_every_position_of_every_control_draws(name):
    draw_every_position(lesson.panel(name))


def test_the_word_is_near_to_half_of_the_sms():
    near = recorded.near_sms()
    assert len(near) == 66
    panel = lesson.panel("hand_off")
    panel.controls["first"].value = min(near)
    assert f"SM {min(near)}, near" in panel.picture.text


def test_a_ladder_tells_what_was_measured_for_its_pair():
    panel = lesson.panel("hand_off")
    panel.controls["first"].value, panel.controls["further"].value = 131, 4
    assert f"{recorded.matrix()[131, 3]:.0f} cycles a hand-off (measured" in panel.picture.title


def test_places_are_as_far_apart_as_the_lesson_says():
    shared, cluster, through_l2 = lesson.LESSON.predictions["places"].answer().values()
    assert shared < cluster < through_l2
    assert through_l2 / shared > 3
    assert 1 < recorded.gain_on_one_word() < 2


def test_hand_offs_end_in_the_simulator_where_they_must():
    report = lesson.stepped()
    rows = report.blocks[0].rows
    assert len(rows) == 3
    assert all(simulated == modelled for *_, simulated, modelled in rows)
    assert "No finding." in str(report)


@pytest.mark.parametrize("seed", range(3))
def test_counts_are_lost_without_an_atomic(seed):
    run = count_without_atomic.simulate(1, THREADS, (np.zeros(1, np.uint32), ROUNDS), seed=seed)
    assert run["words"][0] < THREADS * ROUNDS
    assert run.findings[0].name == "race in global memory"
    assert counted(True)["words"][0] == THREADS * ROUNDS
    assert not counted(True).findings


@pytest.mark.parametrize("specimen", SPECIMENS, ids=lambda specimen: specimen.name)
def test_every_specimen_is_found_out(specimen):
    assert ": wrong" in specimen.picture().text
    assert len(specimen.found()) > 40


def test_the_prose_says_where_the_model_misses():
    told = str(lesson.misses())
    assert "+25.4% at 2 SMs" in told
    assert "-9.1% at 16 SMs" in told


def test_one_word_is_shown_alone_contended_by_two_and_by_all():
    rows = lesson.contended().blocks[0].rows
    assert [row[0].split(",")[0] for row in rows] == [
        "shared memory",
        "a cluster's shared memory",
        "L2 cache",
        "L2 cache",
        "L2 cache",
    ]
    assert all(row[1] and row[2] for row in rows[:-1])
    assert rows[-1][-1]
