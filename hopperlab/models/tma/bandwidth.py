"""How much must be in flight: bandwidth against the bytes that are asked for at once.

A copy takes a time that does not depend on its size, and a time that does. A block that waits for one copy
before it asks for the next has one tile in flight, so small tiles waste the link on waiting. The constants
were fitted by others to copies of 1 to 8 KiB on an H800 PCIe (claims lit-126.a and lit-126.b); larger copies
and other cards are for testing the model, not part of the fit.
"""

from hopperlab.models.arguments import finite_number, whole_number

FIXED_CYCLES = 794.0  # of one copy, asked and awaited; claim lit-126.a
CYCLES_PER_KIB = 55.0  # claim lit-126.b
PEAK = 1.961e12  # bytes per second, all blocks together; claim lit-127


def copy_cycles(nbytes: int) -> float:
    """Cycles from asking for a bulk copy of `nbytes` to its bytes being there, with every SM asking."""
    whole_number("nbytes", nbytes, 1, 227 * 1024)
    return FIXED_CYCLES + CYCLES_PER_KIB * nbytes / 1024


def loop_bandwidth(
    nbytes: int, blocks: int, clock_hz: float, *, stages: int = 1, peak: float = PEAK
) -> float:
    """Bytes per second of `blocks` blocks that copy tiles in a loop, each with `stages` tiles in flight.

    Parameters
    ----------
    nbytes
        Size of a tile, 1 byte to 227 KiB.
    blocks
        Blocks that run at once.
    clock_hz
        Of the SMs.
    stages
        Tiles that each block has asked for and not yet received.
    peak
        What memory gives at most, bytes per second.
    """
    whole_number("blocks", blocks, 1, 2**31 - 1)
    whole_number("stages", stages, 1, 2**20)
    finite_number("clock_hz", clock_hz, above=0)
    finite_number("peak", peak, above=0)
    return min(peak, blocks * stages * nbytes * clock_hz / copy_cycles(nbytes))


def bytes_in_flight(bandwidth: float, latency_s: float) -> float:
    """Little's law: the bytes that must be under way to keep `bandwidth` busy through `latency_s` seconds."""
    finite_number("bandwidth", bandwidth, above=0)
    finite_number("latency_s", latency_s, above=0)
    return bandwidth * latency_s
