"""Experiments about matrix products: the ladder, the FP8 product beside cuBLASLt, and what a launch costs."""

from hopperlab.measure.gemm.fp8_product import FP8_PRODUCT
from hopperlab.measure.gemm.ladder import GEMM_LADDER
from hopperlab.measure.gemm.launch_cost import LAUNCH_COST

EXPERIMENTS = (GEMM_LADDER, FP8_PRODUCT, LAUNCH_COST)
