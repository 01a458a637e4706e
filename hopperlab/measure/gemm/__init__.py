"""Experiments about matrix products: the ladder, rung by rung, and the FP8 product beside cuBLASLt."""

from hopperlab.measure.gemm.fp8_product import FP8_PRODUCT
from hopperlab.measure.gemm.ladder import GEMM_LADDER

EXPERIMENTS = (GEMM_LADDER, FP8_PRODUCT)
