"""The compiled engine and the specification give the same bits, whatever they are fed."""

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hopperlab.models.tensorcore import UNITS, compress, matmul, sparse_matmul
from hopperlab.models.tensorcore import product as product_module
from hopperlab.models.tensorcore.product import WORTH_COMPILING

WORDS = {1: np.uint8, 2: np.uint16, 4: np.uint32}


def any_bits(rng, shape, fmt):
    """Every pattern of the format: NaN, infinity and subnormals as they come."""
    word = WORDS[fmt.dtype.itemsize]
    return rng.integers(0, 256**fmt.dtype.itemsize, shape, dtype=np.uint64).astype(word).view(fmt.dtype)


def narrow(values, fmt):
    with np.errstate(over="ignore"):
        values = np.asarray(values, np.float32).astype(fmt.dtype)
    return np.where(np.isfinite(values.astype(np.float32)), values, values.dtype.type(1))


def tiny(rng, shape, fmt):
    least = 2.0 ** (fmt.minimum_exponent - fmt.fraction_bits)
    return narrow(rng.integers(-9, 10, shape) * max(least, 2.0**-149), fmt)


def cancelling(rng, shape, fmt):
    values = rng.normal(size=shape) * np.exp2(rng.integers(0, 8, shape))
    values[..., 1::2] = -values[..., : values.shape[-1] // 2 * 2 : 2]
    return narrow(values, fmt)


def specials(rng, shape, fmt):
    """Mostly numbers, with an infinity (where the format has one) or a NaN here and there."""
    values = narrow(rng.normal(size=shape), fmt)
    infinity = np.array(np.inf, np.float32).astype(fmt.dtype)
    values = np.where(rng.random(shape) < 0.04, infinity, values)
    return np.where(rng.random(shape) < 0.004, np.array(np.nan, np.float32).astype(fmt.dtype), values)


INPUTS = {
    "normal": lambda rng, shape, fmt: narrow(rng.normal(size=shape), fmt),
    "uniform": lambda rng, shape, fmt: narrow(rng.random(shape), fmt),
    "octaves": lambda rng, shape, fmt: narrow(
        rng.choice([-1, 1], shape) * np.exp2(rng.uniform(fmt.minimum_exponent, 8, shape)), fmt
    ),
    "wide": lambda rng, shape, fmt: narrow(
        rng.normal(size=shape) * np.exp2(rng.integers(-60, 61, shape)), fmt
    ),
    "sparse": lambda rng, shape, fmt: narrow(rng.normal(size=shape) * (rng.random(shape) < 0.1), fmt),
    "cancelling": cancelling,
    "tiny": tiny,
    "any bits": any_bits,
    "specials": specials,
}
ACCUMULATORS = {
    "none": lambda rng, shape, fmt: None,
    "normal": lambda rng, shape, fmt: rng.normal(size=shape).astype(fmt.dtype),
    "octaves": lambda rng, shape, fmt: narrow(
        rng.normal(size=shape) * np.exp2(rng.integers(-14, 15, shape)), fmt
    ),
    "huge": lambda rng, shape, fmt: (rng.choice([-1, 1], shape) * float(np.finfo(fmt.dtype).max)).astype(
        fmt.dtype
    ),
    "subnormal": lambda rng, shape, fmt: (
        rng.integers(-99, 100, shape) * float(np.finfo(fmt.dtype).smallest_subnormal)
    ).astype(fmt.dtype),
    "any bits": any_bits,
    "infinite": lambda rng, shape, fmt: (rng.choice([-1, 1], shape) * np.inf).astype(fmt.dtype),
}


def same_bits(a, b, c, unit, promote_every=None):
    """The result, after checking that both engines agree on it."""
    with np.errstate(invalid="ignore"):
        compiled = matmul(a, b, c, unit, promote_every, engine="numba")
        specified = matmul(a, b, c, unit, promote_every, engine="specification")
    word = compiled.view(WORDS[compiled.dtype.itemsize])
    different = word != specified.view(word.dtype)
    assert not different.any(), f"{unit}: {compiled[different][0]!r} against {specified[different][0]!r}"
    return compiled


@pytest.mark.parametrize("unit", UNITS)
def test_engines_agree_on_hostile_inputs(unit):
    rng, fmt = np.random.default_rng(0), UNITS[unit]
    seen = []
    for of_a, of_b in [(x, x) for x in INPUTS] + [("wide", "tiny"), ("any bits", "octaves")]:
        for accumulator in ACCUMULATORS.values():
            k = int(rng.integers(1, 3 * fmt.block + 2))
            a, b = INPUTS[of_a](rng, (2, k), fmt.a), INPUTS[of_b](rng, (k, 3), fmt.b)
            c = accumulator(rng, (2, 3), fmt.output)
            seen.append(same_bits(a, b, c, unit).astype(np.float64).ravel())
    seen = np.concatenate(seen)
    assert np.isnan(seen).any()
    assert np.isinf(seen).any()
    assert len(np.unique(seen[np.isfinite(seen)])) > 80


@given(
    seed=st.integers(0, 2**32),
    base=st.sampled_from(
        ["hopper.wgmma.e4m3", "hopper.wgmma.e5m2.acc_f16", "hopper.wgmma.bf16", "hopper.mma.e4m3"]
    ),
    block=st.sampled_from([1, 2, 4, 8, 16, 32]),
    fraction_bits=st.integers(1, 40),
    output_fraction_bits=st.integers(1, 23),
    minimum_exponent=st.integers(-300, 20),
    late=st.booleans(),
    of_inputs=st.sampled_from(sorted(INPUTS)),
    of_c=st.sampled_from(sorted(ACCUMULATORS)),
)
@settings(max_examples=120, deadline=None)
def test_engines_agree_on_units_that_nobody_built(
    seed, base, block, fraction_bits, output_fraction_bits, minimum_exponent, late, of_inputs, of_c
):
    rng = np.random.default_rng(seed)
    half = UNITS[base].output.dtype == np.float16
    unit = replace(
        UNITS[base],
        name="made up",
        block=block,
        fraction_bits=fraction_bits,
        output_fraction_bits=10 if half else output_fraction_bits,
        minimum_exponent=minimum_exponent,
        instruction_k=32,
        late_accumulator=late,
    )
    k = int(rng.integers(0, 70))
    a, b = INPUTS[of_inputs](rng, (2, k), unit.a), INPUTS[of_inputs](rng, (k, 2), unit.b)
    same_bits(a, b, ACCUMULATORS[of_c](rng, (2, 2), unit.output), unit)


@pytest.mark.parametrize(
    "unit", ["hopper.wgmma.e4m3", "hopper.wgmma.e5m2", "hopper.mma.e5m2", "hopper.wgmma.bf16"]
)
def test_engines_agree_on_promotion(unit):
    rng, fmt = np.random.default_rng(1), UNITS[unit]
    for of in INPUTS:
        for accumulator in ACCUMULATORS.values():
            k = int(rng.integers(1, 200))
            a, b = INPUTS[of](rng, (2, k), fmt.a), INPUTS[of](rng, (k, 2), fmt.b)
            same_bits(a, b, accumulator(rng, (2, 2), fmt.output), unit, promote_every=64)


@pytest.mark.parametrize("unit", ["hopper.wgmma.e4m3", "hopper.wgmma.e5m2.acc_f16", "hopper.wgmma.f16"])
def test_engines_agree_on_sparse_products(unit):
    rng, fmt = np.random.default_rng(2), UNITS[unit]
    for of in INPUTS:
        a = INPUTS[of](rng, (3, 4 * int(rng.integers(1, 50))), fmt.a)
        b = INPUTS["any bits"](rng, (a.shape[1], 4), fmt.b)
        b = np.where(rng.random(b.shape) < 0.8, INPUTS["normal"](rng, b.shape, fmt.b), b)
        compressed = compress(a, prune=True)
        with np.errstate(invalid="ignore"):
            one, other = (
                sparse_matmul(compressed, b, unit=unit, engine=e) for e in ("numba", "specification")
            )
        assert one.tobytes() == other.tobytes()


def test_threads_and_the_choice_of_engine_change_nothing():
    rng, unit = np.random.default_rng(3), UNITS["hopper.wgmma.e4m3"]
    a, b = INPUTS["any bits"](rng, (64, 600), unit.a), INPUTS["octaves"](rng, (600, 100), unit.b)
    assert a.shape[0] * a.shape[1] * b.shape[1] > WORTH_COMPILING
    expected = matmul(a, b, engine="numba", threads=1).tobytes()
    for threads in (None, 2, 3, 64):
        assert matmul(a, b, threads=threads).tobytes() == expected
    assert matmul(a.view(np.uint8), b.view(np.uint8)).tobytes() == expected


def test_a_small_product_does_not_load_numba():
    script = (
        "import sys; from hopperlab.models.fp8 import encode; from hopperlab.models.tensorcore import matmul;"
        "x = encode([[1.0, 2.0]], 'e4m3'); assert matmul(x, x.T) == 5; sys.exit('numba' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0


def test_without_numba_the_specification_does_it_all(monkeypatch):
    rng, unit = np.random.default_rng(4), UNITS["hopper.wgmma.e4m3"]
    a, b = INPUTS["octaves"](rng, (9, 64), unit.a), INPUTS["octaves"](rng, (64, 9), unit.b)
    expected = matmul(a, b, engine="numba")
    monkeypatch.setattr(product_module, "numba_is_there", lambda: False)
    monkeypatch.setattr(product_module, "_run_compiled", None)
    assert a.shape[0] * a.shape[1] * b.shape[1] > WORTH_COMPILING
    assert np.array_equal(matmul(a, b), expected)
