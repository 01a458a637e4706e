"""Blocks an SM: against a slow allocation warp by warp, and against NVIDIA's own header."""

import ctypes
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hopperlab.chip import chip
from hopperlab.models.clusters import block_limits, blocks_per_sm

H100, A100 = chip("H100 SXM5"), chip("A100 SXM4 80GB")

quick = settings(max_examples=100, deadline=None)


def blocks_by_allocating(on, threads, registers, shared_bytes):
    """Admit blocks one by one to an SM of four parts until a warp, a register or a byte is missing."""
    parts = on.warp_allocation_granularity
    registers_of_warp = 256 * -(-registers * 32 // 256)
    shared_of_block = 128 * -(-(shared_bytes + 1024) // 128)
    warps_of_block = -(-threads // 32)
    free_registers = [on.registers_per_sm // parts] * parts
    free_warps, free_shared, blocks = on.max_warps_per_sm, on.shared_bytes_per_sm, 0
    while blocks < on.max_blocks_per_sm:
        for _ in range(warps_of_block):
            part = free_registers.index(max(free_registers))
            if free_warps == 0 or free_registers[part] < registers_of_warp:
                return blocks
            free_warps -= 1
            free_registers[part] -= registers_of_warp
        free_shared -= shared_of_block
        if free_shared < 0:
            return blocks
        blocks += 1
    return blocks


@quick
@given(
    st.sampled_from([H100, A100]),
    st.integers(1, 1024),
    st.integers(1, 255),
    st.one_of(st.just(0), st.integers(0, 163 * 1024)),
)
def test_the_formula_equals_allocating_warp_by_warp(on, threads, registers, shared_bytes):
    assert blocks_per_sm(on, threads, registers, shared_bytes) == blocks_by_allocating(
        on, threads, registers, shared_bytes
    )


HARNESS = r"""
#include "cuda_occupancy.h"
int blocks(int major, int registers_per_sm, long shared_per_sm, long shared_per_block,
           int threads, int registers, long shared) {
    cudaOccDeviceProp p = {major, 0, 1024, 2048, registers_per_sm, registers_per_sm, 32, 48 * 1024,
                           shared_per_sm, 132, shared_per_block, 1024};
    cudaOccFuncAttributes f = {1024, registers, 0, PARTITIONED_GC_OFF, FUNC_SHMEM_LIMIT_OPTIN,
                               shared_per_block, 1, 0};
    cudaOccDeviceState s = {CACHE_PREFER_NONE, SHAREDMEM_CARVEOUT_MAX_SHARED};
    cudaOccResult r;
    int error = cudaOccMaxActiveBlocksPerMultiprocessor(&r, &p, &f, &s, threads, shared);
    return error ? -error : r.activeBlocksPerMultiprocessor;
}
"""


@pytest.fixture(scope="module")
def nvidia(tmp_path_factory):
    """NVIDIA's cuda_occupancy.h, compiled, as a function."""
    cuda_runtime = pytest.importorskip("nvidia.cu13", reason="the sass extra is not installed")
    header = next((Path(p) for p in cuda_runtime.__path__), None) / "include"
    compiler = shutil.which("cc")
    if compiler is None or not (header / "cuda_occupancy.h").is_file():
        pytest.skip("needs a C compiler and cuda_occupancy.h")
    folder = tmp_path_factory.mktemp("occupancy")
    (folder / "harness.c").write_text(HARNESS)
    library = folder / "harness.so"
    command = [compiler, "-O1", "-shared", "-fPIC", f"-I{header}", "-o", library, folder / "harness.c"]
    subprocess.run(command, check=True)
    function = ctypes.CDLL(str(library)).blocks
    function.argtypes = [*[ctypes.c_int] * 2, *[ctypes.c_long] * 2, *[ctypes.c_int] * 2, ctypes.c_long]

    def blocks(on, threads, registers, shared_bytes):
        major, _ = on.compute_capability
        limits = (on.registers_per_sm, on.shared_bytes_per_sm, on.max_shared_bytes_per_block)
        return function(major, *limits, threads, registers, shared_bytes)

    return blocks


@pytest.mark.parametrize("on", [H100, A100], ids=["H100", "A100"])
def test_every_hundredth_launch_equals_nvidias_header(nvidia, on):
    random = np.random.default_rng(7)
    for _ in range(3000):
        threads, registers = int(random.integers(1, 1025)), int(random.integers(1, 256))
        shared = int(random.integers(0, on.max_shared_bytes_per_block + 1)) * int(random.integers(0, 2))
        assert blocks_per_sm(on, threads, registers, shared) == nvidia(on, threads, registers, shared)


@pytest.mark.exhaustive
def test_every_launch_equals_nvidias_header(nvidia):
    for threads in range(1, 1025):
        for registers in range(1, 256):
            assert blocks_per_sm(H100, threads, registers) == nvidia(H100, threads, registers, 0)
    for shared in range(227 * 1024 + 1):
        assert blocks_per_sm(H100, 64, 32, shared) == nvidia(H100, 64, 32, shared)


@quick
@given(st.integers(1, 1024), st.integers(1, 255), st.integers(0, 227 * 1024))
def test_the_limiters_are_those_that_allow_no_more(threads, registers, shared_bytes):
    limits = block_limits(H100, threads, registers, shared_bytes)
    by_name = {
        "blocks": limits.by_blocks,
        "warps": limits.by_warps,
        "registers": limits.by_registers,
        "shared memory": limits.by_shared_memory,
    }
    assert limits.limiters
    assert all((by_name[name] == limits.blocks) == (name in limits.limiters) for name in by_name)


@pytest.mark.parametrize(
    ("threads", "registers", "shared_bytes", "limiter"),
    [
        (32, 16, 0, "blocks"),
        (1024, 32, 0, "warps"),
        (256, 168, 0, "registers"),
        (128, 32, 100 * 1024, "shared memory"),
    ],
)
def test_each_resource_can_run_out_first(threads, registers, shared_bytes, limiter):
    assert limiter in block_limits(H100, threads, registers, shared_bytes).limiters


def test_the_largest_block_of_shared_memory_fits_once():
    assert blocks_per_sm(H100, 128, 32, 227 * 1024) == 1
    assert blocks_per_sm(H100, 128, 32, 113 * 1024) == 2
    assert blocks_per_sm(H100, 128, 32, 113 * 1024 + 1) == 1


def test_too_many_registers_together_fit_no_sm():
    limits = block_limits(H100, 1024, 255)
    assert limits.blocks == 0
    assert limits.limiters == ("registers",)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((0,), "threads=0 must be in 1 to 1024"),
        ((1025,), "threads=1025 must be in 1 to 1024"),
        ((128, 0), "registers=0 must be in 1 to 255"),
        ((128, 256), "registers=256 must be in 1 to 255"),
        ((128, 32, -1), "shared_bytes=-1 must be in 0 to 232448"),
        ((128, 32, 232449), "shared_bytes=232449 must be in 0 to 232448"),
    ],
)
def test_what_no_launch_may_ask_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        blocks_per_sm(H100, *arguments)
