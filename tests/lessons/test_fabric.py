"""Lesson 13: what it answers is what the models give; every control draws; every button does what it says."""

import time

import pytest

from hopperlab.course.fabric import LESSON
from hopperlab.course.fabric.specimens import SPECIMENS
from hopperlab.lessons import fabric as lesson

DRAWN = ["pod", "contention", "recommender", "specimens"]


def test_the_predictions_answer_what_the_bars_ask():
    assert LESSON.predictions["cuts"].right_answer() == {
        "4 | 4 in one server": 3600,
        "8 | 248 in the pod": 3600,
        "128 | 128": 57600,
    }
    assert LESSON.predictions["share"].right_answer() == 38.6
    assert LESSON.predictions["revoked"].right_answer() == "reaches"


@pytest.mark.parametrize("name", DRAWN)
def test_every_position_of_every_control_draws(name):
    panel = lesson.panel(name)
    for control in panel.controls.values():
        first = control.value
        options = getattr(control, "options", None)
        values = [value for _, value in options] if options else [True, False]
        if not options and hasattr(control, "max"):
            values = [control.min, control.max]
        for value in values:
            control.value = value
            assert panel.error is None
            assert len(panel.picture.text.split()) > 10
        control.value = first


def test_no_panel_is_forgotten():
    assert set(LESSON.panels) == {*DRAWN, "tables", "access"}


def test_dragging_the_cut_takes_less_than_half_a_second_a_step():
    panel = lesson.panel("pod")
    for percent in (17, 43, 71):
        spent = []
        for near in (percent, percent + 1, percent + 2):  # a garbage collection may spoil one
            began = time.process_time()
            panel.controls["percent"].value = near
            spent.append(time.process_time() - began)
            assert panel.error is None
        assert min(spent) < 0.5


def test_breaking_links_lowers_what_crosses_the_server():
    panel = lesson.panel("pod")
    panel.controls["fabric"].value = "HGX H100"
    whole = panel.picture.title
    panel.controls["broken"].value = True
    assert "3,600 GB/s" in whole
    assert "3,400 GB/s" in panel.picture.title


def test_the_buttons_of_the_address_panel_lead_to_a_fault_an_access_and_a_stale_one():
    panel = lesson.panel("access")
    panel.do("GPU 0 stores")
    assert "fault at the page table of the source" in panel.picture.title
    for event in ("GPU 0 maps", "GPU 0 stores"):
        panel.do(event)
    assert "fault at the link TLB" in panel.picture.title
    for event in ("GPU 1 lets GPU 0 in", "GPU 0 stores"):
        panel.do(event)
    assert "reaches page 100 of GPU 1." in panel.picture.title
    for event in ("Revoke, no flush", "GPU 0 stores"):
        panel.do(event)
    assert "stale" in panel.picture.title
    for event in ("Flush the link TLB", "GPU 0 stores"):
        panel.do(event)
    assert "fault" in panel.picture.title
    panel.undo()
    assert "stale" in panel.picture.title


def test_a_learner_can_beat_the_placement_that_balances_bytes():
    panel = lesson.panel("tables")
    start = panel.picture.title
    for number, gpu in enumerate(lesson._best_found()):
        assert panel.state.table == number
        panel.do(f"To GPU {gpu}")
        panel.do("Next table")
    assert panel.error is None
    took = [float(title.split("takes ")[1].split(" ms")[0]) for title in (start, panel.picture.title)]
    assert took[1] < took[0]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Access after revocation", "fault at the link TLB"),
        ("A stale link TLB entry", "stale"),
        ("A cut that separates nothing", "left=8 must be in 1 to 7"),
        ("All tables on one GPU", "it has room for 60.0 GB"),
    ],
)
def test_every_specimen_is_found_out(name, words):
    assert words in SPECIMENS[name]().text
    assert len(SPECIMENS) == 4


def test_the_figures_hold_announcement_and_model_side_by_side():
    rows = {trace.name: list(trace.x) for trace in lesson.silicon().figure.data}
    assert rows["quoted"][:2] == rows["modelled"][:2] == [9.0, 4.5]
    assert rows["measured"] == []
    simulated = {trace.name: list(trace.x) for trace in lesson.simulated().figure.data}
    assert simulated["quoted"] == simulated["modelled"] == [60093, 20031, 40062, 704116]
