"""Random legal sequences of operations on a barrier, and what the model sees after each of them.

Every sequence closes with a probe. It brings the barrier to where only bytes are missing, completes all of
them but 16, sees that the phase has not turned, completes those, and sees that it has.

A copy engine counts a copy's bytes in pieces (the experiment `copy_pieces`), so the phase may turn in the
middle of a copy that brings more than is missing. What happens then is not determined: no sequence does it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from hopperlab.kernels.barriers import (
    ARRIVE,
    ARRIVE_DROP,
    ARRIVE_EXPECT_TX,
    COMPLETE_TX,
    COPY,
    COPY_BYTES,
    EXPECT_TX,
    INIT,
    INVAL,
)
from hopperlab.models.barriers import MAX_ARRIVALS, MAX_TX, Mbarrier

NAMES = {
    INIT: "init",
    ARRIVE: "arrive",
    ARRIVE_DROP: "arrive_drop",
    EXPECT_TX: "expect_tx",
    ARRIVE_EXPECT_TX: "arrive_expect_tx",
    COMPLETE_TX: "complete_tx",
    COPY: "bulk copy",
    INVAL: "inval",
}

STEP = 16  # bytes: the least that a copy engine brings; lit-043.a


@dataclass(frozen=True)
class Step:
    """One operation with its number, and what `kernels.barriers.obey` should see after it."""

    operation: int
    number: int
    seen: int


class Sequence:
    """A sequence in the making: operations are tried on the model, and kept if it allows them."""

    def __init__(self, count: int) -> None:
        self.steps: list[Step] = [Step(INIT, count, 0)]
        self.barrier = Mbarrier(count)

    def add(self, operation: int, number: int) -> bool:
        """Do an operation on the model and keep it; False, and nothing done, if the model refuses."""
        try:
            token = _do(self.barrier, operation, number)
        except ValueError:
            return False
        parity = self.barrier.parity if self.barrier.valid else 0
        self.steps.append(Step(operation, number, (token.pending_arrivals if token else 0) << 1 | parity))
        return True


def _do(barrier: Mbarrier, operation: int, number: int) -> object:
    doing: dict[int, Callable] = {
        INIT: barrier.init,
        ARRIVE: barrier.arrive,
        ARRIVE_DROP: barrier.arrive_drop,
        EXPECT_TX: barrier.expect_tx,
        ARRIVE_EXPECT_TX: barrier.arrive_expect_tx,
        COMPLETE_TX: barrier.complete_tx,
        COPY: barrier.complete_tx,
        INVAL: lambda _: barrier.inval(),
    }
    return doing[operation](number)


def random_sequence(rng: np.random.Generator, by_engine: bool) -> list[Step]:
    """Draw a legal sequence that ends with the probe.

    Parameters
    ----------
    rng
        Decides everything.
    by_engine
        Whether bytes are brought by the copy engine, 16 at a time at least, or counted by `complete_tx`.
    """
    sequence = Sequence(_log_uniform(rng, MAX_ARRIVALS))
    for _ in range(int(rng.integers(4, 20))):
        _add_random(rng, sequence, by_engine)
    _probe(rng, sequence, by_engine)
    return sequence.steps


def _add_random(rng: np.random.Generator, sequence: Sequence, by_engine: bool) -> None:
    barrier, kind = sequence.barrier, rng.random()
    if kind < 0.35:
        pending = barrier.pending_arrivals
        number = pending if rng.random() < 0.5 else _log_uniform(rng, max(pending, 1))
        sequence.add(ARRIVE, number)
    elif kind < 0.40:
        sequence.add(ARRIVE_DROP, _log_uniform(rng, max(barrier.pending_arrivals, 1)))
    elif kind < 0.55:
        sequence.add(EXPECT_TX, _bytes(rng, -barrier.pending_tx, by_engine))
    elif kind < 0.65:
        sequence.add(ARRIVE_EXPECT_TX, _bytes(rng, -barrier.pending_tx, by_engine))
    elif kind < 0.97:
        number = _bytes(rng, barrier.pending_tx, by_engine)
        if by_engine:
            most = barrier.pending_tx if barrier.pending_arrivals == 0 < barrier.pending_tx else COPY_BYTES
            sequence.add(COPY, min(max(number, STEP), most, COPY_BYTES))
        else:
            sequence.add(COMPLETE_TX, number)
    elif sequence.add(INVAL, 0):
        sequence.add(INIT, _log_uniform(rng, MAX_ARRIVALS))


def _probe(rng: np.random.Generator, sequence: Sequence, by_engine: bool) -> None:
    barrier = sequence.barrier
    if barrier.pending_tx < 0:
        sequence.add(EXPECT_TX, -barrier.pending_tx)
    if barrier.pending_tx < STEP:
        sequence.add(EXPECT_TX, STEP * int(rng.integers(1, 200)))
    if barrier.pending_arrivals:
        sequence.add(ARRIVE, barrier.pending_arrivals)
    while by_engine and barrier.pending_tx > STEP:
        sequence.add(COPY, min(barrier.pending_tx - STEP, COPY_BYTES))
    if barrier.pending_tx > STEP:
        sequence.add(COMPLETE_TX, barrier.pending_tx - STEP)
    before = barrier.phase
    sequence.add(COPY if by_engine else COMPLETE_TX, STEP)
    if barrier.phase != before + 1:
        raise AssertionError("the probe's last bytes must turn the phase")


def _bytes(rng: np.random.Generator, exact: int, by_engine: bool) -> int:
    """Draw bytes: exactly what would bring the count to zero half of the time, if that is possible."""
    if 0 < exact <= MAX_TX and rng.random() < 0.5:
        return exact
    number = _log_uniform(rng, COPY_BYTES if by_engine else MAX_TX)
    return -(-number // STEP) * STEP if by_engine else number


def _log_uniform(rng: np.random.Generator, most: int) -> int:
    """A number from 1 to `most`, small ones as likely as large ones, both ends within reach."""
    return min(most, int(2 ** rng.uniform(0, np.log2(most) + 0.1)))
