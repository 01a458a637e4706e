"""Experiments about matrix products: the ladder, rung by rung."""

from hopperlab.measure.gemm.ladder import GEMM_LADDER

EXPERIMENTS = (GEMM_LADDER,)
