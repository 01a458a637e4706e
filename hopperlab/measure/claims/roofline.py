"""What the roofline's peaks answer to the claims about them: rates, SMs and clocks, multiplied."""

from collections.abc import Iterator, Sequence

from hopperlab.chip import chip
from hopperlab.ledger import Recording, claim
from hopperlab.measure.audit import Row
from hopperlab.models.roofline import LANES, roofline

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
}
"""By claim, the chip and the arithmetic whose peak it quotes."""


def answers(recorded: Sequence[Recording]) -> Iterator[Row]:
    """Rows for the claims about peaks."""
    for id, (name, data_type) in PEAKS.items():
        peak = roofline(chip(name), data_type).peak_flop_per_s / 1e12
        yield Row("roofline", claim(id).statement, id, modelled=round(peak, 1))
