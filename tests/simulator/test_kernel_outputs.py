"""Every kernel of the package gives the same bits in the simulator as it gave on a card."""

import importlib
import pkgutil
from functools import cache
from typing import get_type_hints

import numpy as np
import pytest

import hopperlab.kernels
from hopperlab.device import Kernel
from hopperlab.device.simulator.memory import GLOBAL_START
from hopperlab.ledger import recordings
from hopperlab.measure.kernel_outputs.case import ROOT, name_of
from hopperlab.measure.kernel_outputs.experiment import SEEDS, cases, first_difference, simulated
from hopperlab.measure.patterns import digest

NAMES = list(cases())
LONG = (
    "relax", "find_changes", "check_half_pairs", "rung FP8", "rung persistent", "fp8_product",
    "timing.exchange_words", "halo_of_edges",
)  # fmt: skip
"""Cases that take seconds, by how their names begin."""

CLOCKS_ALONE = (
    "report_placement", "tick", "hold", "chains exp2", "chains log2", "chains reciprocal root",
    "chains hyperbolic tangent", "timing.sync_warp", "timing.sync_block", "timing.sync_cluster",
    "timing.barrier_words", "timing.ring_words", "timing.hand_over", "timing.exchange_words", "exchange_pieces",
    "relay_pieces", "exchange_pieces, added", "relay_pieces, added", "halo_of_edges", "ring_all_reduce_of_ones",
)  # fmt: skip
"""Cases that leave nothing that must be the same in two runs: all that they store is undetermined, with a reason."""

UNORDERED = {
    "obey": "it orders its copies into one tile by naps alone, which is no order to the checks; nobody reads it",
    "store_bytes": "its stores pass each other, and all of them write the same bytes",
}
"""Cases in which the checks find what they should, and why it does no harm."""

NOT_OURS = ("specimens",)  # they go wrong


@cache
def recorded():
    found = {}
    for recording in recordings("kernel_outputs"):
        for name, seed, inputs, outputs in recording.samples:
            found.setdefault((name, seed), []).append((recording.card_name, inputs, outputs))
    return found


def few(names):
    """The names as parameters, the `LONG` ones left to the exhaustive tests."""
    marks = pytest.mark.exhaustive
    return [pytest.param(name, marks=marks) if name.startswith(LONG) else name for name in names]


def orders(name):
    """The orders in which a case is run, by their seeds: 200, or 10 of one that takes seconds."""
    return range(10 if name.startswith(LONG) else 200)


def check(name, seed, /, **options):
    case = cases()[name](seed)
    outputs = simulated(cases()[name](seed), **options)
    for card, inputs, kept in recorded()[name, seed]:
        assert digest(*case.inputs.values()) == inputs, "numpy makes other inputs of this seed: record anew"
        assert first_difference(case, kept, outputs) == "", card


@pytest.mark.parametrize("name", few(NAMES))
def test_a_kernel_gives_the_bits_of_a_card(name):
    check(name, 0)


@pytest.mark.exhaustive
@pytest.mark.parametrize("seed", range(1, SEEDS))
@pytest.mark.parametrize("name", NAMES)
def test_a_kernel_gives_the_bits_of_a_card_for_every_seed(name, seed):
    check(name, seed)


def kernels():
    """The names of all kernels of the package, and of the functions that make kernels."""
    for module in pkgutil.walk_packages(hopperlab.kernels.__path__, ROOT):
        if module.name.removeprefix(ROOT).startswith(NOT_OURS):
            continue
        for name, value in vars(importlib.import_module(module.name)).items():
            if isinstance(value, Kernel):
                yield name_of(value)
            elif getattr(value, "__module__", None) == module.name and makes_kernels(value):
                yield f"{module.name.removeprefix(ROOT)}.{name}"


def makes_kernels(value):
    return hasattr(value, "__wrapped__") and get_type_hints(value).get("return") is Kernel


def test_every_kernel_has_a_case():
    assert set(kernels()) == {name_of(make(0).kernel) for make in cases().values()}


def test_every_case_has_been_recorded_for_every_seed():
    assert [(name, seed) for name in NAMES for seed in range(SEEDS) if (name, seed) not in recorded()] == []


def test_what_is_left_out_is_left_out_for_a_reason():
    for name, make in cases().items():
        case = make(0)
        assert case.undetermined.keys() <= case.inputs.keys(), name
        assert all(case.undetermined.values()), name
    assert {name for name, make in cases().items() if not make(0).compared} == set(CLOCKS_ALONE)


def test_addresses_are_kept_as_bytes_from_where_a_machine_has_put_the_array():
    case = cases()["chase_addresses"](0)
    for base in (GLOBAL_START, 0x7F0000000000):
        placed = case.at(base)
        words, given = placed.inputs["words"], case.inputs["words"]
        assert placed.arguments[1] == base
        assert (words - given == base).all()
        assert np.array_equal(placed.from_base(base, placed.inputs)["words"], given)


def test_a_difference_is_told_with_its_element():
    case = cases()["halo"](0)
    (_, _, kept), *_ = recorded()["halo", 0]
    outputs = simulated(cases()["halo"](0))
    outputs["cells"][7] += 1
    assert first_difference(case, kept, outputs).startswith("cells[7] is ")


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", NAMES)
def test_no_kernel_has_a_finding_nor_other_bits_in_many_orders(name):
    for order in orders(name):
        check(name, order % SEEDS, checks=name not in UNORDERED, seed=order)
