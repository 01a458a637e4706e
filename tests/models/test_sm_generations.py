"""Generations of tensor cores: their instructions fit their rates, and their shapes are those of the ledger."""

import pytest

from hopperlab.ledger import claim
from hopperlab.models.sm.generations import BYTES, GENERATIONS, SUB_PARTITIONS
from hopperlab.models.sm.operands import Operands

V100, A100, H100 = GENERATIONS
CASES = [(one, kind) for one in GENERATIONS for kind in one.rates]
IDS = [f"{one.name} {kind}" for one, kind in CASES]


@pytest.mark.parametrize(("one", "kind"), CASES, ids=IDS)
def test_shapes_and_rates_are_those_of_the_claims_that_they_name(one, kind):
    assert claim(one.products[kind].claim).value == one.products[kind].shape
    source = claim(one.sources[kind])
    per_sm = 8 if source.unit == "FMA/clk/TC" else 1
    assert source.number * per_sm == one.rates[kind]


@pytest.mark.parametrize(("one", "kind"), CASES, ids=IDS)
def test_an_instruction_takes_a_whole_number_of_clocks_on_its_tensor_cores(one, kind):
    product, cycles = one.products[kind], one.cycles(kind)
    assert cycles == int(cycles) >= 8
    at_once = product.flop * SUB_PARTITIONS / product.warps
    assert at_once / cycles == one.rates[kind]


@pytest.mark.parametrize("kind", ["tf32", "fp16", "fp8"])
def test_an_h100s_products_are_those_of_the_model_of_operands(kind):
    one = Operands(256, data_type=kind)
    assert H100.products[kind].shape == one.name
    assert H100.cycles(kind) == one.math_cycles
    assert H100.products[kind].operand_bytes(kind) == one.shared_bytes


@pytest.mark.parametrize("kind", A100.rates)
def test_every_type_of_an_a100_is_twice_as_fast_on_an_h100(kind):
    assert H100.rates[kind] == claim("talk-013").number * A100.rates[kind]


def test_wider_instructions_read_fewer_bytes_for_a_flop():
    needed = [one.bytes_per_flop("fp16") for one in GENERATIONS]
    assert needed == pytest.approx([0.25, 0.1875, 0.01953125])
    assert sorted(needed, reverse=True) == needed


def test_what_is_new_was_not_there_before_and_names_claims():
    assert set(V100.rates) < set(A100.rates) < set(H100.rates) == set(BYTES)
    for one in GENERATIONS:
        for words in one.new:
            names = words[words.index("[") + 1 : -1].split(", ")
            assert [claim(name).id for name in names] == names


def test_a_type_that_a_generation_lacks_is_refused():
    with pytest.raises(
        ValueError, match="data_type='fp8': the A100's tensor cores have fp64, tf32, fp16, bf16, int8"
    ):
        A100.cycles("fp8")
    with pytest.raises(ValueError, match="the V100's tensor cores have fp16"):
        V100.bytes_per_flop("int8")
