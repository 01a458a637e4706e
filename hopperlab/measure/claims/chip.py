"""What the sheets, and cards as their drivers describe them, answer to the claims about chips.

A factor between two chips is worked out of their sheets. A sheet's own constant is no answer to the claim
that it was taken from; a card's is.
"""

from collections.abc import Iterator, Sequence

from hopperlab.chip import MHZ, chip
from hopperlab.ledger import UNITS, Recording, claim
from hopperlab.measure.audit import Row


def answers(recorded: Sequence[Recording]) -> Iterator[Row]:
    """Rows for the claims about chips: the factors of the talk, and what drivers said of cards."""
    yield from _factors()
    cards = {recording.card.slug: recording for recording in recorded}
    for recording in cards.values():
        yield from _described(recording)


def _factors() -> Iterator[Row]:
    h100, a100 = chip("H100 SXM5"), chip("A100 SXM4 40GB")
    sms = h100.sms / a100.sms
    clock = h100.tensor_clock_hz / a100.tensor_clock_hz
    rate = h100.tensor_fp8_flop_per_clock_per_sm / a100.tensor_fp16_flop_per_clock_per_sm
    link = claim("talk-004").number * 10**9 / h100.pcie_bytes_per_s
    yield _row("talk-005", modelled=link, remark="both directions of both links")
    yield _row("talk-021", modelled=100 * (sms - 1))
    yield _row("talk-022", modelled=clock, remark="of the clocks that the tensor peaks assume")
    yield _row("talk-023", modelled=sms * clock * rate, remark="dense FP8 against dense FP16")


def _described(recording: Recording) -> Iterator[Row]:
    sheet = recording.chip
    if sheet is None:
        return
    for constant, described in _description(recording).items():
        source = claim(sheet.claim(constant))
        if source.theme == "chip" and described is not None:
            measured = described / UNITS[source.unit].factor
            yield _row(source.id, measured=measured, card=sheet.name, remark="as its driver says")


def _description(recording: Recording) -> dict[str, float | None]:
    """Constants of the card's sheet, as the driver told them when the recording was made."""
    card = recording.card
    memory_mhz = recording.clocks["before"]["memory_mhz"]
    return {
        "sms": card.sms,
        "l2_bytes": card.l2_bytes,
        "memory_bytes": card.memory_bytes,
        "memory_clock_hz": None if memory_mhz is None else memory_mhz * MHZ,
    }


def _row(id: str, **legs) -> Row:
    return Row("chip", claim(id).statement, id, **legs)
