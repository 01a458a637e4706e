"""Memory by its pins: sites, width, clock and bandwidth, each from the others; and a PCIe link by its lanes.

A memory moves two bits a clock on every wire, so any of bandwidth, clock and width follows from the other two.
"""

from hopperlab.models.arguments import finite_number, whole_number

SITE_BITS = 1024
"""Wires of one stack of HBM (chip-049)."""

PCIE_LANES = 16
"""Lanes of the link of a card."""


def sites(bus_bits: float) -> float:
    """Stacks of HBM behind a bus of so many bits.

    Raises
    ------
    ValueError
        If the width is not above 0.
    """
    return finite_number("bus_bits", bus_bits, above=0) / SITE_BITS


def bus_bits(bytes_per_s: float, clock_hz: float) -> float:
    """Wires that a bandwidth needs at a memory clock.

    Raises
    ------
    ValueError
        If an argument is not above 0.
    """
    return _wire_clocks_per_s(bytes_per_s) / finite_number("clock_hz", clock_hz, above=0)


def memory_clock_hz(bytes_per_s: float, bus_bits: float) -> float:
    """The memory clock that a bandwidth needs on so many wires.

    Raises
    ------
    ValueError
        If an argument is not above 0.
    """
    return _wire_clocks_per_s(bytes_per_s) / finite_number("bus_bits", bus_bits, above=0)


def _wire_clocks_per_s(bytes_per_s: float) -> float:
    """Clocks of all wires together: each brings two bits."""
    return 8 * finite_number("bytes_per_s", bytes_per_s, above=0) / 2


def pcie_bytes_per_s(bits_per_s_of_a_lane: float, lanes: int = PCIE_LANES) -> float:
    """Both directions of a PCIe link together, its encoding left out: 2 of every 130 bits.

    Parameters
    ----------
    bits_per_s_of_a_lane
        One direction: 32e9 for Gen5 (chip-050.b), 16e9 for Gen4 (chip-050.a).
    lanes
        1 to 16.

    Raises
    ------
    ValueError
        If an argument is out of its range.
    """
    rate = finite_number("bits_per_s_of_a_lane", bits_per_s_of_a_lane, above=0)
    return 2 * whole_number("lanes", lanes, 1, PCIE_LANES) * rate / 8
