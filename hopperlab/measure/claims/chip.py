"""What the sheets, and cards as their drivers describe them, answer to the claims about chips.

A factor between two chips is worked out of their sheets. A sheet's own constant is no answer to the claim
that it was taken from; other constants may be, where they imply it, and so is a card. What is quoted of another
card stands beside the card at hand, as "other card".
"""

from collections.abc import Iterator, Sequence
from math import ceil
from typing import Any

from hopperlab.chip import MHZ, chip
from hopperlab.ledger import UNITS, Recording, claim
from hopperlab.measure.audit import Row
from hopperlab.measure.claims import rows_by_experiment
from hopperlab.measure.sm.answered import possible_units
from hopperlab.measure.sm.most_of_an_sm import kept_bytes_per_block, most_threads_per_block
from hopperlab.models.chip.harvest import clock_for
from hopperlab.models.chip.pins import SITE_BITS, bus_bits, memory_clock_hz, pcie_bytes_per_s, sites

KIB, MIB, GIB = 2**10, 2**20, 2**30
TERA = 10**12
STACK_GIB = 16  # of five, in an H100: chip-026
SAME_ARITHMETIC = "the claim is this arithmetic"

H100, PCIE, A100 = chip("H100 SXM5"), chip("H100 PCIe"), chip("A100 SXM4 40GB")

OTHER_CARDS = {
    "sms": ("talk-007", "article-003.a", "article-004.b"),
    "l2_bytes": ("article-002.b", "article-003.b"),
}
"""Claims about other cards, by what this one's driver tells of it."""

OTHER_LIMITS = ("article-003.d", "article-004.a")
"""Power limits of other cards."""


def answers(recorded: Sequence[Recording]) -> Iterator[Row]:
    """Rows for the claims about chips: factors, what constants imply, and what drivers said of cards."""
    yield from _factors()
    yield from _memory()
    yield from _structure()
    yield from _clocks_and_rates()
    cards = {recording.card.slug: recording for recording in recorded}
    for recording in cards.values():
        yield from _described(recording)
    parts = {
        "gpc_map": _gpcs,
        "cluster_occupancy": _blocks,
        "sm_occupancy": _shared_unit,
        "bandwidth": _pins,
        "clocks_and_power": _limits,
        "wgmma_rates": _tensor_rates,
    }
    yield from rows_by_experiment(recorded, parts)


def _factors() -> Iterator[Row]:
    sms = H100.sms / A100.sms
    clock = H100.tensor_clock_hz / A100.tensor_clock_hz
    rate = H100.tensor_fp8_flop_per_clock_per_sm / A100.tensor_fp16_flop_per_clock_per_sm
    link = _number("talk-004") * 10**9 / H100.pcie_bytes_per_s
    yield _row("talk-005", modelled=link, remark="both directions of both links")
    yield _row("talk-021", modelled=100 * (sms - 1))
    yield _row("talk-022", modelled=clock, remark="of the clocks that the tensor peaks assume")
    yield _row("talk-023", modelled=sms * clock * rate, remark="dense FP8 against dense FP16")


def _memory() -> Iterator[Row]:
    """Sites, controllers, width, clock and bandwidth: what is quoted of one follows from the others."""
    die = _number("talk-009.a") * SITE_BITS
    yield _row("talk-009.a", modelled=sites(_number("article-002.c") * _number("article-002.d")))
    yield _row("talk-009.b", modelled=sites(H100.memory_bus_bits))
    yield _row("article-002.c", modelled=die / _number("article-002.d"))
    yield _row("article-002.d", modelled=die / _number("article-002.c"))
    yield _row("chip-047", modelled=die)
    yield _row("article-003.c", modelled=PCIE.memory_bus_bits / _number("article-002.d"))
    yield _row("chip-025", modelled=_number("talk-009.b") * SITE_BITS)
    yield _row("chip-021", modelled=sites(A100.memory_bus_bits))
    yield _row("chip-022", modelled=_number("chip-021") * SITE_BITS)
    yield _row(
        "talk-009.c",
        modelled=H100.memory_sites * STACK_GIB * GIB / 10**9,
        remark="five stacks of 16 GiB: sold in GB, counted in powers of two",
    )
    yield _row("chip-026", modelled=H100.memory_sites * STACK_GIB, remark="five stacks of 16 GiB")
    yield _row(
        "talk-011",
        modelled=H100.memory_bandwidth_bytes_per_s / TERA,
        remark="two bits a clock on every wire of the H100 SXM5's",
    )
    for id, bandwidth in (("chip-040", "chip-042"), ("chip-044", "lit-055.c")):
        clock = memory_clock_hz(_number(bandwidth) * TERA, A100.memory_bus_bits)
        yield _row(id, modelled=clock / MHZ, remark=f"of {bandwidth} on 5120 wires")
    clocked = 2 * _number("chip-040") * MHZ * A100.memory_bus_bits / 8
    yield _row("chip-042", modelled=clocked / TERA)


def _structure() -> Iterator[Row]:
    """SMs, what is kept of shared memory, and links: sums and products of other constants."""
    yield _row("article-002.a", modelled=sum(chip("GH100").gpc_sm_counts), remark="8 GPCs of 18 SMs")
    yield _row(
        "chip-003",
        modelled=H100.fp32_lanes_per_sm / _number("article-032.a"),
        remark="sub-partitions: the lanes of an SM over those of one",
    )
    yield _row("chip-012", modelled=_number("chip-011") - _number("chip-004"))
    per_link = _number("talk-046.a") / _number("talk-045.b")
    for id, links in (("chip-023", "talk-045.a"), ("chip-029", "chip-028"), ("chip-037", "chip-036")):
        remark = f"{links} at the {per_link:g} GB/s that the H100's 18 links have each"
        yield _row(id, modelled=per_link * _number(links), remark=remark)
    yield _row("recalled-012", modelled=_number("talk-004") / 2, no_test=SAME_ARITHMETIC)
    encoding = "16 lanes, without what their encoding takes: 2 bits of 130"
    for id, lane in (("lit-155", "chip-050.b"), ("chip-024", "chip-050.a")):
        rate = pcie_bytes_per_s(_number(lane) * 10**9)
        yield _row(id, modelled=rate / 10**9, remark=encoding)


def _clocks_and_rates() -> Iterator[Row]:
    """What a published peak implies: its clock, or a rate of one SM."""
    fp16 = PCIE.tensor_fp16_flop_per_clock_per_sm
    sold = clock_for(_number("recalled-002.a") * TERA, PCIE.sms, fp16)
    yield _row("chip-027", modelled=sold, no_test=SAME_ARITHMETIC)
    for id, peak, no_test in (
        ("chip-014", "chip-054.b", SAME_ARITHMETIC),
        ("chip-015", "chip-054.a", SAME_ARITHMETIC),
        ("chip-016", "lit-156.a", ""),
    ):
        rate = _number(peak) * TERA / A100.sms / A100.tensor_clock_hz
        yield _row(id, modelled=rate, remark=f"{peak} over 108 SMs and 1.41 GHz", no_test=no_test)
    # The preliminary table assumed one clock for all its peaks: their ratio is that of the rates.
    fp64 = _number("chip-054.d") / _number("lit-156.e") * 2 * H100.fp32_lanes_per_sm
    yield _row("chip-007", modelled=fp64, remark="as the FP32 lanes give: chip-054.d and lit-156.e are alike")


def _described(recording: Recording) -> Iterator[Row]:
    sheet = recording.chip
    if sheet is None:
        return
    for constant, described in _description(recording).items():
        source = claim(sheet.claim(constant))
        if described is None:
            continue
        if source.theme == "chip":
            measured = described / UNITS[source.unit].factor
            yield _row(source.id, measured=measured, card=sheet.name, remark="as its driver says")
        for id in OTHER_CARDS.get(constant, ()):
            if id != source.id:
                measured = described / UNITS[claim(id).unit].factor
                yield _row(id, measured=measured, card=sheet.name, remark="as its driver says")


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


def _gpcs(recording: Recording) -> Iterator[Row]:
    remark = "the largest group of SMs that clusters drew"
    yield _row("chip-006", measured=max(recording.results["sizes"]), card=recording.card_name, remark=remark)


def _blocks(recording: Recording) -> Iterator[Row]:
    card = recording.card_name
    yield _row(
        "chip-002",
        measured=most_threads_per_block(recording),
        card=card,
        remark="the largest block that was asked about; a larger one was not tried",
    )
    yield _row(
        "chip-004",
        measured=kept_bytes_per_block(recording) / KIB,
        card=card,
        remark="the most that fits every answer of the driver: blocks of one SM share 228 KiB (lit-020.a)",
    )


def _shared_unit(recording: Recording) -> Iterator[Row]:
    units = possible_units(recording, "shared_allocation_unit")
    remark = (
        f"the largest of the powers of two, {min(units)} to {max(units)}, that fit every answer of the driver"
    )
    yield _row("chip-046", measured=max(units), card=recording.card_name, remark=remark)


def _pins(recording: Recording) -> Iterator[Row]:
    """Wires and stacks that the rate of a read needs, at the memory clock that the driver tells."""
    from hopperlab.measure.memory.bandwidth import best

    sheet, memory_mhz = recording.chip, recording.clocks["before"]["memory_mhz"]
    if sheet is None or memory_mhz is None:
        return
    wires = bus_bits(best(recording, "read") * 10**9, memory_mhz * MHZ)
    card, stacks = recording.card_name, ceil(wires / SITE_BITS)
    if sheet.claim("memory_bus_bits") == "chip-034":
        remark = f"the fastest read needs {wires:.0f} wires at the least, and stacks are whole"
        yield _row("chip-034", measured=stacks * SITE_BITS, card=card, remark=remark)
        yield _row("chip-033", measured=stacks, card=card, remark=remark)
    yield _row("talk-011", measured=best(recording, "read") / 1000, card=card, remark="the fastest read")


def _limits(recording: Recording) -> Iterator[Row]:
    card, phases = recording.card_name, recording.results
    held = max(phase["power_w"] for phase in phases.values())
    remark = "the most that NVML told, over a second each, while the driver held the card back"
    if recording.chip is not None and recording.chip.claim("power_limit_watts") == "chip-038":
        yield _row("chip-038", measured=held, card=card, remark=remark)
        yield _row(
            "chip-031",
            measured=phases["tensor cores, zeros"]["sm_mhz"],
            card=card,
            remark="the clock that tensor cores kept with power to spare",
        )
    for id in OTHER_LIMITS:
        yield _row(id, measured=held, card=card, remark=remark)


def _tensor_rates(recording: Recording) -> Iterator[Row]:
    rates = {kind: rate for kind, columns, *_, rate in recording.results["products"] if columns == 256}
    yield _row("chip-008", measured=rates["tf32"], card=recording.card_name, remark="wgmma, in a row")


def _number(id: str) -> float:
    return claim(id).number


def _row(id: str, **legs: Any) -> Row:
    source = claim(id)
    return Row("chip", f"{source.statement}, {source.device}".rstrip(", "), id, **legs)
