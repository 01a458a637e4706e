"""The ring: proofs where it is right, shortest counter-examples where it is not, both against networkx."""

import functools
import itertools
from dataclasses import replace

import networkx as nx
import pytest

from hopperlab.models.barriers import Fault, Mbarrier, Ring, explore, mistakes, ring_parity, ring_stage
from hopperlab.models.barriers.word import decode, encode

RIGHT = [
    Ring(),
    Ring(stages=1),
    Ring(stages=3),
    Ring(producers=2),
    Ring(consumers=2),
    Ring(producers=2, pieces=2),
    Ring(items=5),
    Ring(stages=1, producers=3, nbytes=(32, 48, 16)),  # the halo of four blocks
    Ring(producer_steps=("wait", "copy", "arrive_expect_tx")),
    Ring(producer_steps=("wait", "expect_tx", "copy", "arrive")),
    Ring(producer_steps=("wait", "copy", "expect_tx", "arrive"), pieces=2),
]
VERDICTS = {
    "full barrier counts too many": "deadlock",
    "empty barrier counts too many": "deadlock",
    "producer waits for parity 0 first": "deadlock",
    "producer never flips its parity": "overwrite",
    "consumer never arrives": "deadlock",
    "expects too many bytes": "deadlock",
    "consumer waits for parity 1 first": "early read",
    "consumer never flips its parity": "early read",
    "consumer flips its parity with every item": "early read",
    "producer does not wait": "overwrite",
    "consumer does not wait": "early read",
    "consumer arrives before it reads": "overwrite",
    "producer arrives, then expects": "early read",
    "expects too few bytes": "deadlock",
    "expects half the bytes, counted in two pieces": "early read",
}


@functools.cache
def graph(ring):
    """All states and faults of a ring, as networkx sees them."""
    drawn, todo = nx.DiGraph(), [ring.start()]
    drawn.add_node(ring.start())
    while todo:
        state = todo.pop()
        for _, outcome in ring.successors(state):
            if outcome not in drawn and not isinstance(outcome, Fault):
                todo.append(outcome)
            drawn.add_edge(state, outcome)
    return drawn


@pytest.mark.parametrize("ring", RIGHT, ids=range(len(RIGHT)))
def test_a_right_ring_is_proved(ring):
    found = explore(ring)
    assert found.proved, found.explanation
    assert found.events == ()
    drawn = graph(ring)
    assert found.states == len(drawn)
    assert not any(isinstance(node, Fault) for node in drawn)
    if ring.items is None:  # from everywhere back to everywhere: nobody is ever shut out
        assert nx.is_strongly_connected(drawn)
    else:
        assert [ring.finished(node) for node in drawn if drawn.out_degree(node) == 0] == [True]


def test_every_named_mistake_has_its_verdict():
    assert {name: explore(ring).verdict for name, ring in mistakes(Ring(producers=2)).items()} == VERDICTS


@pytest.mark.parametrize("name", VERDICTS)
@pytest.mark.parametrize("producers", [1, 2])
def test_a_mistake_is_shown_by_a_shortest_history(name, producers):
    ring = mistakes(Ring(producers=producers))[name]
    found = explore(ring)
    drawn = graph(ring)
    distance = nx.single_source_shortest_path_length(drawn, ring.start())
    faults = [distance[node] for node in drawn if isinstance(node, Fault)]
    stuck = [distance[node] for node in drawn if not isinstance(node, Fault) and drawn.out_degree(node) == 0]
    assert len(found.events) == min(stuck if found.verdict == "deadlock" else faults)
    assert len(found.events) <= min(faults + stuck) + 1


@pytest.mark.parametrize("name", VERDICTS)
def test_a_history_replays_to_the_trouble_it_tells_of(name):
    ring = mistakes(Ring(producers=2))[name]
    found = explore(ring)
    state = ring.start()
    assert found.path[0] == state
    for event, before in zip(found.events, found.path, strict=False):
        assert before == state
        state = dict(ring.successors(state))[event]
    if found.verdict == "deadlock":
        assert not list(ring.successors(state))
        assert found.explanation == " ".join(ring.waiting(state))
    else:
        assert state.kind == found.verdict
        assert found.explanation == f"{state.text}."


def test_a_hang_says_who_waits_for_what():
    found = explore(mistakes(Ring())["expects too few bytes"])
    assert found.explanation == (
        "producer 0 waits for the phase of parity 0 of empty[0]; that phase needs 1 more arrival. "
        "consumer 0 waits for the phase of parity 0 of full[0]; that phase needs an expect_tx for 4 bytes "
        "that came without one."
    )


def test_one_thread_that_arrives_cannot_fill_a_barrier_of_thirty_two():
    assert explore(Ring(full_count=32)).verdict == "deadlock"


def test_a_producer_alone_that_runs_ahead_misuses_the_barrier():
    found = explore(Ring(producer_steps=("arrive_expect_tx", "copy")))
    assert found.verdict == "misuse"
    assert "waits for 64 bytes" in found.explanation


def test_an_endless_proof_agrees_with_finite_ones():
    for items in (1, 2, 3, 7):
        assert explore(Ring(items=items, producers=2)).proved


def test_a_walk_that_is_stopped_early_claims_nothing():
    found = explore(Ring(stages=3, producers=2), limit=50)
    assert found.verdict == "unfinished"
    assert not found.proved


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"stages": 0}, "stages=0"),
        ({"producers": 0}, "producers=0"),
        ({"nbytes": (16, 16)}, "nbytes="),
        ({"nbytes": 0}, "nbytes=0"),
        ({"pieces": 3}, "pieces=3: it must divide nbytes, 64"),
        ({"expect_difference": -65}, "expect_difference=-65"),
        ({"producer_parity": 2}, "producer_parity=2"),
        ({"producer_flips": "twice"}, "producer_flips='twice'"),
        ({"producer_steps": ("wait", "read")}, "producer_steps="),
        ({"consumer_steps": ()}, "consumer_steps="),
        ({"items": 0}, "items=0"),
        ({"full_count": 0}, "count=0"),
    ],
)
def test_a_ring_that_no_program_could_set_up_is_refused(wrong, named):
    with pytest.raises(ValueError, match=named):
        explore(Ring(**wrong))


@pytest.mark.parametrize("stages", [1, 2, 3, 5])
def test_the_parity_of_an_iteration_is_that_of_its_barrier(stages):
    """An oracle that counts: one barrier a stage, each used once a lap."""
    barriers = [Mbarrier(1) for _ in range(stages)]
    for iteration in range(4 * stages):
        barrier = barriers[ring_stage(iteration, stages)]
        parity = ring_parity(iteration, stages)
        assert parity == barrier.phase % 2
        assert not barrier.test_wait(parity)
        assert barrier.test_wait(1 - parity)
        barrier.arrive()
        assert barrier.test_wait(parity)


def test_parity_refuses_what_is_no_iteration():
    with pytest.raises(ValueError, match="iteration=-1"):
        ring_parity(-1, 2)
    with pytest.raises(ValueError, match="stages=0"):
        ring_stage(0, 0)


@pytest.mark.exhaustive
def test_larger_rings_are_proved_too():
    for stages, producers, consumers in itertools.product((2, 3), (1, 2, 3), (1, 2)):
        ring = Ring(stages=stages, producers=producers, consumers=consumers)
        if stages * producers * consumers <= 9:
            assert explore(ring).proved, ring
    assert explore(replace(Ring(stages=4, producers=2), pieces=1)).proved


def test_the_word_of_a_fresh_barrier_is_what_ptxas_stores():
    """ptxas for sm_90a makes of init(32): low word (2**20 - 32) << 1, high word (2**20 - 32) << 11."""
    word = encode(Mbarrier(32).snapshot())
    assert (word & 0xFFFFFFFF, word >> 32) == ((2**20 - 32) << 1, (2**20 - 32) << 11)


def test_the_word_holds_all_but_the_upper_bits_of_the_phase():
    barrier = Mbarrier(5)
    steps = [
        lambda: barrier.arrive_drop(2),
        lambda: barrier.complete_tx(2**20 - 1),
        lambda: barrier.expect_tx(2**20 - 1),
        lambda: barrier.arrive_expect_tx(64),
        lambda: barrier.arrive(2),
        lambda: barrier.complete_tx(64),
        lambda: barrier.expect_tx(2**20 - 1),
    ]
    for step in steps:
        step()
        state = barrier.snapshot()
        assert decode(encode(state)) == state._replace(phase=state.phase % 2)
    with pytest.raises(ValueError, match="64 bits"):
        decode(2**64)
