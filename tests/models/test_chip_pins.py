"""Memory by its pins: bandwidth, clock, width and sites are one equation, read from every side."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hopperlab.chip import NAMES, bandwidth, chip
from hopperlab.ledger import claim, in_base_units
from hopperlab.models.chip.pins import SITE_BITS, bus_bits, memory_clock_hz, pcie_bytes_per_s, sites

CHIPS = [chip(name) for name in NAMES]


@given(clock=st.floats(1e6, 1e10), width=st.integers(1, 10_000))
def test_clock_and_width_come_back_from_the_bandwidth(clock, width):
    moved = bandwidth(clock, width)
    assert bus_bits(moved, clock) == pytest.approx(width)
    assert memory_clock_hz(moved, width) == pytest.approx(clock)


@pytest.mark.parametrize("one", CHIPS, ids=lambda one: one.name)
def test_every_sheet_has_as_many_sites_as_its_bus_has_room_for(one):
    assert sites(one.memory_bus_bits) == one.memory_sites


def test_a_site_is_as_wide_as_the_ledger_says():
    assert claim("chip-049").number == SITE_BITS


@pytest.mark.parametrize(("lane", "name"), [("chip-050.a", "A100 SXM4 40GB"), ("chip-050.b", "H100 SXM5")])
def test_sixteen_lanes_are_the_link_of_the_sheet(lane, name):
    one_way = 8 * in_base_units(claim(lane).number, claim(lane).unit)
    assert pcie_bytes_per_s(one_way) == chip(name).pcie_bytes_per_s
    assert pcie_bytes_per_s(one_way, 4) == chip(name).pcie_bytes_per_s / 4


@pytest.mark.parametrize(
    ("function", "arguments", "message"),
    [
        (sites, (0,), "bus_bits=0 must be finite and greater than 0"),
        (bus_bits, (-1.0, 1e9), "bytes_per_s=-1.0 must be finite and greater than 0"),
        (bus_bits, (1e12, float("inf")), "clock_hz=inf must be finite"),
        (memory_clock_hz, (1e12, 0), "bus_bits=0 must be finite"),
        (pcie_bytes_per_s, (0,), "bits_per_s_of_a_lane=0 must be finite"),
        (pcie_bytes_per_s, (32e9, 17), "lanes=17"),
    ],
)
def test_what_no_memory_or_link_has_is_refused(function, arguments, message):
    with pytest.raises(ValueError, match=message):
        function(*arguments)
