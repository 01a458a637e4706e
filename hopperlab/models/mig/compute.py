"""Compute instances: the second cut, inside one GPU instance.

A GPU instance owns memory, cache, bandwidth and engines; its compute instances divide only its SMs. They
are placed on the compute slices of their GPU instance, by the same rule as in ``driver`` (mig-006).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from hopperlab.models.mig.driver import InsufficientResources
from hopperlab.models.mig.profiles import Profile, profiles

# Compute instances start on multiples of their size rounded up to a power of two, as in mig-009.
ALIGNMENT = {1: 1, 2: 2, 3: 4, 4: 4, 7: 8}


@dataclass(frozen=True)
class ComputeInstance:
    """A compute instance: slices of its GPU instance, and the SMs in them."""

    name: str
    slices: int
    start: int
    sms: int

    @property
    def compute(self) -> range:
        """The compute slices it holds, counted within its GPU instance."""
        return range(self.start, self.start + self.slices)


def compute_sizes(gpu_instance: Profile) -> tuple[int, ...]:
    """How many compute slices a compute instance inside this GPU instance may have."""
    return tuple(size for size in ALIGNMENT if size <= gpu_instance.compute_slices)


def compute_sms(gpu_instance: Profile, slices: int) -> int:
    """SMs of a compute instance of that many slices.

    The whole GPU instance has all of its SMs. A part has as many slices as it counts times the SMs of a
    1g: 16 on an H100 SXM5, where three of them are 48 of the 60 SMs of a 3g (mig-009).

    Raises
    ------
    ValueError
        If the GPU instance has no compute instance of that size.
    """
    sizes = compute_sizes(gpu_instance)
    if slices not in sizes:
        allowed = ", ".join(map(str, sizes))
        raise ValueError(
            f"slices={slices!r}: a {gpu_instance.name} holds compute instances of {allowed} slices"
        )
    if slices == gpu_instance.compute_slices:
        return gpu_instance.sms
    return slices * profiles(gpu_instance.chip)[0].sms


def place_compute(sizes: Sequence[int], gpu_instance: Profile) -> tuple[ComputeInstance, ...]:
    """Create compute instances of these sizes, in this order, inside a GPU instance.

    Raises
    ------
    InsufficientResources
        If one finds no free slices.
    ValueError
        If the GPU instance has no compute instance of such a size.
    """
    laid: list[ComputeInstance] = []
    for slices in sizes:
        sms = compute_sms(gpu_instance, slices)
        taken = {s for ci in laid for s in ci.compute}
        starts = _free(slices, taken, gpu_instance)
        if not starts:
            left = gpu_instance.compute_slices - len(taken)
            raise InsufficientResources(
                f"no compute instance of {slices} slices: {left} of the {gpu_instance.compute_slices} slices "
                f"of this {gpu_instance.name} are left"
            )
        start = max(starts, key=lambda s: (_left(s, slices, taken, gpu_instance), -s))
        whole = slices == gpu_instance.compute_slices
        name = gpu_instance.name if whole else f"{slices}c.{gpu_instance.name}"
        laid.append(ComputeInstance(name, slices, start, sms))
    return tuple(laid)


def _free(slices: int, taken: set[int], gpu_instance: Profile) -> list[int]:
    last = gpu_instance.compute_slices - slices
    return [s for s in range(0, last + 1, ALIGNMENT[slices]) if not taken & set(range(s, s + slices))]


def _left(start: int, slices: int, taken: set[int], gpu_instance: Profile) -> int:
    after = taken | set(range(start, start + slices))
    return sum(len(_free(size, after, gpu_instance)) for size in compute_sizes(gpu_instance))
