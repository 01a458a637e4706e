"""The gang scheduler: against a slow one that ticks, and by what must hold of every schedule."""

from collections import Counter
from fractions import Fraction
from itertools import pairwise
from math import inf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hopperlab.models.clusters import (
    EXAMPLE_MAPS,
    Grid,
    can_all_be_resident,
    map_from_sizes,
    max_active_clusters,
    schedule_grids,
)
from hopperlab.models.clusters.state import LEFT_OVER, NO_WORK, SMALL_GPC, TAIL

quick = settings(max_examples=60, deadline=None)
POLICY = st.sampled_from(["default", "spread", "load balancing"])
SIZES = st.lists(st.integers(1, 7), min_size=1, max_size=4)


@st.composite
def works(draw):
    """A small card and up to three grids that fit it, in one stream or several."""
    counts = draw(SIZES)
    grids = [
        Grid(
            draw(st.lists(st.integers(1, 5), min_size=1, max_size=8)),
            cluster_size=draw(st.integers(1, max(counts))),
            blocks_per_sm=draw(st.integers(1, 3)),
            name=f"grid {number}",
            stream=draw(st.integers(0, 1)),
            ready=draw(st.integers(0, 4)),
            policy=draw(POLICY),
        )
        for number in range(draw(st.integers(1, 3)))
    ]
    return map_from_sizes(counts), grids, draw(st.booleans())


def ticking(card, grids, overtaking):
    """The same policy, spelled out slowly: every tick, everything anew, in fractions of an SM."""
    placed, queue, arrived, tick = [], [], set(), 0
    while len(placed) < sum(grid.units for grid in grids) or any(tick < end for *_, end in placed):
        done = {
            number
            for number, grid in enumerate(grids)
            if [end <= tick for g, *_, end in placed if g == number] == [True] * grid.units
        }
        for number, grid in enumerate(grids):
            before = [n for n in range(number) if grids[n].stream == grid.stream]
            if number not in arrived and grid.ready <= tick and done.issuperset(before):
                arrived.add(number)
                queue.append((number, 0))
        blocked = False
        for place, (number, unit) in enumerate(queue):
            grid = grids[number]
            while unit < grid.units and not blocked:
                load = Counter()
                for g, _, _, sms, start, end in placed:
                    for sm in sms if start <= tick < end else ():
                        load[sm] += Fraction(1, grids[g].blocks_per_sm)
                seats = seats_slowly(card, grid, load)
                if seats is None:
                    break
                placed.append((number, unit, *seats, tick, tick + grid.durations[unit]))
                unit += 1
            queue[place] = (number, unit)
            blocked = blocked or (unit < grid.units and not overtaking)
        queue = [(number, unit) for number, unit in queue if unit < grids[number].units]
        tick += 1
    return placed


def seats_slowly(card, grid, load):
    share = Fraction(1, grid.blocks_per_sm)
    if grid.cluster_size == 1:
        load_and_sm = min((load[sm], sm) for group in card.groups for sm in group)
        fits = load_and_sm[0] + share <= 1
        return (card.group_of(load_and_sm[1]), (load_and_sm[1],)) if fits else None
    options = []
    for gpc, group in enumerate(card.groups):
        room = sum(int((1 - load[sm]) / share) for sm in group)
        spread = len(group) >= grid.cluster_size or grid.policy == "load balancing"
        if spread and room >= grid.cluster_size:
            options.append((-room, gpc))
    if not options:
        return None
    gpc = min(options)[1]
    own, seats = Counter(), []
    for _ in range(grid.cluster_size):
        with_room = [sm for sm in card.groups[gpc] if load[sm] + share * (own[sm] + 1) <= 1]
        sm = min(with_room, key=lambda sm: (own[sm], load[sm] + share * own[sm], sm))
        own[sm] += 1
        seats.append(sm)
    return gpc, tuple(seats)


@quick
@given(works())
def test_every_placement_equals_the_slow_schedulers(work):
    card, grids, overtaking = work
    schedule = schedule_grids(card, grids, overtaking=overtaking)
    assert [tuple(placement) for placement in schedule.placements] == ticking(card, grids, overtaking)


@quick
@given(works())
def test_no_sm_is_overfull_and_no_cluster_is_split_over_gpcs(work):
    card, grids, overtaking = work
    schedule = schedule_grids(card, grids, overtaking=overtaking)
    for time in schedule.times:
        load = Counter()
        for placement in schedule.state_at(time).running:
            grid = grids[placement.grid]
            assert len(placement.sms) == grid.cluster_size
            assert {card.group_of(sm) for sm in placement.sms} == {placement.gpc}
            if grid.policy != "load balancing":
                assert len(card.groups[placement.gpc]) >= grid.cluster_size
            for sm in placement.sms:
                load[sm] += Fraction(1, grid.blocks_per_sm)
        assert all(share <= 1 for share in load.values())


@quick
@given(works())
def test_every_unit_runs_once_for_its_duration_and_in_order(work):
    card, grids, overtaking = work
    schedule = schedule_grids(card, grids, overtaking=overtaking)
    for number, grid in enumerate(grids):
        mine = [placement for placement in schedule.placements if placement.grid == number]
        assert [placement.unit for placement in mine] == list(range(grid.units))
        assert [placement.end - placement.start for placement in mine] == list(grid.durations)
        assert sorted(placement.start for placement in mine) == [placement.start for placement in mine]
        assert min(placement.start for placement in mine) >= grid.ready


@quick
@given(works())
def test_busy_and_idle_time_make_up_the_whole_card(work):
    card, grids, overtaking = work
    schedule = schedule_grids(card, grids, overtaking=overtaking)
    total = card.sms * schedule.makespan
    assert schedule.busy_sm_time + sum(schedule.idle_sm_time.values()) == pytest.approx(total)
    assert schedule.utilization == pytest.approx(schedule.busy_sm_time / total)
    if all(grid.blocks_per_sm == 1 for grid in grids):
        assert schedule.busy_sm_time == sum(grid.cluster_size * sum(grid.durations) for grid in grids)
    for span in schedule.intervals:
        state = schedule.state_at((span.start + span.end) / 2)
        assert Counter(state.idle_sms.values()) == span.idle_sms
        assert card.sms - len(state.idle_sms) == span.busy_sms


@quick
@given(works())
def test_grids_of_one_stream_run_one_after_another(work):
    card, grids, overtaking = work
    schedule = schedule_grids(card, grids, overtaking=overtaking)
    ends = dict.fromkeys(range(2), 0)
    for number, grid in enumerate(grids):
        mine = [placement for placement in schedule.placements if placement.grid == number]
        assert min(placement.start for placement in mine) >= ends[grid.stream]
        ends[grid.stream] = max(placement.end for placement in mine)


@quick
@given(works())
def test_two_blocks_of_a_cluster_share_an_sm_only_when_needed(work):
    card, grids, overtaking = work
    schedule = schedule_grids(card, grids, overtaking=overtaking)
    load = Counter()
    for event in schedule.events:
        if event.kind not in ("launched", "finished"):
            continue
        placement = next(p for p in schedule.placements if (p.grid, p.unit) == (event.grid, event.unit))
        share = Fraction(1, grids[event.grid].blocks_per_sm)
        if event.kind == "launched":
            with_room = sum(load[sm] + share <= 1 for sm in card.groups[placement.gpc])
            assert len(set(placement.sms)) == min(len(placement.sms), with_room)
        for sm in placement.sms:
            load[sm] += share if event.kind == "launched" else -share


@quick
@given(works())
def test_the_same_work_gives_the_same_schedule(work):
    card, grids, overtaking = work
    assert schedule_grids(card, grids, overtaking=overtaking) == schedule_grids(
        card, grids, overtaking=overtaking
    )


@quick
@given(st.lists(st.integers(1, 18), min_size=1, max_size=8), st.integers(2, 16), st.integers(1, 32), POLICY)
def test_a_saturating_stream_fills_the_card_to_the_rule(counts, size, per_sm, policy):
    most = max_active_clusters(counts, size, per_sm, policy)
    grid = Grid([1.0] * (most + 1), size, per_sm, policy=policy)
    if most == 0:
        with pytest.raises(ValueError, match=f"cluster_size={size} .*has {max(counts)} SMs"):
            schedule_grids(counts, grid)
        return
    state = schedule_grids(counts, grid).state_at(0)
    assert len(state.running) == most
    assert state.units_waiting == 1
    assert state.reason


@quick
@given(works())
def test_steps_add_up_to_times(work):
    """Stepping event by event passes through the state of every time, forward and back."""
    card, grids, overtaking = work
    schedule = schedule_grids(card, grids, overtaking=overtaking)
    for step, event in enumerate(schedule.events, start=1):
        last_of_its_time = step == len(schedule.events) or schedule.events[step].time > event.time
        if last_of_its_time:
            assert schedule.state_after(step) == schedule.state_at(event.time)
    end = schedule.state_at(schedule.makespan)
    assert end.finished == sum(grid.units for grid in grids)
    assert end.running == end.waiting == ()


@quick
@given(works())
def test_next_and_previous_time_walk_the_times_and_stop_at_the_ends(work):
    card, grids, overtaking = work
    schedule = schedule_grids(card, grids, overtaking=overtaking)
    times = schedule.times
    assert [schedule.next_time(time) for time in times] == [*times[1:], times[-1]]
    assert [schedule.previous_time(time) for time in times] == [times[0], *times[:-1]]
    assert schedule.next_time((times[0] + times[-1]) / 2) > (times[0] + times[-1]) / 2 or len(times) == 1


@quick
@given(works())
def test_at_one_time_room_is_made_before_it_is_taken(work):
    card, grids, overtaking = work
    order = ["finished", "queued", "launched", "refused"]
    for one, other in pairwise(schedule_grids(card, grids, overtaking=overtaking).events):
        assert one.time < other.time or order.index(one.kind) <= order.index(other.kind)


@quick
@given(works())
def test_a_reason_to_wait_is_given_up_when_something_finishes(work):
    card, grids, overtaking = work
    schedule = schedule_grids(card, grids, overtaking=overtaking)
    for step, event in enumerate(schedule.events, start=1):
        state = schedule.state_after(step)
        if event.kind == "finished":
            assert state.reason == ""
            assert state.stranded_sms == () or not state.waiting
        if event.kind == "refused":
            assert state.reason


@quick
@given(works())
def test_what_is_not_running_waiting_or_done_has_not_come(work):
    card, grids, overtaking = work
    schedule = schedule_grids(card, grids, overtaking=overtaking)
    units = sum(grid.units for grid in grids)
    for time in schedule.times:
        state = schedule.state_at(time)
        running = {(p.grid, p.unit) for p in schedule.placements if p.start <= time < p.end}
        assert {(p.grid, p.unit) for p in state.running} == running
        come = sum(
            grid.units
            for n, grid in enumerate(grids)
            if (n in {e.grid for e in schedule.events if e.kind == "queued" and e.time <= time})
        )
        assert len(state.running) + state.units_waiting + state.finished == come <= units


@quick
@given(SIZES, st.integers(1, 40), st.integers(1, 3), st.integers(1, 4))
def test_a_grid_that_waits_for_itself_hangs_exactly_when_it_is_not_resident(counts, units, per_sm, size):
    size = min(size, max(counts))
    schedule = schedule_grids(counts, Grid([2] * units, size, per_sm, waits_for_itself=True))
    fits = can_all_be_resident(units * size, counts, per_sm, size)
    assert bool(schedule.hang) == (not fits)
    assert schedule.makespan == (2 if fits else inf)
    if schedule.hang:
        last = schedule.state_at(schedule.horizon)
        assert len(last.running) + last.units_waiting == units
        assert f"{len(last.running)} running" in schedule.hang


# The specimens of the lesson


def test_a_cluster_larger_than_every_gpc_never_launches_even_with_two_blocks_an_sm():
    with pytest.raises(
        ValueError, match=r"cluster_size=10 of 'grid' never starts: .* has 8 SMs; allowed 1 to 8"
    ):
        schedule_grids((8,) * 16, Grid([1], 10, blocks_per_sm=2))


def test_load_balancing_launches_what_the_default_never_does():
    """Two blocks an SM: GPCs of 8 SMs have 16 places, of which a cluster of 10 takes 10."""
    schedule = schedule_grids((8,) * 2, Grid([1] * 3, 10, blocks_per_sm=2, policy="load balancing"))
    assert [len(schedule.state_at(time).running) for time in (0, 1)] == [2, 1]
    with pytest.raises(ValueError, match=r"cluster_size=16 .*has 3 SMs; allowed 1 to 6"):
        schedule_grids((3,), Grid([1], 16, blocks_per_sm=2, policy="load balancing"))


def test_an_sm_holds_at_most_eight_blocks_of_clusters_and_more_plain_ones():
    assert len(schedule_grids((4,), Grid([1] * 99, 4, 32)).state_at(0).running) == 8
    assert len(schedule_grids((4,), Grid([1] * 999, 1, 32)).state_at(0).running) == 128


def test_a_tail_strands_a_gpc():
    """One cluster more than fits: for a second wave the whole card but 16 SMs stands idle."""
    card = EXAMPLE_MAPS["132 SMs, 2x18 + 6x16"]
    schedule = schedule_grids(card, Grid([10] * 9, 16))
    assert schedule.makespan == 20
    assert schedule.tail == (10, 10)
    assert schedule.idle_sm_time == {SMALL_GPC: 0, LEFT_OVER: 4 * 10, TAIL: 116 * 10, NO_WORK: 0}


def test_stranded_sms_are_told_by_cause():
    state = schedule_grids(EXAMPLE_MAPS["H200 SXM"], Grid([10] * 30, 5)).state_at(0)
    assert Counter(state.idle_sms.values()) == {LEFT_OVER: 14, SMALL_GPC: 8}
    assert len(state.stranded_sms) == 22
    assert state.reason == "needs 5 free SMs in one GPC: 22 free, at most 3 in one GPC"


def test_clusters_that_fit_in_places_but_not_in_one_gpc_say_so():
    schedule = schedule_grids((4, 4), Grid([1, 1, 1], 3, blocks_per_sm=2))
    assert schedule.state_at(0).units_waiting == 0
    schedule = schedule_grids((4, 2), Grid([1, 1, 1], 3, blocks_per_sm=2))
    assert schedule.state_at(0).reason == (
        "needs room for 3 blocks in one GPC of 3 SMs or more: room for 6, at most 2 in such a GPC"
    )


def test_plain_blocks_strand_nothing():
    grid = Grid([10] * 30, 5)
    state = schedule_grids(EXAMPLE_MAPS["H200 SXM"], grid.as_plain_blocks()).state_at(0)
    assert state.idle_sms == {}
    assert state.reason == "needs room on one SM: every SM is full"


def test_plain_blocks_of_another_stream_use_what_clusters_strand():
    grids = [Grid([10] * 30, 5, name="clusters"), Grid([1] * 50, name="filler", stream=1)]
    strict = schedule_grids(EXAMPLE_MAPS["H200 SXM"], grids)
    overtaking = schedule_grids(EXAMPLE_MAPS["H200 SXM"], grids, overtaking=True)
    assert len(strict.state_at(0).idle_sms) == 22
    state = overtaking.state_at(0)
    assert state.idle_sms == {}
    assert [waiting.grid for waiting in state.waiting] == [0, 1]
    assert state.reason == "needs 5 free SMs in one GPC: 0 free, at most 0 in one GPC"


def test_a_grid_that_comes_later_leaves_the_card_without_work_before():
    schedule = schedule_grids((2,), Grid([1], ready=3))
    assert schedule.idle_sm_time == {SMALL_GPC: 0, LEFT_OVER: 0, TAIL: 1, NO_WORK: 6}


def test_events_read_as_sentences():
    schedule = schedule_grids((4,), Grid([1, 1], 3))
    assert [schedule.describe(event) for event in schedule.events] == [
        "grid: 2 clusters join the queue.",
        "Cluster 0 starts in GPC 0.",
        "Cluster 1 waits: it needs 3 free SMs in one GPC: 1 free, at most 1 in one GPC.",
        "Cluster 0 finishes in GPC 0.",
        "Cluster 1 starts in GPC 0.",
        "Cluster 1 finishes in GPC 0.",
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"durations": []}, r"durations=\(\)"),
        ({"durations": [1, 0]}, r"durations\[1\]=0 must be finite and greater than 0"),
        ({"durations": [-1]}, r"durations\[0\]=-1"),
        ({"durations": [float("nan")]}, r"durations\[0\]=nan"),
        ({"durations": [inf]}, r"durations\[0\]=inf"),
        ({"cluster_size": 17}, "cluster_size=17 blocks.*1 to 16"),
        ({"cluster_size": 0}, "cluster_size=0 must be in 1 to 16"),
        ({"blocks_per_sm": 0}, "blocks_per_sm=0: a block of 'grid' fits no SM; allowed 1 to 32"),
        ({"blocks_per_sm": 33}, "blocks_per_sm=33 must be in 1 to 32"),
        ({"policy": "fair"}, "policy='fair' must be one of default, spread, load balancing"),
        ({"ready": -1}, "ready=-1 must be finite and at least 0"),
    ],
)
def test_a_grid_that_cannot_be_launched_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        Grid(**({"durations": [1]} | arguments))


def test_a_duration_that_is_no_number_is_a_type_error():
    with pytest.raises(TypeError, match=r"durations\[0\]='1' must be a number, not str"):
        Grid(["1"])


def test_no_grids_no_schedule():
    with pytest.raises(ValueError, match=r"grids=\(\)"):
        schedule_grids((4,), [])


@pytest.mark.parametrize("step", [-1, 7])
def test_a_step_that_is_not_there_is_refused(step):
    schedule = schedule_grids((4,), Grid([1, 1], 3))
    with pytest.raises(ValueError, match=f"step={step} must be in 0 to 6"):
        schedule.state_after(step)
    with pytest.raises(ValueError, match="time=-1"):
        schedule.state_at(-1)


@pytest.mark.bench
@pytest.mark.parametrize("size", [2, 5, 10, 16])
def test_hundreds_of_clusters_are_placed_before_a_reader_notices(size):
    from time import process_time

    def seconds():
        start = process_time()
        schedule_grids(EXAMPLE_MAPS["H200 SXM"], Grid([10 + i % 5 for i in range(300)], size))
        return process_time() - start

    assert min(seconds() for _ in range(5)) < 0.03
