"""What recordings of memory answer to the claims about it, and what clocks and widths give by arithmetic.

Cycles, bytes a clock and sizes of one SM carry over from other cards with the same SM. The L2 cache and device
memory do not: an H200 has more of both than an H100, and the numbers stand side by side as "other card".
"""

from collections.abc import Iterator, Sequence
from typing import Any

from hopperlab.chip import chip
from hopperlab.ledger import Recording, claim
from hopperlab.measure.audit import Row
from hopperlab.measure.claims import rows_by_experiment
from hopperlab.measure.claims.memory.other_cards import (
    beside_latency,
    beside_rates,
    beside_sides,
    beside_streams,
    implied,
)

KIB, MIB, GIB = 2**10, 2**20, 2**30
SAME_SM = "cycles and sizes of the same SM: the H200's processor is the H100's"
SAME_SM_AND_CLOCK = "the same SM at the same clock"
NEAR_L1 = 1.05  # of the L1's latency: still an L1 hit

PEAKS = {"lit-055.a": "H100 SXM5", "lit-055.b": "H100 PCIe", "lit-055.c": "A100 SXM4 40GB"}


def answers(recorded: Sequence[Recording]) -> Iterator[Row]:
    """Rows for what the experiments of this theme do not compare themselves."""
    for id, name in PEAKS.items():
        yield _row(id, modelled=chip(name).memory_bandwidth_bytes_per_s / 1e12)
    yield from implied()
    parts = {
        "memory_latency": _latency,
        "l2_map": _distances,
        "bandwidth": _bandwidth,
        "tma_bandwidth": beside_streams,
    }
    yield from rows_by_experiment(recorded, parts)


def _row(id: str, **legs: Any) -> Row:
    return Row("memory", claim(id).statement, id, **legs)


def _latency(recording: Recording) -> Iterator[Row]:
    from hopperlab.measure.memory.latency import at

    found, card = recording.results, recording.card_name
    curves, mhz = found["curves"], found["clock_mhz"]
    l1, l2 = at(curves["lines"], 32 * KIB), at(curves["lines"], 4 * MIB)
    memory = at(curves["lines"], 512 * MIB)
    shared = min(cycles for _, cycles in found["shared"])

    for id in ("lit-057.a", "lit-059.a", "lit-062.a"):
        yield _row(id, measured=l1, card=card, scaling=SAME_SM)
    yield _row("lit-059.b", measured=1000 * l1 / mhz, card=card, scaling=SAME_SM_AND_CLOCK)
    yield _row("lit-057.b", measured=1000 * l1 / mhz, card=card, remark=f"at {mhz:.0f} MHz")
    yield _row(
        "lit-061.a",
        measured=shared,
        card=card,
        scaling=SAME_SM,
        remark="by addresses; an index costs the arithmetic that makes an address of it",
    )
    last, first = l1_ends(curves["lines, 0 KiB shared"], l1)
    remark = "in steps of 8 KiB, all but 8 KiB of shared memory given to the L1"
    yield _row("article-009", measured=last / KIB, card=card, scaling=SAME_SM, remark=remark)
    yield _row("lit-060.a", measured=last / KIB, card=card, scaling=SAME_SM, remark=remark)
    yield _row("lit-060.b", measured=first / KIB, card=card, scaling=SAME_SM, remark=remark)
    little = at(curves["lines, 228 KiB shared"], 8 * KIB)
    yield _row("article-012", measured=l1 - little, card=card, scaling=SAME_SM)
    flat = max(size for size, cycles in found["constants"] if cycles < 1.3 * found["constants"][7][1])
    yield _row(
        "article-018",
        measured=flat / KIB,
        card=card,
        scaling=SAME_SM,
        remark=f"{found['constants'][7][1]:.0f} cycles up to there, {found['constants'][-1][1]:.0f} beyond, to 64 KiB",
    )
    for id, measured in (
        ("lit-063.a", l2),
        ("lit-066.a", l2),
        ("lit-062.b", l2),
        ("lit-063.b", 1000 * l2 / mhz),
        ("lit-066.b", 1000 * l2 / mhz),
        ("lit-070.a", 1000 * l2 / mhz),
        ("lit-072.a", memory),
        ("lit-073.a", memory),
        ("lit-072.b", 1000 * memory / mhz),
        ("lit-073.b", 1000 * memory / mhz),
        ("lit-064.a", at(curves["lines"], 38 * MIB)),
    ):
        yield _row(id, measured=measured, card=card)
    yield from beside_latency(recording, flat)
    yield _row(
        "article-010",
        measured=l1_and_shared_bytes(recording) / KIB,
        card=card,
        remark="L1 cache and shared memory: the mean of four carve-outs",
    )


def l1_ends(curve: Sequence[Sequence[float]], l1: float) -> tuple[int, int]:
    """Give the last footprint that the L1 cache answers, and the first that it does not."""
    first = next(size for size, cycles in curve if cycles > NEAR_L1 * l1)
    return max(size for size, _ in curve if size < first), first


def l1_and_shared_bytes(recording: Recording) -> float:
    """Shared memory that is set apart and what the L1 cache still answers, together: the mean of four carve-outs.

    The recording is of `memory_latency`; the L1's end is taken as the middle of its last and next footprint.
    """
    from hopperlab.measure.memory.latency import at

    curves = recording.results["curves"]
    hit = at(curves["lines"], 32 * KIB)
    whole = [
        shared_kib * KIB + sum(l1_ends(curves[f"lines, {shared_kib} KiB shared"], hit)) / 2
        for shared_kib in (64, 100, 164, 228)
    ]
    return sum(whole) / len(whole)


def _distances(recording: Recording) -> Iterator[Row]:
    found, card = recording.results, recording.card_name
    remark = "of atomic additions: loads of a line that was loaded before are near, always"
    for id, measured in (
        ("lit-069.a", found["near_cycles"]),
        ("lit-069.b", found["far_cycles"]),
        ("lit-067.b", found["far_cycles"]),
    ):
        yield _row(id, measured=measured, card=card, remark=remark)
    yield _row("lit-067.a", measured=found["loads"]["median"], card=card)
    yield from beside_sides(recording)


def _bandwidth(recording: Recording) -> Iterator[Row]:
    from hopperlab.measure.memory.bandwidth import EVERYTHING, OWN_SHARE, THROUGH_L1, at, best

    card, sms = recording.card_name, recording.card.sms
    near, whole = at(recording, EVERYTHING, 8_000_000), at(recording, EVERYTHING, 40_000_000)
    footprints, read = recording.results["footprints"], best(recording, "read")
    yield _row("lit-079.a", measured=near, card=card)
    yield _row("lit-079.b", measured=whole, card=card)
    past = "of which the cache answers a share: 63 MB are just more than it holds"
    yield _row("lit-079.c", measured=at(recording, EVERYTHING, 63_000_000), card=card, remark=past)
    yield _row("lit-079.d", measured=read, card=card, remark="the fastest of ours; theirs is one kernel")
    yield _row("derived-015.a", measured=whole / near, card=card)
    l1 = max(1e3 * rate / mhz / sms for pattern, _, rate, mhz in footprints if pattern == THROUGH_L1)
    yield _row("lit-074", measured=l1, card=card, scaling=SAME_SM)
    in_l2 = [row for row in footprints if row[0] in (EVERYTHING, OWN_SHARE) and 8 * MIB < row[1] < 50 * MIB]
    per_clock = max(1e3 * rate / mhz for _, _, rate, mhz in in_l2)
    for id, measured in (
        ("article-025", at(recording, EVERYTHING, 16 * MIB) / 1000),
        ("article-027.a", at(recording, EVERYTHING, 50 * MIB) / 1000),
        ("lit-075", per_clock),
        ("recalled-009", per_clock),
        ("lit-076", near),
        ("lit-078.a", at(recording, EVERYTHING, 10_000_000)),
        ("lit-078.b", at(recording, EVERYTHING, 37_000_000)),
        ("lit-081.a", whole),
        ("lit-082", max(rate for _, _, rate, _ in in_l2) / read),
        ("article-030.b", read / 1000),
        ("lit-084.a", _by_loads(recording) / 1000),
        ("lit-084.c", recording.results["streams"]["read"]["copy engine"] / 1000),
        ("lit-085", best(recording, "write")),
        ("lit-086.a", read),
    ):
        yield _row(id, measured=measured, card=card)
    yield _row(
        "recalled-001.b",
        measured=read / 1000,
        card=card,
        remark="the data sheet's peak; refresh and turning the bus around take the rest",
    )
    yield _row("recalled-001.a", measured=recording.card.memory_bytes / GIB, card=card)
    yield from beside_rates(recording)


def _by_loads(recording: Recording) -> float:
    streams = recording.results["streams"]["read"].items()
    return max(rate for who, rate in streams if who.startswith("loads"))
