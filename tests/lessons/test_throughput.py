"""Lesson 21 against the models, the recordings and the simulator that it shows."""

import pytest

from hopperlab.course.throughput import LESSON, mutants
from hopperlab.course.throughput.exercises import additions, ceiling
from hopperlab.course.throughput.recorded import lane_results
from hopperlab.course.throughput.specimens import SPECIMENS
from hopperlab.course.throughput.surviving import what_is_left_out
from hopperlab.kernels.throughput.listing import loop, recorded
from hopperlab.lessons import throughput as lesson
from hopperlab.models.throughput import COUNTED
from hopperlab.models.throughput import ceiling as modelled
from tests.lessons.every_position import draw_every_position


@pytest.mark.parametrize("name", LESSON.panels)
def test_every_position_of_every_control_draws(name):
    draw_every_position(lesson.panel(name))


def test_four_of_eight_throughputs_are_impossible():
    shown = lesson.suspects()
    assert len(shown) == 8
    assert [number for number, one in enumerate(shown, 1) if not one.possible] == [2, 4, 7, 8]
    assert all(
        "lane results" in one.printed or "warp instr" in one.printed or "FLOP" in one.printed for one in shown
    )


def test_marking_them_finds_them():
    panel = lesson.panel("spot")
    for number in (2, 4, 7):
        panel.controls[f"mark_{number}"].value = True
    panel.controls["stage"].value = "ceilings"
    assert panel.picture.title == "3 of 4 impossible ones found, 0 wrongly accused"


def test_loops_vanish_where_the_lesson_says_so():
    assert recorded()["forget"] == []
    assert len(recorded()["add_up"]) == 1
    assert loop("fp32 fma")["FFMA"] == 128


def test_the_compilers_choice_of_units_explains_the_rate_of_additions():
    assert lesson.additions() == pytest.approx(lane_results("int32 add"), rel=0.02)


def test_additions_that_no_result_needs_are_found():
    def one_short(a, b, rounds):
        for _ in range(rounds - 1):
            a, b = b, a + b
        return b

    def from_one_number(a, b, rounds):
        a = b
        for _ in range(rounds):
            a, b = b, a + b
        return b

    assert what_is_left_out(additions) is None
    assert what_is_left_out(from_one_number) is None
    assert "to itself again and again" in what_is_left_out(mutants.doubled)
    assert what_is_left_out(mutants.two_at_a_time) == "it makes 12 additions in 13 rounds"
    assert what_is_left_out(one_short) == "it makes 11 additions in 12 rounds"
    assert "something else" in what_is_left_out(lambda a, b, rounds: a * b)
    assert "needs 0 of 1" in what_is_left_out(lambda a, b, rounds: (a + b) and 0)


@pytest.mark.parametrize("counted", COUNTED)
@pytest.mark.parametrize("lanes", [16, 32, 64, 128])
def test_the_solution_is_the_model(lanes, counted):
    for results, flop in ((1, 1), (1, 2), (2, 1), (2, 2)):
        assert ceiling(lanes, results, flop, counted) == modelled(lanes, counted, results, flop)


@pytest.mark.parametrize("specimen", SPECIMENS, ids=lambda specimen: specimen.name)
def test_every_specimen_is_found_out(specimen):
    assert "wrong" in specimen.picture().text
    assert len(specimen.found()) > 40


def test_the_kernel_computes_in_the_simulator_what_the_model_says():
    for _, _, _, same, findings in lesson.stepped().blocks[0].rows:
        assert (same, findings) == ("yes", "none")


def test_the_simulator_keeps_a_loop_that_the_compiler_leaves_out():
    text = lesson.vanished().text
    cycles = int(text.split("4,096 rounds, ")[1].split()[0].replace(",", ""))
    assert cycles > 4096
    assert "leaves 0 instructions" in text


def test_an_sm_and_a_chip_differ_in_their_ratio():
    an_sm, *chips = (trace.y for trace in lesson.levels().figure.data)
    assert list(an_sm) == [2.0, 2.0, 1.0]
    assert all(of_chip > 1.25 * of_sm for chip in chips for of_chip, of_sm in zip(chip, an_sm, strict=True))


def test_the_audit_tells_of_no_mismatch():
    assert [row[-1] for row in lesson.audit().blocks[0].rows] == ["0"]
