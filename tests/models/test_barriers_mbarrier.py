"""The barrier's state machine against a plain account of arrivals and bytes."""

import itertools
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hopperlab.models.barriers import (
    MAX_ARRIVALS,
    MAX_TX,
    REMOTE_OPERATIONS,
    Mbarrier,
    Snapshot,
    Token,
    check_remote,
)

OPERATIONS = st.one_of(
    st.tuples(st.just("arrive"), st.integers(1, 3)),
    st.tuples(st.just("arrive_drop"), st.integers(1, 2)),
    st.tuples(st.sampled_from(["expect_tx", "complete_tx", "arrive_expect_tx"]), st.sampled_from([0, 4, 16])),
)


class Account:
    """The oracle: it keeps every entry of the current phase and adds them up anew each time."""

    def __init__(self, count):
        self.next_count, self.completed, self.arrivals, self.tx = count, 0, [-count], []

    def allows(self, operation, number):
        if operation == "arrive_drop" and self.next_count - number < 1:
            return False
        arrivals = {"arrive": number, "arrive_drop": number, "arrive_expect_tx": 1}.get(operation, 0)
        return sum(self.arrivals) + arrivals <= 0

    def enter(self, operation, number):
        if operation == "arrive_drop":
            self.next_count -= number
        if operation.startswith("arrive"):
            self.arrivals.append(1 if operation == "arrive_expect_tx" else number)
        if operation.endswith("expect_tx"):
            self.tx.append(number)
        if operation == "complete_tx":
            self.tx.append(-number)
        if sum(self.arrivals) == 0 and sum(self.tx) == 0:
            self.completed, self.arrivals, self.tx = self.completed + 1, [-self.next_count], []

    def snapshot(self):
        return Snapshot(self.completed, -sum(self.arrivals), sum(self.tx), self.next_count)


@given(st.integers(1, 5), st.lists(OPERATIONS, max_size=60))
def test_every_legal_sequence_agrees_with_the_account(count, operations):
    barrier, account = Mbarrier(count), Account(count)
    for operation, number in operations:
        if not account.allows(operation, number):
            before = barrier.snapshot()
            with pytest.raises(ValueError, match="must"):
                getattr(barrier, operation)(number)
            assert barrier.snapshot() == before
            continue
        getattr(barrier, operation)(number)
        account.enter(operation, number)
        assert barrier.snapshot() == account.snapshot()
        for parity in (0, 1):
            assert barrier.test_wait(parity) == (account.completed % 2 != parity)


def test_no_reachable_state_rests_with_nothing_missing():
    """All states within a few counts of a fresh barrier, by every operation."""
    seen, todo = set(), [Mbarrier(count).snapshot() for count in (1, 2, 3)]
    while todo:
        state = todo.pop()
        if state in seen or state.phase > 3 or abs(state.pending_tx) > 3:
            continue
        seen.add(state)
        assert 1 <= state.expected_arrivals <= 3
        assert state.pending_arrivals >= 0
        assert (state.pending_arrivals, state.pending_tx) != (0, 0)
        for operation, number in itertools.product(
            ("arrive", "arrive_drop", "expect_tx", "arrive_expect_tx", "complete_tx"), range(4)
        ):
            barrier = Mbarrier.restore(state)
            try:
                getattr(barrier, operation)(number)
            except ValueError:
                assert barrier.snapshot() == state
            else:
                assert barrier.phase - state.phase in (0, 1)
                todo.append(barrier.snapshot())
    assert len(seen) > 100


def test_the_phase_ends_at_the_last_of_six_events_in_whatever_order_they_come():
    """The halo of four blocks: one announcement, three senders, five deliveries of unequal size."""
    deliveries = [("complete_tx", nbytes) for nbytes in (16, 32, 16, 28, 4)]
    orders = set(itertools.permutations([("arrive_expect_tx", 96), *deliveries]))
    assert len(orders) == 360
    for order in orders:
        barrier = Mbarrier(1)
        for event, number in order[:-1]:
            getattr(barrier, event)(number)
            assert barrier.phase == 0
        last, number = order[-1]
        getattr(barrier, last)(number)
        assert barrier.snapshot() == Snapshot(1, 1, 0, 1)


def test_bytes_may_come_before_they_are_expected():
    barrier = Mbarrier(2)
    barrier.complete_tx(64)
    assert barrier.pending_tx == -64
    barrier.arrive()
    barrier.arrive_expect_tx(64)
    assert barrier.phase == 1


def test_an_expectation_that_cancels_early_bytes_ends_the_phase():
    """PTX ISA 9.7.13.15.6 read literally; the card has the last word."""
    barrier = Mbarrier(1)
    barrier.complete_tx(16)
    barrier.arrive()
    assert (barrier.phase, barrier.pending_arrivals, barrier.pending_tx) == (0, 0, -16)
    barrier.expect_tx(16)
    assert barrier.snapshot() == Snapshot(1, 1, 0, 1)


def test_four_bytes_short_never_completes_and_four_too_many_neither():
    for delivered in (92, 100):
        barrier = Mbarrier(1)
        barrier.arrive_expect_tx(96)
        barrier.complete_tx(delivered)
        assert barrier.phase == 0
        assert barrier.pending_tx == 96 - delivered


def test_an_expectation_after_the_last_arrival_falls_into_the_next_phase():
    barrier = Mbarrier(1)
    barrier.arrive()
    barrier.expect_tx(32)
    assert (barrier.phase, barrier.pending_tx) == (1, 32)


def test_a_fresh_barrier_answers_parity_one_at_once_and_parity_zero_not():
    barrier = Mbarrier(3)
    assert barrier.test_wait(1)
    assert not barrier.test_wait(0)


def test_one_parity_bit_cannot_tell_phases_two_apart():
    barrier = Mbarrier(1)
    answers = []
    for _ in range(4):
        answers.append(barrier.test_wait(0))
        barrier.arrive()
    assert answers == [False, True, False, True]


def test_a_token_names_the_phase_and_the_count_before_the_arrival():
    barrier = Mbarrier(2)
    first = barrier.arrive()
    second = barrier.arrive()
    assert (first, second) == (Token(0, 2), Token(0, 1))
    assert barrier.test_wait_token(first)
    third = barrier.arrive()
    assert not barrier.test_wait_token(third)
    barrier.arrive()
    with pytest.raises(ValueError, match="token is of phase 0"):
        barrier.test_wait_token(first)


def test_arrive_drop_lowers_every_later_phase():
    barrier = Mbarrier(3)
    barrier.arrive_drop()
    barrier.arrive(2)
    assert barrier.snapshot() == Snapshot(1, 2, 0, 2)
    barrier.arrive_drop()
    barrier.arrive()
    assert barrier.snapshot() == Snapshot(2, 1, 0, 1)
    with pytest.raises(ValueError, match="later phases would expect 0 arrivals"):
        barrier.arrive_drop()


@pytest.mark.parametrize("count", [0, -1, 2**20, 2**32])
def test_a_count_out_of_range_is_refused(count):
    with pytest.raises(ValueError, match=rf"count={count} must be in 1 to 1048575"):
        Mbarrier(count)


@pytest.mark.parametrize("count", [1, MAX_ARRIVALS, np.int64(7)])
def test_a_count_in_range_is_taken(count):
    barrier = Mbarrier(count)
    assert type(barrier.pending_arrivals) is int
    barrier.arrive(count)
    assert barrier.phase == 1


@pytest.mark.parametrize("count", [1.0, "4", None, True])
def test_a_count_that_is_no_whole_number_is_a_type_error(count):
    with pytest.raises(TypeError, match="whole number"):
        Mbarrier(count)


def test_the_byte_count_keeps_to_its_signed_range():
    barrier = Mbarrier(1)
    barrier.complete_tx(MAX_TX)
    with pytest.raises(ValueError, match=r"would be -1048576, and must be in -1048575 to 1048575"):
        barrier.complete_tx(1)
    barrier.expect_tx(MAX_TX)
    barrier.expect_tx(MAX_TX)
    with pytest.raises(ValueError, match="would be 1048576"):
        barrier.arrive_expect_tx(1)
    with pytest.raises(ValueError, match="nbytes=-4"):
        barrier.expect_tx(-4)
    assert (barrier.pending_arrivals, barrier.pending_tx) == (1, MAX_TX)


def test_arriving_once_too_often_says_that_the_phase_waits_for_bytes():
    barrier = Mbarrier(1)
    barrier.arrive_expect_tx(32)
    with pytest.raises(ValueError, match="waits for 32 bytes"):
        barrier.arrive()
    with pytest.raises(ValueError, match="n=3 must be in 1 to 2"):
        Mbarrier(2).arrive(3)


def test_a_parity_is_zero_or_one():
    with pytest.raises(ValueError, match="parity=2"):
        Mbarrier(1).test_wait(2)


def test_a_barrier_is_used_only_between_init_and_inval():
    barrier = Mbarrier(2)
    with pytest.raises(ValueError, match="call inval"):
        barrier.init(4)
    barrier.arrive()
    barrier.inval()
    assert barrier.explain() == "The barrier is not initialized."
    for operation in ("arrive", "expect_tx", "complete_tx", "arrive_expect_tx", "arrive_drop", "test_wait"):
        with pytest.raises(ValueError, match=f"{operation} on a barrier that is not initialized"):
            getattr(barrier, operation)(1)
    with pytest.raises(ValueError, match="not initialized"):
        barrier.inval()
    barrier.init(4)
    assert barrier == Mbarrier(4)


def test_a_copy_goes_its_own_way_and_a_snapshot_undoes():
    barrier = Mbarrier(2)
    barrier.arrive_expect_tx(48)
    before, twin = barrier.snapshot(), barrier.copy()
    assert twin == barrier
    twin.complete_tx(16)
    assert twin != barrier
    assert barrier.snapshot() == before
    assert Mbarrier.restore(before) == barrier
    assert len({before, barrier.snapshot(), twin.snapshot()}) == 2


def test_a_peer_may_arrive_and_count_bytes_and_never_wait():
    for operation in REMOTE_OPERATIONS:
        check_remote(operation)
        assert hasattr(Mbarrier, operation)
    for operation in ("test_wait", "test_wait_token", "init", "inval"):
        with pytest.raises(ValueError, match=f"operation='{operation}'"):
            check_remote(operation)


def test_the_explanation_names_what_is_missing():
    barrier = Mbarrier(2)
    assert barrier.explain() == "Phase 0 (parity 0) needs 2 more arrivals."
    barrier.arrive_expect_tx(33)
    assert barrier.explain() == "Phase 0 (parity 0) needs 1 more arrival and 33 more bytes."
    barrier.arrive()
    barrier.complete_tx(32)
    assert barrier.explain() == "Phase 0 (parity 0) needs 1 more byte."
    barrier.complete_tx(1)
    barrier.complete_tx(16)
    assert barrier.explain() == (
        "Phase 1 (parity 1) needs 2 more arrivals and an expect_tx for 16 bytes that came without one."
    )


def test_ten_thousand_random_sequences_close_on_exactly_the_missing_bytes():
    """The closing probe that the card is asked too: that many bytes flip the phase, 16 fewer do not."""
    chance = random.Random(2024)
    for _ in range(10_000):
        barrier = Mbarrier(chance.randint(1, 4))
        for _ in range(chance.randint(0, 12)):
            if chance.random() < 0.4 and barrier.pending_arrivals:
                barrier.arrive(chance.randint(1, barrier.pending_arrivals))
            elif chance.random() < 0.5:
                barrier.expect_tx(16 * chance.randint(0, 8))
            else:
                barrier.complete_tx(16 * chance.randint(0, 8))
        barrier.expect_tx(max(0, -barrier.pending_tx) + 32)
        if barrier.pending_arrivals:
            barrier.arrive(barrier.pending_arrivals)
        phase, missing = barrier.phase, barrier.pending_tx
        short = barrier.copy()
        short.complete_tx(missing - 16)
        barrier.complete_tx(missing)
        assert (short.phase, barrier.phase) == (phase, phase + 1)
