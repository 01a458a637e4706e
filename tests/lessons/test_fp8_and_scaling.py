"""Lessons 04 and 05: every control draws, every specimen is found out, every belief is answered."""

import pytest

from hopperlab.course.fp8 import LESSON as FP8
from hopperlab.course.fp8 import specimens as fp8_specimens
from hopperlab.course.scaling import LESSON as SCALING
from hopperlab.course.scaling import specimens as scaling_specimens
from hopperlab.course.scaling.exercises import end_of_step
from hopperlab.lessons import fp8, scaling
from hopperlab.models.scaling import DelayedScaling

PANELS = [(lesson, name) for lesson in (FP8, SCALING) for name in lesson.panels]

# Beliefs that the lessons set out to catch, each in the words of the lesson.
CAUGHT_BY_04 = {
    "E4M3 has infinity",
    "overflow gives NaN on the card",
    "the FP32 accumulator keeps 24 bits",
    "total FP8 error shrinks with K for positive sums",
    "casting through FP16 is harmless",
    "PyTorch, ml_dtypes and the card agree",
    "E5M2 is only worse E4M3",
    "Hopper adds in FP8",
    "bias and activation run inside the tensor core",
}
CAUGHT_BY_05 = {
    "the engine picks the format per element",
    "the engine picks the format by statistics",
    "scaling is per model",
    "delayed scaling looks at this step's maximum",
    "history longer is always safer",
    "FP8 equals FP16 in every model",
    "FP8 inference always needs calibration",
}


def test_every_belief_is_caught():
    assert set(FP8.misconceptions) >= CAUGHT_BY_04
    assert set(SCALING.misconceptions) >= CAUGHT_BY_05


@pytest.mark.parametrize(("lesson", "name"), PANELS, ids=[name for _, name in PANELS])
def test_every_position_of_every_control_draws(lesson, name):
    panel = lesson.panel(name)
    for control in panel.controls.values():
        first = control.value
        if hasattr(control, "options"):
            values = [value for _, value in control.options]
        else:
            values = [control.min, control.max] if hasattr(control, "min") else [True, False]
        for value in values:
            control.value = value
            assert panel.error is None
            assert len(panel.picture.text.split()) > 8
        control.value = first


@pytest.mark.parametrize("module", [fp8_specimens, scaling_specimens], ids=["04", "05"])
def test_every_specimen_shows_its_finding(module):
    for specimen in module.SPECIMENS:
        picture = specimen.picture()
        assert specimen.found() in picture.text
        assert specimen.cure in picture.text


def test_the_specimens_find_what_they_are_named_for():
    found = {s.name: s.found() for s in (*fp8_specimens.SPECIMENS, *scaling_specimens.SPECIMENS)}
    assert "cast once gives 1.125; through FP16 it gives 1," in found["Double rounding"]
    assert "gives -448 instead of -416" in found["Double rounding"]
    assert "16384 at K = 65536" in found["A sum that stalls at 16,384"]
    assert "the last is 65536" in found["A sum that stalls at 16,384"]
    assert "stands still for 8 steps" in found["Frozen scale"]
    assert "up to 44 % of its elements are clipped" in found["Frozen scale"]
    assert "from 0.02" in found["Stale scale_inv"]


def test_the_exercise_of_the_history_is_the_state_machine():
    recipe = DelayedScaling(history_length=4)
    state, history, scale = recipe.start(), [0.0] * 4, 1.0
    for amax in (1.0, 3.0, 2.0, float("inf"), 0.0, 5.0, 7.0, 0.5, 0.25):
        state = state.record(amax)
        history[0] = amax
        history, scale = end_of_step(history, scale)
        state = state.update()
        assert history == list(state.history)
        assert scale == pytest.approx(state.scale, rel=1e-6)


def test_the_silicon_table_of_04_holds_quoted_and_modelled_equal():
    table = fp8.silicon().blocks[0]
    assert len(table.rows) == 8
    for _, id, quoted, modelled in table.rows:
        value = eval_power(modelled)
        assert float(quoted) == pytest.approx(value, rel=1e-6), id


def eval_power(words):
    base, _, power = words.partition("^")
    return float(base) ** int(power) if power else float(base)


def test_a_wide_limit_costs_int8_and_not_fp8_in_the_lesson_s_table():
    rows = {row[0]: row[1:] for row in scaling.deployed().blocks[0].rows}
    fp8_loss, int8_loss = (float(x) for x in rows["448, never calibrated"])
    exact = float(rows["none: FP32"][0])
    assert abs(fp8_loss - exact) < 0.05 < 1 < int8_loss - exact
