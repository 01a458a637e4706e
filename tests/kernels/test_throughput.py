"""The kernels of throughput: nothing but the instruction that is measured, and nothing at all in dead code."""

import re
from collections import Counter

import numpy as np
import pytest

from hopperlab.kernels import throughput
from hopperlab.kernels.throughput import OPERATIONS, UNROLLED
from hopperlab.measure.throughput import rates
from tests.kernels.machine_code import code_without_spill

SAMPLE = ("fp32 fma", "shuffle")
NAMES = [n if n in SAMPLE else pytest.param(n, marks=pytest.mark.exhaustive) for n in OPERATIONS]


def instructions(code):
    return Counter(re.findall(r"\*/\s+(?:@!?U?P\d+ )?([A-Z0-9_.x]+)", code))


def between_the_clocks(kernel):
    return re.split(r".*CS2R R\d+, SR_CLOCKLO.*\n", code_without_spill(kernel))[1]


@pytest.mark.parametrize("name", NAMES)
def test_a_round_is_nothing_but_its_instruction(name):
    operation, chains = OPERATIONS[name], 4
    found = instructions(between_the_clocks(throughput.chains(name, chains)))
    own = sum(count for machine, count in found.items() if re.match(operation.machine, machine))
    least = 2 * UNROLLED * chains * operation.instructions // 2  # two conversions may share an instruction
    assert own >= least
    # numbers in a loop of their own, at its begin and its end; a reduction's result is moved from its register
    other = sum(found.values()) - own
    assert other < own / 2 + 40 or name == "reduce over a warp"


def test_an_operation_that_does_not_exist_is_refused():
    with pytest.raises(ValueError, match="name='fp128 add' is no operation; there are fp32 add"):
        throughput.chains("fp128 add", 1)


@pytest.mark.parametrize("kernel", [throughput.forget, throughput.add_up], ids=["forgotten", "added up"])
def test_dead_code_has_no_loop(kernel):
    code = kernel.sass()
    between = re.split(r".*CS2R R\d+, SR_CLOCKLO.*\n", code)[1]
    assert sum(instructions(between).values()) < 40  # of 4096 rounds
    assert "FFMA" not in code
    assert not re.search(r"BRA `\(\.L_x_0\)", between)


@pytest.mark.parametrize("name", [n for n, o in OPERATIONS.items() if o.compute])
def test_numpy_makes_the_same_of_them_without_running_away(name):
    operation = OPERATIONS[name]
    values = rates._inputs(operation, 2, 32)
    after = rates.repeated(operation, values, 8)
    assert after.shape == values.shape
    if operation.kind == "fp16x2":
        after = after.view(np.float16)
    assert not np.isnan(after.astype(np.float64)).any()


@pytest.mark.gpu
@pytest.mark.parametrize("name", [n for n, o in OPERATIONS.items() if o.compute])
def test_results_are_numpys_on_a_card(name):
    from hopperlab.device import on_silicon

    with on_silicon():
        rates._cycles(OPERATIONS[name], 2, 1, 64)  # it looks at the results itself
