"""Lesson 12: its answers are the models', its figures the claims', and its recording shows if it is there."""

import json
import time

import pytest

from hopperlab import ledger
from hopperlab.course.collectives import LESSON
from hopperlab.course.collectives.specimens import SPECIMENS
from hopperlab.lessons import collectives as lesson
from tests.measure.test_collectives import made_recording

PANELS = sorted(LESSON.panels)


def test_the_predictions_answer_what_the_ledger_quotes():
    assert LESSON.predictions["shards"].right_answer() == {"2 GPUs": 3, "4 GPUs": 5, "8 GPUs": 9}
    assert LESSON.predictions["printed"].right_answer() == ledger.claim("derived-017.a").number
    assert LESSON.predictions["two-gpus"].right_answer() == "loses"


@pytest.mark.parametrize("name", PANELS)
def test_every_position_of_every_control_draws(name):
    panel = lesson.panel(name)
    for control in panel.controls.values():
        first = control.value
        moved = getattr(control, "slider", control)
        options = getattr(control, "options", None)
        values = [value for _, value in options] if options else [True, False]
        if not options and hasattr(moved, "max"):
            values = [moved.min, moved.max]
        for value in values:
            control.value = value
            assert panel.error is None
            assert len(panel.picture.text.split()) > 10
        control.value = first


@pytest.mark.parametrize("name", PANELS)
def test_a_panel_draws_fast_enough_to_be_dragged_or_at_once_when_let_go(name):
    panel = lesson.panel(name)
    spent = []
    for _ in range(5):
        began = time.process_time()
        panel.draw(**panel.values)
        spent.append(time.process_time() - began)
    assert min(spent) < 0.2


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("One step too many", "a second time"),
        ("A shard sent before it came", "does not hold shard 3"),
        ("SHARP for two", "0.67 times as fast"),
        ("A bandwidth above the link's", "475.6 GB/s"),
    ],
)
def test_every_specimen_is_found_out(name, words):
    assert words in SPECIMENS[name]().text
    assert len(SPECIMENS) == 4


def test_the_units_switch_changes_every_number_and_never_doubles_algbw():
    panel = lesson.panel("units")

    def numbers():
        return [float(line.split()[-2].replace(",", "")) for line in panel.picture.text.splitlines()[1:5]]

    one = numbers()
    panel.controls["directions"].value = "both"
    both = numbers()
    assert both[0] == one[0]
    assert both[1:] == pytest.approx([2 * value for value in one[1:]], rel=1e-3)
    panel.controls["unit"].value = "GiB/s"
    assert numbers() == pytest.approx([value / 1.073741824 for value in both], rel=1e-3)


def test_without_a_recording_the_figures_say_so(monkeypatch):
    monkeypatch.setattr(ledger, "recordings", lambda experiment: ())
    assert "waits for one" in lesson.silicon().text
    assert "nothing measured is shown" in lesson.curve().text
    assert "not measured yet" in lesson.audit().text


def test_with_a_recording_the_figures_show_it_and_say_that_multicast_was_off(tmp_path, monkeypatch):
    folder = tmp_path / "nvidia-h200"
    folder.mkdir()
    (folder / "collectives_4.json").write_text(json.dumps(made_recording(4)))
    monkeypatch.setenv("HOPPERLAB_RECORDINGS", str(tmp_path))
    assert "multicast was off" in lesson.curve().text
    assert any(trace.name == "ring, H200 SXM (measured)" for trace in lesson.curve().figure.data)
    measured = next(trace for trace in lesson.silicon().figure.data if trace.name == "measured")
    assert len(measured.x) >= 1
    assert "H200 SXM" in lesson.audit().text


def test_the_source_is_the_protocols_own():
    assert "N - 1 steps" in lesson.source()
    assert lesson.source().count("def _") == 4
