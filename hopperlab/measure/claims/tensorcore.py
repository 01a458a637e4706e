"""What the model of tensor cores, and the chips' sheets, answer to the claims about them.

The accumulator's integers were fitted to the vectors that lit-241 names, so these rows test nothing; what does is the
experiment that compares outputs of a card, bit for bit.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from hopperlab.chip import MHZ, chip
from hopperlab.ledger import UNITS, Recording, claim
from hopperlab.measure.audit import Row
from hopperlab.models import fp8, tensorcore
from hopperlab.models.sm import Operands, delivery_energy

FITTED = "the model's integers were chosen by these vectors"
TERA = 10**12
UNIT = "hopper.wgmma.e4m3"
K, SIDE, SEED = 4096, 64, 0


def answers(recorded: Sequence[Recording]) -> Iterator[Row]:
    """Rows for the claims about tensor cores."""
    yield from _rates()
    yield from _of_an_sm()
    yield from _of_a_card()
    for recording in recorded:
        if recording.experiment == "wgmma_rates":
            yield from _measured_rates(recording)
        if recording.experiment == "clocks_and_power":
            yield from _measured_peak(recording)
    unit = tensorcore.UNITS[UNIT]
    yield _row("talk-018", modelled=len(_accumulators()), quoted_tolerance=0)
    yield _row("lit-241.a", modelled=unit.block, no_test=FITTED, quoted_tolerance=0)
    yield _row("lit-241.b", modelled=unit.fraction_bits, no_test=FITTED, quoted_tolerance=0)
    yield _row("lit-241.c", modelled=unit.output_fraction_bits, no_test=FITTED, quoted_tolerance=0)
    yield _row(
        "lit-242.a",
        modelled=_bits_that_survive(),
        quoted_tolerance=0,
        remark="counted with sums of two terms",
    )
    remark = f"normal numbers, {SIDE} x {SIDE} outputs above a tenth of their root mean square"
    yield _row("lit-242.c", modelled=100 * _largest_error(), quoted_tolerance=0.25, remark=remark)


def _row(id: str, **legs: Any) -> Row:
    source = claim(id)
    return Row("tensorcore", f"{source.statement}, {source.device}".rstrip(", "), id, **legs)


def _rates() -> Iterator[Row]:
    h100, a100 = chip("H100 SXM5"), chip("A100 SXM4 40GB")
    fp16, fp8_rate = h100.tensor_fp16_flop_per_clock_per_sm, h100.tensor_fp8_flop_per_clock_per_sm
    yield _row("talk-013", modelled=fp16 / a100.tensor_fp16_flop_per_clock_per_sm, quoted_tolerance=0)
    yield _row("talk-014", modelled=fp8_rate / fp16, quoted_tolerance=0)

    yield _row("article-038", modelled=fp16 / a100.tensor_fp16_flop_per_clock_per_sm, quoted_tolerance=0)


def _of_an_sm() -> Iterator[Row]:
    """What the models of operands and of sparsity say of one SM."""
    cost = delivery_energy(1.0)
    yield _row(
        "talk-015",
        modelled=100 * (1 - cost["wgmma"] / cost["mma.sync"]),
        no_test="energy is assumed to go by bytes, and a byte of shared memory to cost what one of registers does",
    )
    dense = np.tile(np.float16([1, 0, 2, 0]), (4, 8))
    yield _row(
        "talk-016",
        modelled=dense.size / tensorcore.compress(dense).values.size,
        remark="by products: two of every four are stored and multiplied",
    )
    slow = [n for n in range(8, 257, 8) if Operands(n).shared_cycles > Operands(n).math_cycles]
    yield _row("lit-137", modelled=max(slow), remark="the widest that waits for shared memory")


def _of_a_card() -> Iterator[Row]:
    """Peaks of an H100 PCIe, and of an H800 PCIe, which has as many SMs."""
    pcie = chip("H100 PCIe")
    for id, rate in (
        ("lit-132.b", pcie.tensor_fp16_flop_per_clock_per_sm),
        ("lit-133.b", pcie.tensor_fp8_flop_per_clock_per_sm),
    ):
        clock = claim(id).number * TERA / pcie.sms / rate / MHZ
        yield _row(
            id,
            modelled=pcie.sms * rate * pcie.boost_clock_hz / TERA,
            remark=f"at 114 SMs and 1755 MHz; the quoted rate is that of {clock:.0f} MHz",
        )
    boosted = pcie.sms * pcie.tensor_fp16_flop_per_clock_per_sm * pcie.boost_clock_hz / TERA
    yield _row(
        "recalled-002.a", modelled=boosted, remark="at 1755 MHz; the sheet's peak is at 1620 (chip-027)"
    )
    fp8_peak = pcie.sms * pcie.tensor_fp8_flop_per_clock_per_sm * pcie.tensor_clock_hz / TERA
    yield _row("recalled-002.b", modelled=fp8_peak, remark="at the clock that the FP16 peak implies")


def _measured_rates(recording: Recording) -> Iterator[Row]:
    rates = {(kind, columns, sums): rate for kind, columns, sums, _, _, rate in recording.results["products"]}
    for id, kind in (("lit-051.a", "e4m3"), ("lit-051.b", "f16")):
        yield _row(
            id,
            measured=rates[kind, 256, "f32"] / UNITS[claim(id).unit].factor,
            card=recording.card_name,
            scaling="results a clock of one SM, and it is the same SM",
        )


def _measured_peak(recording: Recording) -> Iterator[Row]:
    phase = recording.results["tensor cores, zeros"]
    remark = f"FP8, zeros, {phase['sm_mhz']:.0f} MHz"
    yield _row("lit-133.b", measured=phase["tera_per_second"], card=recording.card_name, remark=remark)


def _accumulators() -> set[str]:
    return {
        unit.output.title for name, unit in tensorcore.UNITS.items() if name.startswith("hopper.wgmma.e4m3")
    }


def _bits_that_survive() -> int:
    """How many bits a term may lie below another one, the leading bit counted, and still leave a trace."""
    one = np.ones(1, tensorcore.UNITS[UNIT].a.dtype)
    for bits in range(1, 24):
        if float(tensorcore.explain_block(one, one, 2.0**bits, UNIT).result) == 2.0**bits:
            return bits
    return 24


def _largest_error() -> float:
    """Largest relative error of one chain over K against the exact sums of the same FP8 products."""
    rng = np.random.default_rng(SEED)
    a, b = (rng.normal(size=shape) for shape in ((SIDE, K), (K, SIDE)))
    a, b = (fp8.encode(x * 448 / np.abs(x).max(), "e4m3") for x in (a, b))
    exact = fp8.decode(a, "e4m3").astype(np.float64) @ fp8.decode(b, "e4m3").astype(np.float64)
    counted = np.abs(exact) > 0.1 * np.sqrt(np.mean(exact**2))
    given = tensorcore.matmul(a, b, unit=UNIT)
    return float(np.max(np.abs(given / exact - 1)[counted]))
