"""The ladder's rungs: what each is built of, that none spills, and that all give the same product."""

import inspect

import ml_dtypes
import numpy as np
import pytest

from hopperlab.device import on_silicon
from hopperlab.kernels.gemm.ladder import BYTES, RUNGS, rung
from hopperlab.kernels.gemm.ladder import warpgroups as shape
from tests.kernels.machine_code import assert_has, assert_lacks, code_without_spill

MOST_LINES = 120
DTYPES = {"float32": np.float32, "bf16": ml_dtypes.bfloat16, "e4m3": ml_dtypes.float8_e4m3fn}
ADDED = {
    "naive": [r"LDG\.E", "FFMA"],
    "shared tiles": [r"LDG\.E", "STS", "LDS", "FFMA", r"BAR\.SYNC"],
    "copies ahead": [r"LDGSTS\.E\.BYPASS\.128", r"DEPBAR\.LE SB0, 0x2", "LDS", "FFMA"],
    "tensor copies": [r"UTMALDG\.2D", r"SYNCS\.PHASECHK\.TRANS64\.TRYWAIT", "LDS", "FFMA"],
    "tensor cores": [r"UTMALDG\.2D", r"HGMMA\.64x256x16\.F32\.BF16", r"WARPGROUP\.DEPBAR\.LE gsb0, 0x0"],
    "specialized": [
        r"USETMAXREG\.DEALLOC\.CTAPOOL 0x28",
        r"USETMAXREG\.TRY_ALLOC\.CTAPOOL UP\d, 0xe8",
        r"WARPGROUP\.DEPBAR\.LE gsb0, 0x1",
    ],
    "multicast": [r"UTMALDG\.2D\.MULTICAST", "UCGABAR_ARV", r"HGMMA\.64x256x16\.F32\.BF16"],
    "persistent": [r"UTMALDG\.2D\.MULTICAST", r"HGMMA\.64x256x16\.F32\.BF16"],
    "FP8": [r"UTMALDG\.2D\.MULTICAST", r"QGMMA\.64x256x32\.F32\.E4M3\.E4M3"],
}
ABSENT = {
    "naive": ["LDS", r"BAR\.SYNC"],
    "shared tiles": ["LDGSTS", "UTMALDG", "SYNCS"],
    "copies ahead": [r"LDG\.E", "STS", "UTMALDG", "SYNCS"],
    "tensor copies": [r"LDG\.E", "LDGSTS", "HGMMA"],
    "tensor cores": ["LDS", "FFMA", "USETMAXREG", "MULTICAST"],
    "specialized": ["LDS", "FFMA", "MULTICAST"],
    "multicast": ["LDS", "FFMA"],
    "persistent": ["LDS", "FFMA"],
    "FP8": ["HGMMA", "FFMA"],
}
EVERY = pytest.mark.parametrize("step", RUNGS, ids=lambda step: step.name)


def operands(step, m, n, k):
    """A, B and D of a rung, and the product: whole numbers, so that every order of adding gives the same."""
    random = np.random.default_rng(11)
    a, b = (random.integers(-3, 4, (rows, k)).astype(DTYPES[step.format]) for rows in (m, n))
    product = a.astype(np.float32) @ b.astype(np.float32).T
    if step.format != "float32":
        a, b = a.view(np.uint8), b.view(np.uint8)
    return a, b, np.full((m, n), -1, np.float32), product


@EVERY
def test_each_rung_fits_a_page_and_says_in_a_sentence_what_changed(step):
    module = inspect.getmodule(step.make(step.size, step.stages).function)
    assert len(inspect.getsource(module).splitlines()) <= MOST_LINES
    assert step.changed.endswith(".")
    assert len(step.changed) < 130


@EVERY
def test_each_rung_has_the_instructions_that_it_adds_and_spills_nothing(step):
    code = code_without_spill(step.make(step.size, step.stages))
    assert_has(code, *ADDED[step.name])
    assert_lacks(code, *ABSENT[step.name])


@pytest.mark.parametrize("name", ["tensor cores", "specialized", "multicast", "persistent", "FP8"])
def test_the_four_products_of_a_step_follow_each_other_without_a_wait(name):
    step = rung(name)
    code = step.make(step.size, step.stages).sass()
    assert code.count("WARPGROUP.ARRIVE") * shape.INSTRUCTIONS == code.count("GMMA.64x256")


def small(step):
    """A rung small enough for the simulator: tile size, stages, and M, N, K: a ring of two, for three steps a tile."""
    if step.warpgroups:
        tiles = 2 if step.persistent else 1
        m, n = shape.TILE_ROWS * step.cluster, 16 * tiles
        return 16, 2, (m, n, 3 * shape.STEP // BYTES[step.format])
    return (2 if step.size > 1 else 1), step.stages and 3, (32, 32, 40)


@EVERY
def test_each_rung_gives_the_exact_product_in_the_simulator_with_no_finding(step):
    size, stages, (m, n, k) = small(step)
    a, b, d, product = operands(step, m, n, k)
    run = step.launch(a, b, d, size=size, stages=stages, sms=2).simulate()
    assert run.findings == ()
    assert np.array_equal(run["d"], product)


@pytest.mark.parametrize("name", ["specialized", "multicast", "persistent"])
@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.exhaustive
def test_no_order_of_events_upsets_the_rings(name, seed):
    step = rung(name)
    size, stages, (m, n, k) = small(step)
    a, b, d, product = operands(step, m, n, k)
    run = step.launch(a, b, d, size=size, stages=stages, sms=2).simulate(seed=seed)
    assert run.findings == ()
    assert np.array_equal(run["d"], product)


def test_what_is_no_whole_number_of_tiles_is_refused_with_the_size_it_takes():
    step = rung("multicast")
    a, b, d, _ = operands(step, 128, 256, 64)
    with pytest.raises(ValueError, match="M is 128; rung 'multicast' takes multiples of 256"):
        step.launch(a, b, d)
    a, b, d, _ = operands(step, 256, 256, 64)
    with pytest.raises(ValueError, match=r"K is 32; .* takes multiples of 64"):
        step.launch(a[:, :64], b[:, :64], d)
    with pytest.raises(ValueError, match=r"give \(M, K\), \(N, K\) and \(M, N\)"):
        step.launch(a, b, d[:128])
    with pytest.raises(ValueError, match="the rungs are naive, shared tiles"):
        rung("tiles")


@pytest.mark.gpu
@EVERY
@pytest.mark.parametrize("shape", [(256, 256, 128), (512, 768, 1152)])
def test_each_rung_gives_the_exact_product_on_the_card(step, shape):
    from numba import cuda

    a, b, d, product = operands(step, *shape)
    device = [cuda.to_device(x) for x in (a, b, d)]
    with on_silicon():
        step.launch(*device).run()
    assert np.array_equal(device[2].copy_to_host(), product)
