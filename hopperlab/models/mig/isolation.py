"""What keeps tenants of one card apart, and what they share all the same.

GPU instances own SMs, L2 slices, memory slices and engines; compute instances inside one own SMs only.
With confidential computing the talk announces more: a hardware firewall, a virtual function (SR-IOV) and
a key for each GPU instance (talk-077). No release note found says that this shipped.
"""

from dataclasses import dataclass

from hopperlab import chip as chips
from hopperlab.models.mig.driver import Board
from hopperlab.models.mig.placement import Instance
from hopperlab.models.mig.profiles import MEMORY_SLICES

SHARED = {
    "compute instances of one GPU instance": (
        "memory",
        "L2 cache",
        "memory bandwidth",
        "copy engines",
        "decoders",
        "PCIe",
        "power",
    ),
    "GPU instances of one card": ("PCIe", "power"),
    "cards of their own": (),
}
"""What two tenants share, by how they are apart (talk-075, mig-020)."""


def shared_between(first: tuple[int, int], second: tuple[int, int]) -> tuple[str, ...]:
    """What two tenants of one card share.

    Parameters
    ----------
    first, second
        Each tenant's GPU instance (its start) and compute instance (its start within).

    Raises
    ------
    ValueError
        If both name the same compute instance: then it is one tenant, and everything is shared.
    """
    if first == second:
        raise ValueError(f"first and second are the same compute instance {first}: one tenant, not two")
    if first[0] == second[0]:
        return SHARED["compute instances of one GPU instance"]
    return SHARED["GPU instances of one card"]


def memory_bandwidth(instance: Instance) -> float:
    """Memory bandwidth of a GPU instance, in B/s: its memory slices' share of the card's (mig-021)."""
    card = chips.chip(instance.profile.chip)
    return card.memory_bandwidth_bytes_per_s * instance.profile.memory_slices / MEMORY_SLICES


@dataclass(frozen=True)
class VirtualFunction:
    """The SR-IOV function through which one tenant's VM sees its GPU instance, as announced (talk-077).

    ``key_context`` is what the instance's session keys are derived for: put into HKDF it gives every
    instance keys of its own, from the same secret or another.
    """

    number: int
    instance: Instance

    @property
    def key_context(self) -> bytes:
        """Names card, profile and place; no two instances of a board have the same."""
        profile = self.instance.profile
        return f"{profile.chip}/{profile.name}@{self.instance.start}".encode()

    def may_access(self, memory_slice: int) -> bool:
        """Whether the firewall lets this function through to a memory slice.

        Raises
        ------
        ValueError
            If there is no such slice.
        """
        if memory_slice not in range(MEMORY_SLICES):
            raise ValueError(f"memory_slice={memory_slice!r}: a card has slices 0 to {MEMORY_SLICES - 1}")
        return memory_slice in self.instance.memory


def virtual_functions(board: Board) -> tuple[VirtualFunction, ...]:
    """One function for each GPU instance, numbered from 1 along the memory slices; 0 is the card itself."""
    ordered = sorted(board.instances, key=lambda i: i.start)
    return tuple(VirtualFunction(number, instance) for number, instance in enumerate(ordered, start=1))
