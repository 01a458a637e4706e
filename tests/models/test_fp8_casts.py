"""Casts to FP8: against exact fractions, ml_dtypes, and the numbers that caught others out."""

import bisect
import math
import subprocess
import sys
from fractions import Fraction

import ml_dtypes
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from hopperlab.models.fp8 import FORMATS, ROUNDINGS, cast, decode, encode, explain

NAMES = tuple(FORMATS)
ENGINES = ("numpy", "numba")
DETERMINISTIC = tuple(r for r in ROUNDINGS if r != "stochastic")


def steps_of(fmt):
    """Magnitudes of a format in order, as exact fractions, and one step past the largest."""
    f = FORMATS[fmt]
    finite = [Fraction(float(v)) for v in decode(np.arange(f.largest_code + 1, dtype=np.uint8), fmt)]
    return [*finite, 2 * finite[-1] - finite[-2]]


STEPS = {fmt: steps_of(fmt) for fmt in NAMES}


def oracle(value, fmt, saturate=True, rounding="nearest_even"):
    """The cast by its definition: look the value up among the format's own, in exact arithmetic."""
    f, steps = FORMATS[fmt], STEPS[fmt]
    if math.isnan(value):
        return f.nan_code
    negative = math.copysign(1, value) < 0
    infinite = math.isinf(value)
    magnitude = steps[-1] * 2 if infinite else abs(Fraction(value))
    below = min(bisect.bisect_right(steps, magnitude) - 1, f.largest_code + 1)
    code = below
    if below <= f.largest_code and magnitude != steps[below]:
        position = (magnitude - steps[below]) / (steps[below + 1] - steps[below])
        up = {
            "nearest_even": position > Fraction(1, 2) or (position == Fraction(1, 2) and below % 2 == 1),
            "nearest_away": position >= Fraction(1, 2),
            "toward_zero": False,
            "away_from_zero": True,
            "toward_positive": not negative,
            "toward_negative": negative,
        }[rounding]
        code = below + up
    if code > f.largest_code:
        inward = ("toward_zero", "toward_positive" if negative else "toward_negative")
        stops = saturate or (rounding in inward and not infinite)
        code = f.largest_code if stops else f.overflow_code
    return code | 0x80 if negative and (code or f.has_negative_zero) else code


def codes_of(values, fmt, saturate=True, rounding="nearest_even", engine="numpy"):
    return encode(values, fmt, saturate, rounding, engine=engine).view(np.uint8)


def boundaries(dtype, fmt):
    """Every step, every midpoint, and the values next to them in `dtype`, of both signs; and the specials."""
    steps = np.array([float(s) for s in STEPS[fmt]])
    points = np.concatenate([steps, (steps[1:] + steps[:-1]) / 2]).astype(dtype)
    near = np.concatenate([points, np.nextafter(points, dtype(np.inf)), np.nextafter(points, dtype(-np.inf))])
    tiny, huge = np.finfo(dtype).smallest_subnormal, np.finfo(dtype).max
    return np.concatenate([near, -near, np.array([tiny, -tiny, huge, -huge, np.inf, -np.inf], dtype)])


def same_codes(left, right, fmt):
    """Codes equal, any NaN being as good as another."""
    left, right = np.asarray(left).view(np.uint8), np.asarray(right).view(np.uint8)
    both_nan = np.isnan(decode(left, fmt)) & np.isnan(decode(right, fmt))
    return bool(np.all(both_nan | (left == right)))


@pytest.mark.parametrize("fmt", NAMES)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("saturate", [True, False])
def test_every_midpoint_and_its_neighbors(fmt, dtype, saturate):
    values = boundaries(dtype, fmt)
    for rounding in DETERMINISTIC:
        expected = [oracle(float(v), fmt, saturate, rounding) for v in values]
        assert codes_of(values, fmt, saturate, rounding).tolist() == expected
    nearest = [oracle(float(v), fmt, saturate) for v in values]
    assert codes_of(values, fmt, saturate, engine="numba").tolist() == nearest


@pytest.mark.parametrize("fmt", NAMES)
@pytest.mark.parametrize("source", [np.float16, ml_dtypes.bfloat16])
def test_all_values_of_the_16_bit_formats(fmt, source):
    values = np.arange(2**16, dtype=np.uint16).view(source)
    limit = FORMATS[fmt].largest
    with np.errstate(invalid="ignore"):
        wide = values.astype(np.float32)
        clipped = np.clip(wide, -limit, limit).astype(FORMATS[fmt].dtype)
        plain = wide.astype(FORMATS[fmt].dtype)
    for engine in ENGINES:
        assert same_codes(codes_of(values, fmt, engine=engine), clipped, fmt)
        assert same_codes(codes_of(values, fmt, saturate=False, engine=engine), plain, fmt)


@pytest.mark.parametrize(
    ("fmt", "value", "result"),
    [
        ("e4m3", 464.0, 448.0),  # a tie, and 448 is even: never beyond, saturating or not
        ("e4m3", 465.0, 448.0),
        ("e4m3", 1000.0, 448.0),
        ("e4m3", math.inf, 448.0),
        ("e4m3", -math.inf, -448.0),
        ("e5m2", 61439.0, 57344.0),
        ("e5m2", 61440.0, 57344.0),
        ("e5m2", 1e5, 57344.0),
        ("e5m2", math.inf, 57344.0),
        ("e5m2", -math.inf, -57344.0),
        ("e4m3", 2.0**-10, 0.0),
        ("e4m3", 2.0**-10 * 1.0001, 2.0**-9),
        ("e5m2", 2.0**-17, 0.0),
        ("e4m3", 4.25, 4.0),  # ml_dtypes#221
        ("e4m3", 9.0, 9.0),
        ("e5m2", 9.0, 8.0),  # triton#5925: 8, not 10
        ("e4m3", 449.0, 448.0),  # ml_dtypes#260: 449 is not NaN
    ],
)
def test_saturating_cast_of(fmt, value, result):
    for dtype in (np.float32, np.float64):
        for engine in ENGINES:
            assert float(decode(codes_of(np.array([value], dtype), fmt, engine=engine), fmt)[0]) == result
    assert explain(value, fmt).result.value == result


@pytest.mark.parametrize(
    ("fmt", "value", "code"),
    [
        ("e4m3", 464.0, 0x7E),
        ("e4m3", 465.0, 0x7F),
        ("e4m3", -465.0, 0xFF),
        ("e4m3", math.inf, 0x7F),
        ("e5m2", 61439.0, 0x7B),
        ("e5m2", 61440.0, 0x7C),
        ("e5m2", -1e5, 0xFC),
        ("e5m2", math.inf, 0x7C),
        ("e4m3_ieee", 247.0, 0x77),
        ("e4m3_ieee", 248.0, 0x78),
        ("e4m3_fnuz", 247.0, 0x7F),
        ("e4m3_fnuz", 248.0, 0x80),
        ("e4m3_fnuz", -math.inf, 0x80),
    ],
)
def test_cast_without_saturation_of(fmt, value, code):
    for engine in ENGINES:
        assert codes_of(np.array([value]), fmt, saturate=False, engine=engine)[0] == code


@pytest.mark.parametrize(
    ("fmt", "nan"), [("e4m3", 0x7F), ("e5m2", 0x7F), ("e4m3_ieee", 0x7C), ("e4m3_fnuz", 0x80)]
)
def test_every_nan_becomes_the_one_nan(fmt, nan):
    patterns = np.array([0x7F800001, 0x7FC00000, 0x7FFFFFFF, 0xFF800001, 0xFFFFFFFF], np.uint32).view(
        np.float32
    )
    halves = np.array([0x7C01, 0x7FFF, 0xFE00], np.uint16).view(np.float16)
    doubles = np.array([0x7FF0000000000001, 0xFFF8000000000000], np.uint64).view(np.float64)
    for values in (patterns, halves, doubles):
        for saturate in (True, False):
            for engine in ENGINES:
                assert set(codes_of(values, fmt, saturate, engine=engine)) == {nan}


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8"])
def test_byte_order_and_strides_change_nothing(dtype):
    values = np.linspace(-500, 500, 4002).astype(dtype).reshape(2, 3, -1)
    for same in (values.astype(f">{dtype}"), values.T.copy().T, np.repeat(values, 2, axis=1)[:, ::2]):
        for engine in ENGINES:
            assert np.array_equal(codes_of(same, "e4m3", engine=engine), codes_of(values, "e4m3"))


def test_nothing_becomes_nothing():
    assert encode([], "e4m3").shape == decode([], "e4m3").shape == (0,)
    assert decode(encode(np.zeros((2, 0, 3)), "e5m2"), "e5m2").shape == (2, 0, 3)
    assert encode(465.0, "e4m3").shape == decode(0x7E, "e4m3").shape == ()


def test_minus_zero_is_kept_where_the_format_has_one():
    for engine in ENGINES:
        zeros = [codes_of(np.array([-0.0, -1e-9]), fmt, engine=engine).tolist() for fmt in NAMES]
        assert zeros == [[0x80, 0x80], [0x80, 0x80], [0x80, 0x80], [0, 0]]


@pytest.mark.parametrize(
    ("value", "once", "twice"), [(-431.99999999999994, -416, -448), (1.0625000000001, 1.125, 1.0)]
)
def test_float64_is_rounded_once_where_ml_dtypes_rounds_twice(value, once, twice):
    assert float(np.float64(value).astype(ml_dtypes.float8_e4m3fn)) == twice  # ml_dtypes#401
    for engine in ENGINES:
        assert decode(codes_of(np.array([value]), "e4m3", engine=engine), "e4m3")[0] == once


def test_a_detour_through_float16_rounds_twice():
    value = np.array([1.0625 + 2.0**-13], np.float32)  # triton PR#11753
    assert decode(encode(value, "e4m3"), "e4m3") == 1.125
    assert decode(encode(value.astype(np.float16), "e4m3"), "e4m3") == 1.0


@given(
    value=st.floats(width=64) | st.floats(-600, 600) | st.floats(-1e-2, 1e-2) | st.floats(-7e4, 7e4),
    fmt=st.sampled_from(NAMES),
    saturate=st.booleans(),
    rounding=st.sampled_from(DETERMINISTIC),
)
@example(value=-431.99999999999994, fmt="e4m3", saturate=True, rounding="nearest_even")
@settings(max_examples=300, deadline=None)
def test_float64_is_rounded_once(value, fmt, saturate, rounding):
    expected = oracle(value, fmt, saturate, rounding)
    assert codes_of(np.array([value]), fmt, saturate, rounding)[0] == expected
    if rounding == "nearest_even":
        assert codes_of(np.array([value]), fmt, saturate, engine="numba")[0] == expected


@given(
    value=st.floats(width=64) | st.floats(-600, 600) | st.floats(-1e-2, 1e-2),
    fmt=st.sampled_from(NAMES),
    saturate=st.booleans(),
    rounding=st.sampled_from(ROUNDINGS),
    seed=st.integers(0, 2**32),
)
@settings(max_examples=300, deadline=None)
def test_the_explanation_agrees_with_the_cast(value, fmt, saturate, rounding, seed):
    chance = {"rng": np.random.default_rng(seed)} if rounding == "stochastic" else {}
    told = explain(value, fmt, saturate, rounding, **chance)
    chance = {"rng": np.random.default_rng(seed)} if rounding == "stochastic" else {}
    assert told.result.code == encode(value, fmt, saturate, rounding, **chance).view(np.uint8)
    assert told.reason in str(told)
    if told.lower is not None:
        assert told.lower <= value <= told.upper
        assert (told.lower == told.upper) == (told.rule == "exact")
    if told.rule in ("nearer", "tie_to_even", "tie_away"):
        distances = abs(Fraction(value) - Fraction(told.lower)), abs(Fraction(told.upper) - Fraction(value))
        assert abs(Fraction(value) - Fraction(told.result.value)) == min(distances)
        assert (distances[0] == distances[1]) == told.rule.startswith("tie") == (value == told.midpoint)


def test_one_generator_gives_an_array_and_its_explanations_the_same_draws():
    values = [0.3, np.nan, 1.03, np.inf, -np.inf, 448.0, 460.0, -0.0, 1e-4, -1.03] * 20
    rng = np.random.default_rng(8)
    explained = [explain(x, "e4m3", rounding="stochastic", rng=rng).result.code for x in values]
    drawn = encode(values, "e4m3", rounding="stochastic", rng=np.random.default_rng(8))
    assert drawn.view(np.uint8).tolist() == explained


def test_explanations_of_the_ties_name_the_rule():
    assert (explain(464, "e4m3").rule, explain(464.5, "e4m3").rule) == ("tie_to_even", "too_large")
    told = explain(1.0625, "e4m3")
    assert (told.lower, told.midpoint, told.upper, told.rule) == (1, 1.0625, 1.125, "tie_to_even")
    assert explain(Fraction(17, 16) + Fraction(1, 10**30), "e4m3").result.value == 1.125
    assert "saturation gives the largest finite value" in explain(math.inf, "e5m2").reason
    assert "NaN" in explain(1e9, "e4m3", saturate=False).reason
    assert "the mode gives" in explain(1e9, "e4m3", False, "toward_zero").reason


@pytest.mark.parametrize("fmt", NAMES)
def test_stochastic_rounding_has_the_right_odds(fmt):
    rng, draws = np.random.default_rng(0), 20_000
    step = FORMATS[fmt].smallest_subnormal
    for value in (1 + 0.125 / 8, -1 - 0.125 / 8 * 3, 0.3 * step, 2.0**-30 * step):
        told = explain(value, fmt)
        codes = encode(np.full(draws, value), fmt, rounding="stochastic", rng=rng)
        values = decode(codes, fmt).astype(np.float64)
        assert set(values) <= {told.lower, told.upper}
        odds = (value - told.lower) / (told.upper - told.lower)
        assert abs(np.mean(values == told.upper) - odds) < 5 * math.sqrt(odds * (1 - odds) / draws) + 1e-12


@pytest.mark.parametrize("fmt", NAMES)
def test_stochastic_rounding_keeps_what_is_exact_and_overflows_by_chance(fmt):
    f, rng = FORMATS[fmt], np.random.default_rng(1)
    finite = decode(np.arange(f.largest_code + 1, dtype=np.uint8), fmt)
    for dtype in (np.float32, np.float64):
        assert np.array_equal(
            decode(encode(finite.astype(dtype), fmt, rounding="stochastic", rng=rng), fmt), finite
        )
    past = float(STEPS[fmt][-1] + STEPS[fmt][-2]) / 2
    codes = encode(np.full(1000, past), fmt, False, "stochastic", rng=rng).view(np.uint8)
    assert set(codes) == {f.largest_code, f.overflow_code}


def test_threads_and_engines_change_nothing():
    x = np.random.default_rng(2).integers(0, 2**32, (3, 1 << 18), dtype=np.uint32).view(np.float32)
    expected = codes_of(x, "e5m2")
    for threads in (None, 1, 2, 3, 7):
        assert np.array_equal(encode(x, "e5m2", threads=threads).view(np.uint8), expected)


def test_large_arrays_do_without_numba(monkeypatch):
    x = np.random.default_rng(3).normal(size=1 << 15).astype(np.float32)
    with_numba = codes_of(x, "e4m3", engine="auto")
    monkeypatch.setattr(cast, "numba_is_there", lambda: False)
    monkeypatch.setattr(cast, "round_to_nearest", None)
    assert np.array_equal(codes_of(x, "e4m3", engine="auto"), with_numba)


def test_a_cache_directory_that_cannot_be_written_is_done_without(tmp_path):
    script = (
        "import numpy as np; from hopperlab.models.fp8 import encode;"
        "print(encode(np.ones(3), 'e4m3', engine='numba').view(np.uint8).tolist())"
    )
    blocked = tmp_path / "file"
    blocked.write_text("")
    run = subprocess.run(
        [sys.executable, "-c", script],
        env={"NUMBA_CACHE_DIR": str(blocked / "below"), "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.stdout.strip() == "[56, 56, 56]", run.stderr


@pytest.mark.exhaustive
@pytest.mark.parametrize("fmt", ["e4m3", "e5m2"])
def test_all_float32_patterns_equal_clipped_ml_dtypes(fmt):
    limit, dtype = np.float32(FORMATS[fmt].largest), FORMATS[fmt].dtype
    nan = np.isnan(decode(np.arange(256, dtype=np.uint8), fmt))
    chunk = 1 << 24
    for start in range(0, 1 << 32, chunk):
        values = np.arange(start, start + chunk, dtype=np.uint32).view(np.float32)
        ours = encode(values, fmt).view(np.uint8)
        with np.errstate(invalid="ignore"):
            theirs = np.clip(values, -limit, limit).astype(dtype).view(np.uint8)
        wrong = (ours != theirs) & ~(nan[ours] & nan[theirs])
        assert not wrong.any(), f"{values[wrong][0]!r}: {ours[wrong][0]:#x} against {theirs[wrong][0]:#x}"
        assert np.all(ours[nan[ours]] == 0x7F)
