"""The tensor-core experiments, run whole on a made-up card that multiplies as the model does."""

import json
from types import SimpleNamespace

import numpy as np
import pytest

from hopperlab import ledger
from hopperlab.measure.patterns import digest, random_words
from hopperlab.measure.progress import Progress
from hopperlab.measure.tensorcore import card, differential, inputs, probes, rates
from hopperlab.models.tensorcore import UNITS, matmul, unit_named
from hopperlab.models.tensorcore.probes import PROBES


def recorded(experiment, samples):
    samples = json.loads(json.dumps(samples))
    return SimpleNamespace(card_name="Made-up H100", samples=samples, results=experiment.results(samples))


@pytest.fixture
def made_up_card(monkeypatch):
    monkeypatch.setattr(card, "multiply", lambda a, b, c, unit: matmul(a, b.T, c, unit))


def test_random_words_are_the_generators_own_bits():
    assert random_words([1, 2], 3).tolist() == [2762783682, 1925928375, 4030437547]
    assert random_words([1, 2], 3).tolist() == random_words([1, 2], 8)[:3].tolist()
    assert digest(np.arange(3, dtype=np.uint8)) == digest(np.uint8([0]), np.uint8([1, 2]))


SHAPE = (64, 32, 128)


@pytest.mark.parametrize("distribution", inputs.DISTRIBUTIONS)
@pytest.mark.parametrize(("a_format", "b_format"), [("e4m3", "e5m2"), ("bf16", "bf16"), ("tf32", "tf32")])
def test_inputs_are_of_their_formats_and_as_hostile_as_they_say(distribution, a_format, b_format):
    a, b, c = inputs.operands(distribution, a_format, b_format, SHAPE, [7])
    again = inputs.operands(distribution, a_format, b_format, SHAPE, [7])
    assert digest(a, b, c) == digest(*again)
    assert (a.shape, b.shape, c.shape) == ((64, 128), (32, 128), (64, 32))
    values, finite = a.astype(np.float32), np.isfinite(a.astype(np.float32))
    assert finite.all() == (distribution != "all codes")
    assert np.isfinite(c).all()
    assert (c != 0).mean() > 0.99
    tiny = np.abs(values) < 2.0 ** {"e4m3": -5, "e5m2": -13, "bf16": -125, "tf32": -125}[a_format]
    assert tiny.all() == (distribution == "subnormals")
    assert ((values == 0).mean() > 0.8) == (distribution == "sparse")
    assert (values >= 0).all() == (distribution == "uniform")


def test_the_accumulator_is_of_the_size_of_the_products():
    for distribution in inputs.DISTRIBUTIONS:
        a, b, c = inputs.operands(distribution, "e4m3", "e4m3", SHAPE, [7])
        products = np.abs(a.astype(np.float32)[:, None] * b.astype(np.float32)[None])
        ratio = np.median(np.abs(c)) / np.median(products[np.isfinite(products) & (products > 0)])
        assert 1 / 8 < ratio < 32, distribution


def test_the_differential_has_the_outputs_that_were_promised():
    outputs = sum(rows * columns for _, _, rows, columns, _ in differential.CASES)
    assert outputs >= 10**6
    assert {case[0] for case in differential.CASES} == {
        "hopper.wgmma.e4m3",
        "hopper.wgmma.e4m3.e5m2",
        "hopper.wgmma.e5m2.e4m3",
        "hopper.wgmma.e5m2",
    }
    assert len({case[1] for case in differential.CASES}) >= 6
    assert max(case[4] for case in differential.CASES) == 4096


def test_each_distribution_depends_on_what_the_model_says_of_the_unit():
    """An adder that keeps a bit more, or aligns 16 at once, would be found out by nearly every distribution."""
    from dataclasses import replace

    unit = unit_named("hopper.wgmma.e4m3")
    shape = (64, 64, 512)
    told = {"fraction_bits": 14, "block": 16, "output_fraction_bits": 14}
    blind = {}
    for distribution in inputs.DISTRIBUTIONS:
        a, b, c = differential.case_operands(unit, distribution, shape)
        right = matmul(a, b.T, c, unit)
        for field, wrong in told.items():
            other = matmul(a, b.T, c, replace(unit, **{field: wrong}))
            if (right.view(np.uint32) == other.view(np.uint32)).mean() > 0.99:
                blind.setdefault(field, []).append(distribution)
    assert all(len(names) <= 1 for names in blind.values()), blind


def test_a_case_is_compared_bit_by_bit_and_again_by_its_digest(made_up_card, monkeypatch):
    cases = [differential.CASES[1], differential.CASES[10]]
    monkeypatch.setattr(differential, "CASES", cases)
    samples = differential.run(None, Progress())
    experiment = differential.TENSORCORE_DIFFERENTIAL
    found = experiment.compare([recorded(experiment, samples)])
    assert (found.compared, found.mismatches) == (sum(c[2] * c[3] for c in cases), 0)

    def one_bit_off(a, b, c, unit):
        d = matmul(a, b.T, c, unit)
        d.view(np.uint32)[3, 5] ^= 1
        return d

    monkeypatch.setattr(card, "multiply", one_bit_off)
    samples = differential.run(None, Progress())
    assert [one["wrong"] for one in samples] == [1, 1]
    assert samples[0]["mismatches"][0][:2] == [3, 5]
    assert experiment.compare([recorded(experiment, samples)]).mismatches == 2
    assert experiment.results(samples)["wrong"] == 2


def test_a_matrix_is_filled_up_with_zeros_to_whole_tiles(monkeypatch):
    def as_given(a, b, c, unit):
        assert (a.shape, b.shape, c.shape) == ((64, 128), (64, 128), (64, 64))
        assert (a.dtype, c.dtype) == (np.uint8, np.float32)
        fp8 = unit.a.dtype
        return matmul(a.view(fp8), b.view(fp8).T, c, unit)

    monkeypatch.setattr(card, "_by_warpgroup", as_given)
    unit = unit_named("hopper.wgmma.e4m3")
    a, b, c = inputs.operands("normal", "e4m3", "e4m3", (5, 3, 40), [1])
    assert np.array_equal(card.multiply(a, b, c, unit), matmul(a, b.T, c, unit))


def test_a_card_as_the_model_confirms_every_probe_and_every_output(made_up_card, monkeypatch):
    monkeypatch.setattr(
        probes, "ASKED_UNITS", ("hopper.wgmma.e4m3", "hopper.mma.e5m2", "hopper.wgmma.f16.acc_f16")
    )
    samples = probes.run(None, Progress())
    experiment = probes.TENSORCORE_PROBES
    recording = recorded(experiment, samples)
    assert len(recording.results["probes"]) == len(PROBES)
    for (name, _, _, hypothesis), probe in zip(recording.results["probes"], PROBES, strict=True):
        assert hypothesis == probe.answers[0][0], name
    found = experiment.compare([recording])
    outputs = 3 * (len(inputs.DISTRIBUTIONS) + 1) * 64 * 16
    assert (found.compared, found.mismatches, found.notes) == (len(PROBES) + outputs, 0, ())


def test_an_answer_that_no_hypothesis_foresaw_is_called_so():
    probe = PROBES[0]
    assert probes.heard(probe, float(probe.answers[1][1]).hex()) == probe.answers[1][0]
    assert probes.heard(probe, (0.125).hex()) == "none"
    signed = next(p for p in PROBES if p.name == "C = -0")
    assert probes.heard(signed, (-0.0).hex()) == "-0"


def test_probes_have_names_of_their_own_and_units_of_the_card():
    assert len({probe.name for probe in PROBES}) == len(PROBES)
    assert {probe.unit for probe in PROBES} <= set(probes.ASKED_UNITS) <= set(UNITS)


def test_raw_outputs_survive_the_journey_as_text():
    outputs = matmul(
        *_transposed(probes.raw_operands("hopper.wgmma.f16.acc_f16", probes.TINY)), "hopper.wgmma.f16.acc_f16"
    )
    assert probes.unpacked(probes.packed(outputs), "hopper.wgmma.f16.acc_f16").tobytes() == outputs.tobytes()


def _transposed(operands):
    a, b, c = operands
    return a, b.T, c


def test_rates_are_set_beside_the_peak_of_the_sheet():
    samples = [
        {
            "case": case,
            "groups": 64,
            "together": 4,
            "cycles_alone": [64 * 150.0] * 3,
            "cycles_in_a_row": [64 * 4 * max(case[1] / 2, 24.0)] * 3,
        }
        for case in rates.CASES
    ]
    experiment = rates.WGMMA_RATES
    recording = recorded(experiment, samples)
    assert ["e4m3", 256, "f32", 150.0, 128.0, 8192] in recording.results["products"]
    recording.card_name = "NVIDIA H200"
    found = experiment.compare([recording])
    assert found.mismatches == 0
    assert {row.claim for row in found.rows} >= {"lit-132.a", "lit-133.a", "lit-136.a", "lit-136.b"}


def test_the_units_say_of_themselves_what_is_recorded():
    (recorded,) = ledger.recordings("tensorcore_probes", card="H200 SXM")
    for name in probes.ASKED_UNITS:
        outputs = (
            probes.SHAPE[0] * probes.SHAPE[1] * sum(name == one[0] for one in recorded.samples["outputs"])
        )
        assert UNITS[name].settled
        assert f"{outputs:,} of {outputs:,} outputs of an H200" in UNITS[name].evidence
    (chained,) = ledger.recordings("tensorcore_differential", card="H200 SXM")
    for name, (outputs, wrong) in chained.results["by_unit"].items():
        assert wrong == 0
        assert f"{outputs:,} of {outputs:,} outputs of an H200 through wgmma" in UNITS[name].evidence
