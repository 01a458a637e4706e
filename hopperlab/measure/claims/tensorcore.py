"""What the model of tensor cores, and the chips' sheets, answer to the claims about them.

The accumulator's integers were fitted to the vectors that lit-241 names, so these rows test nothing; what does is the
experiment that compares outputs of a card, bit for bit.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from hopperlab.chip import chip
from hopperlab.ledger import Recording, claim
from hopperlab.measure.audit import Row
from hopperlab.models import fp8, tensorcore

FITTED = "the model's integers were chosen by these vectors"
UNIT = "hopper.wgmma.e4m3"
K, SIDE, SEED = 4096, 64, 0


def answers(recorded: Sequence[Recording]) -> Iterator[Row]:
    """Rows for the claims about tensor cores."""
    yield from _rates()
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
