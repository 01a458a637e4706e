"""The probes ask what they claim to ask: the model gives the first answer, and the answers differ."""

import struct
from dataclasses import replace

import numpy as np
import pytest

from hopperlab.models.tensorcore import PROBES, UNITS, matmul
from tests.models.test_tensorcore_engines import INPUTS


def bits(value):
    return struct.pack("d", value)


@pytest.mark.parametrize("probe", PROBES, ids=lambda p: p.name)
@pytest.mark.parametrize("engine", ["specification", "numba"])
def test_the_model_gives_the_first_answer(probe, engine):
    a, b, c = probe.matrices
    assert np.array_equal(a.astype(np.float64)[0], probe.a)
    assert np.array_equal(b.astype(np.float64)[:, 0], probe.b)
    assert bits(float(c[0, 0])) == bits(probe.c)
    result = float(matmul(a, b, c, probe.unit, engine=engine)[0, 0])
    assert bits(result) == bits(probe.answers[0][1])


def test_answers_of_a_probe_differ_and_names_are_unique():
    assert len({probe.name for probe in PROBES}) == len(PROBES) > 40
    for probe in PROBES:
        assert len({bits(answer) for _, answer in probe.answers}) == len(probe.answers) >= 2
        assert len(probe.a) == len(probe.b)


@pytest.mark.parametrize("minimum_exponent", range(-139, -125))
def test_the_ladder_of_bf16_tells_every_minimum_exponent(minimum_exponent):
    unit = replace(UNITS["hopper.wgmma.bf16"], minimum_exponent=minimum_exponent)
    ladder = [probe for probe in PROBES if probe.name.startswith("BF16, 2^-")]
    kept = [float(matmul(*probe.matrices, unit)[0, 0]) == 2.0**-149 for probe in ladder]
    assert kept == [150 + i <= 25 - minimum_exponent for i in range(len(ladder))]


@pytest.mark.parametrize(
    ("wrong", "told_by"),
    [
        ({"block": 16}, {"block of 32"}),
        ({"block": 64, "instruction_k": 64}, {"no block of 64"}),
        ({"fraction_bits": 25, "output_fraction_bits": 23}, {"ones below 2^14", "C is cut", "toward zero"}),
        ({"late_accumulator": True}, {"C is aligned with the products"}),
    ],
    ids=str,
)
def test_a_wrong_unit_is_found_out(wrong, told_by):
    unit = replace(UNITS["hopper.wgmma.e4m3"], **wrong)
    asked = [probe for probe in PROBES if probe.unit == "hopper.wgmma.e4m3"]
    differ = {p.name for p in asked if float(matmul(*p.matrices, unit)[0, 0]) != p.answers[0][1]}
    assert told_by <= differ


@pytest.mark.parametrize("unit", [name for name, unit in UNITS.items() if unit.a.name in ("e4m3", "e5m2")])
def test_no_fp8_product_depends_on_the_minimum_exponent(unit):
    rng, fmt = np.random.default_rng(0), UNITS[unit]
    for of in ("tiny", "octaves", "wide", "sparse"):
        a, b = INPUTS[of](rng, (4, 40), fmt.a), INPUTS[of](rng, (40, 4), fmt.b)
        without = replace(fmt, minimum_exponent=-300)
        assert matmul(a, b, unit=fmt).tobytes() == matmul(a, b, unit=without).tobytes()
