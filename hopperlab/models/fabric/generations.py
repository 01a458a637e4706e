"""1,000 GPUs of two generations: every factor from link, radix and reduction, with where it comes from."""

from dataclasses import dataclass

from hopperlab.models.arguments import whole_number
from hopperlab.models.collectives.traffic import corrected_gain
from hopperlab.models.fabric.clos import QUANTUM_2_PORTS, QUANTUM_PORTS, tiers_needed
from hopperlab.models.fabric.topology import GB, HDR_BYTES_PER_S, NDR_BYTES_PER_S

GPUS = 1024


@dataclass(frozen=True)
class Generation:
    """A cluster of 1,024 GPUs, one adapter a GPU.

    Attributes
    ----------
    name
        Its GPU.
    port_bytes_per_second
        One adapter, one direction.
    radix
        Ports of one switch.
    reduces_for
        Streaming reductions that one switch holds at once: 1 with SHARPv2, one a port with SHARPv3 (lit-210).
    """

    name: str
    port_bytes_per_second: int
    radix: int
    reduces_for: int

    @property
    def bisection(self) -> float:
        """Bytes a second, both directions, of 1,024 GPUs in a fat tree without taper."""
        return self.bisection_of(GPUS)

    def bisection_of(self, gpus: int) -> float:
        """The same of so many GPUs."""
        return whole_number("gpus", gpus, 2, 10**6) // 2 * 2 * self.port_bytes_per_second

    @property
    def tiers(self) -> int:
        """Tiers of switches that 1,024 ports need."""
        return tiers_needed(self.radix, GPUS)

    @property
    def reduction_gb_per_s(self) -> float:
        """Algorithm bandwidth of a large all-reduce when another job holds the switches: GB/s.

        Without a reduction in the switches every byte goes out twice; with it, once.
        """
        return self.port_bytes_per_second / (2 if self.reduces_for == 1 else 1) / GB


GENERATIONS = {
    "A100": Generation("A100, HDR InfiniBand", HDR_BYTES_PER_S, QUANTUM_PORTS, 1),
    "H100": Generation("H100, NDR InfiniBand", NDR_BYTES_PER_S, QUANTUM_2_PORTS, QUANTUM_2_PORTS),
}


def growth() -> dict[str, float]:
    """Factors from A100 to H100 at 1,024 GPUs that follow from link, radix and reduction."""
    old, new = GENERATIONS["A100"], GENERATIONS["H100"]
    return {
        "bisection": new.bisection / old.bisection,
        "all-to-all by the link alone": new.port_bytes_per_second / old.port_bytes_per_second,
        "reductions of a second tenant": new.reduction_gb_per_s / old.reduction_gb_per_s,
        "reductions of 8 GPUs over NVLink, corrected": 1.5 * corrected_gain(8),
    }
