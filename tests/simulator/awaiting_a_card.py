"""Kernels that have a case of `kernel_outputs` and no recording yet: written after the card was last there.

`hopperlab measure kernel_outputs` on a card records them all; then this list is emptied.
"""

AWAITS_A_CARD = {
    "memory.chases": "count_misses",
    "power": "multiply_given",
}
"""By module of hopperlab.kernels, the kernels, or the functions that make them."""
