"""`hopperlab measure` without a card, or with an unfit one: a clear line and an exit status."""

import pytest

from hopperlab.cli import main
from hopperlab.device.silicon.card import Card, have_hopper
from hopperlab.measure import condition, session

CARD = Card("Made-up H100", (9, 0), 132, 50 * 2**20, 80 * 2**30)


def test_experiments_are_listed_without_a_card(capsys):
    assert main(["measure", "--list"]) == 0
    listed = capsys.readouterr().out
    for name in ("gpc_map", "cluster_occupancy", "cluster_placement"):
        assert name in listed


@pytest.mark.skipif(have_hopper(), reason="there is a Hopper card")
def test_a_missing_card_is_one_line(capsys, tmp_path):
    assert main(["measure", "gpc_map", "--into", str(tmp_path)]) == 1
    told = capsys.readouterr().err
    assert told.startswith("hopperlab measure: no Hopper card")
    assert told.count("\n") == 1


def test_an_unknown_experiment_is_refused_with_the_names(capsys):
    assert main(["measure", "warp_drive"]) == 1
    assert "no experiment warp_drive; there are" in capsys.readouterr().err


def test_a_theme_stands_for_its_experiments_and_chip_for_those_of_several_themes():
    memory = {experiment.name for experiment in session.chosen(["memory"])}
    assert memory == {"memory_latency", "memory_latency_unseen", "l2_map", "bandwidth"}
    chip = session.chosen(["chip", "memory_latency"])
    assert memory | {"hand_off", "instruction_rates", "clocks_and_power", "gpc_map"} <= {e.name for e in chip}
    assert len({e.name for e in chip}) == len(chip)


def test_the_chip_is_measured_in_six_minutes():
    assert sum(experiment.seconds for experiment in session.chosen(["chip"])) < 360


def test_a_busy_card_is_left_alone_unless_told_otherwise(monkeypatch, tmp_path):
    monkeypatch.setattr(session, "card", lambda: CARD)
    monkeypatch.setattr(condition, "busy", lambda _: "2 other process(es) compute on it")
    with pytest.raises(session.CardUnfit, match="Made-up H100 is busy: 2 other"):
        session.Session(tmp_path)
    assert session.Session(tmp_path, even_if_busy=True).occupied


def test_throttling_is_told_apart_from_idling():
    idle = {"throttle_reasons": ["gpu_idle"]}
    hot = {"throttle_reasons": ["sw_power_cap", "gpu_idle"]}
    unknown = {"throttle_reasons": None}
    assert condition.throttled(idle, unknown) == []
    assert condition.throttled(idle, hot) == ["sw_power_cap"]


def test_one_failing_experiment_does_not_stop_the_next(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(session, "card", lambda: CARD)

    def fail(self, experiment):
        raise RuntimeError("no luck")

    monkeypatch.setattr(session.Session, "measure", fail)
    assert main(["measure", "gpc_map", "cluster_placement", "--into", str(tmp_path)]) == 1
    told = capsys.readouterr().err
    assert "gpc_map: failed: no luck" in told
    assert "cluster_placement: failed: no luck" in told
