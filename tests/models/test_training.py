"""Training in FP8: what recipes cast, what a step gives, and that a run is the same run anywhere."""

import numpy as np
import pytest

from hopperlab.measure.training import text
from hopperlab.models import scaling
from hopperlab.models.training import RECIPES, Casts, Recipe, Text, network, step, train, validate
from hopperlab.models.training.accumulator import check_step
from hopperlab.models.training.exposure import dot_error, int8_through, worst_channel_db
from hopperlab.models.training.inference import Calibration, StaticCasts

FP8 = [recipe for recipe in RECIPES.values() if recipe.forward in ("e4m3", "e5m2")]


@pytest.fixture(scope="module")
def trained():
    return train(text(), RECIPES["FP8 delayed, HYBRID"], seed=3, steps=150, every=150)


def one_step(recipe, batch=32, seed=0):
    parameters = network.initial_parameters(len(text().characters), np.random.default_rng(seed))
    casts = Casts(recipe)
    return step(parameters, *text().batch(np.random.default_rng(seed + 1), batch), casts), casts, parameters


def test_the_gradients_are_those_of_the_loss():
    done, casts, parameters = one_step(RECIPES["FP32"], batch=16)
    batch = text().batch(np.random.default_rng(1), 16)
    for name in ("w1", "b2", "w3", "embedding"):
        place = np.unravel_index(np.argmax(np.abs(done.gradients[name])), parameters[name].shape)
        losses = []
        for nudge in (1e-2, -1e-2):
            moved = {key: value.copy() for key, value in parameters.items()}
            moved[name][place] += nudge
            losses.append(validate(moved, batch, casts))
        assert (losses[0] - losses[1]) / 2e-2 == pytest.approx(done.gradients[name][place], rel=2e-2)


@pytest.mark.parametrize("recipe", FP8, ids=lambda recipe: recipe.name)
def test_what_is_multiplied_is_what_the_scaling_model_casts(recipe):
    done, casts, _ = one_step(recipe)
    for name, (a, b) in (("y1", done.operands["y1"]), ("y3", done.operands["y3"])):
        layer = name[1]
        for operand, tensor in ((a, f"x{layer}"), (b, f"w{layer}")):
            scale = 1.0 / float(operand.scale_inv)
            expected = scaling.quantize(casts.seen[tensor], recipe.forward, np.float32(scale))
            values = expected.codes.astype(np.float64)
            assert np.mean(values != operand.values) < 1e-3  # 1 / (1 / scale) may be off by a last place


def test_delayed_scaling_starts_at_one_and_then_follows_the_tensor():
    recipe = RECIPES["FP8 delayed, HYBRID"]
    _, casts, _ = one_step(recipe)
    assert {state.scale for state in casts.states.values()} == {1.0}
    casts.end_step()
    for name, state in casts.states.items():
        largest = {"e4m3": 448.0, "e5m2": 57344.0}[state.fmt]
        assert state.scale == pytest.approx(largest / float(scaling.amax(casts.seen[name])), rel=1e-6)
        assert state.fmt == ("e5m2" if name.startswith("dy") else "e4m3")


def test_looking_on_leaves_no_trace():
    _, casts, parameters = one_step(RECIPES["FP8 delayed, HYBRID"])
    before = dict(casts.states)
    validate(parameters, text().batch(np.random.default_rng(5)), casts.looking_on())
    assert casts.states == before


def test_a_seed_gives_the_same_run_and_another_seed_another():
    recipe = RECIPES["FP8 current, HYBRID"]
    one, again, other = (train(text(), recipe, seed, steps=20, every=20).loss for seed in (0, 0, 1))
    assert one == again != other


def test_seeds_pair_recipes():
    fp32, fp16 = (train(text(), RECIPES[name], seed=2, steps=1).loss for name in ("FP32", "FP16"))
    assert fp32 == pytest.approx(fp16, abs=2e-3)


def test_training_learns_and_unscaled_e4m3_breaks(trained):
    assert trained.loss < 3.0 < np.log(len(text().characters))
    broken = train(text(), RECIPES["FP8 unscaled, all E4M3"], seed=3, steps=150, every=150)
    assert broken.loss > trained.loss + 1


@pytest.mark.bench
def test_a_run_in_fp8_takes_less_than_five_seconds():
    import time

    train(text(), RECIPES["FP8 delayed, HYBRID"], steps=1)  # numba has loaded
    started = time.process_time()
    train(text(), RECIPES["FP8 delayed, HYBRID"])
    assert time.process_time() - started < 5


def test_the_accumulator_adds_little_to_short_sums_and_much_to_long_ones(trained):
    batch = text().batch(np.random.default_rng(0), 4096)
    done = step(trained.parameters, *batch, trained.casts.looking_on())
    chained = {check.name: check for check in check_step(done)}
    promoted = {check.name: check for check in check_step(done, 128)}
    assert set(chained) == {f"{kind}{layer}" for kind in ("y", "dx", "dw") for layer in (1, 2, 3)}
    assert all(check.error < 1e-3 for name, check in chained.items() if not name.startswith("dw"))
    assert all(chained[f"dw{n}"].k == 4096 for n in (1, 2, 3))
    assert all(promoted[f"dw{n}"].error < 0.2 * chained[f"dw{n}"].error for n in (1, 2, 3))
    assert chained["dw3"].unit == "hopper.wgmma.e4m3.e5m2"


def test_only_fp8_operands_go_to_the_fp8_tensor_core():
    done, _, _ = one_step(RECIPES["BF16"])
    with pytest.raises(ValueError, match="bfloat16"):
        check_step(done)


def test_a_wide_limit_ruins_int8_and_not_fp8(trained):
    calibration = Calibration()
    validate(trained.parameters, text().batch(np.random.default_rng(8), 256), calibration)
    assert set(calibration.limits) == {"x1", "x2", "x3"}
    losses = {}
    for fmt in ("e4m3", "int8"):
        for name, limits in (
            ("own", {}),
            ("calibrated", calibration.limits),
            ("wide", dict.fromkeys(calibration.limits, 448.0)),
        ):
            losses[fmt, name] = validate(trained.parameters, text().validation, StaticCasts(fmt, limits))
    for fmt in ("e4m3", "int8"):
        assert losses[fmt, "calibrated"] == pytest.approx(losses[fmt, "own"], abs=0.02)
    assert losses["e4m3", "wide"] == pytest.approx(losses["e4m3", "own"], abs=0.05)
    assert losses["int8", "wide"] > losses["int8", "own"] + 0.3


@pytest.mark.parametrize("fmt", ["e4m3_fnuz", "e4m3_ieee"])
def test_a_format_that_ends_at_240_is_scaled_to_240(fmt):  # ROCm/TransformerEngine#485
    _, casts, _ = one_step(Recipe("foil", fmt, fmt, "delayed"))
    casts.end_step()
    for name, state in casts.states.items():
        assert state.fmt == fmt
        assert state.scale == pytest.approx(240 / float(scaling.amax(casts.seen[name])), rel=1e-6)


@pytest.mark.filterwarnings("error")
def test_zeros_go_through_int8():
    assert int8_through(np.zeros(3)).tolist() == [0, 0, 0]
    assert int8_through(np.array([[1.0, 2.0], [0.0, 0.0]]), axis=1)[1].tolist() == [0, 0]
    assert int8_through(np.ones(2), limit=0.0).tolist() == [0, 0]
    assert StaticCasts("int8").cast("x1", np.zeros(2, np.float32)).values.tolist() == [0, 0]


def test_int8_has_255_steps_that_are_all_alike():
    x = np.linspace(-1, 1, 10_001)
    rounded = int8_through(x)
    assert len(np.unique(rounded)) == 255
    assert np.abs(rounded - x).max() <= 0.5 / 127 + 1e-12
    assert int8_through(np.array([3.0, -3.0]), limit=1.0).tolist() == [1.0, -1.0]


def test_errors_average_out_over_long_sums_of_one_sign_only():
    short, long = dot_error(9, True), dot_error(576, True)
    assert 5 < short / long < 9
    assert dot_error(576, False) == pytest.approx(dot_error(9, False), rel=0.15)


def test_a_scale_for_each_channel_saves_the_small_ones():
    assert worst_channel_db(20) < 1 < 30 < worst_channel_db(20, per_channel=True)
    assert worst_channel_db(20, "e5m2") > 24
    assert worst_channel_db(0, "int8") > worst_channel_db(0) > worst_channel_db(8, "int8") + 25


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Recipe("x", forward="fp8"), "forward='fp8' must be one of"),
        (lambda: Recipe("x", scaling="block"), "scaling='block' must be one of"),
        (lambda: Text.of("too short"), "text has 9 characters"),
        (lambda: train(text(), RECIPES["FP32"], steps=0), "steps=0 must be in 1"),
        (lambda: train(text(), RECIPES["FP32"], seed=-1), "seed=-1 must be in 0 to"),
        (lambda: Recipe("x", "e4m3", "e4m3", "delayed", 0), "history_length=0 must be in 1 to"),
        (lambda: StaticCasts("int4"), "fmt='int4' must be one of 'int8', 'e4m3'"),
        (lambda: Calibration(1.5), "share=1.5 must be at most 1"),
        (lambda: int8_through(np.ones(2), limit=-1.0), "limit=-1.0 must be finite and at least 0"),
        (lambda: worst_channel_db(np.nan), "octaves=nan must be finite"),
        (lambda: worst_channel_db(1.0, "int4"), "fmt='int4' must be one of 'int8'"),
    ],
)
def test_bad_input_is_refused_by_name(make, words):
    with pytest.raises(ValueError, match=words):
        make()


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Text.of(None), "text is a NoneType; it must be a str"),
        (lambda: train("a text", RECIPES["FP32"]), "text is a str; it must be a Text"),
        (lambda: train(text(), "FP32"), "recipe is a str; it must be a Recipe"),
    ],
)
def test_other_types_are_refused_by_name(make, words):
    with pytest.raises(TypeError, match=words):
        make()
