"""The 64 bits of a barrier as they lie in shared memory, for whoever looks at a card.

PTX leaves the object opaque, so no program may depend on this. Two of the fields are in plain sight in
what ptxas makes for sm_90a: ``mbarrier.init`` stores ``-count << 1`` and ``-count << 43``, and
``mbarrier.pending_count`` extracts bits 43 to 62 and negates them. The place of the tx-count and of the
parity was reported by others from cards of a later generation, and seen on an H200: five words, read after
``mbarrier.inval``, decode to the states that the model has.

===== ===== ======================================================
bits  width field
===== ===== ======================================================
1-20  20    minus the expected arrivals
21-41 21    minus the tx-count
43-62 20    minus the pending arrivals
63    1     parity of the current phase
===== ===== ======================================================

The live barrier sits in a cache of its own: read the word after ``mbarrier.inval``, which writes it back.
"""

from hopperlab.models.barriers.mbarrier import Snapshot

_EXPECTED_SHIFT, _TX_SHIFT, _PENDING_SHIFT, _PARITY_SHIFT = 1, 21, 43, 63
_ARRIVALS_MASK, _TX_MASK = 2**20 - 1, 2**21 - 1


def encode(state: Snapshot) -> int:
    """The barrier's word, an integer of 64 bits."""
    return (
        (-state.expected_arrivals & _ARRIVALS_MASK) << _EXPECTED_SHIFT
        | (-state.pending_tx & _TX_MASK) << _TX_SHIFT
        | (-state.pending_arrivals & _ARRIVALS_MASK) << _PENDING_SHIFT
        | (state.phase & 1) << _PARITY_SHIFT
    )


def decode(word: int) -> Snapshot:
    """The state in a barrier's word; its phase is 0 or 1, since the word holds only the parity.

    Raises
    ------
    ValueError
        If `word` does not fit in 64 bits.
    """
    if not 0 <= word < 2**64:
        raise ValueError(f"word={word:#x}: allowed are 64 bits, 0 to 2**64 - 1")
    minus_tx = word >> _TX_SHIFT & _TX_MASK
    return Snapshot(
        phase=word >> _PARITY_SHIFT,
        pending_arrivals=-(word >> _PENDING_SHIFT) & _ARRIVALS_MASK,
        pending_tx=-(minus_tx - 2**21 if minus_tx >= 2**20 else minus_tx),
        expected_arrivals=-(word >> _EXPECTED_SHIFT) & _ARRIVALS_MASK,
    )
