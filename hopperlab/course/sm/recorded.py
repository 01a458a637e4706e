"""What the card of this lesson was measured to do."""

from functools import cache

from hopperlab import ledger
from hopperlab.ledger import Recording

CARD = "H200 SXM"


@cache
def recording(experiment: str) -> Recording:
    """The card's recording of an experiment."""
    (found,) = ledger.recordings(experiment, card=CARD)
    return found


def wgmma_cycles(columns: int, data_type: str = "f16") -> float:
    """Cycles of a wgmma among many in a row, both operands in shared memory and sums in FP32."""
    return next(
        cycles
        for fmt, width, sums, _, cycles, _ in recording("wgmma_rates").results["products"]
        if (fmt, width, sums) == (data_type, columns, "f32")
    )


def multiply_adds(chains: int, warps: int) -> float:
    """FP32 multiply-adds of an SM in a clock, by chains of a thread and warps."""
    return next(
        rate
        for name, *key, rate in recording("instruction_rates").results["warps"]
        if (name, *key) == ("fp32 fma", chains, warps)
    )
