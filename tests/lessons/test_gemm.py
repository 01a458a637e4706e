"""Lesson 11 against the kernels, the simulator, the models and the recording that it shows."""

import math
from pathlib import Path

import nbformat
import pytest

from hopperlab import ledger
from hopperlab.course.gemm import LESSON, recorded
from hopperlab.course.gemm.exercises import cycles_of_ring, longest_bubble, most_stages
from hopperlab.course.gemm.specimens import SPECIMENS
from hopperlab.kernels.gemm import Schedule, schedule_for
from hopperlab.kernels.gemm.ladder import RUNGS
from hopperlab.lessons import gemm as lesson
from hopperlab.models.gemm import BF16_TILE, Rounds, fixed_and_slope, launch_registers, pipeline
from hopperlab.views import gemm as views
from hopperlab.views.barriers import Lanes
from hopperlab.views.barriers import timeline as threads_over_time

NOTEBOOK = Path(__file__).parents[2] / "notebooks" / "11_asynchronous_gemm.ipynb"


@pytest.mark.parametrize("name", ["ring", "roofline", "rounds"])
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
    assert answers == {"largest-gain": "shared tiles", "stages": 3, "registers": 40, "width": "224"}


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


def test_the_packages_own_product_stands_on_top():
    ours, theirs = recorded.product()
    row = lesson.silicon().text.splitlines()[10].split()
    assert row[-4:-1] == [f"{ours / 1e12:.4g}", "-", f"{theirs / 1e12:.4g}"]
    assert lesson.PRODUCT in lesson.silicon(recorded.LARGE).text


def test_the_table_of_changes_is_the_recordings_and_names_the_cut_that_the_product_chooses():
    text = lesson.changes().text
    results = ledger.recordings("fp8_product", card=recorded.CARD)[0].results
    assert len(recorded.shares()) == len(results["shapes"]) == 8
    for shape, found in results["shapes"].items():
        told = next(row for row in text.splitlines() if row.startswith(shape.replace("x", " x ")))
        for share in found["share_of_cublaslt"].values():
            assert f" {share:.3f}" in told
        columns = schedule_for(*map(int, shape.split("x"))).columns
        assert f"{columns} columns" in told
    assert f"at {results['least']:.3f}" in lesson.changes().title


def test_a_launch_is_told_for_every_way_that_was_measured():
    (recording,) = ledger.recordings("launch_cost", card=recorded.CARD)
    text = repr(lesson.launches())
    for way, found in recording.results.items():
        assert way in text
        assert f"{found['median']:.1f}" in text


def test_the_panel_of_rounds_begins_with_the_result_that_is_predicted():
    panel = lesson.panel("rounds")
    answer = LESSON.predictions["width"].answer()
    assert panel.picture.title.startswith(f"5120 x 5120: {answer} columns are done first")
    panel.controls["m"].value = panel.controls["n"].value = 2048
    assert "in 1 round, the last with 4 SMs idle" in panel.picture.title


def test_the_reason_for_the_width_is_told_with_the_rounds_of_the_schedule():
    prediction = LESSON.predictions["width"]
    chosen = schedule_for(5120, 5120, 20_480)
    assert prediction.answer() == str(chosen.columns)
    wide, pairs = Schedule(256, cluster=(2, 1)).order(5120, 5120), chosen.order(5120, 5120)
    because = prediction.because(prediction.answer())
    assert (
        f"{2 * len(wide)} tiles: {2 * len(wide) // 132} rounds of 132, and {2 * len(wide) % 132} tiles"
        in because
    )
    assert f"make {2 * len(pairs)} tiles" in because


def prose(heading):
    notebook = nbformat.read(NOTEBOOK, 4)
    (text,) = (cell.source for cell in notebook.cells if cell.source.startswith(heading))
    return text


def test_the_text_about_the_rungs_tells_what_was_recorded():
    text = prose("## Silicon")
    gains, speeds, large = recorded.gains(), recorded.speeds(), recorded.speeds(recorded.LARGE)
    stages = recorded.by_stages()
    others = math.prod(gain for name, gain in gains.items() if name not in ("shared tiles", "tensor cores"))
    assert f"{gains['shared tiles']:.1f} and {gains['tensor cores']:.1f} times (measured)" in text
    assert f"All others together bring {others:.1f} (measured)" in text
    assert f"bring {100 * (gains['copies ahead'] - 1):.0f} % on the lanes" in text
    assert f"worth {100 * (stages[4] / stages[2] - 1):.0f} % where work is fast" in text
    assert f"lose {100 * (1 - gains['multicast']):.0f} % in the seventh rung" in text
    assert f"win {100 * (large['persistent'] / large[lesson.ALONE] - 1):.0f} % in the eighth, at 8192" in text
    fp8 = speeds["FP8"] / speeds["persistent"], large["FP8"] / large["persistent"]
    assert "brings {:.2f} times at 4096 and {:.2f} at 8192 cubed".format(*fp8) in text


def test_the_text_about_depth_tells_the_line_through_two_depths():
    text, area = prose("## Silicon"), 2 * recorded.SIZE**2
    lines = {}
    for name in ("persistent", lesson.LIBRARY + "bf16"):
        speed = recorded.by_depth(name)
        lines[name] = fixed_and_slope((4096, 16384), tuple(area * k / speed[k] for k in (4096, 16384)))
    (fixed, slope), (their_fixed, their_slope) = lines.values()
    assert (
        f"{fixed * 1e6:.0f} microseconds however deep, and {slope * 4096e6:.0f} for a depth of 4096" in text
    )
    assert f"cuBLASLt's is {their_fixed * 1e6:.0f} and {their_slope * 4096e6:.0f} (measured)" in text
    foretold = area * 256 / (fixed + 256 * slope)
    assert f"within {100 * (foretold / recorded.by_depth('persistent')[256] - 1):.0f} %" in text
    peak = lesson.CARD.tensor_flop_per_clock_per_sm("bf16") * lesson.CARD.sms * lesson.CARD.tensor_clock_hz
    shares = [100 * area / each / peak for each in (slope, their_slope)]
    assert "does {:.0f} % of the sheet's peak, and cuBLASLt {:.0f} % (measured)".format(*shares) in text


@pytest.mark.parametrize(
    ("shape", "before", "after"),
    [
        ((4096, 14336, 4096), "row by row", "in bands"),
        ((8192, 8192, 1024), "in bands", "stored under the next tile"),
        ((2048, 2048, 2048), "stored under the next tile", "set up early"),
        ((8192, 8192, 8192), "set up early", "in clusters of two"),
        ((2048, 2048, 2048), "set up early", "in clusters of two"),
        ((5120, 5120, 20480), "in clusters of two", "as chosen"),
    ],
)
def test_the_text_about_the_product_tells_what_each_change_brought(shape, before, after):
    share = recorded.shares()[shape]
    assert f"{share[before]:.3f} becomes {share[after]:.3f}" in prose("### On top")


def test_the_text_about_the_product_tells_its_mean_its_rounds_and_its_launches():
    text = prose("### On top")
    results = ledger.recordings("fp8_product", card=recorded.CARD)[0].results
    assert f"ends at {results['geometric_mean']['as chosen']:.3f}, and at {results['least']:.3f}" in text
    assert not any(found["outputs_that_differ"] for found in results["shapes"].values())
    assert Rounds(5120, 5120, 320, 2).count == 5
    assert Rounds(5120, 5120, 320, 2).time == Rounds(5120, 5120, 224, 2).time
    narrow = recorded.shares()[128, 8192, 8192]
    assert narrow["as chosen"] / narrow["set up early"] == pytest.approx(2, abs=0.05)
    assert Rounds(128, 8192, 256).time / Rounds(128, 8192, 64).time == pytest.approx(3.4, abs=0.05)
    (recording,) = ledger.recordings("launch_cost", card=recorded.CARD)
    told = (
        *("FP8 product, arguments looked at anew", "FP8 product, prepared"),
        *("FP8 product, torch._scaled_mm", "FP8 product, multiply()"),
    )
    anew, prepared, peer, whole = (f"{recording.results[way]['median']:.0f}" for way in told)
    assert f"anew, {anew} microseconds here" in text
    assert f"takes {prepared}, and torch's {peer} (measured)" in text
    assert f"as well: {whole} (measured)" in text


def test_the_table_of_changes_names_the_cuts_that_were_measured():
    """The recording does not keep them: should `schedule_for` choose others, it is to be measured anew."""
    wide, wider = (256, (2, 1)), (224, (2, 1))
    assert {shape: (s.columns, s.cluster) for shape in recorded.shares() for s in [schedule_for(*shape)]} == {
        (8192, 8192, 8192): wider,
        (4096, 4096, 4096): wide,
        (2048, 2048, 2048): (256, (1, 1)),
        (16384, 4096, 4096): wide,
        (4096, 14336, 4096): wide,
        (128, 8192, 8192): (64, (1, 1)),
        (8192, 8192, 1024): wider,
        (5120, 5120, 20480): wider,
    }


def test_the_rungs_in_clusters_have_the_instructions_that_the_text_names_and_the_one_without_has_not():
    for name, wanted in (("specialized", False), ("multicast", True), ("persistent", True)):
        code = lesson.kernel(name).sass()
        assert ("CCTL.IVALL" in code) == ("MEMBAR.ALL.GPU" in code) == wanted
