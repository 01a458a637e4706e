"""The FP8 experiments without a card: codes by runs, and a fused cast by its bytes."""

import json
from types import SimpleNamespace

import numpy as np
import pytest

from hopperlab.measure.fp8 import casts, fused
from hopperlab.models.fp8 import decode


def recorded(experiment, samples):
    samples = json.loads(json.dumps(samples))
    return SimpleNamespace(card_name="NVIDIA H200", samples=samples, results=experiment.results(samples))


def runs_of_float32(fmt, relu):
    """The runs of the model: within 2**14 patterns in a row the code changes once at most; halving finds where."""

    def codes(patterns):
        return casts.model_codes(patterns, False, fmt, relu)

    before = np.arange(0, 2**32, 2**14)
    after = before + 2**14 - 1
    changing = codes(before) != codes(after)
    low, high = before[changing], after[changing]
    while (high - low > 1).any():
        middle = (low + high) // 2
        same = codes(middle) == codes(low)
        low, high = np.where(same, middle, low), np.where(same, high, middle)
    patterns = np.sort(np.concatenate([before, high]))
    return [[int(patterns[place]), code] for place, code in casts.runs_of(codes(patterns))]


def made_up_samples():
    """What a card would give that converts as the model does."""
    samples = []
    for cast, fmt, relu in casts.CASES:
        one = {"cast": cast, "format": fmt, "relu": relu, "pairs_that_differ": 0}
        if cast == casts.TO_FLOAT16:
            halves = decode(np.arange(256, dtype=np.uint8), fmt).astype(np.float16)
            samples.append({**one, "halves": halves.view(np.uint16).tolist()})
        elif cast == casts.FROM_FLOAT16:
            codes = casts.model_codes(np.arange(2**16), True, fmt, relu)
            samples.append({**one, "runs": casts.runs_of(codes)})
        else:
            samples.append({**one, "runs": runs_of_float32(fmt, relu)})
    return samples


@pytest.fixture(scope="module")
def samples():
    return made_up_samples()


def test_all_inputs_of_all_casts_are_compared(samples):
    found = casts.FP8_CASTS.compare([recorded(casts.FP8_CASTS, samples)])
    assert (found.compared, found.mismatches, found.notes) == (8 * 2**32 + 2 * 2**16, 0, ())


def test_runs_tell_of_every_code():
    codes = np.array([5, 5, 5, 9, 9, 5], np.uint8)
    assert casts.runs_of(codes) == [[0, 5], [3, 9], [5, 5]]


def test_saturation_ties_and_nan_are_where_they_belong(samples):
    runs = {(one["cast"], one["format"], one["relu"]): one.get("runs") for one in samples}
    e4m3 = dict(map(reversed, runs[casts.FROM_FLOAT32, "e4m3", False]))
    assert np.uint32(e4m3[0x7E]).view(np.float32) == 432  # halfway between 416 and 448, to the even code
    assert e4m3[0x7F] == 0xFF800001  # NaN, after minus infinity
    assert [0x7F800001, 0x7F] in runs[casts.FROM_FLOAT32, "e4m3", False]


@pytest.mark.parametrize("shift", [-1, 1])
def test_one_pattern_with_another_code_is_found(samples, shift):
    moved = json.loads(json.dumps(samples))
    moved[0]["runs"][100][0] += shift
    found = casts.FP8_CASTS.compare([recorded(casts.FP8_CASTS, moved)])
    assert found.mismatches >= 1
    assert "from float32, e4m3" in found.notes[0]


def test_a_pair_that_is_not_the_codes_of_its_halves_is_found(samples):
    odd = json.loads(json.dumps(samples))
    odd[4]["pairs_that_differ"] = 3
    assert casts.FP8_CASTS.compare([recorded(casts.FP8_CASTS, odd)]).mismatches == 3


@pytest.mark.exhaustive
@pytest.mark.parametrize(("fmt", "relu"), [("e4m3", False), ("e5m2", False), ("e4m3", True), ("e5m2", True)])
def test_the_model_has_one_code_within_each_run(samples, fmt, relu):
    """What `compare` takes for granted, over all 2**32 patterns."""
    runs = next(
        o["runs"] for o in samples if (o["cast"], o["format"], o["relu"]) == (casts.FROM_FLOAT32, fmt, relu)
    )
    starts, codes = np.array(runs, np.int64).T
    step = 2**24
    for first in range(0, 2**32, step):
        patterns = np.arange(first, first + step, dtype=np.int64)
        expected = codes[np.searchsorted(starts, patterns, side="right") - 1]
        assert np.array_equal(casts.model_codes(patterns, False, fmt, relu), expected)


def test_a_fused_cast_is_judged_by_the_bytes_it_saves():
    samples = {"one pass": [1e-3, 1.1e-3, 1e-3], "three passes": [3.3e-3] * 3}
    recording = recorded(fused.FP8_FUSED_CAST, samples)
    assert recording.results["times_faster"] == 3.3
    found = fused.FP8_FUSED_CAST.compare([recording])
    assert found.rows[0].modelled == pytest.approx(17 / 5)
    assert found.mismatches == 0
    slow = recorded(fused.FP8_FUSED_CAST, {"one pass": [1e-3], "three passes": [1e-3]})
    assert fused.FP8_FUSED_CAST.compare([slow]).mismatches == 1
