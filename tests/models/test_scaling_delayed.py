"""Delayed scaling, step by step: the vectors of Transformer Engine's source, and what goes wrong with it."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hopperlab.models.scaling import FLOAT32_MAX, DelayedScaling, ScaleState, reduce_amax

NAN, INF = math.nan, math.inf
FLT_MAX = float(FLOAT32_MAX)


def f32(x):
    return float(np.float32(x))


def state(history, scale=2.0, fmt="e4m3", **recipe):
    """A tensor in the middle of training."""
    recipe = DelayedScaling(history_length=len(history), **recipe)
    return ScaleState(recipe, fmt, tuple(f32(h) for h in history), scale)


@pytest.mark.parametrize(
    ("before", "history", "scale"),
    [
        (state([3, 1, 2, 0]), [0, 2, 0, 3], 149.33333),
        (state([7]), [0], 64.0),
        (state([0, 1, 2, 5]), [0, 2, 5, 0], 89.6),
        (state([0, 1, 2, 5], update="bulk"), [0, 1, 2, 5], 2.0),
        (state([3, 1, 2, 5], update="bulk"), [0, 2, 5, 3], 89.6),
        (state([INF, 1, 2, 5]), [0, 2, 5, INF], 2.0),
        (state([1, 1, INF, 5]), [0, INF, 5, 1], 2.0),
        (state([NAN, 1, 2, 5]), [0, 2, 5, NAN], 89.6),
        (state([NAN, 1, 2, 5], algorithm="most_recent"), [0, 2, 5, NAN], 2.0),
        (state([NAN, 1, 2, 5], update="python"), [0, 2, 5, NAN], 2.0),
        (state([NAN, NAN]), [0, NAN], 2.0),
        (state([0, 1, 2, 5], algorithm="most_recent"), [0, 2, 5, 0], 2.0),
        (state([3, 1, 2, 5], algorithm="most_recent"), [0, 2, 5, 3], 149.33333),
        (state([1e-38, 0, 0, 0]), [0, 0, 0, 1e-38], FLT_MAX),
        (state([1e-38, 0], margin=3), [0, 1e-38], FLT_MAX),
        (state([3, 0], margin=2), [0, 3], 37.333332),
        (state([3, 0], margin=-1), [0, 3], 298.66666),
        (state([3, 0], fmt="e5m2"), [0, 3], 19114.666),
        (state([3, 0], power_of_two=True), [0, 3], 128.0),
        (state([3, 0], power_of_two=True, margin=2), [0, 3], 32.0),
        (state([0, 0]), [0, 0], 2.0),
    ],
    ids=str,
)
def test_one_update(before, history, scale):
    after = before.update()
    assert np.array_equal(np.float32(after.history), np.float32(history), equal_nan=True)
    assert np.float32(after.scale) == np.float32(scale)
    assert after.scale == f32(after.scale)
    assert after.recipe is before.recipe


def test_the_scale_after_three_is_the_float32_of_the_kernels():
    assert np.float32(state([3, 1, 2, 0]).update().scale).view(np.uint32) == 0x43155555


def test_the_first_step_has_scale_one():
    recipe = DelayedScaling()
    assert (recipe.margin, recipe.fp8_format, recipe.history_length, recipe.algorithm) == (
        0,
        "hybrid",
        1024,
        "max",
    )
    start = recipe.start()
    assert (start.scale, start.scale_inv, len(start.history)) == (1.0, 1.0, 1024)
    quantized, after = start.quantize([1000.0, -3.0])
    assert quantized.dequantize().tolist() == [448.0, -3.0]  # clipped: the scale knows nothing yet
    assert start.history[0] == 0
    assert after.history[0] == 1000
    assert after.update().scale == f32(0.448)


def test_hybrid_uses_the_wider_range_backward():
    assert DelayedScaling().start("forward").fmt == "e4m3"
    assert DelayedScaling().start("backward").fmt == "e5m2"
    assert DelayedScaling(fp8_format="e4m3").start("backward").fmt == "e4m3"


@pytest.mark.parametrize("length", [1, 2, 8, 1024])
def test_one_infinity_freezes_the_scale_until_it_has_left_the_window(length):
    now = DelayedScaling(history_length=length).start()
    for _ in range(length):
        now = now.record(1.0).update()
    assert now.scale == 448
    now = now.record(INF).update()
    frozen = 0
    while now.scale == 448:
        frozen += 1
        now = now.record(1 / 16).update()
    assert frozen == length
    assert now.scale == 448 * 16


def test_nan_freezes_the_python_path_only():
    scales = {}
    for update in ("fused", "python"):
        now = DelayedScaling(history_length=8, update=update).start().record(1.0).update()
        now = now.record(NAN).update()
        scales[update] = [now.scale]
        for _ in range(9):
            now = now.record(0.5).update()
            scales[update].append(now.scale)
    assert scales["python"] == [448.0] * 8 + [896.0] * 2
    assert scales["fused"] == [448.0] * 7 + [896.0] * 3


def test_a_weight_that_is_not_cast_loses_its_history_but_for_the_bulk_kernel():
    for update, scale in (("fused", 448 * 4.0), ("bulk", 448.0)):
        now = DelayedScaling(history_length=4, update=update).start().record(1.0).update()
        for _ in range(4):  # no amax arrives
            now = now.update()
        now = now.record(0.25).update()
        assert now.scale == scale


def test_a_spike_is_clipped_once_and_remembered_long():
    rng = np.random.default_rng(0)
    calm, spike = rng.normal(size=4096), 64 * rng.normal(size=4096)
    now = DelayedScaling(history_length=16).start()
    for _ in range(3):
        _, now = now.quantize(calm)
        now = now.update()
    clipped, now = now.quantize(spike)
    assert np.mean(np.abs(clipped.codes.astype(np.float32)) == 448) > 0.9
    now = now.update()
    again, _ = now.quantize(spike)
    assert np.mean(np.abs(again.codes.astype(np.float32)) == 448) < 0.01
    after, _ = now.quantize(calm)  # a scale 64 times too small costs E4M3 nothing: its range is wide enough
    error = after.dequantize() - calm
    assert np.sqrt(np.mean(error**2) / np.mean(calm**2)) < 0.03


@given(amaxes=st.lists(st.floats(0, 2.0**99, width=32), max_size=8))
def test_of_several_microbatches_the_largest_amax_stays(amaxes):
    now = DelayedScaling(history_length=4).start()
    for amax in amaxes:
        now = now.record(amax)
    assert now.history == (max([0.0, *amaxes]), 0.0, 0.0, 0.0)


def test_nan_once_staged_stays():
    now = DelayedScaling(history_length=2).start().record(3.0).record(NAN).record(5.0)
    assert math.isnan(now.history[0])


def test_ranks_that_share_a_tensor_agree_after_reducing():
    ranks = [DelayedScaling(history_length=2).start().record(a) for a in (1.0, 7.0, 3.0)]
    assert len({rank.update().scale for rank in ranks}) == 3
    assert {rank.update().scale for rank in reduce_amax(ranks)} == {64.0}
    assert reduce_amax([]) == ()


@given(
    amaxes=st.lists(st.floats(2.0**-33, 2.0**33, width=32), min_size=1, max_size=20),
    length=st.integers(1, 6),
    algorithm=st.sampled_from(["max", "most_recent"]),
)
def test_the_scale_follows_the_window(amaxes, length, algorithm):
    now = DelayedScaling(history_length=length, algorithm=algorithm).start()
    for step, amax in enumerate(amaxes):
        now = now.record(amax).update()
        window = amaxes[max(0, step + 1 - length) : step + 1]
        expected = np.float32(448) / np.float32(max(window) if algorithm == "max" else amax)
        assert now.scale == float(expected)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (
            lambda: DelayedScaling(fp8_format="e5m2"),
            ValueError,
            "fp8_format='e5m2' must be one of 'hybrid', 'e4m3'",
        ),
        (lambda: DelayedScaling(history_length=0), ValueError, "history_length=0 must be in 1 to"),
        (lambda: DelayedScaling(history_length=2.0), TypeError, "history_length=2.0 must be a whole number"),
        (lambda: DelayedScaling(margin=1000), ValueError, "margin=1000 must be in -100 to 100"),
        (lambda: DelayedScaling(algorithm="mean"), ValueError, "algorithm='mean' must be one of"),
        (lambda: DelayedScaling(update="cuda"), ValueError, "update='cuda' must be one of"),
        (lambda: DelayedScaling().start("sideways"), ValueError, "direction='sideways' must be"),
        (lambda: DelayedScaling().start().record(None), TypeError, "amax: dtype object"),
        (lambda: DelayedScaling().start().record([1.0, 2.0]), ValueError, r"amax: shape \(2,\) must be \(\)"),
        (
            lambda: DelayedScaling(margin=100, history_length=1).start().record(1e30).update(),
            ValueError,
            r"margin=100 with an amax of 1e\+30 gives a scale of 0; it must be at least 2\*\*-126",
        ),
        (lambda: DelayedScaling().start().record(-1.0), ValueError, "amax=-1.0 must not be negative"),
    ],
)
def test_bad_input_is_refused_by_name(call, error, message):
    with pytest.raises(error, match=message):
        call()
