"""The simulator's time: what overlaps, what is counted, and that looking for races does not change it."""

import numpy as np
import pytest
from numba import cuda, uint32

from hopperlab.device import kernel
from hopperlab.device.simulator.timing import ASSUMED, LEFT_OUT, TABLE, Costs
from hopperlab.kernels.timing import copies, memory, messages, points, words
from hopperlab.measure.cycles import calibration
from hopperlab.measure.cycles import points as cases_of_points

ONLY_LOADS = dict.fromkeys(TABLE, 0.0) | {"load shared": 30.0}
TIMES = 4


def cycles(tested, block, *arguments, costs=None, **launch):
    run = tested.simulate(1, block, arguments, timing=costs or Costs(), trace=False, **launch)
    assert run.findings == ()
    return run.cycles


@kernel
def add_two(cells, ends):
    row = cuda.shared.array(4, uint32)
    row[0] = 1
    row[1] = 2
    ends[0] = row[0] + row[1]


@kernel
def follow(cells, ends):
    row = cuda.shared.array(4, uint32)
    row[0] = 1
    row[1] = 2
    link = row[0]
    row[3] = link
    ends[0] = row[link]


@kernel
def unrolled(rounds, ends):
    total = uint32(0)
    for _ in range(TIMES):
        total += uint32(1)
    ends[0] = total


@kernel
def counted(rounds, ends):
    total = uint32(0)
    for _ in range(rounds):
        total += uint32(1)
    ends[0] = total


def test_loads_with_nothing_in_between_overlap_and_others_do_not():
    cells, ends = np.zeros(4, np.uint32), np.zeros(1, np.uint32)
    overlapping = cycles(add_two, 1, cells, ends, costs=Costs(ONLY_LOADS))
    apart = cycles(follow, 1, cells, ends, costs=Costs(ONLY_LOADS | {"store shared": 1.0}))
    assert overlapping == 32
    assert apart == 63  # two loads, and three stores of which one lies between them


def test_a_loop_that_the_compiler_unrolls_does_not_count_and_another_does():
    ends = np.zeros(1, np.uint32)
    free = dict.fromkeys(TABLE, 0.0)
    assert cycles(unrolled, 1, TIMES, ends, costs=Costs(free | {"turn": 20.0})) == 0
    assert cycles(counted, 1, TIMES, ends, costs=Costs(free | {"turn": 20.0})) == 20 * TIMES
    assert cycles(counted, 1, TIMES, ends, costs=Costs(free | {"operation": 7.0})) == 7 * TIMES
    assert cycles(counted, 1, TIMES, ends, costs=Costs(free | {"operation": 7.0, "turn": 20.0})) == 20 * TIMES


def test_many_warps_count_slower():
    costs = Costs()
    assert costs.turn(32) == costs.turn(256) == costs["turn"]
    assert costs.turn(1024) == 32 * costs["turn per warp"] > costs["turn"]


def test_nothing_costs_nothing_and_without_timing_there_is_no_time():
    arguments = np.uint32(3), np.zeros(1, np.uint32), np.zeros(1, np.uint32)
    assert cycles(memory.chase_shared, 64, *arguments, costs=Costs.nothing()) == 0
    assert memory.chase_shared.simulate(1, 64, arguments, timing=False).cycles is None


CASES = {
    case.name: case
    for case in (*calibration.cases(), *cases_of_points.cases())
    if case.block * case.grid <= 256 and case.simulated_rounds <= 16
}
SAME = (
    "st.async to and fro in a cluster of 8",
    "a flag in global memory to and fro",
    "hand over by barriers",
    "atomic",
    "relay in a cluster of 3",
    "scan of 64 elements",
    "smoothing of 64 elements",
    "tma.load of 2 KiB, 2 at a time",
    "exchange of 256 bytes by bulk.send_reduce in a cluster of 2",
    "store and",
)


@pytest.mark.parametrize("name", SAME)
def test_checks_change_neither_times_nor_values(name):
    case, runs = CASES[name], []
    for checks in (False, True):
        seen = {}

        def simulate(*given, seen=seen, checks=checks, **options):
            seen["run"] = case.kernel().simulate(*given, **(options | {"checks": checks}))
            return seen["run"]

        stand_in = type("Kernel", (), {"simulate": staticmethod(simulate)})
        changed = type(case)(**{**vars(case), "kernel": lambda stand_in=stand_in: stand_in})
        runs.append((changed.simulated(), seen["run"]))
    (timed, plain), (also, checked) = runs
    assert timed == also
    assert plain.cycles == checked.cycles
    for parameter, values in plain.outputs.items():
        assert np.array_equal(values, checked[parameter]), parameter


def test_copies_of_one_engine_follow_each_other_and_a_backlog_hides_some():
    costs = Costs()
    assert costs.copy("tma.load").name != costs.copy("bulk.load").name
    assert costs.copy("tma.load_multicast") == costs.copy("tma.load")
    assert costs.copy("dsmem.st_async_v2") == costs.copy("dsmem.st_async")
    assert costs.copy("bulk.reduce") == costs.copy("tma.store")
    one, four = (calibration.boxes_of(2, n).simulated(costs)[0] for n in (1, 4))
    assert four - one == pytest.approx(3 * costs["tma.load between"], rel=0.05)


def test_an_entry_that_is_not_there_is_refused_and_one_that_is_left_out_is_the_tables():
    with pytest.raises(KeyError, match="wings"):
        Costs()["wings"]
    assert Costs({"wake": 1.0})["turn"] == TABLE["turn"]


def test_what_is_assumed_and_what_is_left_out_is_told():
    assert set(ASSUMED) <= set(TABLE)
    assert len(LEFT_OUT) >= 5
    assert all(cost >= 0 for cost in TABLE.values())


def test_the_kernels_do_their_work():
    rounds, clock = np.uint32(4), np.zeros(8, np.uint32)
    ring = messages.relay.simulate(3, 32, (rounds, clock, np.zeros(3, np.uint32)), 0, 3)
    assert ring["received"].tolist() == [6, 6, 6]
    flagged = (rounds, np.zeros(96, np.uint32), np.zeros(96, np.uint32), clock, np.zeros(3, np.uint32))
    assert messages.relay_by_flag.simulate(3, 32, flagged)["received"].tolist() == [6, 6, 6]
    sums = memory.scan.simulate(1, 64, (rounds, np.zeros(64, np.uint32), clock))["sums"]
    assert sums.tolist() == list(range(1, 65))
    total = points.reduction.simulate(
        1, 256, (rounds, np.arange(256, dtype=np.float32), np.zeros(1, np.float32), clock)
    )
    assert total["sums"][0] == 255 * 128
    for run in (
        points.ping_pong.simulate(8, 32, (rounds, clock, np.zeros(8, np.uint32)), 0, 8),
        points.halo.simulate(4, 128, (rounds, np.uint32(16), clock), 0, 4),
        points.ring_all_reduce.simulate(4, 32, (rounds, np.uint32(64), clock), 256, 4),
        messages.exchange_words.simulate(4, 32, (rounds, np.uint32(2), clock), 0, 4),
        words.barrier_words.simulate(1, 1, (rounds, clock)),
        copies.load_bytes.simulate(1, 32, (rounds, np.zeros(64, np.uint8), np.uint32(64), clock), 64),
    ):
        assert run.findings == (), str(run)
