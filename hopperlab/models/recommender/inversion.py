"""Two speed-ups of one program on two fabrics tell how much of its time was communication.

With the same GPUs and two fabrics, s = 1 / (c / x + a / f): c + a = 1 are the shares of compute and
communication, x the speed-up of compute, f that of the fabric. Two measurements give a and x.
"""

from dataclasses import dataclass

from hopperlab.models.arguments import finite_number


@dataclass(frozen=True)
class Inverted:
    """What two speed-ups say, if the model holds.

    Attributes
    ----------
    communication_share
        Of the old step's time.
    compute_speedup
        Of the rest.
    """

    communication_share: float
    compute_speedup: float


def invert(slow_fabric: tuple[float, float], fast_fabric: tuple[float, float]) -> Inverted:
    """Communication share and compute speed-up from two pairs (speed-up of the fabric, speed-up of the step).

    Raises
    ------
    ValueError
        If the fabrics are equally fast, or no share between 0 and 1 explains both.
    """
    (f1, s1), (f2, s2) = slow_fabric, fast_fabric
    for name, value in (("fabric", f1), ("step", s1), ("fabric", f2), ("step", s2)):
        finite_number(f"speed-up of the {name}", value, above=0)
    if f1 == f2:
        raise ValueError(f"both fabrics are {f1:g} times as fast: two different ones are needed")
    share = (1 / s1 - 1 / s2) / (1 / f1 - 1 / f2)
    rest = 1 / s1 - share / f1
    if not 0 <= share < 1 or rest <= 0:
        raise ValueError(
            f"speed-ups {s1:g} and {s2:g} on fabrics {f1:g} and {f2:g} times as fast: no share of communication "
            "between 0 and 1 explains both"
        )
    return Inverted(share, (1 - share) / rest)
