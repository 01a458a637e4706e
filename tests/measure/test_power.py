"""The watch over clock and power without a card: what follows from readings."""

from hopperlab.ledger import recordings
from hopperlab.measure.power import against_model, watching
from hopperlab.models import power as model


def test_a_phase_is_told_by_its_later_half():
    rows = [["idle", 0.1 * i, 1980, 100.0 + i, 30, [], None] for i in range(10)]
    rows += [["load", 1 + 0.1 * i, 1980 - 30 * i, 600.0, 50, ["sw_power_cap"], 2.0] for i in range(10)]
    found = watching.results(rows)
    assert found["idle"] == {
        "sm_mhz": 1980,
        "least_sm_mhz": 1980,
        "power_w": 107.0,
        "temperature_c": 30,
        "reasons": [],
        "tera_per_second": None,
    }
    assert found["load"]["least_sm_mhz"] == 1710
    assert found["load"]["reasons"] == ["sw_power_cap"]
    assert found["load"]["tera_per_second"] == 2.0


def test_readings_that_nvml_does_not_give_are_left_out():
    found = watching.results([["idle", 0.0, None, None, None, None, None]])
    assert found["idle"].pop("reasons") == []
    assert set(found["idle"].values()) == {None}


def test_the_same_products_draw_more_on_a_mix_of_numbers_than_on_zeros():
    for recording in recordings(experiment="clocks_and_power"):
        found = recording.results
        mixed, zeros = found["tensor cores, mixed numbers"], found["tensor cores, zeros"]
        assert mixed["power_w"] > 1.5 * zeros["power_w"]
        assert mixed["sm_mhz"] < zeros["sm_mhz"]
        assert {row[0] for row in recording.samples} == {phase for phase, _ in watching.PHASES}


def test_the_model_of_readings_is_judged_on_phases_that_it_was_not_fitted_to(monkeypatch):
    shipped = recordings(experiment="clocks_and_power", card=against_model.CARD)
    found = watching.compare(shipped)
    assert (found.compared, found.mismatches) == (7 * len(shipped), 0)
    assert "7 phases held out" in found.notes[0]
    monkeypatch.setattr(model, "WINDOW_SECONDS", 0.5)
    assert watching.compare(shipped).mismatches > 0
