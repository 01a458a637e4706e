"""What the roofline's peaks answer to the claims about them: rates, SMs and clocks, multiplied."""

from collections.abc import Iterator, Sequence
from typing import Any

from hopperlab.chip import chip
from hopperlab.ledger import Recording, claim
from hopperlab.measure.audit import Row
from hopperlab.measure.claims import rows_by_experiment
from hopperlab.models.roofline import LANES, roofline

TERA = 10**12

PEAKS = {
    "lit-054.a": ("H100 SXM5", "fp16"),
    "lit-054.b": ("H100 SXM5", "fp8"),
    "lit-156.a": ("A100 SXM4 80GB", "fp16"),
    "lit-156.b": ("H100 SXM5", "fp16"),
    "lit-156.c": ("H100 SXM5", "fp8"),
    "lit-156.d": ("A100 SXM4 80GB", LANES),
    "lit-156.e": ("H100 SXM5", LANES),
    "derived-012.a": ("H100 SXM5", "fp16"),
    "recalled-003.a": ("H100 SXM5", LANES),
    "chip-054.a": ("A100 SXM4 80GB", "tf32"),
    "chip-054.b": ("A100 SXM4 80GB", "fp64"),
    "chip-054.c": ("H100 SXM5", "tf32"),
    "chip-054.d": ("H100 SXM5", "fp64"),
}
"""By claim, the chip and the arithmetic whose peak it quotes."""

FP64_LANES = {"lit-156.f": "A100 SXM4 80GB", "lit-156.g": "H100 SXM5", "recalled-003.b": "H100 SXM5"}
"""By claim, the chip whose FP64 lanes it is of."""

SAME_PROCESSOR = "the H200's processor is the H100 SXM5's, at the same clock"


def answers(recorded: Sequence[Recording]) -> Iterator[Row]:
    """Rows for the claims about peaks, and for a public suite's sweep of intensities."""
    for id, (name, data_type) in PEAKS.items():
        peak = roofline(chip(name), data_type).peak_flop_per_s / TERA
        yield _row(id, modelled=round(peak, 1))
    for id, name in FP64_LANES.items():
        yield _row(id, modelled=_fp64_peak(name))
    sparse = 2 * roofline(chip("A100 SXM4 80GB"), "fp16").peak_flop_per_s / TERA
    yield _row("chip-054.e", modelled=sparse, remark="two of every four products are left out")
    pcie = chip("H100 PCIe")
    boosted = pcie.sms * pcie.tensor_fp16_flop_per_clock_per_sm * pcie.boost_clock_hz / TERA
    yield _row("derived-012.b", modelled=boosted, no_test="the claim is this arithmetic")
    parts = {"roofline_sweep": _sweep, "instruction_rates": _fp64}
    yield from rows_by_experiment(recorded, parts)


def _fp64_peak(name: str) -> float:
    """TFLOP/s of a chip's FP64 lanes, two FLOP a clock each."""
    sheet = chip(name)
    return 2 * sheet.sms * sheet.fp64_lanes_per_sm * sheet.boost_clock_hz / TERA


def _sweep(recording: Recording) -> Iterator[Row]:
    """What a program of the intensity nearest to theirs reached on the card."""
    programs = recording.results["programs"]

    def nearest(intensity: float) -> tuple[float, float]:
        _, flop_per_byte, flop_per_s = min(programs, key=lambda row: abs(row[1] - intensity))
        return flop_per_byte, flop_per_s

    at, rate = nearest(100)
    remark = f"ours at {at:g} FLOP a byte, with four chains of multiply-adds a thread"
    yield _row("lit-152.a", measured=rate / TERA, card=recording.card_name, remark=remark)
    at, rate = nearest(2.25)
    remark = f"ours at {at:g} FLOP a byte"
    yield _row("lit-152.b", measured=rate / at / 10**9, card=recording.card_name, remark=remark)


def _fp64(recording: Recording) -> Iterator[Row]:
    from hopperlab.measure.throughput.rates import row_of

    yield _row(
        "recalled-003.b",
        measured=2 * row_of(recording, "fp64 fma")["tera_results_per_second"],
        card=recording.card_name,
        scaling=SAME_PROCESSOR,
    )


def _row(id: str, **legs: Any) -> Row:
    return Row("roofline", claim(id).statement, id, **legs)
