"""The pipelines, and the A100's way: what each is built of, and that all give the same product."""

import numpy as np
import pytest

from hopperlab.device import on_silicon
from hopperlab.kernels import cp_async, pipelines
from tests.kernels.machine_code import assert_has, assert_lacks, code_without_spill

STEPS = {
    pipelines.scale_in_stages: pipelines.CONSUMERS,
    pipelines.scale_with_a_producer: pipelines.WITH_A_PRODUCER_WARP,
    pipelines.scale_with_warpgroups: pipelines.WITH_A_PRODUCER_WARPGROUP,
}


def test_on_the_a100_every_thread_copies_and_waits_for_its_own():
    code = code_without_spill(cp_async.scale_as_on_the_a100)
    assert_has(code, r"LDGSTS\.E\.BYPASS\.128", "LDGDEPBAR", r"DEPBAR\.LE SB0, 0x3", "LDS", "FMUL")
    assert_lacks(code, "UBLKCP", "UTMALDG", "SYNCS", "LDG[^SD]")


@pytest.mark.parametrize("kernel", STEPS, ids=lambda k: k.name)
def test_on_hopper_the_engine_loads_and_barriers_count(kernel):
    code = code_without_spill(kernel)
    assert_has(code, r"UBLKCP\.S\.G", r"SYNCS\.PHASECHK\.TRANS64\.TRYWAIT", "LDS", "FMUL")
    assert_lacks(code, "LDGSTS", "LDG")


def test_a_producer_needs_no_barrier_for_the_whole_block_in_its_loop():
    code = code_without_spill(pipelines.scale_with_a_producer)
    assert_has(code, "ELECT")
    assert code.count("BAR.SYNC") == 1
    assert code.index("BAR.SYNC") < code.index("UBLKCP")


def test_warpgroups_trade_registers_before_they_start():
    code = code_without_spill(pipelines.scale_with_warpgroups)
    lean, rich = (f"0x{count:x}" for count in (pipelines.LEAN, pipelines.RICH))
    assert_has(code, rf"USETMAXREG\.DEALLOC\.CTAPOOL {lean}", rf"USETMAXREG\.TRY_ALLOC\.CTAPOOL UP\d, {rich}")
    own = pipelines.WARPGROUP * pipelines.LEAN + pipelines.CONSUMERS * pipelines.RICH
    assert own <= pipelines.WITH_A_PRODUCER_WARPGROUP * 168  # what the launch gave them


@pytest.mark.gpu
@pytest.mark.parametrize("kernel", STEPS, ids=lambda k: k.name)
@pytest.mark.parametrize("tiles", [1, 3, 4, 100])
def test_every_tile_is_scaled_once(kernel, tiles):
    from numba import cuda

    source = np.random.default_rng(tiles).random((tiles, pipelines.TILE), dtype=np.float32)
    target = cuda.to_device(np.zeros_like(source))
    with on_silicon():
        kernel[7, STEPS[kernel]](np.float32(3), cuda.to_device(source), target)
    assert np.array_equal(target.copy_to_host(), source * np.float32(3))


@pytest.mark.gpu
@pytest.mark.parametrize("tiles", [1, 3, 4, 100])
def test_the_a100s_way_gives_the_same(tiles):
    from numba import cuda

    source = np.random.default_rng(tiles).random(tiles * cp_async.TILE, dtype=np.float32)
    target = cuda.to_device(np.zeros_like(source))
    with on_silicon():
        cp_async.scale_as_on_the_a100[7, cp_async.THREADS](np.float32(3), cuda.to_device(source), target)
    assert np.array_equal(target.copy_to_host(), source * np.float32(3))
