"""The experiment that sets the FP8 product beside cuBLASLt, on made-up times."""

import itertools
import json
from types import SimpleNamespace

import numpy as np
import pytest

from hopperlab import ledger
from hopperlab.kernels.gemm import Schedule
from hopperlab.measure.gemm import fp8_product
from hopperlab.measure.gemm.fp8_product import CHOSEN, FP8_PRODUCT, LADDER, PEER, SHAPES


def made_up(shares, differ=0, rounds=5):
    """Give samples in which every way takes 1 / share of cuBLASLt's time, while the card slows down."""
    slower = np.linspace(1, 2, rounds)
    return [
        {
            "shape": list(shape),
            "outputs_that_differ": dict.fromkeys([*LADDER, CHOSEN], differ),
            "seconds": {
                PEER: slower.tolist(),
                **{name: (slower / share).tolist() for name in [*LADDER, CHOSEN]},
            },
        }
        for shape, share in zip(SHAPES, shares, strict=True)
    ]


def compared(shares, differ=0):
    samples = json.loads(json.dumps(made_up(shares, differ)))
    recording = SimpleNamespace(
        card_name="Made-up H200", samples=samples, results=FP8_PRODUCT.results(samples)
    )
    return FP8_PRODUCT.compare([recording])


def test_shares_are_of_each_round_and_their_mean_is_geometric():
    results = FP8_PRODUCT.results(made_up([1.0, 2.0, 0.5, 1.0, 1.0, 1.0, 1.0, 1.0]))
    assert results["geometric_mean"][CHOSEN] == pytest.approx(1.0)
    assert results["least"] == pytest.approx(0.5)
    first = results["shapes"]["8192x8192x8192"]
    assert first["median_seconds"][PEER] == pytest.approx(1.5)
    assert first["flop_per_second"][PEER] == pytest.approx(2 * 8192**3 / 1.5)


def test_a_product_as_fast_as_cublaslt_with_its_bits_meets_the_bar():
    found = compared([1.1, 0.86, 1.0, 1.1, 1.0, 1.0, 1.0, 1.0])
    assert (found.compared, found.mismatches) == (2, 0)
    assert [row.verdict for row in found.rows] == ["not judged", "not judged"]
    assert len(found.notes) == len(SHAPES)


@pytest.mark.parametrize(
    ("shares", "differ", "missed"),
    [
        ([0.99] * 8, 0, 1),
        ([1.2, 0.84, 1.2, 1.2, 1.2, 1.2, 1.2, 1.2], 0, 1),
        ([0.8] * 8, 0, 2),
        ([1.0] * 8, 1, 1),
    ],
)
def test_what_misses_the_bar_is_counted(shares, differ, missed):
    found = compared(shares, differ)
    assert found.mismatches == missed
    assert sum(row.missed for row in found.rows) == missed - (differ > 0)


def test_the_ladder_changes_one_thing_at_a_time_and_ends_with_the_default():
    schedules = [Schedule(**changed) for changed in LADDER.values()]
    assert Schedule() in schedules
    for one, next_one in itertools.pairwise(schedules):
        assert sum(a != b for a, b in zip(vars(one).values(), vars(next_one).values(), strict=True)) == 1


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_a_batch_is_long_enough_to_time_and_short_enough_to_queue(shape):
    m, n, k = shape
    count = fp8_product._launches_of_a_batch(shape)
    assert 1 <= count <= 40
    assert count == 40 or count * 2 * m * n * k / 2e15 > 4e-4


def test_every_way_is_once_the_first_of_a_round():
    names = [PEER, *LADDER, CHOSEN]
    rounds = [fp8_product.rotated(names, number) for number in range(fp8_product.ROUNDS)]
    assert {order[0] for order in rounds} == set(names)
    assert all(sorted(order) == sorted(names) for order in rounds)


def test_the_recorded_product_meets_the_bar_on_every_shape_with_the_bits_of_cublaslt():
    (recording,) = ledger.recordings("fp8_product")
    assert json.loads(json.dumps(FP8_PRODUCT.results(recording.samples))) == recording.results
    assert [tuple(sample["shape"]) for sample in recording.samples] == list(SHAPES)
    assert FP8_PRODUCT.compare([recording]).mismatches == 0
