"""The tensor core's accumulator drawn: one block as rows of bits, and what it does to long sums."""

from hopperlab.views.tensorcore.accumulator import accumulator
from hopperlab.views.tensorcore.bias_curve import Curve, bias_curve

__all__ = ["Curve", "accumulator", "bias_curve"]
