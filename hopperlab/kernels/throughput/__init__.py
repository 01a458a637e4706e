"""Kernels that measure how fast instructions are, and two that only seem to."""

from hopperlab.kernels.throughput.chained import UNROLLED, chains
from hopperlab.kernels.throughput.dead_code import add_up, forget
from hopperlab.kernels.throughput.instructions import OPERATIONS, Operation
from hopperlab.kernels.throughput.multiply_adds import multiply_adds

__all__ = ["OPERATIONS", "UNROLLED", "Operation", "add_up", "chains", "forget", "multiply_adds"]
