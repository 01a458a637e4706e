"""What the model of MIG answers to the claims about it.

The tables of profiles are what drivers list: holding them against their own source would test nothing, so
only the experiment ``mig`` sets them beside a card. Here stands what follows from them.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from hopperlab.ledger import Recording, claim
from hopperlab.measure.audit import Row
from hopperlab.models.mig import instance_ratio, maximal_layouts, profile, profiles

H100 = "H100 SXM5"


def answers(recorded: Sequence[Recording]) -> Iterator[Row]:
    """Rows for the claims about MIG."""
    yield from _instances()
    yield from _ratios()
    yield from _public_mock()


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
    ratio, other = (instance_ratio(H100, base) for base in ("A100 SXM4 40GB", "A100 SXM4 80GB"))
    factors = f"{ratio.sms:.3f} SMs x {ratio.per_sm_per_clock:g} a clock x {ratio.clock:.3f} of clock"
    yield _row("talk-062.a", modelled=ratio.compute, remark=f"1g over 1g: {factors}")
    bases = f"over the {ratio.base}; over the {other.base} it is {other.bandwidth:.2f}"
    yield _row("talk-062.b", modelled=ratio.bandwidth, remark=bases)


def _public_mock() -> Iterator[Row]:
    for id, name in (("mig-004.a", "3g.40gb"), ("mig-004.b", "7g.80gb")):
        kind = profile(name, H100)
        yield _row(id, modelled=kind.sms, remark=f"drivers list {kind.sms} ({kind.sms_claim})")
