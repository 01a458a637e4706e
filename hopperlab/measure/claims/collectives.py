"""What the models of collectives answer to the claims about them.

NCCL's tuning model is NCCL's own: rows that hold its port to its own constants test the port, not a card. The
runs that users published test the model. A bandwidth is one direction unless the claim says both.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from hopperlab.chip import chip
from hopperlab.ledger import Recording, claim, claims
from hopperlab.measure.audit import Row
from hopperlab.models.collectives import (
    corrected_gain,
    estimate,
    nvls_channel_bandwidth,
    spoken_gain,
    traffic,
    wire_bandwidth,
)
from hopperlab.models.collectives.tuner import NODE_GB_PER_S

GB = 10**9
LARGE = 8 * 2**30  # bytes; latency no longer counts
OWN_CONSTANT = "the port's own constants, multiplied"
COARSE = "NCCL's search is cut short here; 5 to 7 GPUs are coarse"
LIMIT = 10**4  # GPUs, for what holds as N grows


def answers(recorded: Sequence[Recording]) -> Iterator[Row]:
    """Rows for the claims about collectives."""
    yield from _links()
    yield from _gains()
    yield from _tuner()
    yield from _published()
    yield from _large_systems()


def _row(id: str, **legs: Any) -> Row:
    source = claim(id)
    gpus = source.conditions.get("gpus")
    subject = source.statement + (f", {gpus} GPUs" if gpus else "") + f", {source.device}".rstrip(", ")
    return Row("collectives", subject, id, **legs)


def _links() -> Iterator[Row]:
    h100, a100 = chip("H100 SXM5"), chip("A100 SXM4 40GB")
    yield _row(
        "talk-046.a", modelled=2 * 25 * h100.nvlink_links, remark="18 links of 25 GB/s, both directions"
    )
    yield _row("talk-046.b", modelled=100 * (h100.nvlink_bytes_per_s / a100.nvlink_bytes_per_s - 1))


def _gains() -> Iterator[Row]:
    for source in claims("collectives"):
        if source.id.startswith("derived-006"):
            gpus = int(source.conditions["gpus"])
            remark = f"corrected, {corrected_gain(gpus):.2f} (lit-203)"
            yield Row(
                "collectives",
                f"{source.statement}, {gpus} GPUs",
                source.id,
                modelled=spoken_gain(gpus),
                quoted_tolerance=0.01,
                remark=remark,
            )
    yield _row("talk-048", modelled=corrected_gain(8), remark="bytes a direction, 8 GPUs; 2 only as N grows")
    yield _row("talk-049.a", modelled=_bisection("H100 SXM5") / _bisection("A100 SXM4 40GB"))
    yield _row("talk-049.b", modelled=1.5 * corrected_gain(8), remark="8 GPUs; 3 only as N grows")
    yield _row(
        "derived-019.a", modelled=1.5 * corrected_gain(8), remark="links times bytes; the runs gain less"
    )


def _bisection(name: str) -> float:
    """Four GPUs to four, both directions, GB/s."""
    return 4 * chip(name).nvlink_bytes_per_s / GB


def _tuner() -> Iterator[Row]:
    nvls = estimate("NVLS", 8, LARGE)
    yield _row("lit-205.f", modelled=NODE_GB_PER_S, no_test=OWN_CONSTANT, quoted_tolerance=1e-9)
    exact = nvls.algorithm_gb_per_s
    yield _row("derived-017.a", modelled=exact * 7 / 4, no_test=OWN_CONSTANT, quoted_tolerance=1e-9)
    yield _row("derived-017.b", modelled=exact, no_test=OWN_CONSTANT, quoted_tolerance=1e-9)
    yield _row("lit-205.c", modelled=nvls.latency_us, no_test=OWN_CONSTANT, quoted_tolerance=1e-9)


def _published() -> Iterator[Row]:
    """Runs that users published, against NCCL's model at 8 GiB."""
    yield _row("lit-214.a", modelled=estimate("ring", 8, LARGE).bus_gb_per_s)
    nvls = estimate("NVLS", 8, LARGE)
    for id in ("lit-214.b", "lit-214.c", "lit-214.g"):
        yield _row(id, modelled=nvls.bus_gb_per_s)
    for id, gpus in (("lit-214.d", 5), ("lit-214.e", 6), ("lit-214.f", 7)):
        channel = nvls_channel_bandwidth(gpus)
        remark = f"{COARSE}: it takes channels of {channel:g} GB/s"
        yield _row(id, modelled=estimate("NVLS", gpus, LARGE).bus_gb_per_s, remark=remark)
    wire = wire_bandwidth("all-reduce", 8, LARGE, nvls.seconds, "in-network")
    yield _row("lit-214.h", modelled=wire.in_unit("GB/s"), remark="algbw x 9/8; a link has 450")


def _large_systems() -> Iterator[Row]:
    """The white paper's table, for as many GPUs as make the last one not count."""
    yield _row("lit-215.a", modelled=_bisection("A100 SXM4 40GB"), quoted_tolerance=0)
    yield _row("lit-215.b", modelled=_bisection("H100 SXM5"), quoted_tolerance=0)
    for id, name, algorithm in (
        ("lit-215.e", "A100 SXM4 40GB", "ring"),
        ("lit-215.f", "H100 SXM5", "in-network"),
    ):
        one_way = chip(name).nvlink_bytes_per_s / 2
        of_many = one_way / traffic("all-reduce", algorithm, LIMIT, 1).busier / GB
        yield _row(id, modelled=of_many, remark="as N grows; latency and efficiency left out")
    ring = estimate("ring", 8, LARGE).bus_gb_per_s
    gain = estimate("NVLS", 8, LARGE).bus_gb_per_s / ring
    yield _row("derived-019.b", modelled=gain, remark="NCCL's model; bytes alone promise 1.56")
