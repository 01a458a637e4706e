"""What sheets, models and recordings answer to the claims about an SM."""

from collections.abc import Iterator, Sequence
from typing import Any

from hopperlab.chip import chip
from hopperlab.ledger import Recording, claim
from hopperlab.measure.audit import Row
from hopperlab.measure.claims import rows_by_experiment
from hopperlab.measure.sm.answered import possible_units
from hopperlab.measure.sm.most_of_an_sm import most_on_an_sm

HOPPER, AMPERE = chip("H100 SXM5"), chip("A100 SXM4 40GB")
KIB = 1024
TERA = 10**12
WORD = 4  # bytes, of one bank in a clock
SAME_SM = "sizes of one SM, and it is the same SM"
SAME_RATES = "results a clock of one SM, and it is the same SM"


def answers(recorded: Sequence[Recording]) -> Iterator[Row]:
    """Rows for the SM's size and lanes: by the sheets, by peaks, by the driver's answers, and as measured."""
    yield from _sizes()
    yield from _lanes_of_an_a100()
    parts = {
        "instruction_rates": _lanes,
        "cluster_occupancy": _most,
        "memory_latency": _l1,
        "wgmma_rates": _shared_bytes,
        "tma_instructions": _sectors,
        "sm_occupancy": _register_unit,
    }
    yield from rows_by_experiment(recorded, parts)


def _sizes() -> Iterator[Row]:
    l1 = HOPPER.l1_bytes_per_sm
    yield _row("talk-012.a", modelled=l1 / KIB)
    yield _row("talk-012.b", modelled=100 * (l1 / AMPERE.l1_bytes_per_sm - 1))
    yield _row("talk-008", modelled=HOPPER.fp32_lanes_per_sm / AMPERE.fp32_lanes_per_sm)
    yield _row("lit-157.a", modelled=4 * HOPPER.registers_per_sm / KIB)
    yield _row("article-037.a", modelled=HOPPER.max_warps_per_sm)
    larger = 1 + claim("talk-012.b").number / 100
    yield _row(
        "article-008.c",
        modelled=claim("talk-012.a").number / larger,
        remark="what the talk says of the H100 (talk-012.a), over the growth that it tells (talk-012.b)",
    )
    yield _row(
        "article-036",
        modelled=chip("GH100").sms * l1 / 10**6,
        remark="144 x 256 KiB are 36,864 KiB, which was printed as MB; they are 36.0 MiB",
    )
    kept = claim("chip-004").number
    yield _row("lit-020.b", modelled=claim("lit-020.a").number - kept, remark="less what is kept: chip-004")
    yield _row(
        "chip-051.b",
        modelled=WORD * claim("chip-051.a").number,
        remark="a word of 4 bytes from each bank",
    )


def _lanes_of_an_a100() -> Iterator[Row]:
    for id, peak in (("lit-157.e", "lit-156.d"), ("lit-157.f", "lit-156.f")):
        lanes = claim(peak).number * TERA / (2 * AMPERE.sms * AMPERE.boost_clock_hz)
        yield _row(id, modelled=lanes, remark=f"{peak} over 108 SMs, 1.41 GHz and two FLOP")


def _lanes(recording: Recording) -> Iterator[Row]:
    from hopperlab.measure.throughput.rates import row_of

    for id, operation, lanes, remark in (
        ("lit-157.b", "fp32 fma", HOPPER.fp32_lanes_per_sm, ""),
        ("lit-157.c", "fp64 fma", HOPPER.fp64_lanes_per_sm, ""),
        (
            "lit-157.d",
            "int32 multiply",
            HOPPER.int32_lanes_per_sm,
            "of multiplications; additions reach more",
        ),
    ):
        yield _row(
            id,
            modelled=lanes,
            measured=row_of(recording, operation)["results_per_clock_per_sm"],
            card=recording.card_name,
            scaling=SAME_RATES,
            tolerance=0.05,
            remark=remark,
        )


def _most(recording: Recording) -> Iterator[Row]:
    """The most that any kernel got, of all that the driver was asked about."""
    most, card = most_on_an_sm(recording), recording.card_name
    remark = "the most in all that the driver answered about kernels"
    for id, measured in (
        ("lit-021.a", most["blocks"]),
        ("lit-021.b", most["warps"]),
        ("article-037.b", most["warps"]),
        ("lit-021.c", most["threads"]),
        ("lit-021.d", most["registers"]),
    ):
        yield _row(id, measured=measured, card=card, remark=remark)
    remark = f"{remark}, with the 1 KiB kept for each block (chip-004)"
    yield _row("lit-020.a", measured=most["shared bytes"] / KIB, card=card, remark=remark)


def _l1(recording: Recording) -> Iterator[Row]:
    from hopperlab.measure.claims.memory import l1_and_shared_bytes

    measured, card = l1_and_shared_bytes(recording) / KIB, recording.card_name
    remark = "shared memory that is set apart, and what the L1 still answers: the mean of four carve-outs"
    yield _row("article-008.e", measured=measured, card=card, scaling=SAME_SM, remark=remark)
    for id in ("article-008.a", "article-008.b", "article-008.d"):
        yield _row(id, measured=measured, card=card, remark=remark)


def _shared_bytes(recording: Recording) -> Iterator[Row]:
    """Products too narrow for the tensor cores: their bytes over the cycles they take."""
    from hopperlab.models.sm import Operands

    narrow = [row for row in recording.results["products"] if row[:3] == ["f16", 32, "f32"]]
    for _, columns, _, _, cycles, _ in narrow:
        one = Operands(columns, data_type="fp16")
        rate, card = one.shared_bytes / cycles, recording.card_name
        remark = f"{one.name} of FP16, in a row: both operands read from shared memory"
        yield _row("chip-051.a", measured=rate / WORD, card=card, remark=f"words a clock; {remark}")
        yield _row("chip-051.b", measured=rate, card=card, remark=remark)


def _sectors(recording: Recording) -> Iterator[Row]:
    """A tile's bytes over the sectors that the profiler counted for it."""
    from hopperlab.measure.tma.instructions import SECTOR

    tile = recording.parameters["tile_bytes"]
    read = next(
        nbytes for way, size, _, nbytes in recording.results["tiles"] if (way, size) == ("separate", 1)
    )
    remark = f"{tile:,} bytes of a tile, over the sectors counted as it was read"
    yield _row("chip-052", measured=tile / (read / SECTOR), card=recording.card_name, remark=remark)


def _register_unit(recording: Recording) -> Iterator[Row]:
    units = possible_units(recording, "register_allocation_unit")
    remark = (
        f"the largest of the powers of two, {min(units)} to {max(units)}, that fit every answer of the driver"
    )
    yield _row("lit-021.f", measured=max(units), card=recording.card_name, remark=remark)


def _row(id: str, **legs: Any) -> Row:
    source = claim(id)
    return Row("sm", f"{source.statement}, {source.device}", id, **legs)
