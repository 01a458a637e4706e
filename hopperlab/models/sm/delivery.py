"""How much energy the delivery of operands takes, if energy went by bytes: a model with its assumption.

The talk says that Hopper saves more than 30 % of the power of operand delivery (talk-015), and not what is counted.
Here every byte read from registers costs 1, every byte read from shared memory what the caller says. Sums are read
and written once for every 16 steps along K, on both.
"""

from hopperlab.models.arguments import finite_number
from hopperlab.models.sm.operands import Operands

WARP_TILE = 64
"""Rows and columns of D that a warp of an A100 makes: an assumption."""

MMA_FLOP = 2 * 16 * 8 * 16
MMA_OPERAND_BYTES = (16 + 8) * 16 * 2
"""FLOP, and bytes of A and B read from registers, of one mma.sync m16n8k16 in FP16."""

SUM_BYTES = 2 * 4 / 32
"""Bytes of FP32 sums read and written for a FLOP, once in 16 steps along K."""


def delivery_energy(shared_cost: float) -> dict[str, float]:
    """Give the cost of operands and sums for a FLOP of FP16, in bytes of registers, by instruction.

    Parameters
    ----------
    shared_cost
        What a byte from shared memory costs, where one from registers costs 1.

    Returns
    -------
    dict
        ``mma.sync`` loads its operands from shared memory into registers and reads them there for every
        instruction; ``wgmma`` reads them from shared memory, B once for four warps.

    Raises
    ------
    ValueError
        If the cost is not above 0.
    """
    finite_number("shared_cost", shared_cost, above=0)
    loaded = 2 * WARP_TILE * 2 / (2 * WARP_TILE**2)
    wide = Operands(256)
    return {
        "mma.sync": SUM_BYTES + MMA_OPERAND_BYTES / MMA_FLOP + loaded * (shared_cost + 1),
        "wgmma": SUM_BYTES + wide.shared_bytes / wide.flop * shared_cost,
    }
