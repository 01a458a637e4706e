"""Twins of the words of mbarrier."""

from __future__ import annotations

from typing import Any

from hopperlab.device.simulator import numbers
from hopperlab.device.simulator.arguments import Misuse
from hopperlab.device.simulator.barriers import TOKEN_SHIFT, Barrier, Waiting
from hopperlab.device.simulator.twins import twin
from hopperlab.device.vocabulary import mbarrier
from hopperlab.models.barriers import Token


@twin(mbarrier.shared)
def shared(world: Any, count: int | None = None) -> Any:
    """Give the block's barrier, or ring, of this line."""
    return world.shared_barriers(count)


@twin(mbarrier.init)
def init(world: Any, barrier: Barrier, count: int) -> None:
    """Begin phase 0."""
    own(world, barrier, "mbarrier.init")
    if barrier.model is not None and barrier.model.valid:
        world.misuse(
            "reuse of a live barrier",
            f"{world.thread!r} initializes {barrier!r}, which is in phase {barrier.model.phase}",
            "Call mbarrier.inval first, or go on using the barrier: its next phase begins by itself.",
        )
    barrier.begin(int(count))
    world.initialized(barrier)


@twin(mbarrier.inval)
def inval(world: Any, barrier: Barrier) -> None:
    """End the barrier."""
    use(world, barrier, "mbarrier.inval")
    barrier.model.inval()
    world.record_barrier("inval", barrier)


def own(world: Any, barrier: Any, word: str) -> None:
    """Refuse what is no barrier, or another block's."""
    if not isinstance(barrier, Barrier):
        raise Misuse(
            f"{word}: barrier is {barrier!r}; give a barrier made by mbarrier.shared, one of a ring by its index"
        )
    if barrier.block is not world.thread.block:
        raise Misuse(f"{word}: {barrier!r} is another block's; a block does that on its own barriers only")


def use(world: Any, barrier: Any, word: str) -> None:
    """Refuse what is no barrier, one that was never initialized, and one whose block has ended."""
    if not isinstance(barrier, Barrier):
        raise Misuse(
            f"{word}: barrier is {barrier!r}; give a barrier made by mbarrier.shared, one of a ring by its index"
        )
    world.use_barrier(barrier, word)


def count(world: Any, barrier: Barrier, word: str, operation: str, *numbers_given: int) -> Any:
    """Do an operation of the model; a refusal is a finding."""
    use(world, barrier, word)
    phase = barrier.model.phase
    world.arriving(barrier, operation, numbers_given)
    try:
        token = getattr(barrier.model, operation)(*numbers_given)
    except ValueError as refusal:
        world.refused(barrier, word, str(refusal))
    world.counted(barrier, phase, operation, numbers_given)
    barrier.after(phase)
    return None if barrier.block is not world.thread.block else _token(token)


def _token(token: Token | None) -> Any:
    if token is None:
        return None
    return numbers.uint64(token.phase << TOKEN_SHIFT | token.pending_arrivals)


@twin(mbarrier.arrive)
def arrive(world: Any, barrier: Barrier, n: int) -> Any:
    """Count arrivals, releasing what this thread wrote."""
    return count(world, barrier, "mbarrier.arrive", "arrive", int(n))


@twin(mbarrier.arrive_relaxed)
def arrive_relaxed(world: Any, barrier: Barrier, n: int) -> None:
    """Count arrivals; its reads are over, and that is all it promises."""
    count(world, barrier, "mbarrier.arrive_relaxed", "arrive", int(n))


@twin(mbarrier.arrive_drop)
def arrive_drop(world: Any, barrier: Barrier, n: int) -> Any:
    """Count arrivals and leave."""
    return count(world, barrier, "mbarrier.arrive_drop", "arrive_drop", int(n))


@twin(mbarrier.expect_tx)
def expect_tx(world: Any, barrier: Barrier, nbytes: int) -> None:
    """Announce bytes."""
    count(world, barrier, "mbarrier.expect_tx", "expect_tx", int(nbytes))


@twin(mbarrier.arrive_expect_tx)
def arrive_expect_tx(world: Any, barrier: Barrier, nbytes: int) -> Any:
    """Announce bytes and arrive."""
    return count(world, barrier, "mbarrier.arrive_expect_tx", "arrive_expect_tx", int(nbytes))


@twin(mbarrier.complete_tx)
def complete_tx(world: Any, barrier: Barrier, nbytes: int) -> None:
    """Count bytes as landed."""
    count(world, barrier, "mbarrier.complete_tx", "complete_tx", int(nbytes))


def _look(world: Any, barrier: Barrier, parity: int, word: str) -> bool:
    own(world, barrier, word)
    use(world, barrier, word)
    return barrier.model.test_wait(int(parity))


@twin(mbarrier.test_wait, waits=True)
def test_wait(world: Any, barrier: Barrier, parity: int, scope: str) -> bool:
    """Look, without waiting; one that looks in vain lets others go first."""
    if not _look(world, barrier, parity, "mbarrier.test_wait"):
        world.looked(barrier, parity, False)
        world.scheduler.ask_again(world.thread, Waiting(barrier, int(parity)))
        return False
    world.passed(barrier, parity, scope)
    return True


@twin(mbarrier.try_wait, waits=True)
def try_wait(world: Any, barrier: Barrier, parity: int, scope: str) -> bool:
    """Sleep until the phase completes, or until nothing else can happen."""
    if not _look(world, barrier, parity, "mbarrier.try_wait"):
        world.scheduler.ask_again(world.thread, Waiting(barrier, int(parity)))
    done = barrier.model.test_wait(int(parity))
    if done:
        world.passed(barrier, parity, scope)
    return done


@twin(mbarrier.try_wait_for, waits=True)
def try_wait_for(world: Any, barrier: Barrier, parity: int, duration: int) -> bool:
    """Sleep until the phase completes, or until nothing else can happen."""
    return try_wait(world, barrier, parity, "cta")


@twin(mbarrier.wait, waits=True)
def wait(world: Any, barrier: Barrier, parity: int, scope: str) -> None:
    """Wait until the phase of that parity has completed."""
    parity = int(parity)
    if not _look(world, barrier, parity, "mbarrier.wait"):
        world.sleeps(barrier, parity)
        while not barrier.model.test_wait(parity):
            barrier.waiters.append((world.thread, parity))
            world.scheduler.wait(world.thread, Waiting(barrier, parity))
    world.passed(barrier, parity, scope)


def _phase_of(world: Any, barrier: Barrier, token: int) -> bool:
    phase = int(token) >> TOKEN_SHIFT
    try:
        return barrier.model.test_wait_token(Token(phase, int(token) & (1 << TOKEN_SHIFT) - 1))
    except ValueError as refusal:
        raise Misuse(f"mbarrier: {refusal}") from None


@twin(mbarrier.test_wait_token, waits=True)
def test_wait_token(world: Any, barrier: Barrier, token: int) -> bool:
    """Look whether the token's phase has completed."""
    own(world, barrier, "mbarrier.test_wait_token")
    parity = int(token) >> TOKEN_SHIFT & 1
    if not _phase_of(world, barrier, token):
        world.scheduler.ask_again(world.thread, Waiting(barrier, parity))
        return False
    world.passed(barrier, parity, "cta")
    return True


@twin(mbarrier.wait_token, waits=True)
def wait_token(world: Any, barrier: Barrier, token: int) -> None:
    """Wait until the token's phase has completed."""
    own(world, barrier, "mbarrier.wait_token")
    parity = int(token) >> TOKEN_SHIFT & 1
    while not _phase_of(world, barrier, token):
        barrier.waiters.append((world.thread, parity))
        world.scheduler.wait(world.thread, Waiting(barrier, parity))
    world.passed(barrier, parity, "cta")


@twin(mbarrier.pending_count)
def pending_count(world: Any, token: int) -> int:
    """Give the arrivals that were pending just before the token was given."""
    return int(token) & (1 << TOKEN_SHIFT) - 1
