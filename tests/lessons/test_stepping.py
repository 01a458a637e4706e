"""Stepping over a recorded run: forward, back, to the cause; runs shown in cells; a kernel beside its schedule."""

import subprocess
import sys
import time

import numpy as np
import pytest
from IPython.core.interactiveshell import InteractiveShell
from numba import cuda, float32

from hopperlab.device import kernel
from hopperlab.kernels.specimens import kernel_of, read_in_flight, wrong_arrival_count
from hopperlab.lessons import clusters, runs, start_here
from hopperlab.lessons.placed_kernel import PlacedKernel
from hopperlab.lessons.stepping import stepped
from hopperlab.views.picture import SVG_MIME
from hopperlab.views.stacked import stacked
from hopperlab.views.trace import Steps, cause_place, run_picture


def run_of(broken, **options):
    grid, block, arguments, others = broken.launch(0)
    return kernel_of(broken).simulate(grid, block, arguments, **{**others, **options})


@pytest.fixture
def panel():
    return stepped("test", run_of(read_in_flight, trace="accesses"))


def test_steps_forward_and_back_show_the_same_picture_again(panel):
    step, seen = panel.controls["step"], []
    for _ in range(5):
        seen.append(panel.picture)
        step.forward.click()
    for before in reversed(seen):
        step.back.click()
        assert panel.picture == before


def test_a_jump_goes_to_the_cause_and_stays_where_there_is_none(panel):
    step, steps = panel.controls["step"], Steps(run_of(read_in_flight, trace="accesses").trace)
    step.value = steps.first("count")
    step.to_cause.click()
    assert step.value == steps.first("land")
    step.to_cause.click()
    assert step.value == steps.first("issue")
    step.value = 0
    step.to_cause.click()
    assert step.value == 0
    assert panel.error is None


def test_every_view_and_step_of_a_panel_draws(panel):
    for _, view in panel.controls["view"].options:
        panel.controls["view"].value = view
        for place in range(0, panel.controls["step"].last + 1, 5):
            panel.controls["step"].value = place
            assert panel.error is None
            assert f"Step={place}" in panel.words()


def test_only_views_with_something_to_show_are_offered():
    @kernel
    def add_one(values):
        values[cuda.grid(1)] += float32(1)

    bare = stepped("test", add_one.simulate(2, 32, (np.zeros(64, np.float32),)))
    assert [name for name, _ in bare.controls["view"].options] == ["SMs", "Threads"]
    assert "block" not in bare.controls


def test_the_block_is_chosen_where_there_are_several():
    several = clusters.placed().run
    assert "block" not in stepped("test", several, "SMs").controls
    arguments = (np.ones((4, 1024), np.float32), np.zeros((4, 1024), np.float32))
    from hopperlab.kernels.exchange import pass_on

    panel = stepped("test", pass_on.simulate(4, 32, arguments, cluster=4), "Shared memory", step=-1)
    panel.controls["block"].value = 3
    assert "Shared memory of block 3" in panel.picture.text


@pytest.mark.parametrize(
    ("options", "message"),
    [({"view": "Registers"}, "view='Registers'"), ({"step": 999}, "value of stepper 'Step' is 999")],
)
def test_what_a_panel_cannot_show_is_refused(options, message):
    with pytest.raises(ValueError, match=message):
        stepped("test", run_of(wrong_arrival_count), **options)
    with pytest.raises(ValueError, match="trace=True"):
        stepped("test", run_of(wrong_arrival_count, trace=False))


def test_a_step_is_drawn_in_under_a_tenth_of_a_second(panel):
    seconds = []
    for _, view in panel.controls["view"].options:
        started = time.perf_counter()
        panel.draw(view=view, step=panel.controls["step"].last)
        seconds.append(time.perf_counter() - started)
    assert min(seconds) < 0.1


# Runs in a cell


def test_a_run_in_a_cell_is_a_picture_and_its_text():
    shell = InteractiveShell.instance()
    runs.register()
    shown = run_of(wrong_arrival_count)
    bundle, _ = shell.display_formatter.format(shown)
    assert bundle[SVG_MIME] == run_picture(shown).svg
    assert str(shown) in bundle["text/plain"]
    explored = kernel_of(wrong_arrival_count).explore(1, 32, wrong_arrival_count.launch(0)[2], limit=2)
    bundle, _ = shell.display_formatter.format(explored)
    assert str(explored) in bundle["text/plain"]


def test_importing_a_lesson_registers_nothing_without_ipython_and_imports_no_simulator():
    code = "import hopperlab.lessons, sys; print('IPython' in sys.modules, 'hopperlab.device' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False False\n"


# A kernel beside its schedule


@pytest.mark.parametrize("placed", [clusters.placed(), start_here.placed(), PlacedKernel("H100 SXM5", 16, 9)])
def test_clusters_run_in_the_simulator_where_and_when_the_scheduler_places_them(placed):
    assert len(placed.placed) == placed.clusters
    for ran, planned in zip(placed.placed, placed.schedule.placements, strict=True):
        assert sorted(ran.sms) == sorted(planned.sms)
        assert ran.group == planned.gpc
        assert (ran.start, ran.end) == pytest.approx((planned.start, planned.end))
    reported = placed.run["sms"].reshape(-1, placed.size).tolist()
    assert [list(ran.sms) for ran in placed.placed] == reported, "smid tells the kernel the same"


@pytest.mark.parametrize("placed", [clusters.placed(), start_here.placed()])
def test_chart_and_board_tell_the_same_clusters_at_every_step(placed):
    for place in range(len(placed.steps)):
        text = placed.picture(place).text
        running = {int(line.split()[2]) for line in text.split("\n") if line.startswith("runs: ")}
        state = placed.schedule.state_after(placed.board_step(place))
        assert running == {placement.unit for placement in state.running}
        told = next(line for line in text.split("\n") if " Time " in line)
        shown = float(told.partition(" Time ")[2].split()[0])
        assert shown == pytest.approx(placed.steps[place].cycle, rel=1e-5)
        assert f"{len(running)} run, " in text or not running


def test_the_hang_of_notebook_00_is_told_in_a_sentence_and_stepped():
    hang = start_here.hang()
    assert hang.findings[0].name == "wrong arrival count"
    assert "needs 31 more arrivals" in hang.findings[0].seen
    assert "Nothing ends this wait" in start_here.hang_steps().words()


def test_pictures_are_stacked_with_all_their_words():
    placed = clusters.placed()
    both = placed.picture(0)
    assert both.svg.count("<svg") == 3
    with pytest.raises(ValueError, match="at least one"):
        stacked([])
    assert cause_place(placed.steps, 0) is None
