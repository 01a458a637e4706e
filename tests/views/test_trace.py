"""Pictures of traces: steps that keep every order, causes that explain, maps and flows that count each byte."""

from dataclasses import replace
from functools import cache
from importlib import import_module
from itertools import pairwise

import numpy as np
import pytest
from numba import cuda, float32

from hopperlab.device import bulk, cluster, dsmem, fence, kernel, mbarrier, tma
from hopperlab.kernels import exchange
from hopperlab.kernels import tma as copies
from hopperlab.kernels.specimens import kernel_of
from hopperlab.views import barriers
from hopperlab.views import trace as views
from hopperlab.views.trace.byte_flow import GLOBAL, flows_of
from hopperlab.views.trace.shared_map import IN_FLIGHT, LEAVING, POISON, PRESENT, held_by, stretches
from hopperlab.views.trace.words import runs

RNG = np.random.default_rng(3)


@kernel
def half_and_half(source, target):
    """Write the first half of a tile, and let a copy bring the second; then read all of it."""
    tile = cuda.shared.array(64, float32, alignment=16)
    spare = cuda.shared.array(8, float32)
    full = mbarrier.shared()
    thread = cuda.threadIdx.x
    if thread == 0:
        mbarrier.init(full, 1)
        fence.mbarrier_init()
        mbarrier.arrive_expect_tx(full, 128)
        bulk.load(tile[32:], source[32:], 128, full)
    tile[thread] = source[thread]
    cuda.syncthreads()
    mbarrier.wait(full, 0)
    target[thread] = tile[thread] + tile[32 + thread]
    if target.size > 99:
        spare[0] = float32(0)


@kernel
def send_one_word(out):
    """Block 0 sends a word to block 1, which waits for its bytes."""
    box = cuda.shared.array(1, float32)
    full = mbarrier.shared()
    if cuda.threadIdx.x == 0:
        mbarrier.init(full, 1)
        fence.mbarrier_init()
    cluster.sync()
    if cuda.threadIdx.x == 0:
        if cluster.block_rank() == 0:
            dsmem.st_async(cluster.map_shared_rank(box, 1), 0, float32(7), cluster.map_shared_rank(full, 1))
        else:
            mbarrier.arrive_expect_tx(full, 4)
            mbarrier.wait(full, 0, scope="cluster")
            out[0] = box[0]
    cluster.sync()


@cache
def run(name):
    source = RNG.random((4, exchange.TILE)).astype(np.float32)
    if name == "pass_on":
        return exchange.pass_on.simulate(4, 32, (source, np.zeros_like(source)), cluster=4, trace="accesses")
    if name == "halo":
        return exchange.halo.simulate(4, 128, (np.ones(512, np.float32), 2), cluster=4)
    if name == "half_and_half":
        return half_and_half.simulate(
            1, 32, (np.ones(64, np.float32), np.zeros(32, np.float32)), trace="accesses"
        )
    if name == "send_one_word":
        return send_one_word.simulate(2, 32, (np.zeros(1, np.float32),), cluster=2)
    broken = import_module(f"hopperlab.kernels.specimens.{name}")
    grid, block, arguments, options = broken.launch(0)
    return kernel_of(broken).simulate(grid, block, arguments, **options)


RUNS = [
    "pass_on",
    "halo",
    "half_and_half",
    "send_one_word",
    "wrong_arrival_count",
    "divergent_barrier",
    "spin_in_vain",
]
VIEWS = [views.sm_chart, views.thread_lanes, views.shared_map, views.byte_flow]


@pytest.fixture(params=RUNS)
def steps(request):
    return views.Steps(run(request.param).trace)


def place_of(steps, verb, **wanted):
    """The first step of a verb whose last event has these values."""
    for place in range(len(steps)):
        event = steps[place].event
        if event.verb == verb and all(
            getattr(event, key, event.data.get(key)) == x for key, x in wanted.items()
        ):
            return place
    raise LookupError(f"{verb}, {wanted}")


# Steps


def test_steps_tell_every_event_once_and_in_time(steps):
    told = [event for place in range(len(steps)) for event in steps[place].events]
    shown = [event for event in steps.trace.events if event.verb != "declare"]
    assert sorted(event.number for event in told) == [event.number for event in shown]
    cycles = [steps[place].cycle for place in range(len(steps))]
    assert cycles == sorted(cycles)


def test_a_thread_s_events_stay_in_their_order(steps):
    at: dict = {}
    for place in range(len(steps)):
        for event in steps[place].events:
            if event.thread is not None and event.verb != "finding":
                who = event.block, event.thread
                assert at.get(who, -1) < event.number
                at[who] = event.number


def test_many_threads_that_do_alike_are_one_step():
    steps = views.Steps(run("halo").trace)
    assert len(steps) < len(steps.trace.events) / 10


def test_steps_outside_are_refused(steps):
    for place in (-1, len(steps)):
        with pytest.raises(ValueError, match=f"step={place}: there are steps 0 to {steps.last}"):
            steps[place]
    with pytest.raises(ValueError, match="trace=True"):
        views.Steps(replace(steps.trace, events=()))


def test_a_thread_s_spans_follow_on_each_other_from_its_start_to_its_end(steps):
    ends = {(event.block, event.thread): event.cycle for event in steps.trace.of("end")}
    for stay in steps.stays:
        for thread in range(steps.trace.threads_per_block):
            spans = steps.threads[stay.block, thread]
            end = ends.get((stay.block, thread), steps.trace.horizon)
            assert sum(span.end - span.start for span in spans) == pytest.approx(end - stay.start)
            assert all(a.end == b.start for a, b in pairwise(spans))


def test_a_block_waits_when_none_of_its_threads_works(steps):
    for stay in steps.stays:
        for span in steps.blocks[stay.block]:
            middle = (span.start + span.end) / 2
            working = any(
                one.kind == "working" and one.start <= middle < one.end
                for thread in range(steps.trace.threads_per_block)
                for one in steps.threads[stay.block, thread]
            )
            assert working == (span.kind == "working")


# Causes


def test_causes_come_before_except_for_waits(steps):
    for place in range(len(steps)):
        event = steps[place].event
        cause = views.cause_of(steps.trace, event)
        if cause is not None and event.verb not in ("wait", "meet"):
            assert (cause.cycle, cause.number) < (event.cycle, event.number) or event.verb == "part"


def test_from_cause_to_cause_every_step_leads_back_to_the_launch(steps):
    for place in range(len(steps)):
        at, seen = place, set()
        while at is not None and steps[at].event.verb not in ("wait", "meet") and at not in seen:
            seen.add(at)
            at = views.cause_place(steps, at)
        assert at is None or steps[at].event.verb in ("wait", "meet", "start")


def test_a_thread_goes_on_because_of_the_bytes_that_came():
    steps = views.Steps(run("send_one_word").trace)
    go = place_of(steps, "go", what="full")
    counted = views.cause_place(steps, go)
    landed = views.cause_place(steps, counted)
    asked = views.cause_place(steps, landed)
    assert [steps[place].event.verb for place in (counted, landed, asked)] == ["count", "land", "issue"]
    assert steps[asked].event.block == 0
    assert steps[views.cause_place(steps, asked)].event.what == "cluster.sync"
    assert views.cause_place(steps, place_of(steps, "wait", what="full")) == counted


def test_who_comes_last_lets_all_go_on():
    steps = views.Steps(run("send_one_word").trace)
    meets = [e for e in steps.trace.of("meet") if e.line == steps.trace.of("meet")[0].line]
    last = max(meets, key=lambda event: (event.cycle, event.number))
    go = next(event for event in steps.trace.of("go") if event.what == "cluster.sync")
    assert views.cause_of(steps.trace, go) == last


def test_a_wait_that_nothing_ends_says_so():
    steps = views.Steps(run("wrong_arrival_count").trace)
    wait = place_of(steps, "wait", what="full")
    picture = views.thread_lanes(steps, wait)
    assert "Nothing ends this wait. Last came step" in picture.text
    found = place_of(steps, "finding")
    assert found == steps.last
    assert steps[views.cause_place(steps, found)].event.verb == "wait"


# Views


@pytest.mark.parametrize("view", VIEWS, ids=lambda view: view.__name__)
def test_every_view_draws_every_step_with_its_twin(view, steps):
    for place in {0, 1, len(steps) // 2, *range(0, len(steps), 7), steps.last}:
        picture = view(steps, place)
        assert picture.svg.startswith("<svg")
        assert len(picture.text.split()) > 10
        assert f"Step {place} of {steps.last}." in picture.text
        assert picture == view(steps, place), "the same trace gives the same picture"


@pytest.mark.parametrize("view", [*VIEWS, views.barrier_strip], ids=lambda view: view.__name__)
def test_a_view_refuses_steps_that_are_none(view):
    steps = views.Steps(run("halo").trace)
    with pytest.raises(ValueError, match=f"step={len(steps)}"):
        view(steps, len(steps))


def test_the_chart_tells_each_block_s_sm_and_stay():
    steps = views.Steps(run("pass_on").trace)
    told = views.sm_chart(steps).text
    for event in steps.trace.of("leave"):
        assert (
            f"block {event.block} on SM {steps.trace.sms[event.block]}, cluster 0: 0 to {event.cycle:,.0f}"
            in told
        )


def test_groups_of_sms_are_drawn_by_name():
    steps = views.Steps(run("pass_on").trace)
    groups = [(f"GPC {n}", list(range(16 * n, 16 * n + 16))) for n in range(8)]
    assert "GPC 7" in views.sm_chart(steps, groups=groups).svg


def states(steps, place, name):
    held, _ = held_by(steps, place, 0)
    return next(one.states for one in held if one.name == name)


def test_the_map_knows_poison_writes_and_flight_byte_by_byte():
    steps = views.Steps(run("half_and_half").trace)
    issue, land = place_of(steps, "issue"), place_of(steps, "land")
    written = {
        e.data["offset"]: steps.place_of[e.number] for e in steps.trace.of("write") if e.what == "tile"
    }
    assert len(written) == 32
    for place in range(place_of(steps, "init"), len(steps)):
        by_threads = [PRESENT if written[4 * cell] <= place else POISON for cell in range(32)]
        by_copy = POISON if place < issue else IN_FLIGHT if place < land else PRESENT
        expected = np.repeat([*by_threads, *[by_copy] * 32], 4)
        if any(one.name == "tile" for one in held_by(steps, place, 0)[0]):
            assert np.array_equal(states(steps, place, "tile"), expected)
        assert (states(steps, place, "full") == PRESENT).all()
    assert list(stretches(states(steps, steps.last, "spare"))) == [(0, 32, POISON)]


def test_the_map_shows_what_a_copy_still_reads():
    steps = views.Steps(run("pass_on").trace)
    send = place_of(steps, "issue", what="bulk.send", block=0)
    assert (states(steps, send, "outbox") == LEAVING).all()
    assert "a copy reads them" in views.shared_map(steps, send).text


def test_the_map_says_what_it_cannot_know_and_refuses_blocks_that_are_none():
    steps = views.Steps(run("halo").trace)
    assert 'trace="accesses"' in views.shared_map(steps).text
    assert "gone: the block has ended" in views.shared_map(steps).text
    with pytest.raises(ValueError, match="block=9: the run has blocks 0 to 3"):
        views.shared_map(steps, block=9)


def test_flows_count_each_byte_of_each_copy(steps):
    copied = sum(e.data["nbytes"] for e in steps.trace.of("issue") if e.data["target_space"])
    flows = flows_of(steps, steps.last)
    by_engine = [flow for flow in flows if "threads" not in flow.words]
    mixed = [flow for flow in flows if "threads" in flow.words and len(flow.words) > 1]
    moved = sum(flow.landed + flow.under_way for flow in by_engine)
    assert moved == copied or mixed


def test_flows_of_a_ring_of_sends():
    steps = views.Steps(run("pass_on").trace)
    nbytes = 4 * exchange.TILE
    sent = place_of(steps, "issue", what="bulk.send", block=3)
    before = {(flow.source, flow.target): (flow.landed, flow.under_way) for flow in flows_of(steps, sent)}
    assert before[3, 0] == (0, nbytes)
    after = {
        (flow.source, flow.target): (flow.landed, flow.under_way) for flow in flows_of(steps, steps.last)
    }
    for block in range(4):
        assert after[GLOBAL, block] == after[block, GLOBAL] == after[block, (block + 1) % 4] == (nbytes, 0)
    assert (
        f"block 3 to block 0: 0 bytes, {nbytes:,} under way, by bulk.send"
        in views.byte_flow(steps, sent).text
    )


def test_the_strip_is_at_the_step_s_moment():
    steps = views.Steps(run("send_one_word").trace)
    counted = place_of(steps, "count")
    row = next(
        line for line in views.barrier_strip(steps, counted, block=1).text.split("\n") if line.startswith(">")
    )
    assert "4 bytes land from block 0" in row
    assert "> not yet initialized" in views.barrier_strip(steps, 0, block=1).text
    with pytest.raises(ValueError, match="no barrier 'empty'"):
        views.barrier_strip(steps, 0, block=1, barrier="empty")


# Outcomes


def test_a_run_without_finding_is_drawn_with_all_that_it_says():
    good = run("pass_on")
    picture = views.run_picture(good)
    assert picture.text.startswith(str(good))
    assert "block 3 on SM" in picture.text


@pytest.mark.parametrize("name", ["wrong_arrival_count", "divergent_barrier", "cluster_without_a_place"])
def test_a_run_that_goes_wrong_is_drawn_under_its_finding(name):
    bad = run(name)
    picture = views.run_picture(bad)
    assert bad.findings[0].name in picture.title
    assert picture.text.startswith(str(bad))
    assert bad.findings[0].cure.split()[0] in picture.svg


@kernel
def hand_over(out):
    box = cuda.shared.array(1, float32)
    thread = cuda.threadIdx.x
    if thread == 0:
        box[0] = float32(7)
    if out.size == 2:
        cuda.syncthreads()
    else:
        cuda.syncwarp(1 << thread)
    out[thread] = box[0]


def test_an_exploration_without_finding_is_a_dot_for_each_interleaving():
    explored = hand_over.explore(1, 2, (np.zeros(2, np.float32),))
    picture = views.exploration_picture(explored)
    assert picture.text == str(explored)
    assert picture.svg.count('rx="5"') == explored.runs


def test_an_exploration_with_a_finding_is_its_shortest_run():
    explored = hand_over.explore(1, 2, (np.zeros(3, np.float32),))
    picture = views.exploration_picture(explored)
    assert "race in shared memory within a block, found in" in picture.title
    assert picture.text.startswith(str(explored))
    assert "thread 1:" in picture.text


def test_numbers_are_told_in_runs():
    assert runs([3, 1, 2, 7, 9, 10]) == "1 to 3, 7, 9, 10"
    assert runs([5]) == "5"


def test_threads_that_wait_for_their_copies_are_told_so():
    image = np.ones((16, 32), np.float32)
    maps = tma.tensor_map(image, (16, 32)), tma.tensor_map(np.zeros_like(image), (16, 32))
    trace = copies.copy_tiles.simulate(1, 32, maps).trace
    waits = [event for event in trace.of("wait") if event.what == "groups"]
    assert len(waits) == 1
    lanes = barriers.Lanes(trace, [(0, 0)])
    waiting = barriers.timeline(lanes, lanes.steps.index(waits[0]))
    assert waiting.title.endswith("thread 0 of block 0 waits for its copies")
    doing = barriers.doings(trace, waits[0].number)[0]
    assert (doing.kind, doing.why.endswith("on its copies")) == ("asleep", True)
    steps = views.Steps(trace)
    landed = views.cause_of(trace, waits[0])
    assert (landed.verb, landed.what) == ("land", "tma.store")
    assert "waits for 1 copy" in views.thread_lanes(steps, steps.place_of[waits[0].number]).title
