"""Experiments about FP8: every cast there is, and the cast fused with amax and scale."""

from hopperlab.measure.fp8.casts import FP8_CASTS
from hopperlab.measure.fp8.fused import FP8_FUSED_CAST

EXPERIMENTS = (FP8_CASTS, FP8_FUSED_CAST)
