"""The DPX experiments without a card: what is asked, what counts as wrong, and what follows from the times."""

import json
from types import SimpleNamespace

import numpy as np
import pytest

from hopperlab.measure.dpx import functions, programs, rates
from hopperlab.measure.patterns import digest
from hopperlab.models.dpx import FUNCTIONS, floyd_warshall, function_named, no_edge, smith_waterman


def recorded(experiment, samples):
    samples = json.loads(json.dumps(samples))
    return SimpleNamespace(card_name="NVIDIA H200", samples=samples, results=experiment.results(samples))


def made_up_sample(name, spoil=False):
    function = function_named(name)
    arguments = functions.inputs(function)
    written = functions.expected(function, arguments)
    if spoil:
        written[0] = written[0].copy()
        written[0][7] ^= 1
    return {
        "function": name,
        "inputs": arguments[0].size,
        "digest": digest(*written),
        "wrong": int(spoil),
        "mismatches": [],
    }


def test_every_function_meets_its_corners_and_a_million_random_inputs():
    assert set(functions.DPX_FUNCTIONS.parameters["functions"]) == set(FUNCTIONS)
    for name in ("viaddmax_s16x2", "vimin_s32_relu"):
        arguments = functions.inputs(function_named(name))
        corners = len(functions.CORNERS) ** len(arguments)
        assert {a.size for a in arguments} == {1_000_000 + corners}
        assert {a.dtype for a in arguments} == {np.dtype(np.int32)}
        assert len(np.unique(arguments[0][:corners])) == len(functions.CORNERS)


@pytest.mark.parametrize("name", ["viaddmin_u16x2", "vibmax_s16x2", "vibmin_u32"])
def test_a_digest_of_the_models_results_agrees_and_one_wrong_bit_does_not(name):
    experiment = functions.DPX_FUNCTIONS
    assert experiment.compare([recorded(experiment, [made_up_sample(name)])]).mismatches == 0
    spoiled = experiment.compare([recorded(experiment, [made_up_sample(name, spoil=True)])])
    assert spoiled.mismatches == 1
    assert name in spoiled.notes[0]


def test_rotating_by_the_model_is_what_the_kernel_does():
    values = np.array([[[3, 5, -9]]], np.int32)
    a, b, c = 3, 5, -9
    for _ in range(4):
        a = max(a + b, c)
        b = max(b + c, a)
        c = max(c + a, b)
    assert rates.rotated(function_named("viaddmax_s32"), values, 4).tolist() == [[[a, b, c]]]


def made_up_times(per_clock):
    return [
        {
            "function": name,
            "how": how,
            "applications_of_a_chain": 1536,
            "cycles_of_a_chain": [1536 * 4.0] * 5,
            "cycles_of_a_full_sm": [1024 * 4 * 1536 / rate] * 5,
        }
        for (name, how), rate in per_clock.items()
    ]


def test_rates_come_from_cycles_and_stand_beside_their_claims():
    experiment = rates.DPX_RATES
    recording = recorded(
        experiment,
        made_up_times(
            {
                ("viaddmax_s16x2_relu", "fused"): 64,
                ("viaddmax_s16x2_relu", "apart"): 8,
                ("vimax3_u32", "fused"): 32,
            }
        ),
    )
    assert recording.results["functions"][0] == ["viaddmax_s16x2_relu", "fused", 4.0, 64.0]
    assert recording.results["times_faster_than_apart"] == {"viaddmax_s16x2_relu": 8.0}
    found = experiment.compare([recording])
    beside_claims = {row.claim: row.measured for row in found.rows if row.claim}
    assert beside_claims == {"lit-142.a": 4.0, "lit-143.a": 64.0}
    assert (found.compared, found.mismatches) == (2, 1)
    assert [row.subject for row in found.rows if row.missed] == ["vimax3_u32, results of an SM"]


def test_claims_are_about_functions_that_are_timed():
    assert set(rates.LATENCY_CLAIMS) | set(rates.RATE_CLAIMS) <= set(rates.DPX_RATES.parameters["functions"])


def test_programs_are_given_work_that_ends_in_range():
    query, targets = programs.letters(1)
    assert (query.size, targets.shape) == (512, (96, 512))
    part = query[150:200]
    scores = smith_waterman(part, targets[:4, 100:150])
    assert scores[0] == 2 * 50 > 2 * scores[1:].max()  # every fourth target holds a part of the query
    edges = programs.edges(64, 2)
    assert edges.dtype == np.uint16
    assert (np.diag(edges) == 0).all()
    assert floyd_warshall(edges).max() < no_edge(np.uint16)


def test_gains_are_ratios_of_medians():
    times = {"named s32": 1.0, "plain s32": 1.0, "apart s32": 1.5, "named 16x2": 0.5, "apart 16x2": 3.0}
    samples = {
        "targets": 96,
        "relaxations": 10**9,
        "seconds": {
            program: {name: [t] * 3 for name, t in times.items()}
            for program in (programs.ALIGNMENT, programs.PATHS)
        },
    }
    recording = recorded(programs.DPX_PROGRAMS, samples)
    gains = {"32 bits": 1.5, "pairs of 16 bits": 6.0}
    assert recording.results["times_faster_with_dpx"] == {programs.ALIGNMENT: gains, programs.PATHS: gains}
    assert recording.results["programs"][5] == [programs.PATHS, "named s32", 1.0, 1.0, 1.0, 1.0]
    assert "6.0 times" in programs.DPX_PROGRAMS.compare([recording]).notes[1]
