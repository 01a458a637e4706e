"""The FP8 matrix product: the model's bits, every edge, the machine code it is fast by, and what it refuses."""

import re

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hopperlab.device import on_silicon
from hopperlab.kernels.gemm import Schedule, multiply, schedule_for
from hopperlab.kernels.gemm.leaving import OUTPUTS
from hopperlab.kernels.gemm.product import product
from hopperlab.kernels.gemm.schedule import ROWS, STAGES
from hopperlab.models.gemm import Rounds
from hopperlab.models.gemm.rounds import SMS
from hopperlab.models.tensorcore import epilogue, matmul
from tests.kernels.machine_code import assert_has, assert_lacks, code_without_spill

E4M3, E5M2 = ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2
NAMES = {E4M3: "e4m3", E5M2: "e5m2"}
HOPPER_SHARED_BYTES = 227 * 1024

# What the checks find is no more than a warning where a kernel ends all the same.
pytestmark = pytest.mark.filterwarnings("error::hopperlab.device.simulator.launching.Simulated")


def operands(m, n, k, formats=(E4M3, E4M3), seed=0):
    random = np.random.default_rng([m, n, k, seed])
    return tuple(random.normal(size=(rows, k)).astype(f) for rows, f in zip((m, n), formats, strict=True))


def wanted(a, b, scale_a=1.0, scale_b=1.0, output="bf16", promote_every=None):
    formats = [NAMES[x.dtype.type] for x in (a, b)]
    unit = ".".join(["hopper.wgmma", *dict.fromkeys(formats)])
    sums = matmul(a, b.T, unit=unit, promote_every=promote_every)
    return epilogue(sums, scale_a, scale_b, output=output).output


def same_bits(got, expected):
    word = np.dtype(f"u{expected.dtype.itemsize}")
    return got.dtype == expected.dtype and np.array_equal(got.view(word), expected.view(word))


SMALL = {
    "edges on every side": ((70, 40, 144), {}),
    "one element": ((1, 1, 16), {}),
    "rows that no copy could start on": ((40, 37, 48), {}),
    "float32": ((70, 40, 48), {"out": "f32"}),
    "sums promoted every 128": ((40, 40, 272), {"accumulation": "promoted", "out": "f32"}),
}
LARGER = {
    "several tiles for a block": ((300, 72, 272), {"schedule": Schedule(64, 2)}),
    "a cluster that shares A": ((200, 136, 272), {"schedule": Schedule(64, 2, cluster=(1, 2))}),
    "a cluster that shares B": ((300, 72, 272), {"schedule": Schedule(64, 2, cluster=(2, 1))}),
    "a cluster that shares both": ((300, 136, 272), {"schedule": Schedule(64, 2, cluster=(2, 2))}),
    "half a part at the end of a row": ((130, 168, 528), {"schedule": Schedule(160, 2)}),
    "fewer steps than parts": ((40, 136, 128), {"schedule": Schedule(128, 2)}),
    "wide tiles, one under the other": ((130, 264, 528), {"schedule": Schedule(256, 2)}),
}
CASES = [
    *(pytest.param(*case, id=name) for name, case in SMALL.items()),
    *(pytest.param(*case, id=name, marks=pytest.mark.exhaustive) for name, case in LARGER.items()),
]


@pytest.mark.parametrize(("shape", "options"), CASES)
def test_the_product_has_the_models_bits_in_the_simulator(shape, options):
    a, b = operands(*shape)
    every = 128 if options.get("accumulation") == "promoted" else None
    expected = wanted(a, b, 0.5, 0.25, options.get("out", "bf16"), every)
    assert same_bits(multiply(a, b, 0.5, 0.25, **options), expected)


@pytest.mark.parametrize("formats", [(E5M2, E5M2), (E4M3, E5M2), (E5M2, E4M3)], ids=str)
def test_formats_mix_and_every_row_may_have_a_scale_of_its_own(formats):
    a, b = operands(40, 24, 48, formats)
    random = np.random.default_rng(1)
    scale_a, scale_b = (random.uniform(0.5, 2, x.shape[0]).astype(np.float32) for x in (a, b))
    assert same_bits(multiply(a, b, scale_a, scale_b[None, :]), wanted(a, b, scale_a, scale_b))


def test_a_result_is_written_where_it_is_asked_for():
    a, b = operands(10, 8, 16)
    d = np.full((10, 8), np.nan, np.float32)
    assert multiply(a, b, out=d) is d
    assert same_bits(d, wanted(a, b, output="f32"))


KERNELS = {
    "narrow": (Schedule(64),),
    "middle, promoted": (Schedule(128), "bf16", True),
    "wide": (Schedule(),),
    "wide, stored at the end": (Schedule(overlapped=False),),
    "wide, in clusters": (Schedule(cluster=(2, 1)),),
    "wide, in clusters of four": (Schedule(cluster=(2, 2)),),
    "last part is half a part": (Schedule(160),),
    "of 224 columns, in clusters": (Schedule(224, cluster=(2, 1)),),
    "wide, begun late": (Schedule(early=False),),
    "wide, row scales": (Schedule(), "bf16", False, "rows"),
    "wide, by element": (Schedule(), "bf16 by element"),
    "wide, float32": (Schedule(), "f32"),
    "middle, promoted, float32, row scales": (Schedule(128), "f32", True, "rows"),
}
FIRST, *OTHERS = KERNELS


@pytest.mark.parametrize("name", [FIRST, *(pytest.param(n, marks=pytest.mark.exhaustive) for n in OTHERS)])
def test_products_follow_each_other_and_nothing_spills(name):
    chosen = KERNELS[name]
    schedule, promoted = chosen[0], "promoted" in name
    code = code_without_spill(product(("e4m3", "e5m2"), *chosen))
    assert code.count(f"QGMMA.64x{schedule.columns}x32.F32.E4M3.E5M2") == 4
    # A fence and a commit a stage; had the compiler taken the products apart, it would wait after each.
    assert code.count("WARPGROUP.ARRIVE") == 1
    assert code.count("WARPGROUP.DEPBAR.LE") == (1 if promoted else 2)
    assert_has(code, r"UTMALDG\.2D", "SYNCS", "USETMAXREG")
    assert_lacks(code, "HMMA", "LDL", "STL")
    assert ("MULTICAST" in code) == (schedule.blocks > 1)
    assert ("ACQBULK" in code) == ("PREEXIT" in code) == schedule.early


def test_only_the_producer_throws_the_l1_away():
    lines = product(("e4m3", "e4m3"), Schedule(cluster=(2, 1))).sass().splitlines()
    waits = [i for i, line in enumerate(lines) if "TRYWAIT" in line]
    first, last = (f([i for i, line in enumerate(lines) if "QGMMA" in line]) for f in (min, max))
    (consumers,) = [i for i in waits if i < first and first - i < 60]
    assert "CCTL.IVALL" not in "".join(lines[consumers:last])
    assert sum("MEMBAR" in line and "GPU" in line for line in lines) == 1  # where the blocks meet


@pytest.mark.exhaustive
def test_what_leaves_under_the_next_tile_touches_neither_shared_memory_nor_a_fence():
    code = product(("e4m3", "e4m3"), Schedule()).sass()
    assert_has(code, r"STG\.E\.128", r"SHFL\.BFLY")
    assert_lacks(code, "STSM", "STS", "UTMASTG", "MEMBAR")


@pytest.mark.exhaustive
def test_between_the_products_of_a_stage_no_accumulator_is_moved():
    lines = product(("e4m3", "e4m3"), Schedule()).sass().splitlines()
    first, *_, last = (number for number, line in enumerate(lines) if "QGMMA" in line)
    moved = [int(r) for line in lines[first:last] for r in re.findall(r"MOV[.\w]* R(\d+)", line)]
    held = re.search(r"QGMMA\S* R(\d+)", lines[first])[1]
    assert not any(int(held) <= register < int(held) + 128 for register in moved)


@pytest.mark.parametrize("columns", STAGES)
def test_the_ring_fills_the_shared_memory_of_a_block(columns):
    schedule = Schedule(columns)
    reserved = 1024  # for the barriers, and so that tiles start on 1,024 bytes
    assert schedule.shared_bytes + reserved <= HOPPER_SHARED_BYTES
    assert schedule.shared_bytes + schedule.stage_bytes + reserved > HOPPER_SHARED_BYTES


@pytest.mark.parametrize(
    "schedule",
    [
        Schedule(64),
        Schedule(128, group=3),
        Schedule(256, cluster=(1, 2), group=1),
        Schedule(256, cluster=(2, 1)),
    ],
)
@pytest.mark.parametrize(("m", "n"), [(1, 1), (128, 256), (1000, 3000), (5120, 520)])
def test_the_order_has_every_tile_once(schedule, m, n):
    order = schedule.order(m, n)
    height, width = ROWS * schedule.cluster[0], schedule.columns * schedule.cluster[1]
    assert len({tuple(corner) for corner in order.tolist()}) == len(order) == -(-m // height) * -(-n // width)
    assert (order % (height, width) == 0).all()
    assert order[:, 0].max() < m
    assert order[:, 1].max() < n


@given(
    m=st.integers(1, 4000),
    n=st.integers(1, 4000),
    columns=st.sampled_from(list(STAGES)),
    cluster=st.sampled_from([(1, 1), (2, 1), (4, 1)]),
)
def test_blocks_that_go_through_the_order_take_the_rounds_of_the_model(m, n, columns, cluster):
    found = Rounds(m, n, columns, together=cluster[0])
    tiles, clusters = len(Schedule(columns, cluster=cluster).order(m, n)), SMS // cluster[0]
    taken = [len(range(first, tiles, clusters)) for first in range(clusters)]  # as the kernel goes on
    assert found.count == max(taken)
    assert found.idle == SMS - cluster[0] * taken.count(max(taken))


@given(m=st.integers(1, 20_000), n=st.integers(1, 20_000))
def test_no_other_cut_would_be_done_before_the_chosen_one(m, n):
    chosen = schedule_for(m, n, 4096)
    best = Rounds(m, n, chosen.columns, together=chosen.cluster[0]).time
    assert all(Rounds(m, n, columns, together=t).time >= best for columns in STAGES for t in (1, 2))


def test_the_order_goes_down_a_band_before_it_goes_on():
    order = Schedule(256, group=2).order(512, 512).tolist()
    assert order == [[0, 0], [128, 0], [0, 256], [128, 256], [256, 0], [384, 0], [256, 256], [384, 256]]


def test_tiles_are_wide_where_there_are_enough_of_them_and_fit_into_whole_rounds():
    assert schedule_for(2048, 2048, 2048) == Schedule(256)
    assert schedule_for(1024, 2048, 2048) == Schedule(128)
    assert schedule_for(128, 8192, 8192) == Schedule(64)
    assert schedule_for(1, 1, 16) == Schedule(64)
    assert not schedule_for(8192, 8192, 384).overlapped
    # 256 columns: 800 tiles, of which 8 would need a seventh round; 224: 920 in 7 rounds that are shorter.
    assert schedule_for(5120, 5120, 20480) == Schedule(224, cluster=(2, 1))


def test_blocks_pair_where_there_are_rounds_enough():
    assert schedule_for(16384, 4096, 4096).cluster == (2, 1)
    assert schedule_for(2048, 2048, 2048).cluster == (1, 1)
    assert schedule_for(128, 8192, 8192).cluster == (1, 1)


@pytest.mark.parametrize("widest", [64, 128, 256])
@pytest.mark.parametrize("m", [1, 100, 1000, 10_000])
def test_no_tile_is_wider_than_was_allowed(m, widest):
    assert schedule_for(m, 5000, 4096, widest).columns <= widest


A, B = operands(32, 24, 64)
REFUSED = {
    "dtype": (lambda: multiply(A.astype(np.float32), B), TypeError, "a has the dtype float32"),
    "no array": (lambda: multiply(A, [1.0]), TypeError, "b has the dtype list"),
    "dimensions": (lambda: multiply(A[0], B), ValueError, r"a has the shape \(64,\)"),
    "K of both": (lambda: multiply(A, B[:, :48].copy()), ValueError, "K = 64, but b of 48"),
    "K of 16": (lambda: multiply(A[:, :40].copy(), B), ValueError, "K = 40 .* multiple of 16"),
    "gaps": (lambda: multiply(A[:, :32], B[:, :32]), ValueError, "row by row"),
    "empty": (lambda: multiply(A[:0], B), ValueError, r"shape \(0, 64\)"),
    "infinite scale": (lambda: multiply(A, B, np.inf), ValueError, "scale_a is inf"),
    "scale of zero": (lambda: multiply(A, B, 1.0, 0.0), ValueError, "scale_b is 0.0"),
    "scale that underflows": (lambda: multiply(A, B, 1e-60), ValueError, "scale_a is 1e-60"),
    "scales of another length": (lambda: multiply(A, B, np.ones(31), np.ones(24)), ValueError, "each of the 32"),
    "scales of two kinds": (lambda: multiply(A, B, np.ones(32), 1.0), ValueError, "each of the 24 rows"),
    "output": (lambda: multiply(A, B, out="f16"), ValueError, "out is 'f16'; allowed are 'bf16', 'f32'"),
    "dtype of the output": (lambda: multiply(A, B, out=np.ones((32, 24))), TypeError, "out is a ndarray of float64"),
    "shape of the output": (lambda: multiply(A, B, out=np.ones((24, 32), "f4")), ValueError, r"must be \(32, 24\)"),
    "accumulation": (lambda: multiply(A, B, accumulation="slow"), ValueError, "'slow'; allowed are 'fast', 'promoted'"),
    "columns": (lambda: Schedule(96), ValueError, "columns is 96; allowed are 256, 224, 192, 160, 128, 64"),
    "stages": (lambda: Schedule(256, 5), ValueError, "stages=5 must be in 2 to 4"),
    "half a stage": (lambda: Schedule(stages=3.5), TypeError, "stages=3.5 must be a whole number"),
    "no schedule": (lambda: multiply(A, B, schedule="wide"), TypeError, "schedule is 'wide'; give a Schedule"),
    "scale in words": (lambda: multiply(A, B, "one"), TypeError, "scale_a is 'one'; give a number"),
    "scale of torch for arrays of numpy": (
        lambda: multiply(A, B, type("Tensor", (), {"__module__": "torch"})()),
        TypeError,
        "scale_a is a tensor of torch, but a and b are numpy arrays",
    ),
    "read-only output": (
        lambda: multiply(A, B, out=np.frombuffer(bytes(32 * 24 * 4), "f4").reshape(32, 24)),
        ValueError,
        "out is a read-only array",
    ),
    "cluster": (lambda: Schedule(cluster=3), ValueError, "cluster is 3; allowed are"),
    "promoted and wide": (
        lambda: multiply(A, B, accumulation="promoted", schedule=Schedule(256)),
        ValueError,
        "at most 128 columns",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("wrong", "error", "message"), REFUSED.values(), ids=REFUSED)
def test_what_no_product_has_is_refused(wrong, error, message):
    with pytest.raises(error, match=message):
        wrong()


ON_THE_CARD = [
    ((1000, 1000, 1008), {}),
    ((257, 511, 2064), {}),
    ((129, 40, 16), {"out": "f32"}),
    ((640, 1544, 528), {"accumulation": "promoted"}),
    ((640, 1544, 528), {"accumulation": "promoted", "out": "f32"}),
    ((4096, 2304, 1024), {}),
    ((4096, 2304, 1024), {"schedule": Schedule(cluster=(2, 1))}),
    ((1000, 3000, 512), {"schedule": Schedule(128, cluster=(2, 2))}),
    ((1000, 3000, 512), {"schedule": Schedule(256, overlapped=False)}),
    ((1000, 3000, 512), {"schedule": Schedule(256, cluster=(4, 1), early=False)}),
    *(((1000, 1000, 1008), {"schedule": Schedule(columns, cluster=(2, 1))}) for columns in (224, 192, 160)),
]


@pytest.mark.gpu
@pytest.mark.parametrize(("shape", "options"), ON_THE_CARD, ids=str)
def test_the_product_has_the_models_bits_on_the_card(shape, options):
    a, b = operands(*shape)
    every = 128 if options.get("accumulation") == "promoted" else None
    expected = wanted(a, b, 0.5, 0.25, options.get("out", "bf16"), every)
    with on_silicon():
        assert same_bits(multiply(a, b, 0.5, 0.25, **options), expected)


@pytest.mark.gpu
@pytest.mark.parametrize("output", ["bf16", "f32"])
@pytest.mark.parametrize("accumulation", ["fast", "promoted"])
@pytest.mark.parametrize("formats", [(E4M3, E4M3), (E4M3, E5M2), (E5M2, E4M3), (E5M2, E5M2)], ids=str)
def test_row_scales_and_formats_on_the_card(formats, accumulation, output):
    a, b = operands(300, 520, 400, formats)
    random = np.random.default_rng(1)
    scale_a, scale_b = (random.uniform(0.5, 2, x.shape[0]).astype(np.float32) for x in (a, b))
    expected = wanted(a, b, scale_a, scale_b, output, 128 if accumulation == "promoted" else None)
    with on_silicon():
        assert same_bits(multiply(a, b, scale_a, scale_b, output, accumulation), expected)


@pytest.mark.gpu
@pytest.mark.parametrize("shape", [(512, 768, 1024), (1000, 1008, 2064)], ids=str)
def test_the_product_has_the_bits_of_cublaslt(shape):
    torch = pytest.importorskip("torch")
    m, n, k = shape
    a, b = (torch.randn(rows, k, device="cuda").to(torch.float8_e4m3fn) for rows in (m, n))
    scales = [torch.full((), value, device="cuda") for value in (0.5, 0.25)]
    expected = torch._scaled_mm(
        a, b.t(), *scales, out_dtype=torch.bfloat16, use_fast_accum=True
    )  # fmt: skip
    with on_silicon():
        d = multiply(a, b, *scales)
    assert d.dtype == torch.bfloat16
    assert torch.equal(d.view(torch.int16), expected.view(torch.int16))


def test_every_kind_of_output_is_tried():
    assert {chosen[1] if len(chosen) > 1 else "bf16" for chosen in KERNELS.values()} == set(OUTPUTS)
