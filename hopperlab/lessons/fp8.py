"""Lesson 04, FP8 formats and tensor cores: its panels and figures.

from hopperlab.lessons import fp8 as lesson
"""

import numpy as np

from hopperlab import ledger
from hopperlab.course.fp8 import LESSON
from hopperlab.course.fp8.specimens import JUST_ABOVE_A_TIE, SPECIMENS
from hopperlab.course.fp8.sums import UNIT, biases, ones_on
from hopperlab.course.report import Code, Report, Table
from hopperlab.device import tma
from hopperlab.kernels import fp8 as kernels
from hopperlab.kernels.tensorcore.warp import warp_product
from hopperlab.kernels.tensorcore.warpgroup import tile_product
from hopperlab.lessons.controls import choice, slider, toggle
from hopperlab.lessons.panel import Panel
from hopperlab.measure.experiment import experiments
from hopperlab.models import fp8, tensorcore
from hopperlab.views import fp8 as views
from hopperlab.views import tensorcore as sums
from hopperlab.views.fp8.number_line import plain
from hopperlab.views.picture import Picture

predict, commit, reveal = LESSON.predict, LESSON.commit, LESSON.reveal
panel, quiz, summary = LESSON.panel, LESSON.quiz, LESSON.summary
exercise, check, hint, solution = LESSON.exercise, LESSON.check, LESSON.hint, LESSON.solution

kernel = kernels.encode_array("e4m3")
"""The kernel that casts on the card; `kernel.source()` shows it."""

tile_kernel = tile_product("e4m3", "e4m3", 8)
"""The kernel that multiplies one tile by wgmma."""

CARD = "H200 SXM"
VALUES = {
    "1.0625 + 2^-13": JUST_ABOVE_A_TIE,
    "-431.99999999999994": -431.99999999999994,
    "464": 464.0,
    "465": 465.0,
    "61440": 61440.0,
    "infinity": float("inf"),
    "NaN": float("nan"),
    "2^-10": 2.0**-10,
    "-0": -0.0,
}
OWN = "sliders"
SHORTER = {"toward_positive": "up", "toward_negative": "down"}
MODES = {SHORTER.get(mode, mode.replace("_", " ")): mode for mode in fp8.ROUNDINGS if mode != "stochastic"}
TERMS = (256, 1024, 4096, 16384)
ALLOWED = 1e-3  # the bias that the exercise allows


def number_line() -> Panel:
    """A value dropped on both number lines: hostile ones by name, any other by its size and a fine adjustment."""
    return Panel(
        "fp8.number-line",
        _number_line,
        height=500,
        value=choice("Value", [OWN, *VALUES]),
        exponent=slider("Power of two", -18, 17, -2),
        significand=slider("Significand", 1.0, 1.9375, 1.1875, step=0.0625),
        saturate=toggle("Saturate", True),
        rounding=choice("Rounding", MODES, "nearest_even"),
    )


def _number_line(value: str, exponent: int, significand: float, saturate: bool, rounding: str) -> Picture:
    x = VALUES.get(value, significand * 2.0**exponent)
    return views.number_line(x, saturate, rounding)


def code_wheel() -> Panel:
    """The fields of one byte, each on a slider of its own, and where it stands among the 256."""
    return Panel(
        "fp8.code-wheel",
        _code_wheel,
        height=400,
        fmt=choice("Format", {fp8.FORMATS[name].title: name for name in fp8.FORMATS}),
        sign=toggle("Sign bit"),
        exponent=slider("Exponent field", 0, 31, 15),
        mantissa=slider("Mantissa field", 0, 7, 6),
    )


def _code_wheel(fmt: str, sign: bool, exponent: int, mantissa: int) -> Picture:
    """The fields of one byte; a slider beyond what its field holds leaves it full."""
    bits = fp8.format_named(fmt).mantissa_bits
    code = sign << 7 | min(exponent, 2 ** (7 - bits) - 1) << bits | min(mantissa, 2**bits - 1)
    return views.code_wheel(code, fmt)


def accumulator() -> Panel:
    """One block of a tensor core: what is aligned, cut, added and written."""
    return Panel(
        "fp8.accumulator",
        _accumulator,
        height=420,
        unit=choice("Tensor core", _UNITS),
        count=slider("Products 1 x 1, as many as a block holds", 0, 32, 32),
        exponent=slider("C = 2 to the", -4, 24, 14),
        odd=choice("One more product", {"none": 0.0, "0.4375 x 1": 0.4375, "7.5 x 1": 7.5, "-7.5 x 1": -7.5}),
        giants=toggle("256 x 256 and -256 x 256 too"),
    )


_UNITS = {
    "Hopper wgmma, E4M3": UNIT,
    "Hopper wgmma, FP16": "hopper.wgmma.f16",
    "Ada mma, E4M3": "ada.mma.e4m3",
    "A100 mma, FP16": "a100.mma.f16",
}


def _accumulator(unit: str, count: int, exponent: int, odd: float, giants: bool) -> Picture:
    a = [256.0, -256.0] * giants + [odd] * bool(odd)
    b = [256.0, 256.0] * giants + [1.0] * bool(odd)
    core = tensorcore.UNITS[unit]
    ones = min(count, core.block - len(a))
    dtype = core.a.dtype
    a, b = (np.array([*x, *[1.0] * ones], dtype) for x in (a, b))
    return sums.accumulator(tensorcore.explain_block(a, b, 2.0**exponent, unit))


def stalled() -> Picture:
    """32 ones beside 2^14: the block that the prediction asks about."""
    return sums.accumulator(ones_on(16384.0))


def _bias(promote_every: int | None) -> Picture:
    curves = [
        sums.Curve("one chain", biases(TERMS)),
        sums.Curve(f"promoted every {promote_every}", biases(TERMS, promote_every)),
    ]
    return sums.bias_curve(TERMS, curves, "products of uniform numbers", allowed=ALLOWED)


def bias() -> Picture:
    """Bias of positive sums against K: one chain, and promoted every 128."""
    return _bias(128)


def promotion() -> Panel:
    """The same with the promotion interval to choose."""
    return Panel(
        "fp8.promotion",
        _bias,
        height=440,
        promote_every=choice("Promote every", {str(n): n for n in (32, 64, 128, 256, 512, 1024)}, 128),
    )


def explained() -> Report:
    """The cast of 465 and the cast of a tie, step by step: the scalar twin of the card's instruction."""
    return Report(Code("\n".join(str(fp8.explain(x, "e4m3")) for x in (465.0, JUST_ABOVE_A_TIE))))


def specimens() -> Panel:
    """Casts and sums that go wrong, each with its finding."""
    named = {specimen.name: specimen for specimen in SPECIMENS}
    return Panel(
        "fp8.specimens", lambda specimen: specimen.picture(), height=560, specimen=choice("Specimen", named)
    )


def libraries() -> Report:
    """What the card, ml_dtypes and a detour through FP16 make of the same values, E4M3."""
    rows = []
    for x in (464.0, 465.0, float("inf"), JUST_ABOVE_A_TIE, -431.99999999999994, 2.0**-10):
        with np.errstate(over="ignore", invalid="ignore"):
            theirs = float(np.array(x).astype(fp8.FORMATS["e4m3"].dtype))
            half = fp8.explain(float(np.float16(x)), "e4m3").result.value
        ours = fp8.explain(x, "e4m3").result.value
        rows.append([f"{x:.17g}", *(plain(value) for value in (ours, theirs, half))])
    header = ["from FP64", "the card's rule (modelled)", "ml_dtypes", "through FP16 (modelled)"]
    return Report(Table(header, rows))


def silicon() -> Report:
    """Quoted beside modelled: the integers of the formats and of the accumulator."""
    unit = tensorcore.UNITS[UNIT]
    e4m3, e5m2 = fp8.FORMATS["e4m3"], fp8.FORMATS["e5m2"]
    modelled = {
        "lit-046.a": e4m3.largest,
        "lit-047.a": e5m2.largest,
        "lit-046.d": e4m3.smallest_subnormal,
        "lit-047.d": e5m2.smallest_subnormal,
        "lit-048.a": _last_that_rounds_down(),
        "lit-241.a": unit.block,
        "lit-241.b": unit.fraction_bits,
        "lit-241.c": unit.output_fraction_bits,
    }
    rows = []
    for id, value in modelled.items():
        claim = ledger.claim(id)
        rows.append([f"{claim.statement}, {claim.device}", id, claim.quoted, plain(float(value))])
    return Report(Table(["what", "claim", "quoted", "modelled"], rows))


def _last_that_rounds_down() -> float:
    """The largest value whose unsaturated cast to E4M3 is finite, found by halving."""
    low, high = 448.0, 512.0
    while (middle := (low + high) / 2) not in (low, high):
        finite = np.isfinite(fp8.explain(middle, "e4m3", saturate=False).result.value)
        low, high = (middle, high) if finite else (low, middle)
    return low


def audit() -> Report:
    """The models against every recording of this lesson's experiments, and which are not recorded yet."""
    rows = []
    for experiment in experiments().values():
        if experiment.theme not in ("fp8", "tensorcore"):
            continue
        recorded = ledger.recordings(experiment.name, card=CARD)
        if recorded:
            found = experiment.compare(recorded)
            rows.append([experiment.question, found.card, f"{found.compared:,}", str(found.mismatches)])
        else:
            rows.append([experiment.question, "measured on no card yet", "", ""])
    if not rows:
        return Report("Measured: nothing of this lesson is recorded yet.")
    return Report(Table(["measured", "card", "compared with the model", "mismatches"], rows))


def simulated() -> Report:
    """Two kernels in the Hopper simulator on the block of the prediction: ones on 16384, by wgmma and by mma.sync."""
    k = 128
    a, b = (np.ones((rows, k), tensorcore.UNITS[UNIT].a.dtype) for rows in (64, 8))
    c = np.full((64, 8), 16384, np.float32)
    maps = [tma.tensor_map(x.view(np.uint8), (len(x), k), swizzle=128) for x in (a, b)]
    group = tile_kernel.simulate(1, 128, (*maps, c, np.zeros_like(c), k), trace=False)
    words = [x.view(np.uint32) for x in (a[:16], b)]
    warp = warp_product("e4m3", "e4m3").simulate(1, 32, (*words, c[:16], np.zeros_like(c[:16])), trace=False)
    rows = [
        ["wgmma, the FP8 tensor core", f"{group['d'][0, 0]:.0f}", f"{_all_ones(a, b, UNIT):.0f}"],
        ["mma.sync, through FP16", f"{warp['d'][0, 0]:.0f}", f"{_all_ones(a, b, 'hopper.mma.e4m3'):.0f}"],
    ]
    header = ["16384 + 128 ones", "the kernel in the simulator", "the model"]
    return Report(Table(header, rows), f"Findings: {len(group.findings) + len(warp.findings)}.")


def _all_ones(a: np.ndarray, b: np.ndarray, unit: str) -> float:
    c = np.full((1, 1), 16384, np.float32)
    return float(tensorcore.matmul(a[:1], b[:1].T, c, unit)[0, 0])


LESSON.panels = {
    "number-line": number_line,
    "code-wheel": code_wheel,
    "accumulator": accumulator,
    "promotion": promotion,
    "specimens": specimens,
}
