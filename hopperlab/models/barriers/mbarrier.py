"""The transaction barrier of Hopper: one 64-bit object that counts arrivals and bytes.

PTX calls it an mbarrier object. It holds four things (PTX ISA 9.7.13.15.2): the current phase, the
arrivals still pending in it, the arrivals that the next phase will expect, and the transaction count
(tx-count): bytes announced by ``expect_tx`` and not yet delivered by ``complete_tx``.

One rule moves it on: **a phase completes when no arrival is pending and the tx-count is zero, and only
then** (claim lit-025). The next phase begins in the same instant, with its arrivals pending again.

Consequences that surprise:

- Bytes may land before anybody expected them. The tx-count is signed (claim lit-024), goes below zero,
  and comes back when the expectation arrives. All of it must happen within one phase.
- The barrier does not know who arrived, nor whose bytes came. It only counts.
- A copy engine counts a copy's bytes in pieces, in an order that changes (experiment ``copy_pieces``). A copy
  that brings more than the last bytes missing may therefore complete the phase before it is over.
- One arrival more than are pending, or a tx-count out of range, stops the kernel: an H200 reports a launch
  failure.
- Waiting names a phase by its parity alone: one bit is enough, because only the current phase and the
  one before it can be asked about (claim lit-026).
"""

from typing import NamedTuple

from hopperlab.models.arguments import whole_number

MAX_ARRIVALS = 2**20 - 1  # arrivals; expected 1..MAX, pending 0..MAX; claims lit-022 and lit-023
MAX_TX = 2**20 - 1  # bytes; the tx-count lies in -MAX..MAX; claim lit-024
OBJECT_BYTES = 8  # size and alignment of the object in shared memory, bytes; claims lit-028.a, lit-028.b

# What a thread may do to a barrier in another block's shared memory (PTX ISA 9.7.13.15.8; claim lit-028.a).
# None of them returns a token there, and none of them waits.
REMOTE_OPERATIONS = ("arrive", "arrive_drop", "arrive_expect_tx", "expect_tx", "complete_tx")


class Token(NamedTuple):
    """What ``arrive`` returns: the barrier as it was just before, as PTX's opaque state register.

    ``phase`` is the phase arrived in; ``pending_arrivals`` is what ``mbarrier.pending_count`` reads.
    """

    phase: int
    pending_arrivals: int


class Snapshot(NamedTuple):
    """The whole barrier at one moment: hashable, to undo a step or to recognize a visited state."""

    phase: int
    pending_arrivals: int
    pending_tx: int
    expected_arrivals: int


class Mbarrier:
    """A transaction barrier, initialized for `count` arrivals a phase.

    Every operation is atomic: it happens whole, or it is refused with ``ValueError`` and changes nothing.
    Where PTX says "undefined behavior" the model refuses, because a course should stop there.

    Parameters
    ----------
    count
        Arrivals that complete a phase, 1 to 2**20 - 1.

    Attributes
    ----------
    phase
        Index of the current phase, from 0. The hardware keeps its lowest bit, ``parity``.
    pending_arrivals
        Arrivals still missing in the current phase.
    pending_tx
        Bytes expected and not yet complete; negative when bytes came before their expectation.
    expected_arrivals
        Arrivals that the next phase will start with.
    valid
        False between ``inval`` and the next ``init``.
    """

    __slots__ = ("expected_arrivals", "pending_arrivals", "pending_tx", "phase", "valid")

    def __init__(self, count: int) -> None:
        self.valid = False
        self.init(count)

    def init(self, count: int) -> None:
        """Begin phase 0 with `count` arrivals pending; refused on a barrier that is still valid (lit-029)."""
        if self.valid:
            raise ValueError("init of a barrier that is in use: call inval() first, as PTX demands")
        count = whole_number("count", count, 1, MAX_ARRIVALS)
        self.phase = 0
        self.expected_arrivals = self.pending_arrivals = count
        self.pending_tx = 0
        self.valid = True

    def inval(self) -> None:
        """Give the eight bytes back, to hold another barrier or anything else."""
        self._check_valid("inval")
        self.valid = False

    @property
    def parity(self) -> int:
        """Parity of the current phase, 0 or 1; a fresh barrier has 0 (lit-026)."""
        return self.phase & 1

    def arrive(self, n: int = 1) -> Token:
        """Count `n` arrivals, 1 to the number pending; complete the phase if nothing else is missing."""
        self._check_valid("arrive")
        return self._count(arrivals=self._arrivals(n))

    def arrive_drop(self, n: int = 1) -> Token:
        """Arrive `n` times and leave: every later phase expects `n` arrivals fewer."""
        self._check_valid("arrive_drop")
        n = self._arrivals(n)
        stay = self.expected_arrivals - n
        if stay < 1:
            raise ValueError(
                f"n={n}: later phases would expect {stay} arrivals, and must be in 1 to {MAX_ARRIVALS}"
            )
        self.expected_arrivals = stay
        return self._count(arrivals=n)

    def expect_tx(self, nbytes: int) -> None:
        """Announce `nbytes` more bytes for the current phase: the tx-count rises; it is no arrival."""
        self._check_valid("expect_tx")
        self._count(tx=self._tx("expect_tx", nbytes, +1))

    def arrive_expect_tx(self, nbytes: int) -> Token:
        """Announce `nbytes`, then arrive once, in that order and as one operation (lit-027)."""
        self._check_valid("arrive_expect_tx")
        return self._count(arrivals=self._arrivals(1), tx=self._tx("arrive_expect_tx", nbytes, +1))

    def complete_tx(self, nbytes: int) -> None:
        """Count `nbytes` as landed, as a copy engine does when it has written them."""
        self._check_valid("complete_tx")
        self._count(tx=self._tx("complete_tx", nbytes, -1))

    def test_wait(self, parity: int) -> bool:
        """Whether the phase of that parity has completed; never blocks.

        True when the current phase has the other parity. So on a fresh barrier parity 1 is true at once
        (the phase before the first counts as complete) and parity 0 is false.
        """
        self._check_valid("test_wait")
        return self.parity != whole_number("parity", parity, 0, 1)

    def test_wait_token(self, token: Token) -> bool:
        """Whether the phase that `token` arrived in has completed; the phase is the current or the last."""
        self._check_valid("test_wait")
        if not 0 <= self.phase - token.phase <= 1:
            raise ValueError(
                f"token is of phase {token.phase}: the barrier is in phase {self.phase}, and only that phase "
                "and the one before it can be asked about"
            )
        return token.phase != self.phase

    def snapshot(self) -> Snapshot:
        """The state as a hashable value; ``Mbarrier.restore`` makes a barrier of it again."""
        self._check_valid("snapshot")
        return Snapshot(self.phase, self.pending_arrivals, self.pending_tx, self.expected_arrivals)

    @classmethod
    def restore(cls, snapshot: Snapshot) -> "Mbarrier":
        """A barrier in the state of `snapshot`."""
        barrier = cls(snapshot.expected_arrivals)
        barrier.phase, barrier.pending_arrivals, barrier.pending_tx, _ = snapshot
        return barrier

    def copy(self) -> "Mbarrier":
        """An independent barrier in the same state."""
        return Mbarrier.restore(self.snapshot())

    def missing(self) -> str:
        """What the current phase still needs, as a phrase: arrivals, bytes, or a late expectation."""
        self._check_valid("missing")
        needs = []
        if self.pending_arrivals:
            needs.append(_more(self.pending_arrivals, "arrival"))
        if self.pending_tx > 0:
            needs.append(_more(self.pending_tx, "byte"))
        if self.pending_tx < 0:
            needs.append(f"an expect_tx for {-self.pending_tx} bytes that came without one")
        return " and ".join(needs)

    def explain(self) -> str:
        """One sentence: which phase the barrier is in, and what is missing for it to complete."""
        if not self.valid:
            return "The barrier is not initialized."
        return f"Phase {self.phase} (parity {self.parity}) needs {self.missing()}."

    def __eq__(self, other: object) -> bool:
        """Two barriers are equal when every later operation would find them the same."""
        if not isinstance(other, Mbarrier):
            return NotImplemented
        return self.valid == other.valid and (not self.valid or self.snapshot() == other.snapshot())

    __hash__ = None  # it changes; hash its snapshot()

    def __repr__(self) -> str:
        """All counts, as an expression to read."""
        if not self.valid:
            return "Mbarrier(invalid)"
        return (
            f"Mbarrier(phase={self.phase}, pending_arrivals={self.pending_arrivals}, "
            f"pending_tx={self.pending_tx}, expected_arrivals={self.expected_arrivals})"
        )

    def _count(self, arrivals: int = 0, tx: int = 0) -> Token:
        token = Token(self.phase, self.pending_arrivals)
        self.pending_arrivals -= arrivals
        self.pending_tx += tx
        # PTX ISA 9.7.13.15.6 states the condition on the counts, whatever operation brought them there, so
        # an expect_tx that cancels bytes already landed completes the phase too. (Its own paragraph,
        # 9.7.13.15.5.1, does not mention completion; ptxas makes it an arrival of zero threads.)
        if self.pending_arrivals == 0 and self.pending_tx == 0:
            self.phase += 1
            self.pending_arrivals = self.expected_arrivals
        return token

    def _check_valid(self, operation: str) -> None:
        if not self.valid:
            raise ValueError(f"{operation} on a barrier that is not initialized: call init(count) first")

    def _arrivals(self, n: int) -> int:
        if self.pending_arrivals == 0:
            raise ValueError(
                f"n={n}: no arrival is pending, the phase waits for {self.pending_tx} bytes; one arrival more "
                "must not be made"
            )
        return whole_number("n", n, 1, self.pending_arrivals)

    def _tx(self, operation: str, nbytes: int, sign: int) -> int:
        tx = sign * whole_number("nbytes", nbytes, 0, MAX_TX)
        after = self.pending_tx + tx
        if not -MAX_TX <= after <= MAX_TX:
            raise ValueError(
                f"nbytes={nbytes}: after {operation} the tx-count would be {after}, and must be in "
                f"{-MAX_TX} to {MAX_TX} bytes"
            )
        return tx


def check_remote(operation: str) -> None:
    """Refuse an operation on a peer block's barrier that PTX allows only on one's own.

    Raises
    ------
    ValueError
        For anything outside ``REMOTE_OPERATIONS``: a block may arrive on a peer's barrier and count bytes
        there, but waits only on its own.
    """
    if operation not in REMOTE_OPERATIONS:
        allowed = ", ".join(REMOTE_OPERATIONS)
        raise ValueError(f"operation={operation!r}: on another block's barrier allowed are {allowed}")


def _more(number: int, noun: str) -> str:
    return f"{number} more {noun}" if number == 1 else f"{number} more {noun}s"
