"""The kernels of memory: the loads that are measured, in their machine code, and chases that end where they must."""

import re

import numpy as np
import pytest

from hopperlab.device import on_silicon
from hopperlab.kernels import memory
from hopperlab.kernels.memory import chases
from hopperlab.kernels.memory.stream import SCRAMBLE, WIDTHS
from hopperlab.measure.kernel_outputs.experiment import cases, simulated
from tests.kernels.machine_code import assert_has, assert_lacks, code_without_spill

CLOCK = r".*(?:CS2R|S2UR|S2R)\S* \w+, SR_CLOCKLO.*\n"


def between_the_clocks(code):
    return re.split(CLOCK, code)[1]


def loads(code, name):
    return re.findall(rf"\b{name}\S*", code)


@pytest.mark.parametrize(
    ("through_l1", "strength"),
    [(True, ""), pytest.param(False, ".STRONG.GPU", marks=pytest.mark.exhaustive)],
)
def test_an_address_is_chased_with_no_arithmetic_between_loads(through_l1, strength):
    code = code_without_spill(memory.chase_addresses(through_l1))
    timed = between_the_clocks(code)
    found = loads(timed, "LDG")
    assert set(found) == {f"LDG.E.64{strength}"}
    assert len(found) % chases.UNROLLED == 0
    assert_lacks(timed, "IMAD.WIDE", "LEA")


@pytest.mark.exhaustive
def test_an_index_costs_a_multiply_add_each():
    timed = between_the_clocks(code_without_spill(memory.chase))
    assert len(loads(timed, "LDG")) == len(loads(timed, r"IMAD\.WIDE")) > 0


def test_reading_the_ring_beforehand_is_not_left_out():
    before = re.split(CLOCK, memory.chase_addresses().sass())[0]
    assert before.count("LDG.E.64") > before.count("BAR.SYNC") > 0


def test_constants_are_chased_through_the_constant_cache():
    timed = between_the_clocks(code_without_spill(memory.chase_constants))
    assert len(re.findall(r"LDC R\d+, c\[0x3\]\[R\d+\]", timed)) % chases.CONSTANT_UNROLLED == 0
    assert_lacks(timed, "LDG", "SHF.L", r"IMAD\.SHL")


@pytest.mark.exhaustive
def test_shared_memory_is_chased_by_address():
    timed = between_the_clocks(code_without_spill(memory.chase_shared))
    assert len(loads(timed, "LDS")) >= chases.UNROLLED
    assert_lacks(timed, "LEA ", r"IMAD\.SHL")


def test_a_load_is_done_before_its_second_clock_and_nothing_else_is_timed():
    code = code_without_spill(memory.count_misses)
    timed = re.split(CLOCK, code)[1::2]
    assert timed
    for each in timed:
        assert_has(each, r"LDG\.E\.64 ", r"STS\.64")
        assert_lacks(each, "LDS", "STG", "BRA")


def test_a_ring_whose_misses_are_counted_is_left_where_it_began():
    found = simulated(cases()["count_misses"](3))
    assert found["ends"][0] == 0  # bytes from the first line
    assert found["misses"].max() <= chases.COUNTED


@pytest.mark.parametrize("by_atomics", [False, pytest.param(True, marks=pytest.mark.exhaustive)])
def test_visits_to_a_line_are_all_there(by_atomics):
    code = code_without_spill(memory.revisit_lines(by_atomics))
    name = r"ATOMG\.E\.ADD\.64" if by_atomics else r"LDG\.E\.64\.STRONG\.GPU"
    assert len(loads(between_the_clocks(code), name)) >= chases.VISITS


@pytest.mark.parametrize(
    ("width", "in_flight"),
    [(16, 4), *(pytest.param(w, n, marks=pytest.mark.exhaustive) for w in WIDTHS for n in (1, 2, 4))],
)
def test_as_many_loads_are_in_flight_as_one_has_asked_for(width, in_flight):
    """All loads of a tile come before the first sum, and the next tile's address after the last."""
    code = code_without_spill(memory.read(width, in_flight))
    size = {4: "LDG.E.STRONG", 8: "LDG.E.64.STRONG", 16: "LDG.E.128.STRONG"}[width]
    kinds = [
        "load" if size in line else "sum" if re.search(r"IADD3(\.X)? R\d+, P\d|ISETP\.NE\.U32", line) else ""
        for line in code.split("SR_GLOBALTIMERLO")[1].splitlines()
    ]
    kinds = [kind for kind in kinds if kind]
    first = kinds.index("load")
    assert kinds[first : first + in_flight] == ["load"] * in_flight
    assert kinds[first + in_flight] == "sum"


@pytest.mark.exhaustive
def test_a_read_may_go_through_the_l1():
    code = memory.read(16, 2, through_l1=True).sass()
    assert_has(code, r"LDG\.E\.128 ")
    assert_lacks(code, r"LDG\.E\.128\.STRONG")


@pytest.mark.parametrize("kernel", [memory.write(2), memory.copy(2)], ids=["write", "copy"])
@pytest.mark.exhaustive
def test_stores_are_of_sixteen_bytes(kernel):
    assert_has(code_without_spill(kernel), r"STG\.E\.128")


@pytest.mark.exhaustive
def test_tiles_are_read_by_the_copy_engine():
    assert_has(code_without_spill(memory.read_tiles), "UBLKCP")


def test_a_chain_of_indices_runs_in_the_simulator():
    links, hops = 32, 64
    chain = (np.arange(links, dtype=np.uint32) + 7) % np.uint32(links)
    arguments = (chain, hops, np.zeros(1, np.uint32), np.zeros(1, np.uint32))
    run = memory.chase.simulate(1, 1, arguments)
    assert run.findings == ()
    assert run["ends"][0] == 2 * hops * 7 % links


def test_memory_is_filled_alike_in_the_simulator():
    run = memory.fill.simulate(1, 64, (np.zeros(256, np.uint32),))
    assert np.array_equal(run["words"], np.arange(256, dtype=np.uint32) * np.uint32(SCRAMBLE))


@pytest.mark.gpu
def test_a_ring_of_addresses_is_followed_on_a_card():
    from hopperlab.measure.memory.rings import Memory

    with on_silicon():
        taken = Memory(2**22).chase(256, 1000, 4096, True, 0, 3)
    assert all(20 < cycles / 4096 < 200 for cycles in taken)


@pytest.mark.gpu
@pytest.mark.parametrize("width", WIDTHS)
def test_reads_add_up_on_a_card(width):
    from hopperlab.measure.memory.streams import Field, Walk

    with on_silicon():
        field = Field(2**24)
        work = field.reader(width, 2, Walk(512 * width * 2, 100, 132, 33, 50))
        field.timed(work, 2)  # it looks at the sums itself
