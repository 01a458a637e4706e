"""What the models of tensor copies answer to the claims about them; a card's copies are its experiments'.

The model of the copy loop was fitted to copies of 1 to 8 KiB: those rows test nothing, the larger ones do.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from hopperlab.ledger import Recording, claim
from hopperlab.measure.audit import Row
from hopperlab.models.tma import (
    ElementType,
    Swizzle,
    bytes_in_flight,
    describe,
    load,
    loop_bandwidth,
    swizzle_period,
    tensor_copy_instructions,
)

H800_SMS, H800_CLOCK_HZ = 114, 1.755e9  # of the card behind lit-125; lit-052 and article-005
LOOP = {"lit-125.a": 1, "lit-125.b": 2, "lit-125.c": 4, "lit-125.d": 8, "lit-125.e": 12, "lit-125.f": 16}
FITTED_KIB = 8
PERIODS = {
    "lit-040.a": Swizzle.BYTES_32,
    "lit-040.b": Swizzle.BYTES_64,
    "lit-040.c": Swizzle.BYTES_128,
}


def answers(recorded: Sequence[Recording]) -> Iterator[Row]:
    """Rows for the claims that the models answer, and for fills read off a card."""
    for id, mode in PERIODS.items():
        yield _row(id, modelled=swizzle_period(mode), remark="the card's bytes: see tma_layout")
    yield _row("talk-041", modelled=tensor_copy_instructions((64, 64)).threads)
    for id, kib in LOOP.items():
        rate = loop_bandwidth(kib * 1024, H800_SMS, H800_CLOCK_HZ) / 1e9
        fitted = "the model was fitted to it" if kib <= FITTED_KIB else ""
        yield _row(id, modelled=rate, no_test=fitted)
    yield _row(
        "derived-010", modelled=bytes_in_flight(1.961e12, 488e-9) / 1e3, no_test="the claim's own rule"
    )
    for recording in recorded:
        if recording.experiment == "tma_layout":
            yield from _fills(recording)


def _row(id: str, **legs: Any) -> Row:
    return Row("tma", claim(id).statement, id, **legs)


def _fills(recording: Recording) -> Iterator[Row]:
    """The NaN that fills what is outside, as the model and as the card have it: its bits, as a number."""
    for name, bits in recording.results["nan_bits"].items():
        kind = ElementType[name]
        row = np.zeros(128 // kind.nbytes, kind.dtype)
        descriptor = describe(row, (row.size,), element_type=kind).changed(fill=1)
        tile, _ = load(descriptor, row, (row.size,))
        yield Row(
            "tma",
            f"the NaN outside a tensor of {name}, its bits as a number",
            modelled=int(tile[: kind.nbytes][::-1].tobytes().hex(), 16),
            measured=int(bits, 16),
            unit="1",
            card=recording.card_name,
            tolerance=0,
        )
