"""Loads by an address that the kernel has computed, and looks at the clock."""

import numpy as np
import pytest
from numba import cuda, uint32, uint64

from hopperlab.device import clock64, kernel
from hopperlab.device.simulator.memory import GLOBAL_START
from hopperlab.kernels.memory import access

TABLE = np.arange(10, 20, dtype=np.uint32)
OTHER = np.arange(70, 80, dtype=np.uint32)


@kernel
def load(address, words, out):
    out[0] = access.load_address(address)


def of(words, address):
    return load.simulate(1, 1, (np.uint64(address), words, np.zeros(1, np.uint64)))


def test_arrays_lie_in_the_order_in_which_they_are_given():
    late, early = np.zeros(3, np.uint64), np.arange(5, dtype=np.uint64)
    for words in (late, early):
        run = of(words, GLOBAL_START + 16)
        assert run.findings == ()
        assert run["out"][0] == words[2]


@pytest.mark.parametrize(
    ("address", "name"),
    [(GLOBAL_START - 8, "out of bounds"), (GLOBAL_START + 40, "out of bounds"), (8, "out of bounds")],
)
def test_an_address_where_nothing_lies_is_a_finding(address, name):
    run = of(np.zeros(5, np.uint64), address)
    assert run.stopped
    assert run.findings[0].name == name
    assert hex(address) in run.findings[0].seen
    assert run.findings[0].line == 3


def test_an_address_between_elements_is_a_finding():
    run = of(np.zeros(5, np.uint64), GLOBAL_START + 4)
    assert run.findings[0].name == "misaligned or oversized copy"
    assert "no multiple of 8" in run.findings[0].seen


@kernel
def load_others(out):
    cells = cuda.shared.array(4, uint32)
    more = cuda.shared.array(4, uint32)
    for i in range(4):
        cells[i], more[i] = 3 + i, 30 + i
    one, other = access.constant_address(TABLE), access.constant_address(OTHER)
    out[0] = access.load_constant(one + uint32(8))
    out[1] = access.load_constant(other + uint32(8))
    out[2] = access.load_shared(access.shared_address(cells) + uint32(4))
    out[3] = access.load_shared(access.shared_address(more) + uint32(4))


def test_shared_memory_and_constants_have_addresses_of_their_own():
    run = load_others.simulate(1, 1, (np.zeros(4, np.uint32),))
    assert run.findings == ()
    assert run["out"].tolist() == [12, 72, 4, 31]


@kernel
def read_what_another_writes(words, out):
    if cuda.threadIdx.x == 0:
        words[0] = 1
    else:
        out[0] = access.load_l2(words, 0)


def test_a_race_of_such_a_load_is_told_with_its_own_line():
    run = read_what_another_writes.simulate(1, 2, (np.zeros(1, np.uint64), np.zeros(1, np.uint64)))
    assert [finding.name for finding in run.findings] == ["race in global memory"]
    assert run.findings[0].line == 6
    assert run.findings[0].kernel == "read_what_another_writes"


@kernel
def wait_for_the_clock(out):
    start = clock64()
    while clock64() - start < uint64(1000):
        pass
    out[0] = clock64() - start


@pytest.mark.parametrize("timing", [None, False])
def test_who_waits_for_the_clock_sees_it_go_on(timing):
    run = wait_for_the_clock.simulate(1, 1, (np.zeros(1, np.uint64),), timing=timing)
    assert run.findings == ()
    assert 1000 <= run["out"][0] < 1100
