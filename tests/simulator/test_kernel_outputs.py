"""Every kernel of the package gives the same bits in the simulator as it gave on a card."""

import importlib
import pkgutil
from functools import cache
from typing import get_type_hints

import pytest

import hopperlab.kernels
from hopperlab.device import Kernel
from hopperlab.ledger import recordings
from hopperlab.measure.kernel_outputs.case import ROOT, name_of
from hopperlab.measure.kernel_outputs.experiment import SEEDS, cases, first_difference, simulated
from hopperlab.measure.patterns import digest

NAMES = list(cases())
LONG = {name for name in NAMES if name.startswith(("relax", "find_changes", "check_half_pairs"))}
BY_NAPS = {
    "obey"
}  # it orders its copies into one tile by naps alone, which is no order to the checks; nobody reads it
NOT_OURS = ("specimens",)  # they go wrong
# Written after the recording was made. Where they are measured, their results are checked against expected ones.
NOT_RECORDED = (
    "atomics", "dpx.lines", "exchange.programs", "exchange.swaps", "gemm", "holding", "memory", "power", "roofline",
    "throughput", "tiles", "timing", "waiting", "cp_async.copy_tiles_by_threads",
    "exchange.ping_pong.ping_pong_by_atomics", "exchange.ping_pong.ping_pong_by_store_and_arrive",
    "exchange.ping_pong.ping_pong_by_tagged_word", "exchange.probes.read_all", "tma.land_box",
)  # fmt: skip


@cache
def recorded():
    found = {}
    for recording in recordings("kernel_outputs"):
        for name, seed, inputs, outputs in recording.samples:
            found.setdefault((name, seed), []).append((recording.card_name, inputs, outputs))
    return found


def check(name, seed, /, **options):
    case = cases()[name](seed)
    assert (name, seed) in recorded(), "not recorded: run `hopperlab measure kernel_outputs` on a card"
    outputs = simulated(cases()[name](seed), **options)
    for card, inputs, kept in recorded()[name, seed]:
        assert digest(*case.inputs.values()) == inputs, "numpy makes other inputs of this seed: record anew"
        assert first_difference(case, kept, outputs) == "", card


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=pytest.mark.exhaustive) if n in LONG else n for n in NAMES]
)
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


def awaits_a_recording(name):
    return any(name == known or name.startswith(f"{known}.") for known in NOT_RECORDED)


def test_every_kernel_has_a_case_or_awaits_a_recording():
    covered = {name_of(make(0).kernel) for make in cases().values()}
    assert {name for name in kernels() if not awaits_a_recording(name)} == covered


def test_what_is_left_out_is_left_out_for_a_reason():
    for name, make in cases().items():
        case = make(0)
        assert case.undetermined.keys() <= case.inputs.keys(), name
        assert all(case.undetermined.values()), name


def test_a_difference_is_told_with_its_element():
    case = cases()["halo"](0)
    (_, _, kept), *_ = recorded()["halo", 0]
    outputs = simulated(cases()["halo"](0))
    outputs["cells"][7] += 1
    assert first_difference(case, kept, outputs).startswith("cells[7] is ")


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", [name for name in NAMES if name not in LONG])
def test_no_kernel_has_a_finding_nor_other_bits_in_200_orders(name):
    for order in range(200):
        check(name, order % SEEDS, checks=name not in BY_NAPS, seed=order)
