"""Lesson 11 against the kernels, the simulator, the models and the recording that it shows."""

import pytest

from hopperlab import ledger
from hopperlab.course.gemm import LESSON, recorded
from hopperlab.course.gemm.exercises import cycles_of_ring, longest_bubble, most_stages
from hopperlab.course.gemm.specimens import SPECIMENS
from hopperlab.kernels.gemm.ladder import RUNGS
from hopperlab.lessons import gemm as lesson
from hopperlab.models.gemm import BF16_TILE, launch_registers, pipeline
from hopperlab.views import gemm as views
from hopperlab.views.barriers import Lanes
from hopperlab.views.barriers import timeline as threads_over_time


@pytest.mark.parametrize("name", ["ring", "roofline"])
def test_every_position_of_every_control_draws(name):
    panel = lesson.panel(name)
    for control in panel.controls.values():
        first = control.value
        positions = getattr(control, "options", None)
        for value in [value for _, value in positions] if positions else [control.min, control.max]:
            control.value = value
            assert panel.error is None
            assert len(panel.picture.text.split()) > 10
        control.value = first


def test_no_rung_is_above_the_l2s_roof_and_tensor_cores_are_above_the_memorys():
    panel = lesson.rungs_under_roofs()
    assert panel.picture.title.endswith("no rung is above it")
    panel.controls["memory"].value = "memory"
    assert "tensor cores" in panel.picture.title


@pytest.mark.parametrize(("stages", "wait"), [(2, True), (3, False)])
def test_the_simulated_ring_waits_with_two_stages_and_not_with_three(stages, wait):
    run = lesson.simulated("specialized", stages)
    assert run.findings == ()
    line = views.traced(run.trace)
    assert len(line.steps) == lesson.SMALL_STEPS
    assert (len(line.bubbles) > 1) == wait  # the first one fills the ring


def test_a_rung_that_waits_for_each_product_has_a_bubble_in_every_step():
    line = views.traced(lesson.simulated("tensor cores", 4).trace)
    assert len(line.bubbles) == lesson.SMALL_STEPS


def test_the_stepped_threads_are_the_producer_and_a_consumer_of_each_warpgroup():
    panel = lesson.steps()
    lanes = Lanes(lesson.simulated("specialized", 2).trace, [(0, 256), (0, 0), (0, 128)])
    stepper = panel.controls["step"]
    assert stepper.last == len(lanes.steps) - 1
    for step in (0, 24, stepper.last // 2, stepper.last):
        stepper.value = step
        assert panel.picture == threads_over_time(lanes, step)


def test_a_trace_without_products_is_refused():
    with pytest.raises(ValueError, match="block=7: 0 stages were asked for"):
        views.traced(lesson.simulated("specialized", 2).trace, block=7)


@pytest.mark.parametrize("specimen", SPECIMENS, ids=lambda specimen: specimen.module)
def test_every_specimen_is_found_out_and_shown_with_its_cure(specimen):
    found = specimen.run.findings[0]
    picture = specimen.picture()
    assert found.name in picture.title
    assert found.cure in picture.text
    assert "Met as:" in picture.text


def test_the_specimens_are_those_that_the_lesson_promises():
    findings = {specimen.run.findings[0].name for specimen in SPECIMENS}
    assert "missing wgmma fence" in findings
    assert "source reused before its copy was waited for" in findings
    assert "wrong arrival count" in findings


def test_the_lessons_numbers_are_the_recordings():
    speeds = ledger.recordings("gemm_ladder", card=recorded.CARD)[0].results[0]["flop_per_second"]
    assert recorded.speeds() == speeds
    gains = recorded.gains()
    assert list(gains) == [step.name for step in RUNGS[1:]]
    assert gains["FP8"] == pytest.approx(speeds["FP8"] / speeds["persistent"])
    assert sorted(recorded.by_stages()) == [2, 3, 4]
    assert sorted(recorded.by_depth("persistent")) == [256, 1024, 4096, 16384]
    with pytest.raises(ValueError, match="size=5: recorded are 4096 and 8192"):
        recorded.speeds(5)


def test_the_answers_are_computed():
    answers = {name: prediction.answer() for name, prediction in LESSON.predictions.items()}
    assert answers == {"largest-gain": "shared tiles", "stages": 3, "registers": 40}


def test_the_exercises_solutions_agree_with_the_models():
    assert cycles_of_ring(2, 8, 1436, 1024) == pipeline(2, 8, 1436, 1024).cycles
    line = pipeline(2, 8, 1436, 1024)
    step, cycles = longest_bubble([s.landed for s in line.steps], [s.done for s in line.steps])
    assert cycles == max(end - start for start, end in line.bubbles[1:])
    assert line.steps[step].begun - line.steps[step - 1].done == cycles
    assert most_stages(128, 256, 64, 2) == BF16_TILE.most_stages()


def test_the_ring_of_the_figure_and_of_the_exercise_take_the_cycles_that_the_exercise_tells():
    task = LESSON.exercises["stage"].task
    assert f"{cycles_of_ring(2, 8, 1436, 1024):,} by the rule here" in task
    assert f"take {pipeline(2, 8, 1436, 1024, late=True).cycles:,.0f} cycles there" in task
    assert "12,100 cycles" in lesson.figure().title


def test_who_shares_out_all_registers_of_the_sm_is_told_that_the_launch_rounded_down():
    registers = LESSON.predictions["registers"]
    drawn = [one for one in registers.misconceptions if one.name == "setmaxnreg draws on the whole file"]
    assert (65_536 - 2 * 128 * 232) / 128 == 48
    assert "rounding" in drawn[0].reason
    assert launch_registers(384) == 65_536 // 384 // 8 * 8 == 168


def test_the_machine_code_of_the_lanes_has_as_many_instructions_as_the_model_says():
    import re

    from hopperlab.models.gemm import mechanism

    for step in RUNGS[1:4]:
        lines = step.make(step.size, step.stages).sass().splitlines()
        labels = {line[:-1]: at for at, line in enumerate(lines) if line.startswith(".L_x")}
        loops = []
        for at, line in enumerate(lines):
            target = re.search(r"BRA `\((\.L_x_\d+)\)", line)
            if target and labels.get(target[1], at) < at:
                body = lines[labels[target[1]] : at + 1]
                if sum(" FFMA " in one for one in body) == 64:
                    loops.append(sum(one.startswith("/*") for one in body))
        assert min(loops) / 64 == pytest.approx(mechanism(step.name).instructions, rel=0.05)


def test_the_packages_own_product_stands_on_top_once_it_is_recorded(monkeypatch):
    from types import SimpleNamespace

    ours = {"as chosen": 1.2e15, "cuBLASLt": 1.3e15}
    recording = SimpleNamespace(results={"shapes": {"4096x4096x4096": {"flop_per_second": ours}}})
    ladder = ledger.recordings("gemm_ladder", card=recorded.CARD)
    monkeypatch.setattr(
        ledger, "recordings", lambda name, card: [recording] if name == "fp8_product" else ladder
    )
    assert recorded.product() == (1.2e15, 1.3e15)
    assert lesson.silicon().text.splitlines()[10].split()[-4:-1] == ["1200", "-", "1300"]
    monkeypatch.setattr(ledger, "recordings", lambda name, card: [] if name == "fp8_product" else ladder)
    assert recorded.product() is None
    assert lesson.PRODUCT not in lesson.silicon().text
