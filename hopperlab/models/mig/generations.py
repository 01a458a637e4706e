"""The talk's "about three times the compute and twice the memory bandwidth per instance", as arithmetic.

Both are ratios, so each needs its base: which instance, of which A100 (talk-062).
"""

from dataclasses import dataclass

from hopperlab import chip as chips
from hopperlab.models.mig.isolation import memory_bandwidth
from hopperlab.models.mig.placement import Instance
from hopperlab.models.mig.profiles import profiles


@dataclass(frozen=True)
class InstanceRatio:
    """One instance against another: peak tensor rate and memory bandwidth, with the factors of the rate.

    ``compute`` is ``sms * per_sm_per_clock * clock``; all are plain ratios.
    """

    card: str
    base: str
    profile: str
    base_profile: str
    sms: float
    per_sm_per_clock: float
    clock: float
    bandwidth: float

    @property
    def compute(self) -> float:
        """Ratio of peak dense tensor rates."""
        return self.sms * self.per_sm_per_clock * self.clock


def instance_ratio(
    card: str = "H100 SXM5", base: str = "A100 SXM4 40GB", *, shape: str = "1g", data_type: str = "fp16"
) -> InstanceRatio:
    """How much more an instance of ``card`` has than the same instance of ``base``.

    Parameters
    ----------
    card, base
        Cards with MIG.
    shape
        Compute slices as the profile names begin: ``"1g"``, ``"2g"``, ``"3g"``, ``"4g"`` or ``"7g"``.
    data_type
        A data type of both cards' tensor cores.

    Raises
    ------
    ValueError
        For an unknown card, shape or data type.
    """
    kinds = [_of_shape(name, shape) for name in (card, base)]
    ours, theirs = (chips.chip(name) for name in (card, base))
    return InstanceRatio(
        card=card,
        base=base,
        profile=kinds[0].name,
        base_profile=kinds[1].name,
        sms=kinds[0].sms / kinds[1].sms,
        per_sm_per_clock=(
            ours.tensor_flop_per_clock_per_sm(data_type) / theirs.tensor_flop_per_clock_per_sm(data_type)
        ),
        clock=ours.tensor_clock_hz / theirs.tensor_clock_hz,
        bandwidth=memory_bandwidth(Instance(0, kinds[0])) / memory_bandwidth(Instance(0, kinds[1])),
    )


def _of_shape(card: str, shape: str):
    shapes = {p.name.split(".")[0]: p for p in reversed(profiles(card)) if not p.media_extension}
    if shape not in shapes:
        raise ValueError(f"shape={shape!r}: instances have the shapes {', '.join(sorted(shapes))}")
    return shapes[shape]
