"""The SM's models: feeding, scheduling, storage, registers and delivery, against definitions and recordings."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hopperlab import ledger
from hopperlab.models.sm import (
    CARVE_OUTS,
    SHARED_BYTES_PER_CLOCK,
    Operands,
    RegisterTile,
    carve_out,
    delivery_energy,
    issue_rate,
    schedule,
    warps_to_hide,
)
from hopperlab.models.sm.scheduler import ISSUES, READY, WAITS

SIDES = range(1, 13)


def test_the_widest_product_needs_80_bytes_a_clock_and_64_without_a():
    assert Operands(256).bytes_per_clock == 80
    assert {Operands(n, a_in_registers=True).bytes_per_clock for n in range(8, 257, 8)} == {64}


@pytest.mark.parametrize("columns", range(8, 257, 8))
@pytest.mark.parametrize("data_type", ["bf16", "fp16", "fp8", "tf32"])
def test_tensor_cores_are_busy_exactly_where_shared_memory_suffices(columns, data_type):
    one = Operands(columns, data_type=data_type)
    assert one.flop == 2 * 64 * columns * one.depth
    assert one.shared_bytes == Operands(columns).shared_bytes
    assert (one.cycles == one.math_cycles) == (one.bytes_per_clock <= SHARED_BYTES_PER_CLOCK)
    assert (columns >= 64) == (one.cycles == one.math_cycles)


def test_the_model_gives_every_recorded_product_within_two_percent():
    names = {"e4m3": "fp8", "e5m2": "fp8", "f16": "fp16", "bf16": "bf16", "tf32": "tf32"}
    recordings = ledger.recordings("wgmma_rates")
    assert recordings
    for recording in recordings:
        for fmt, columns, _, _, cycles, _ in recording.results["products"]:
            modelled = Operands(columns, data_type=names[fmt]).cycles
            assert cycles == pytest.approx(modelled, rel=0.02)


@pytest.mark.parametrize("columns", [0, 4, 12, 264])
def test_a_width_that_wgmma_does_not_have_is_refused(columns):
    with pytest.raises(ValueError, match=f"columns={columns}"):
        Operands(columns)


@given(st.integers(1, 64), st.integers(1, 40), st.integers(1, 4))
def test_each_scheduler_issues_at_most_one_and_each_warp_waits_for_its_last(warps, latency, per_clock):
    found = schedule(warps, latency, per_clock, clocks=120)
    assert max(found.issued) <= per_clock
    for clock in range(120):
        for sub_partition in range(4):
            states = [states[clock] for states in found.states[sub_partition::4]]
            assert states.count(ISSUES) <= 1
            if per_clock == 4 and READY in states:
                assert ISSUES in states
    for states in found.states:
        issued = [clock for clock, state in enumerate(states) if state == ISSUES]
        assert all(after - before >= latency for before, after in pairwise(issued))
        assert all(states[clock] == WAITS for at in issued for clock in range(at + 1, min(at + latency, 120)))


@given(st.integers(1, 64), st.integers(1, 40), st.integers(1, 4))
def test_in_the_long_run_littles_law_holds(warps, latency, per_clock):
    clocks = 60 * latency
    issued = schedule(warps, latency, per_clock, clocks=clocks).issued[-20 * latency :]
    assert sum(issued) / len(issued) == pytest.approx(issue_rate(warps, latency, per_clock), rel=0.02)


def test_thirty_warps_hide_a_load_of_thirty_cycles():
    assert warps_to_hide(30, 1) == 30
    assert issue_rate(30, 30, 1) == 1
    assert issue_rate(29, 30, 1) < 1
    assert warps_to_hide(30, 1, independent=4) == 8


@given(st.integers(0, 32), st.integers(0, 227))
def test_a_carve_out_is_the_smallest_that_holds_the_blocks_and_what_is_kept(blocks, kib):
    needed = blocks * (kib + 1) * 1024
    if needed > CARVE_OUTS[-1]:
        with pytest.raises(ValueError, match="228 KiB"):
            carve_out(blocks, kib * 1024)
    else:
        found = carve_out(blocks, kib * 1024)
        assert found >= needed
        assert all(size < needed or size >= found for size in CARVE_OUTS)


def test_registers_trade_occupancy_for_speed():
    tiles = [RegisterTile(side) for side in SIDES]
    occupancies = [tile.occupancy for tile in tiles]
    rates = [tile.multiply_adds_per_clock for tile in tiles]
    assert occupancies == sorted(occupancies, reverse=True)
    assert rates == sorted(rates)
    assert (RegisterTile(3).occupancy, RegisterTile(8).occupancy) == (1, 0.25)
    assert RegisterTile(8).multiply_adds_per_clock == 128 > RegisterTile(3).multiply_adds_per_clock


@given(st.floats(0.1, 10))
def test_wgmma_moves_fewer_bytes_at_any_cost_and_the_sums_alone_cost_as_much(cost):
    both = delivery_energy(cost)
    assert 0.25 < both["wgmma"] < both["mma.sync"]


@pytest.mark.parametrize("cost", [0, -1, float("nan")])
def test_a_cost_that_is_none_is_refused(cost):
    with pytest.raises(ValueError, match="shared_cost"):
        delivery_energy(cost)
