"""Matrix products: the ladder to an asynchronous one, and the FP8 product that stands beside cuBLASLt.

from hopperlab.kernels.gemm import multiply

d = multiply(a, b, scale_a, scale_b)  # A is (M, K), B is (N, K), both of FP8
"""

from hopperlab.kernels.gemm.multiplication import multiply, prepare
from hopperlab.kernels.gemm.schedule import Schedule, schedule_for

__all__ = ["Schedule", "multiply", "prepare", "schedule_for"]
