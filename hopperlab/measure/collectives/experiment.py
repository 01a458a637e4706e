"""NCCL's collectives over 2, 4 and 8 GPUs of one host, against Hockney's model and NCCL's own.

NVLink multicast is off, so these are ring and tree, not the reduction in the NVSwitch that reaches 480 GB/s
(lit-214.b). Size, algbw and busbw are those of nccl-tests (lit-201).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from statistics import median
from typing import TYPE_CHECKING, Any

from hopperlab.measure.collectives.plan import GROUPS, SIZES, VARIANTS, WARM_UPS, repetitions
from hopperlab.measure.experiment import Experiment
from hopperlab.measure.rows import Comparison, Row
from hopperlab.models.collectives import bus_bandwidth, estimate, fitted

if TYPE_CHECKING:
    from hopperlab.device.silicon.card import Card
    from hopperlab.ledger import Recording
    from hopperlab.measure.progress import Progress

RANKS = (2, 4, 8)
GIB, MIB = 2**30, 2**20
LARGE = 256 * MIB
FITTED_FROM = 128 * MIB  # smaller messages use other protocols and fewer channels
TOLERANCE = 0.10
COLUMNS = ("variant", "operation", "bytes", "seconds", "algbw_gb_per_s", "busbw_gb_per_s")
MULTICAST_OFF = "NVLink multicast was off: ring and tree, not NVLS"


def collectives_of(ranks: int) -> Experiment:
    """The experiment over so many GPUs."""
    return Experiment(
        name=f"collectives_{ranks}",
        theme="collectives",
        question=f"How fast are NCCL's collectives over {ranks} GPUs of one host?",
        statistic=(
            f"mean over ranks of a group's time for one call, then the median of {GROUPS} groups; algbw and "
            "busbw as nccl-tests has them, GB = 10^9 bytes, one direction"
        ),
        parameters={
            "ranks": ranks,
            "sizes": list(SIZES),
            "repetitions": {str(size): repetitions(size) for size in SIZES},
            "groups": GROUPS,
            "warm_ups": WARM_UPS,
            "variants": {name: dict(settings) for name, settings in VARIANTS.items()},
            "element": "float32",
            "multicast": "off",
        },
        claims=("lit-214.a",),
        run=partial(run, ranks=ranks),
        results=results,
        compare=compare,
        seconds=60.0,
        memory_bytes=2 * max(SIZES) + GIB,
    )


def run(card: Card, progress: Progress, ranks: int) -> dict[str, Any]:
    """Run every variant; keep every rank's groups, and how the GPUs are joined.

    Raises
    ------
    RuntimeError
        If the host has fewer GPUs, or a rank fails where NCCL had the choice.
    """
    from cuda.bindings import driver

    from hopperlab.device.silicon.card import checked
    from hopperlab.measure.collectives.launching import joined

    gpus = checked(driver.cuDeviceGetCount())
    if gpus < ranks:
        raise RuntimeError(f"it needs {ranks} GPUs; this host shows {gpus}")
    seen = progress.map("variants", list(VARIANTS), lambda name: _variant(name, ranks))
    return {"ranks": ranks, "joined": joined(), "variants": seen}


def _variant(name: str, ranks: int) -> dict[str, Any]:
    """What one variant gave; an algorithm that this NCCL refuses is noted, with its words."""
    from hopperlab.measure.collectives.launching import run_variant

    try:
        return run_variant(name, VARIANTS[name], ranks)
    except RuntimeError as refused:
        if name == "chosen":
            raise
        return {"variant": name, "refused": str(refused)}


def results(samples: Mapping[str, Any]) -> dict[str, Any]:
    """Time, algbw and busbw of every variant, operation and size."""
    ranks = samples["ranks"]
    rows = [
        [one["variant"], *_row(ranks, operation, size, by_rank)]
        for one in samples["variants"]
        for operation, size, _, by_rank in one.get("taken", ())
    ]
    versions = samples["variants"][0]["versions"]
    return {"ranks": ranks, "versions": versions, "columns": list(COLUMNS), "rows": rows}


def _row(ranks: int, operation: str, size: int, by_rank: Sequence[Sequence[float]]) -> list:
    groups = [sum(times) / len(times) for times in zip(*by_rank, strict=True)]
    seconds = median(groups)
    bus = bus_bandwidth(operation, ranks, size, seconds).in_unit("GB/s")
    return [operation, size, float(f"{seconds:.6g}"), round(size / seconds / 1e9, 4), round(bus, 4)]


def busbw(recording: Recording, operation: str, variant: str = "chosen") -> dict[int, float]:
    """Measured busbw (GB/s) by size in bytes, of one operation; empty where that was not measured."""
    return {row[2]: row[5] for row in recording.results["rows"] if row[0] == variant and row[1] == operation}


def seconds_of(recording: Recording, operation: str, variant: str = "chosen") -> dict[int, float]:
    """Measured seconds by size in bytes."""
    return {row[2]: row[3] for row in recording.results["rows"] if row[0] == variant and row[1] == operation}


def compare(recordings: Sequence[Recording]) -> Comparison:
    """The ring against Hockney's model: from 256 MiB on it must be within 10 %; the rest is shown.

    The model of a size is fitted to the other sizes, so that no run speaks for itself.
    """
    recording = recordings[-1]
    ranks, card = recording.results["ranks"], recording.card_name
    rows = _ring_rows(seconds_of(recording, "all-reduce", "ring"), ranks, card)
    rows += _others(recording, ranks, card)
    judged = [row for row in rows if row.tolerance is not None]
    missed = sum(row.missed for row in judged)
    nccl = recording.results["versions"].get("nccl", "unknown")
    notes = (f"NCCL {nccl}, {ranks} GPUs; {MULTICAST_OFF}.",)
    return Comparison(recording.experiment, card, len(judged), missed, tuple(rows), notes)


def _ring_rows(measured: Mapping[int, float], ranks: int, card: str) -> list[Row]:
    large = {size: taken for size, taken in measured.items() if size >= FITTED_FROM}
    rows = []
    for size, taken in large.items():
        others = {other: large[other] for other in large if other != size}
        if size >= LARGE and len(others) >= 2:
            rows.append(_ring_row(ranks, size, taken, fitted(others).seconds(size), card))
    return rows


def _ring_row(ranks: int, size: int, measured: float, modelled: float, card: str) -> Row:
    def bus(seconds: float) -> float:
        return bus_bandwidth("all-reduce", ranks, size, seconds).in_unit("GB/s")

    nccls = bus(estimate("ring", ranks, size).seconds)
    off = f"NCCL's own constants say {nccls:.1f}, {100 * (nccls / bus(measured) - 1):+.0f} %"
    return Row(
        "collectives",
        f"busbw of an all-reduce by ring, {ranks} GPUs, {size // MIB} MiB",
        modelled=bus(modelled),
        measured=bus(measured),
        unit="GB/s",
        card=card,
        tolerance=TOLERANCE,
        remark=f"modelled: start-up and bandwidth fitted to the other sizes; {off}; {MULTICAST_OFF}",
    )


def _others(recording: Recording, ranks: int, card: str) -> list[Row]:
    """Other operations at 1 GiB against the ring's bandwidth, and the smallest all-reduce."""
    ring = estimate("ring", ranks, GIB)
    limit = ring.algorithm_gb_per_s * 2 * (ranks - 1) / ranks
    rows = []
    for operation in ("all-gather", "reduce-scatter", "all-to-all"):
        found = busbw(recording, operation).get(GIB)
        if found is not None:
            subject = f"busbw of {operation}, {ranks} GPUs, 1024 MiB"
            remark = "held against the bandwidth of NCCL's ring, latency left out"
            rows.append(
                Row(
                    "collectives",
                    subject,
                    modelled=limit,
                    measured=found,
                    unit="GB/s",
                    card=card,
                    remark=remark,
                )
            )
    times = seconds_of(recording, "all-reduce")
    if times:
        least = min(times)
        subject = f"time of an all-reduce of {least} bytes, {ranks} GPUs"
        modelled = estimate("ring", ranks, least, "LL").seconds * 1e6
        rows.append(
            Row("collectives", subject, modelled=modelled, measured=times[least] * 1e6, unit="us", card=card)
        )
    return rows
