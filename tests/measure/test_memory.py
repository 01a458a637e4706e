"""The experiments about memory without a card: what follows from samples, and the bars that recordings hold."""

import json
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from hopperlab.kernels.memory.chases import COUNTED, MOST_LINES
from hopperlab.ledger import recordings
from hopperlab.measure.memory import bandwidth, l2_map, latency, misses
from hopperlab.measure.memory import unseen as unseen_curves
from hopperlab.measure.memory.curves import CURVES, L1_CURVES, UNSEEN
from hopperlab.measure.memory.errors import (
    LATENCY_FITTED,
    Point,
    bandwidth_points,
    errors,
    latency_points,
    latency_use,
)
from hopperlab.measure.memory.streams import Walk
from hopperlab.models.memory import Staircase

KIB, MIB = 2**10, 2**20


def shipped(experiment):
    found = [r for r in recordings(experiment=experiment) if r.card.slug == "nvidia-h200"]
    assert len(found) == 1
    return found[0]


def test_every_curve_has_footprints_that_rise_and_its_memory():
    for name, curve in latency.CHASED.items():
        assert name == curve.name
        lines = curve.lines()
        assert lines == sorted(set(lines))
        assert lines[0] >= 2
        assert lines[-1] * curve.stride <= latency.MEMORY_BYTES


def test_curves_of_the_l1_cache_take_steps_across_what_it_holds():
    model = Staircase()
    for curve in L1_CURVES.values():
        lines, holds = curve.lines(), model.l1_bytes(curve.shared_kib) / 128
        assert lines[0] < holds / 2
        assert lines[-1] > 1.25 * holds
        assert max(np.diff(lines)) <= 64
        assert lines[-1] <= latency.FEW


def test_what_is_held_out_shares_no_stride_and_carve_out_with_what_may_be_fitted():
    free = {(c.stride, c.shared_kib) for c in L1_CURVES.values() if not c.held_out}
    held_out = {(c.stride, c.shared_kib) for c in L1_CURVES.values() if c.held_out}
    looked_at = {(stride * 128, shared) for shared, stride, _, _ in misses.cases()}
    assert free & held_out == set()
    assert looked_at & held_out == set()
    assert len(held_out) >= 8


def test_rings_whose_misses_are_counted_are_each_other_and_fit_their_kernel():
    cases = misses.cases()
    assert len({tuple(case) for case in cases}) == len(cases)
    for _, stride, lines, far in cases:
        assert lines + bool(far) <= MOST_LINES
        assert far == 0 or (stride == 1 and far >= lines)
        assert 128 * max(stride * lines, far + 1) <= latency.MEMORY_BYTES


def test_lines_that_miss_always_are_told_from_those_that_miss_at_times():
    rows = [[0, 1, 1920, 2048, [[3, COUNTED], [515, COUNTED], [7, 1]]], [0, 1, 1920, 0, []]]
    assert misses.counted(rows) == [[0, 1, 1920, 2048, 2, 1], [0, 1, 1920, 0, 0, 0]]


def test_a_latency_is_the_median_of_cycles_over_hops():
    samples = {
        "clock_mhz": [1979.0, 1980.0, 1981.0],
        "curves": [["lines", 8, 4096, [4096 * 30, 4096 * 32, 4096 * 50]]],
        "shared": [[64, 4096, [4096 * 23] * 3]],
        "constants": [[256, 4096, [4096 * 30] * 3]],
        "indices": [[1024, 4096, [4096 * 39] * 3]],
        "lines": [],
    }
    found = latency.results(json.loads(json.dumps(samples)))
    assert found["curves"]["lines"] == [[8 * 128, 32.0]]
    assert (found["shared"], found["index_chase_cycles"], found["clock_mhz"]) == ([[256, 23.0]], 39.0, 1980.0)


def test_two_sides_of_the_chip_are_told_apart_by_their_lines():
    generator = np.random.default_rng(3)
    side = generator.integers(0, 2, 40)
    home = generator.integers(0, 2, 60)
    cycles = 300 + 200 * (side[:, None] != home) + generator.normal(0, 20, (40, 60))
    found = l2_map.sides(cycles)
    assert (found == side).all() or (found == 1 - side).all()
    assert found[0] == 0
    near, far = l2_map._near_and_far(cycles, found)
    assert (near, far) == (pytest.approx(300, abs=5), pytest.approx(500, abs=5))


@pytest.mark.parametrize(("tiles", "blocks", "step", "count"), [(10, 4, 4, 5), (7, 16, 1, 3), (12, 3, 0, 2)])
def test_a_walk_visits_what_the_kernel_visits(tiles, blocks, step, count):
    walk = Walk(1024, tiles, blocks, step, count)
    visited = []
    for block in range(blocks):
        tile = block % tiles
        for _ in range(count):
            visited.append(tile)
            tile += step % tiles
            tile -= tiles if tile >= tiles else 0
    assert walk.visited().ravel().tolist() == visited
    assert walk.nbytes == 1024 * len(visited)


class Unfilled:
    """Fields that only note which walk was asked for."""

    def __getitem__(self, number):
        return self

    def reader(self, width, in_flight, walk, shift=0, through_l1=False):
        self.walk = walk

    def writer(self, in_flight, walk):
        self.walk = walk

    def copier(self, other, in_flight, walk):
        self.walk = walk

    def timed(self, work, repeats):
        return [1.0], 1980.0


@pytest.mark.parametrize("sms", [114, 132])
def test_every_walk_is_one_that_a_kernel_can_make(sms):
    card, fields = SimpleNamespace(sms=sms, l2_bytes=50 * MIB), Unfilled()
    walks = []
    for pattern in (bandwidth.EVERYTHING, bandwidth.FEW_LINES):
        sizes = bandwidth.FOOTPRINTS if pattern == bandwidth.EVERYTHING else bandwidth.FEW_BYTES
        for footprint in sizes:
            bandwidth._by_footprint(card, fields, pattern, footprint)
            walks.append(fields.walk)
    for footprint in bandwidth._own_footprints(card):
        bandwidth._by_footprint(card, fields, bandwidth.OWN_SHARE, footprint)
        assert fields.walk.tiles % fields.walk.blocks == 0
        walks.append(fields.walk)
    for level in bandwidth.LEVELS:
        for shape in bandwidth.SHAPES:
            for blocks in bandwidth.BLOCKS:
                bandwidth._by_shape(fields, level, *shape, blocks)
                walks.append(fields.walk)
    for how in ("write", "copy"):
        for footprint in bandwidth.FOOTPRINTS[9::2]:
            bandwidth._write_or_copy(card, fields, how, footprint)
            walks.append(fields.walk)
    assert all(walk.tiles > 0 and walk.count > 0 for walk in walks)
    assert all(walk.tiles * walk.tile_bytes <= bandwidth.FIELD_BYTES for walk in walks)
    assert all(walk.tiles < 2**31 and walk.count < 2**31 for walk in walks)


def test_errors_are_summed_up_and_none_is_left_out():
    points = [
        Point("a", 1, 101, 100),
        Point("a", 2, 98, 100),
        Point("a", 3, 120, 100),
        Point("a", 4, 150, 100),
    ]
    found = errors(points)
    assert (found.points, found.beyond) == (4, 2)
    assert (found.median, found.worst) == (pytest.approx(0.11), pytest.approx(0.5))


def test_a_curve_is_fitted_or_held_out_or_neither():
    curves = {curve["name"]: curve for curve in shipped("memory_latency").parameters["curves"]}
    held_out = {name for name, curve in curves.items() if latency_use(curve) == "held out"}
    assert held_out == {name for name, curve in L1_CURVES.items() if curve.held_out}
    assert {name for name, curve in curves.items() if latency_use(curve) == "fitted"} == set(LATENCY_FITTED)
    assert latency_use({"name": "of an older recording"}) == "seen"


@pytest.mark.parametrize(("use", "most"), [("held out", 466), ("seen", 669)])
def test_the_staircase_holds_on_curves_that_it_was_not_fitted_to(use, most):
    """Whole curves, every point of them: the strides and the carve-outs held out, and those only seen."""
    found = errors(latency_points(shipped("memory_latency"), use))
    assert found.points == most
    assert found.median <= 0.01
    assert found.worst <= 0.15
    assert found.beyond == 0


@pytest.mark.parametrize(
    "changed",
    [
        {"l1_cycles": 31.5},
        {"l1_cycles": 32.5},
        {"l1_kept_kib": 6.0},
        {"l1_kept_kib": 8.0},
        {"l1_ways": 3},
        {"l1_ways": 5},
        {"l2_cycles": 276.0},
        {"l2_cycles": 284.0},
        {"far_cycles": 550.0},
        {"far_cycles": 590.0},
        {"memory_cycles": 675.0},
        {"memory_cycles": 695.0},
        {"l2_share": 0.94},
        {"l2_share": 0.99},
    ],
    ids=str,
)
def test_the_staircases_numbers_are_those_that_suit_the_fitted_curves(changed):
    def off(model):
        return sum((cycles / model.latency(at, **how) - 1) ** 2 for at, cycles, how in points)

    recording, points = shipped("memory_latency"), []
    for curve in recording.parameters["curves"]:
        if curve["name"] in LATENCY_FITTED:
            how = {name: curve[name] for name in ("stride", "shared_kib", "through_l1")}
            how |= {"l2_bytes": recording.card.l2_bytes, "address": recording.samples["address"]}
            points += [(*row, how) for row in recording.results["curves"][curve["name"]]]
    assert len(points) == 200
    assert off(Staircase()) < off(replace(Staircase(), **changed))


def test_curves_that_nobody_had_seen_are_no_others():
    def place(curve):
        return curve.stride, curve.shared_kib

    known = {place(curve) for curve in (CURVES | L1_CURVES).values()}
    counted = {(stride * 128, shared) for shared, stride, _, _ in misses.cases()}
    unseen = {place(curve) for curve in UNSEEN.values()}
    assert len(unseen) == len(UNSEEN) >= 12
    assert unseen & (known | counted) == set()
    for curve in UNSEEN.values():
        lines, holds = curve.lines(), Staircase().l1_bytes(curve.shared_kib) / 128
        assert lines[0] < holds / 2
        assert lines[-1] > 1.25 * holds
        assert lines[-1] * curve.stride <= unseen_curves.MEMORY_BYTES


def test_the_staircase_holds_on_curves_that_nobody_had_seen_when_it_was_made():
    recording = shipped("memory_latency_unseen")
    found = errors(latency_points(recording))
    assert found.points == sum(len(curve.lines()) for curve in UNSEEN.values())
    assert found.median <= 0.05
    assert found.worst <= 0.15
    compared = unseen_curves.compare([recording])
    assert (compared.compared, compared.mismatches) == (found.points, 0)
    assert len(compared.rows) == len(UNSEEN)


def test_the_audit_of_latency_says_what_was_held_out_and_how_often_it_was_looked_at():
    recording = shipped("memory_latency")
    found = latency.compare([recording])
    assert found.compared == len(latency_points(recording)) == 466 + 669
    assert found.mismatches == 0
    said = "\n".join(found.notes)
    assert all(f'"{curve.name}"' in said for curve in L1_CURVES.values() if curve.held_out)
    assert "looked at twice" in said
    shown = [row for row in found.rows if any(name in row.subject for name in L1_CURVES)]
    assert len(shown) >= 5


def test_a_recording_from_before_curves_were_held_out_still_compares():
    recording = shipped("memory_latency")
    old = [curve for curve in recording.parameters["curves"] if curve["name"] in CURVES]
    old = [{name: value for name, value in curve.items() if name != "held_out"} for curve in old]
    curves = {curve["name"]: recording.results["curves"][curve["name"]] for curve in old}
    before = replace(
        recording,
        parameters={**recording.parameters, "curves": old},
        samples={name: sample for name, sample in recording.samples.items() if name != "address"},
        results={**recording.results, "curves": curves},
    )
    found = latency.compare([before])
    assert (found.compared, found.mismatches) == (354, 0)
    assert any("no curve was held out" in note for note in found.notes)


def test_the_model_of_streams_holds_on_curves_that_it_was_not_fitted_to():
    found = errors(bandwidth_points(shipped("bandwidth")))
    assert found.points > 100
    assert found.median <= 0.05
    assert found.worst <= 0.15


def test_device_memory_is_read_as_fast_as_a_library_reads_it():
    recording = shipped("bandwidth")
    ours = bandwidth.best(recording, "read")
    assert ours >= 3890
    assert ours >= 0.98 * bandwidth.best(recording, "read", of_torch=True) > 0


def test_the_l2_cache_is_read_as_fast_as_was_published():
    recording = shipped("bandwidth")
    assert bandwidth.at(recording, bandwidth.EVERYTHING, 8_000_000) >= 0.95 * 10252
    assert bandwidth.at(recording, bandwidth.EVERYTHING, 40_000_000) >= 0.95 * 9666
