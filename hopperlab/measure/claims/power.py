"""What peaks, and clocks and watts under load, answer to the claims about them.

What the article saw of its own H100 the experiment itself compares.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from hopperlab.chip import MHZ, chip
from hopperlab.ledger import Recording, claim
from hopperlab.measure.audit import Row
from hopperlab.models.chip.harvest import clock_for
from hopperlab.models.chip.pins import memory_clock_hz

TERA = 10**12
H100 = chip("H100 SXM5")
UNDER_LOAD = "L2 reads, mixed numbers"
TENSOR = "tensor cores, zeros"


def answers(recorded: Sequence[Recording]) -> Iterator[Row]:
    """Rows for clocks that peaks imply, and for other cards' clocks and watts beside this one's."""
    yield from _implied()
    for recording in recorded:
        if recording.experiment == "clocks_and_power":
            yield from _under_load(recording)
    yield from _idle(recorded)


def _implied() -> Iterator[Row]:
    for id, bandwidth in (
        ("article-007.c", "lit-055.b"),
        ("article-007.d", "lit-055.c"),
        ("recalled-008.b", "lit-055.a"),
    ):
        clock = memory_clock_hz(_number(bandwidth) * TERA, H100.memory_bus_bits)
        yield _row(id, modelled=clock / MHZ, remark=f"of {bandwidth} on 5120 wires")
    tensor = clock_for(_number("lit-054.a") * TERA, H100.sms, H100.tensor_fp16_flop_per_clock_per_sm)
    yield _row("lit-052.a", modelled=tensor, remark="of lit-054.a")
    boost = clock_for(_number("recalled-003.a") * TERA, H100.sms, 2 * H100.fp32_lanes_per_sm)
    yield _row("lit-052.b", modelled=boost, remark="of recalled-003.a")


def _under_load(recording: Recording) -> Iterator[Row]:
    phases, card = recording.results, recording.card_name
    loaded = phases[UNDER_LOAD]
    highest = max(phase["sm_mhz"] for phase in phases.values())
    kept = f"reads of the L2 cache, at {loaded['power_w']:.0f} W"
    for id, measured, remark in (
        ("article-006.a", loaded["sm_mhz"], kept),
        ("article-041", loaded["sm_mhz"], kept),
        ("article-006.b", max(phase["power_w"] for phase in phases.values()), "the most that NVML told"),
        ("article-039", highest, "the highest clock"),
        ("lit-052.a", phases[TENSOR]["sm_mhz"], "the clock that tensor cores kept with power to spare"),
        ("lit-052.b", highest, "the highest clock"),
        ("recalled-008.a", highest, "the highest clock"),
    ):
        yield _row(id, measured=measured, card=card, remark=remark)


def _idle(recorded: Sequence[Recording]) -> Iterator[Row]:
    """The lowest clock that a card was found at, before any of its recordings."""
    found: dict[str, list[float]] = {}
    for recording in recorded:
        clock = recording.clocks["before"].get("sm_mhz")
        if clock is not None:
            found.setdefault(recording.card_name, []).append(clock)
    for card, clocks in found.items():
        for id in ("article-007.a", "article-007.b"):
            remark = f"the lowest at which the card was found before {len(clocks)} recordings"
            yield _row(id, measured=min(clocks), card=card, remark=remark)


def _number(id: str) -> float:
    return claim(id).number


def _row(id: str, **legs: Any) -> Row:
    source = claim(id)
    return Row("power", f"{source.statement}, {source.device}", id, **legs)
