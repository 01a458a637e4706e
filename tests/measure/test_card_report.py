"""What is gathered for a card's page: its own recordings, and no other card's."""

import json
import shutil
from importlib.resources import files

import pytest

from hopperlab.cli import main
from hopperlab.measure.card_report import card_report, cards

SHIPPED = files("hopperlab").joinpath("data/recordings/nvidia-h200")
FEW = ("roofline_sweep", "dpx_rates")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    own = tmp_path / "recordings" / "nvidia-h200"
    own.mkdir(parents=True)
    for name in FEW:
        shutil.copy(str(SHIPPED.joinpath(f"{name}.json")), own)
    monkeypatch.setattr("hopperlab.measure.card_report.recordings", _only(tmp_path / "recordings"))
    return tmp_path


def _only(folder):
    from hopperlab.ledger import load_recording

    found = tuple(load_recording(path) for path in sorted(folder.glob("*/*.json")))
    return lambda directory=None: found


def test_a_section_for_every_recorded_experiment_and_a_question_for_every_other(folder):
    seen = []
    report = card_report(told=lambda name, number, of: seen.append((number, of)))
    peers = {"bandwidth beside public suites", "arithmetic beside public suites"}
    assert {section.title for section in report.sections} == {*FEW, *peers}
    assert seen == [(1, 2), (2, 2)]
    assert report.facts["SMs"] == "132"
    assert len(report.unmeasured) > 10
    (sweep,) = (one for one in report.sections if one.title == "roofline_sweep")
    recorded = json.loads(SHIPPED.joinpath("roofline_sweep.json").read_text())["results"]["programs"]
    assert [line.measured for line in sweep.lines] == [rate / 1e12 for *_, rate in recorded]


def test_another_card_is_refused_with_the_names_of_those_there_are(folder):
    assert cards() == ("H200 SXM",)
    with pytest.raises(ValueError, match="card='H100 PCIe' must be one of H200 SXM"):
        card_report("H100 PCIe")


def test_without_a_recording_it_says_how_to_make_one(monkeypatch):
    monkeypatch.setattr("hopperlab.measure.card_report.recordings", lambda directory=None: ())
    with pytest.raises(ValueError, match="hopperlab measure"):
        card_report()


def test_the_command_writes_one_page(folder, capsys):
    target = folder / "page.html"
    assert main(["report", "--into", str(target)]) == 0
    assert capsys.readouterr().out == f"H200 SXM: 2 experiments, written to {target}\n"
    assert target.read_text().startswith("<!DOCTYPE html>")
