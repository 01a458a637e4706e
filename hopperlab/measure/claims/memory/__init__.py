"""What recordings of memory answer to the claims about it: about this card, and beside those about others."""

from hopperlab.measure.claims.memory.measured import answers, l1_and_shared_bytes

__all__ = ["answers", "l1_and_shared_bytes"]
