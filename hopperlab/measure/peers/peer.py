"""One quantity by a public suite's program and by ours, and why they differ."""

from dataclasses import dataclass

from hopperlab.ledger import Claim, claim

SUITES = {
    "gpu-benches": "RRZE-HPC/gpu-benches",
    "HPMLL": "HPMLL/NVIDIA-Hopper-Benchmark",
    "Luo et al.": "Luo et al.",
    "HopperTest": "lenLRX/HopperTest",
    "Chips and Cheese": "Chips and Cheese",
}
"""Names of suites and studies, by what their claims' sources hold."""


@dataclass(frozen=True)
class Peer:
    """One quantity by another's program and by ours.

    Attributes
    ----------
    claim
        The claim that quotes it.
    ours, card
        What was measured here, in the claim's unit, and on which card.
    why
        Why the two differ, or that it is not known.
    """

    claim: str
    ours: float
    card: str
    why: str

    @property
    def source(self) -> Claim:
        """The claim itself."""
        return claim(self.claim)

    @property
    def suite(self) -> str:
        """The suite's short name."""
        return next(name for name, words in SUITES.items() if words in self.source.source)

    @property
    def what(self) -> str:
        """The quantity, with the conditions that its source names."""
        return ", ".join((self.source.statement, *map(str, self.source.conditions.values())))

    @property
    def same_card(self) -> bool:
        """Whether theirs is of the card that was measured here."""
        return self.source.covers(self.card)

    @property
    def difference(self) -> float:
        """How far ours is from what is quoted, as a share of it; 0 inside a quoted range."""
        return self.source.error(self.ours)
