"""Tiles, registers, rings and bounds, against arithmetic of another make."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hopperlab.chip import chip
from hopperlab.models.gemm import (
    BF16_TILE,
    FP8_TILE,
    MECHANISMS,
    Tile,
    bound,
    copy_latency,
    fixed_and_slope,
    flop_per_second,
    launch_registers,
    mechanism,
    pipeline,
    producer_registers,
    stages_needed,
    step_cycles,
    step_work,
)

rings = {
    "stages": st.integers(1, 6),
    "latency": st.integers(0, 3000),
    "compute": st.integers(1, 2000),
    "transfer": st.integers(0, 1500),
    "late": st.booleans(),
}


def test_the_ladders_tile_takes_48_kib_a_stage_and_four_of_them_fit():
    assert BF16_TILE.stage_bytes == FP8_TILE.stage_bytes == 48 * 1024
    assert BF16_TILE.most_stages() == 4
    assert BF16_TILE.shared_bytes(4) <= 227 * 1024 < BF16_TILE.shared_bytes(5)
    assert BF16_TILE.sums_per_thread(2) == 128


@given(st.integers(8, 512), st.integers(8, 512), st.integers(8, 256), st.integers(1, 4))
def test_one_stage_more_than_the_most_never_fits(rows, columns, step, nbytes):
    tile = Tile(rows, columns, step, nbytes)
    most = tile.most_stages()
    assert most == 0 or tile.shared_bytes(most) <= 227 * 1024
    assert tile.shared_bytes(most + 1) > 227 * 1024
    assert tile.intensity == pytest.approx(2 / nbytes / (1 / rows + 1 / columns))


def test_two_consumers_of_232_leave_the_producer_40():
    assert launch_registers(384) == 168
    assert launch_registers(128) == 248
    assert producer_registers(2, 232) == 40
    assert producer_registers(2, 240) == 24
    with pytest.raises(ValueError, match="each=248: 2 warpgroups of it leave 8 registers"):
        producer_registers(2, 248)


@given(st.integers(1, 3), st.integers(3, 32))
def test_registers_are_neither_made_nor_lost(consumers, eights):
    each, threads = 8 * eights, 128 * (consumers + 1)
    pool = launch_registers(threads) * threads
    try:
        left = producer_registers(consumers, each)
    except ValueError:
        assert pool - 128 * consumers * each < 128 * 24
    else:
        assert 0 <= pool - 128 * (consumers * each + left) < 128 * 8


@given(**rings, steps=st.integers(1, 40))
def test_no_stage_is_copied_over_while_it_is_used_and_work_keeps_its_order(
    stages, latency, compute, transfer, late, steps
):
    line = pipeline(stages, steps, latency, compute, transfer, late=late)
    for before, after in zip(line.steps, line.steps[stages:], strict=False):
        assert after.stage == before.stage
        assert after.asked >= before.done
    for before, after in zip(line.steps, line.steps[1:], strict=False):
        assert after.begun >= before.done
        assert after.asked >= before.asked + transfer
    for step in line.steps:
        assert step.landed == step.asked + max(latency, transfer)
        assert step.begun >= step.landed
        assert step.done == step.begun + compute
    lost = sum(end - start for start, end in line.bubbles)
    assert line.cycles == pytest.approx(lost + steps * compute)
    assert line.busy == pytest.approx(steps * compute / line.cycles)


@given(**rings)
def test_a_full_ring_steps_as_its_slowest_part(stages, latency, compute, transfer, late):
    line = pipeline(stages, 40 * stages, latency, compute, transfer, late=late)
    pace = (line.steps[-1].done - line.steps[20 * stages - 1].done) / (20 * stages)
    assert pace == pytest.approx(step_cycles(stages, latency, compute, transfer, late=late), rel=0.06)


@given(st.integers(1, 3000), st.fractions(0, 20))
def test_the_fewest_stages_that_never_wait_are_the_fewest(compute, ratio):
    latency = int(ratio * compute)
    fewest = stages_needed(latency, compute)
    assert not _waits(fewest, latency, compute)
    assert fewest == 1 or _waits(fewest - 1, latency, compute)


def _waits(stages, latency, compute):
    """Whether work, once begun, ever waits in two laps of a ring."""
    line = pipeline(stages, 2 * stages + 1, latency, compute)
    return any(after.begun > before.done for before, after in zip(line.steps, line.steps[1:], strict=False))


def test_the_lessons_ring_needs_three_stages():
    latency, work = copy_latency(BF16_TILE.stage_bytes), step_work(BF16_TILE)
    assert (latency, work) == (1436, 1024)
    assert stages_needed(latency, work) == 3


@pytest.mark.parametrize("rung", MECHANISMS, ids=lambda rung: rung.name)
def test_no_bound_is_above_the_peak_and_more_work_takes_longer(rung):
    card = chip("H200 SXM")
    kind = {0: 256 * card.boost_clock_hz}.get(rung.stages) or (
        card.tensor_flop_per_clock_per_sm({2: "bf16", 1: "fp8"}[rung.tile.operand_bytes])
        * card.tensor_clock_hz
    )
    assert flop_per_second(rung, 4096, 4096, 4096) < kind * card.sms
    times = [bound(rung, 4096, 4096, k) for k in (512, 1024, 4096)]
    assert times == sorted(times)
    assert math.isfinite(times[0])


def test_each_mechanism_of_the_tensor_rungs_bounds_no_worse_than_the_one_before():
    upper = [flop_per_second(rung, 8192, 8192, 8192) for rung in MECHANISMS if rung.stages]
    assert upper == sorted(upper)


def test_a_line_through_two_depths_is_found_again():
    fixed, slope = fixed_and_slope((256, 4096), (10e-6 + 256 * 3e-9, 10e-6 + 4096 * 3e-9))
    assert fixed == pytest.approx(10e-6)
    assert slope == pytest.approx(3e-9)
    with pytest.raises(ValueError, match="give two that differ"):
        fixed_and_slope((1, 1), (1.0, 1.0))


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda: Tile(0, 8, 8, 2), "rows=0"),
        (lambda: pipeline(0, 1, 1, 1), "stages=0"),
        (lambda: pipeline(1, 1, -1, 1), "latency=-1"),
        (lambda: stages_needed(10, 0), "compute=0"),
        (lambda: mechanism("none"), "name='none'"),
    ],
)
def test_bad_input_is_refused_by_name(call, named):
    with pytest.raises(ValueError, match=named):
        call()
