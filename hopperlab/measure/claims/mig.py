"""What the model of MIG answers to the claims about it.

The tables of profiles are what drivers list: holding them against their own source would test nothing, so
only the experiment ``mig`` sets them beside a card. Here stands what follows from them.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from hopperlab.ledger import Recording, claim
from hopperlab.measure.audit import Row
from hopperlab.models.mig import instance_ratio, maximal_layouts, place, profile, profiles

H100 = "H100 SXM5"
SEEN = {"1g.10gb": (6, 4, 5, 0, 1, 2, 3), "2g.20gb": (4, 0, 2), "3g.40gb": (4, 0)}
"""Where transcripts show instances of one kind to land, one after another (mig-007)."""

DOUBLE_SEEN = (4, 0, 2)
"""The same for three double-memory 1g, as their instance numbers read best (mig-008)."""


def answers(recorded: Sequence[Recording]) -> Iterator[Row]:
    """Rows for the claims about MIG."""
    yield from _instances()
    yield from _ratios()
    yield from _public_mock()
    yield from _driver_places()


def _row(id: str, **legs: Any) -> Row:
    source = claim(id)
    return Row("mig", f"{source.statement}, {source.device}".rstrip(", "), id, **legs)


def _instances() -> Iterator[Row]:
    layouts = maximal_layouts(H100)
    yield _row("mig-005", modelled=len(layouts), quoted_tolerance=0)
    yield _row("talk-061", modelled=max(map(len, layouts)), quoted_tolerance=0)
    decoders = min(kind.decoders for kind in profiles(H100))
    yield _row("talk-076", modelled=decoders, remark="every profile has one; of an A100, a 1g has none")


def _ratios() -> Iterator[Row]:
    """Announced: a 1g of an H100 SXM5 over a 1g of an A100. The talk does not say which A100."""
    for base in ("A100 SXM4 40GB", "A100 SXM4 80GB"):
        ratio = instance_ratio(H100, base)
        yield Row(
            "mig",
            f"Compute of a 1g over that of the {base}",
            "talk-062.a",
            modelled=ratio.compute,
            remark=f"{ratio.sms:.3f} SMs x {ratio.per_sm_per_clock:g} a clock x {ratio.clock:.3f} of clock",
        )
        yield Row(
            "mig",
            f"Memory bandwidth of a 1g over that of the {base}",
            "talk-062.b",
            modelled=ratio.bandwidth,
        )


def _public_mock() -> Iterator[Row]:
    for id, name in (("mig-004.a", "3g.40gb"), ("mig-004.b", "7g.80gb")):
        kind = profile(name, H100)
        yield _row(id, modelled=kind.sms, remark=f"drivers list {kind.sms} ({kind.sms_claim})")


def _driver_places() -> Iterator[Row]:
    yield Row(
        "mig",
        "Instances of transcripts whose place the model gives (mig-007)",
        quoted=sum(map(len, SEEN.values())),
        modelled=sum(_agreeing(name, starts) for name, starts in SEEN.items()),
        unit="instances",
        no_test="the rule for GPU instances was inferred from these transcripts",
    )
    yield Row(
        "mig",
        "Double-memory 1g of a transcript whose place the model gives (mig-008)",
        quoted=len(DOUBLE_SEEN),
        modelled=_agreeing("1g.20gb", DOUBLE_SEEN),
        unit="instances",
        remark="open: instance numbers are read as places; the model begins at slice 6",
    )


def _agreeing(name: str, starts: Sequence[int]) -> int:
    """How many of so many requests for one profile the model places where the transcript has them."""
    served = place([name] * len(starts), H100).requests
    return sum(request.start == start for request, start in zip(served, starts, strict=True))
