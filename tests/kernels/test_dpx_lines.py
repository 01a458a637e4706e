"""Ten ways to write a line: the shipped listings are the assembler's, and the simulator computes what each says."""

import numpy as np
import pytest

from hopperlab.kernels.dpx.lines import LINES
from hopperlab.kernels.dpx.listing import listing, recorded
from hopperlab.models.dpx import fused

BY_HAND = {
    "Called by name": lambda a, b, c: max(a + b, c),
    "Written out, in 32 bits": lambda a, b, c: max(a + b, c),
    "With a condition": lambda a, b, c: max(a + b, c),
    "A difference": lambda a, b, c: max(a - b, c),
    "Never below 0": lambda a, b, c: max(a + b, c, 0),
    "The sum as numba types it": lambda a, b, c: max(a + b, c),
    "The maximum first": lambda a, b, c: max(a, c) + b,
    "Two sums": lambda a, b, c: max(a, c) + b,
    "A mask instead of a maximum": lambda a, b, c: max(a + b, c),
    "In floats": lambda a, b, c: max(a + b, c),
}


@pytest.mark.parametrize("name", LINES)
def test_the_shipped_listing_is_the_assemblers(name):
    assert listing(LINES[name]) == recorded()[name]


@pytest.mark.parametrize("name", LINES)
def test_a_line_computes_what_it_says(name):
    rng = np.random.default_rng(3)
    for a, b, c in rng.integers(-1000, 1000, (8, 3)).astype(np.int32):
        arrays = [np.array([value], np.int32) for value in (a, b, c, 0)]
        run = LINES[name].simulate(1, 1, tuple(arrays))
        assert not run.findings
        assert run.outputs["out"][0] == BY_HAND[name](int(a), int(b), int(c))


def test_five_of_the_ten_are_one_fused_instruction():
    alone = [name for name, code in recorded().items() if len(code) == 1 and fused(code[0])]
    assert alone == list(LINES)[:5]
