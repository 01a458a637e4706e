"""The watch over clock and power without a card: what follows from readings."""

from types import SimpleNamespace

import numpy as np
import pytest

from hopperlab.course.power.numbers import fillings
from hopperlab.ledger import recordings
from hopperlab.measure.power import against_model, watching
from hopperlab.measure.power.fillings import FILLINGS, filled
from hopperlab.models import power as model
from hopperlab.models.fp8 import decode


@pytest.mark.parametrize(
    ("reading", "waits"),
    [
        (lambda at: 124.0, watching.REST_SECONDS),
        (lambda at: 700 - 576 * min(at, 1), 1 + watching.REST_SECONDS),  # a long load ended just before
        (lambda at: 120 + 23 * (0.1 <= at < 1.1), 1.1 + watching.REST_SECONDS),  # a short one
        (lambda at: 100 + 40 * at, watching.MOST_REST_SECONDS),  # somebody else's
        (lambda at: None, 0),
    ],
    ids=["at rest", "falling", "level for a second", "never at rest", "not told"],
)
def test_the_first_phase_waits_for_rest_but_not_for_ever(monkeypatch, reading, waits):
    now = [0.0]
    clock = SimpleNamespace(monotonic=lambda: now[0], sleep=lambda lasting: now.append(now.pop() + lasting))
    monkeypatch.setattr(watching, "time", clock)
    monkeypatch.setattr("hopperlab.measure.condition.clocks", lambda card: {"power_w": reading(now[0])})
    watching._rest(None)
    assert now[0] == pytest.approx(waits, abs=0.05)


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
        lasted = recording.parameters["phases"]
        assert [name for name, _ in against_model.phases(recording)] == [name for name, _ in lasted]


def test_watts_follow_the_bits_that_change_not_those_that_are_set():
    """The shipped recordings: ones are as quiet as zeros, sorted numbers lie between, random ones meet the limit."""
    for recording in recordings(experiment="clocks_and_power"):
        zeros, ones, in_order, random, mixed = (
            recording.results[f"tensor cores, {name}"]["power_w"]
            for name in ("zeros", "ones", "sorted", "random", "mixed numbers")
        )
        assert ones == pytest.approx(zeros, rel=0.01)
        assert 1.6 * zeros < in_order < 0.75 * random
        assert random == pytest.approx(mixed, rel=0.01)


def test_fillings_are_those_of_the_lesson_and_change_fewer_bits_in_order():
    share = {name: model.changing_share(np.concatenate(filled(name))) for name in FILLINGS}
    assert share["ones"] == 0
    assert 0 < share["sorted"] < share["random"] / 2
    for name in FILLINGS:
        assert np.array_equal(np.concatenate(filled(name)), fillings()[name])
        assert np.array_equal(
            np.sort(decode(filled("sorted")[1], "e4m3")), decode(filled("sorted")[1], "e4m3")
        )


def test_fillings_are_as_many_numbers_as_their_kernel_takes():
    from hopperlab.kernels import power

    rows, columns = filled("random")
    assert rows.shape == (power.ROWS, power.STEP)
    assert columns.shape == (power.COLUMNS, power.STEP)
    assert not np.isnan(decode(np.concatenate([rows, columns]), "e4m3")).any()


def test_a_filling_without_a_name_of_ours_is_refused():
    with pytest.raises(ValueError, match="name='twos' must be one of ones, random, sorted"):
        filled("twos")


def test_every_phase_but_rest_is_after_one_and_before_one():
    names = [name for name, _ in watching.PHASES]
    assert set(names[::2]) == {watching.IDLE}
    assert watching.IDLE not in names[1::2]
    assert len(names) == 2 * len(set(names)) - 1
    assert sum(lasting for _, lasting in watching.PHASES) < watching.CLOCKS_AND_POWER.seconds


def test_the_model_is_judged_on_phases_and_fillings_that_it_was_not_fitted_to(monkeypatch):
    shipped = recordings(experiment="clocks_and_power", card=against_model.CARD)
    found = watching.compare(shipped)
    held_out = [len(recording.parameters["phases"]) - 2 for recording in shipped]  # the first, and the fitted
    judged = [row for row in found.rows if row.tolerance is not None]
    assert len(judged) == 2 * len(FILLINGS) * len(shipped)
    assert (found.compared, found.mismatches) == (sum(held_out) + len(judged), 0)
    assert f"{held_out[0]} phases held out" in found.notes[0]
    monkeypatch.setattr(model, "WINDOW_SECONDS", 0.5)
    assert watching.compare(shipped).mismatches > 0
