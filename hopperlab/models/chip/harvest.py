"""What of a die is sold: SMs, sites of memory, and the L2 of each product beside the whole GH100."""

from dataclasses import dataclass

from hopperlab.chip import MHZ, chip


@dataclass(frozen=True)
class Harvest:
    """One product beside the die: parts in use and parts of the die, and the bandwidth that clock and width give.

    Attributes
    ----------
    sms, memory_sites, l2_mib
        In use, and on the die.
    bandwidth_tb_per_s
        Two bits a clock on every wire, in TB/s of 10^12 bytes.
    """

    name: str
    sms: tuple[int, int]
    memory_sites: tuple[int, int]
    l2_mib: tuple[int, int]
    bandwidth_tb_per_s: float

    @property
    def sms_share(self) -> float:
        """SMs in use, as a share of the die's."""
        return self.sms[0] / self.sms[1]


def harvest(name: str) -> Harvest:
    """A Hopper product beside its die.

    Raises
    ------
    ValueError
        For a chip that is not made of a GH100.
    """
    sold, die = chip(name), chip("GH100")
    if sold.compute_capability != die.compute_capability or sold == die:
        raise ValueError(f"name={name!r} is no product of a GH100; there are H100 SXM5, H100 PCIe, H200 SXM")
    width = sold.memory_bus_bits / 8
    return Harvest(
        name,
        (sold.sms, die.sms),
        (sold.memory_sites, die.memory_sites),
        (sold.l2_bytes // 2**20, die.l2_bytes // 2**20),
        round(2 * sold.memory_clock_hz * width / 1e12, 3),
    )


def clock_for(flop_per_s: float, sms: int, flop_per_clock_per_sm: int) -> float:
    """The clock, in MHz, that a peak assumes: what a sheet does not say."""
    return flop_per_s / (sms * flop_per_clock_per_sm) / MHZ
