"""The pictures of barriers: what they say in words, what they draw, and that it can be read."""

import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from hopperlab.kernels.overlap import share_apart, share_at_once
from hopperlab.kernels.transactions import TILE, gather_edges, ring
from hopperlab.models.barriers import Mbarrier, Ring, arrive_then_wait, explore, mistakes, syncthreads
from hopperlab.views import barriers as views

SVG = "{http://www.w3.org/2000/svg}"
NEEDED, OWN = (8, 2, 5, 3), (2, 4, 6, 4)


@cache
def halo_run(wrong: int = 0):
    starts = np.array([0, 0, 8, 20, 24], np.int32)
    arguments = (np.ones(24, np.float32), starts, np.int32(96 + wrong), np.zeros(1, np.float32))
    return gather_edges.simulate(4, 16, arguments, cluster=4)


@cache
def ring_run(stages: int):
    source = np.arange(8 * TILE, dtype=np.float32)
    return ring.simulate(1, 64, (source, np.zeros_like(source), np.int32(stages)))


@cache
def overlap_run(kernel):
    def part(work):
        return np.ones(sum(work), np.float32), np.cumsum([0, *work]).astype(np.int32)

    return kernel.simulate(1, 4, (*part(NEEDED), *part(OWN), np.zeros(4, np.float32)))


def pictures():
    halo = halo_run().trace
    moments = views.history(halo, "full")
    wrong = mistakes(Ring(producers=2))["expects too few bytes"]
    walk = explore(wrong)
    early = mistakes(Ring(stages=3))["consumer flips its parity with every item"]
    fault = explore(early)
    return [
        *(views.strip(moments, now, views.doings(halo, moments[now].number)) for now in range(len(moments))),
        views.strip([views.Moment(f"expect_tx({n})", n // 3, 2, 100 - 40 * n) for n in range(12)], 7),
        views.overlap(NEEDED, OWN, (2, 2, 2, 2)),
        *(views.pipeline(ring_run(stages).trace, TILE, 0) for stages in (1, 4)),
        *(views.timeline(views.Lanes(ring_run(2).trace, [(0, 0), (0, TILE)]), step) for step in (0, 9, 40)),
        views.timeline(views.Lanes(halo, [(block, 0) for block in range(4)])),
        views.ring_history(wrong, walk.path, walk.events, 5),
        views.ring_history(wrong, walk.path, walk.events, len(walk.events), verdict="Deadlock", why="stuck"),
        views.ring_history(early, fault.path, fault.events, len(fault.events), verdict="Early", why=fault.explanation),
        views.parities(3, 0),
        views.parities(6, 23),
        views.spin_and_sleep(2000, 20, 7776, 40),
        views.spin_and_sleep(20_000, 10, 7776, 63),
    ]  # fmt: skip


@pytest.mark.parametrize("picture", pictures(), ids=lambda picture: picture.title)
def test_every_picture_is_well_formed_legible_and_has_its_twin(picture):
    root = ElementTree.fromstring(picture.svg)
    width = float(root.get("viewBox").split()[2])
    for element in root.iter(f"{SVG}text"):
        size = float(element.get("font-size", 15))
        assert size >= 14
        drawn = (0.66 if element.get("font-weight") else 0.56) * size * len(element.text)
        left = float(element.get("x")) - {"middle": drawn / 2, "end": drawn}.get(
            element.get("text-anchor"), 0
        )
        assert left >= -2
        assert left + drawn <= width + 10, element.text
    assert root.find(f"{SVG}title").text == picture.title
    assert len(picture.text.split()) > 10
    assert '="nan' not in picture.svg


def test_a_picture_never_changes_from_run_to_run():
    assert [picture.mimebundle() for picture in pictures()] == [
        picture.mimebundle() for picture in pictures()
    ]


def test_the_history_of_a_run_is_the_model_s():
    barrier, seen = Mbarrier(1), []
    for operation, number in (
        ("arrive_expect_tx", 96),
        ("complete_tx", 32),
        ("complete_tx", 48),
        ("complete_tx", 16),
    ):
        getattr(barrier, operation)(number)
        seen.append((barrier.phase, barrier.pending_arrivals, barrier.pending_tx))
    moments = views.history(halo_run().trace, "full")
    assert [moment[1:4] for moment in moments[1:5]] == seen
    assert [moment.event for moment in moments] == [
        "init(1)",
        "arrive_expect_tx(96)",
        "32 bytes land from block 1",
        "48 bytes land from block 2",
        "16 bytes land from block 3",
        "wait(parity 0) returns",
    ]


def test_at_a_hang_the_strip_says_who_sleeps_and_what_is_missing():
    run = halo_run(+4)
    moments = views.history(run.trace, "full")
    picture = views.strip(moments, doings=views.doings(run.trace))
    assert picture.title.endswith("phase 0 lacks 0 arrivals and 4 bytes")
    assert "block 0, thread 0: asleep" in picture.text


def test_too_few_expected_end_the_phase_before_the_last_word_lands():
    run = halo_run(-4)
    assert run.findings[0].name == "expect_tx too small"
    assert "wait(parity 0) returns" in [moment.event for moment in views.history(run.trace, "full")]


def test_the_overlap_tells_both_schedules():
    picture = views.overlap(NEEDED, OWN, (0, 0, 0, 0))
    joint, split = syncthreads(NEEDED, OWN), arrive_then_wait(NEEDED, OWN)
    assert f"{joint.finishes - split.finishes:g} of {joint.finishes:g} units saved" in picture.title
    assert f"all done at {split.finishes:g}" in picture.text


@pytest.mark.parametrize("kernel", [share_apart, share_at_once])
def test_a_thread_s_spans_follow_each_other_and_end_with_it(kernel):
    trace = overlap_run(kernel).trace
    for thread in range(4):
        spans = views.spans(trace, 0, thread)
        assert spans[0].start == 0
        assert all(one.end == after.start for one, after in pairwise(spans))
        assert spans[-1].end == next(e.cycle for e in trace.of("end") if e.thread == thread)


def test_steps_of_a_timeline_are_drawn_without_another_look_through_the_trace():
    lanes, emptied = (views.Lanes(ring_run(2).trace, [(0, 0), (0, TILE)]) for _ in range(2))
    emptied.trace = replace(emptied.trace, events=())
    for step in range(len(lanes.steps)):
        assert views.timeline(emptied, step) == views.timeline(lanes, step)


def test_with_syncthreads_all_but_the_last_thread_wait_until_the_last_has_come():
    waits = {thread: views.spans(overlap_run(share_at_once).trace, 0, thread) for thread in range(4)}
    ends = {span.end for spans in waits.values() for span in spans if span.kind == "waiting"}
    assert len(ends) == 1
    assert [span.kind for span in waits[1]] == ["working", "waiting", "working"]


@pytest.mark.parametrize("stages", [1, 2, 3, 4])
def test_every_tile_goes_through_its_buffer_in_order(stages):
    used = views.uses(ring_run(stages).trace)
    assert {stage: [use.tile for use in tiles] for stage, tiles in used.items()} == {
        stage: list(range(stage, 8, stages)) for stage in range(stages)
    }
    for tiles in used.values():
        for use, after in pairwise(tiles):
            assert use.asked < use.landed < use.emptied <= after.asked


def test_more_stages_leave_fewer_bubbles():
    cycles = [ring_run(stages).cycles for stages in (1, 2, 3, 4)]
    assert cycles == sorted(cycles, reverse=True)
    assert len(set(cycles)) == 4


def test_a_counter_example_ends_with_those_who_are_stuck():
    wrong = mistakes(Ring())["consumer never arrives"]
    walk = explore(wrong)
    picture = views.ring_history(wrong, walk.path, walk.events, len(walk.events), verdict="Deadlock", why="x")
    assert picture.title == "Deadlock"
    for sentence in wrong.waiting(walk.path[-1]):
        assert sentence in picture.text


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: views.strip([]), "moments is empty"),
        (lambda: views.strip([views.Moment("init(1)", 0, 1, 0)], 1), "now=1"),
        (lambda: views.timeline(views.Lanes(ring_run(1).trace, [(0, 0)]), 10_000), "step=10000"),
        (lambda: views.ring_history(Ring(stages=5), [Ring(stages=5).start()], [], 0), "stages=5"),
        (lambda: views.ring_history(Ring(), [Ring().start()], [], 1), "step=1"),
    ],
)
def test_what_cannot_be_drawn_is_refused_by_name(call, words):
    with pytest.raises(ValueError, match=words):
        call()


def test_a_saving_is_told_as_a_share_beside_the_modelled_one():
    picture = views.saving([(0, 513.0, 492.0), (256, 13.0, 16.0)], 13 / 16, "made up")
    assert picture.title == "Apart takes 0.812 of the time where work is long, 1.043 where there is none"
    assert "modelled, with barriers that cost nothing: 0.8125" in picture.text
    assert [trace.mode for trace in picture.figure.data] == ["markers", "lines"]


def test_a_slowdown_names_the_worst_way_to_wait_and_tells_all():
    slower = {"spin": {0: 1.0, 16: 1.21}, "sleep": {0: 1.0, 16: 1.02}}
    picture = views.slowdown(slower, {"spin": 129.0, "sleep": 7923.0}, "made up")
    assert picture.title == "Warps that spin slow the others by up to 21 %: measured, made up"
    assert "sleep                   0.0    2.0  7,923" in picture.text
    assert {trace.marker.symbol for trace in picture.figure.data} == {"circle", "square"}
