"""Memory of other cards: their numbers implied by one another, or beside the same measurement of the card at hand."""

from collections.abc import Iterator
from typing import Any

from hopperlab.chip import MHZ, bandwidth, chip
from hopperlab.ledger import Recording, claim
from hopperlab.measure.audit import Row
from hopperlab.models.chip.pins import bus_bits, memory_clock_hz, sites

KIB, MIB = 2**10, 2**20
TERA = 10**12
LINE = 128
BUSY_SM_BYTES = 11 * KIB  # in flight, as lesson 20 assumes

OF_ATOMICS = "of atomic additions: loads of a line that was loaded before are near, always"
ONE_PLATEAU = "one plateau here: which misses are near and which are far was not told apart"


def implied() -> Iterator[Row]:
    """Rows for what other quoted numbers imply."""
    channels = _number("chip-048.b") / _number("chip-048.a")
    yield _row("talk-010", modelled=channels, remark="HBM3 over HBM2, as their standards have it")
    yield _row("article-030.a", modelled=sites(chip("H100 PCIe").memory_bus_bits))
    yield _row("lit-056.a", modelled=bus_bits(_number("lit-056.c") * TERA, _number("lit-056.b") * MHZ))
    yield _row("lit-056.b", modelled=memory_clock_hz(_number("lit-056.c") * TERA, _number("lit-056.a")) / MHZ)
    yield _row("lit-056.c", modelled=bandwidth(_number("lit-056.b") * MHZ, _number("lit-056.a")) / TERA)
    yield _row("lit-058.b", modelled=_number("lit-058.a") / 1.395, remark="lit-058.a at 1395 MHz")
    yield _row("lit-065.b", modelled=_number("lit-065.a") / 1.395, remark="lit-065.a at 1395 MHz")
    yield _row("derived-015.b", modelled=2462 / _number("lit-080"), no_test="the claim is this arithmetic")
    yield from _by_littles_law()


def _by_littles_law() -> Iterator[Row]:
    pcie, a100 = chip("H100 PCIe"), chip("A100 SXM4 40GB")
    in_flight = 114 * LINE * pcie.sms
    yield _row(
        "lit-077",
        modelled=in_flight / 7.3e12 * pcie.boost_clock_hz,
        no_test="114 lines of 128 bytes in flight in each SM, and 7.3 TB/s, are of the same log",
    )
    # The A100 is full at this share of its SMs; below it, two cards of alike latency do alike.
    cycles = (_number("lit-068.c") + _number("lit-068.d")) / 2
    needed = _number("lit-055.c") * TERA * cycles / a100.boost_clock_hz
    yield _row(
        "article-031",
        modelled=needed / (BUSY_SM_BYTES * a100.sms),
        no_test="a busy SM is assumed to keep 11 KiB in flight",
        remark="the share of an A100's SMs that fills its memory",
    )


def beside_latency(recording: Recording, flat_bytes: int) -> Iterator[Row]:
    """Rows for latencies of other cards, and for the constant cache of a client card.

    Parameters
    ----------
    recording
        Of `memory_latency`.
    flat_bytes
        The largest range of constants that was as fast as the smallest.
    """
    from hopperlab.measure.memory.latency import at

    curves, mhz = recording.results["curves"], recording.results["clock_mhz"]
    l1, l2 = at(curves["lines"], 32 * KIB), at(curves["lines"], 4 * MIB)
    missed, memory = at(curves["lines past L1"], 128 * MIB), at(curves["lines"], 512 * MIB)
    shared = min(cycles for _, cycles in recording.results["shared"])
    past = at(curves["lines"], 38 * MIB)
    for id, measured, remark in (
        ("lit-058.a", l1, ""),
        ("lit-058.b", 1000 * l1 / mhz, f"at {mhz:.0f} MHz"),
        ("lit-061.b", shared, ""),
        ("lit-062.c", memory, "ours is a long chase, theirs a short one"),
        ("lit-064.b", 1000 * past / mhz, ""),
        ("lit-065.a", l2, ""),
        ("lit-065.b", 1000 * l2 / mhz, ""),
        ("lit-067.c", missed, ONE_PLATEAU),
        ("lit-067.d", missed, ONE_PLATEAU),
        ("lit-068.c", missed, ONE_PLATEAU),
        ("lit-068.d", missed, ONE_PLATEAU),
        ("article-017.b", 1000 * memory / mhz, ""),
        ("article-043", flat_bytes / KIB, "constants of one address for all threads"),
        ("article-042", len(_carve_outs(curves)), "carve-outs tried, of ten (lit-020.c): each another L1"),
    ):
        yield _row(id, measured=measured, card=recording.card_name, remark=remark)


def _carve_outs(curves: dict[str, Any]) -> list[str]:
    return [name for name in curves if name.endswith("KiB shared")]


def beside_sides(recording: Recording) -> Iterator[Row]:
    """Rows for the near and far halves of other cards' L2 caches; the recording is of `l2_map`."""
    found, mhz = recording.results, recording.clocks["before"]["sm_mhz"]
    rows = [
        ("lit-068.a", found["near_cycles"]),
        ("lit-068.b", found["far_cycles"]),
        ("lit-071.a", found["near_cycles"]),
        ("lit-071.b", found["far_cycles"]),
    ]
    if mhz:
        rows.append(("lit-070.b", 1000 * found["far_cycles"] / mhz))
    for id, measured in rows:
        yield _row(id, measured=measured, card=recording.card_name, remark=OF_ATOMICS)


def beside_rates(recording: Recording) -> Iterator[Row]:
    """Rows for rates of other cards' caches and memories; the recording is of `bandwidth`."""
    from hopperlab.measure.memory.bandwidth import EVERYTHING, at, best

    near, whole = at(recording, EVERYTHING, 8_000_000), at(recording, EVERYTHING, 40_000_000)
    all_of_it = recording.card.l2_bytes / MIB
    for id, measured, remark in (
        ("article-013.a", all_of_it, "as its driver says"),
        ("article-013.b", all_of_it, "as its driver says"),
        ("article-013.c", all_of_it, "as its driver says"),
        ("article-013.d", all_of_it, "L2, which is its last cache"),
        ("article-013.e", all_of_it, "L2, which is its last cache"),
        ("article-026", near / 1000, "8 MB"),
        ("article-028.a", whole / 1000, "L2, which is its last cache, 40 MB"),
        ("article-028.b", whole / 1000, "L2, which is its last cache, 40 MB"),
        ("article-029", near / 1000, "8 MB"),
        ("article-027.b", at(recording, EVERYTHING, 50 * MIB) / 1000, ""),
        ("lit-080", near, ""),
        ("derived-015.b", whole / near, "8 and 40 MB"),
        (
            "derived-015.c",
            at(recording, EVERYTHING, 37_000_000) / at(recording, EVERYTHING, 10_000_000),
            "37 and 10 MB",
        ),
        ("lit-086.b", best(recording, "copy"), "a copy: reads and writes alike, and nothing is multiplied"),
    ):
        yield _row(id, measured=measured, card=recording.card_name, remark=remark)


def beside_streams(recording: Recording) -> Iterator[Row]:
    """A row for another card's reads by `cp.async`; the recording is of `tma_bandwidth`."""
    fastest = max(rate for kind, *_, rate, _ in recording.results["reads"] if kind == "cp.async")
    remark = "rows of 256 bytes in boxes of 16 KiB"
    yield _row("lit-084.b", measured=fastest / TERA, card=recording.card_name, remark=remark)


def _number(id: str) -> float:
    return claim(id).number


def _row(id: str, **legs: Any) -> Row:
    source = claim(id)
    return Row("memory", f"{source.statement}, {source.device}", id, **legs)
