"""One row of the audit: a quantity, as it is quoted, modelled and measured, and the verdict on it."""

from dataclasses import dataclass

from hopperlab.chip import chip_of_card
from hopperlab.ledger import Claim, claim

QUOTED_TOLERANCE = 0.05
"""How far a model or a card may be from a quoted number and still agree with it."""

ABOUT_TOLERANCE = 0.10
"""The same for a number that is quoted as "about"."""

VERDICTS = {
    "agrees": "agree",
    "differs": "differ from what is quoted",
    "other card": "are of another card than what is quoted",
    "no test": "test nothing",
    "not judged": "are not judged",
    "missed": "are missed by the model",
}
"""The verdicts of a row, each with its words for several."""


@dataclass(frozen=True)
class Row:
    """One quantity, as it is quoted, modelled and measured, as far as it is.

    Attributes
    ----------
    theme, subject
        The theme, and the quantity in words.
    claim
        The id of the claim that quotes it, or None.
    quoted, modelled, measured
        The numbers; None where there is none. With a claim, ``quoted`` may be left out.
    unit
        The unit of all three; with a claim, the claim's.
    card
        The card that was measured, by its chip's or its driver's name; empty where none was.
    tolerance
        How far the model may be from the measurement, as a share of it; None if that is not judged.
    scaling
        How a number quoted for another card carries over to this one, in words; empty if it does not.
    no_test
        Why the row tests nothing, if so: the model was fitted to it, or it follows by the model's own rule.
    remark
        What else a reader must know.
    quoted_tolerance
        How far model or measurement may be from the quoted number, as a share of it; by default 5 %, or
        10 % where it is quoted as "about".
    """

    theme: str
    subject: str
    claim: str | None = None
    quoted: float | None = None
    modelled: float | None = None
    measured: float | None = None
    unit: str = ""
    card: str = ""
    tolerance: float | None = None
    scaling: str = ""
    no_test: str = ""
    remark: str = ""
    quoted_tolerance: float | None = None

    def __post_init__(self) -> None:
        """Take what the claim says where the row leaves it out; a ValueError for a claim without a number."""
        row = self.source
        if row is None:
            return
        if not row.is_numeric:
            raise ValueError(f"claim={row.id!r} has no number to compare with: {row.statement}")
        if self.unit and self.unit != row.unit:
            raise ValueError(f"unit={self.unit!r} of {self.subject!r} must be that of {row.id}, {row.unit!r}")
        object.__setattr__(self, "unit", row.unit)
        if self.quoted is None:
            object.__setattr__(self, "quoted", row.number)

    @property
    def source(self) -> Claim | None:
        """The claim that quotes it."""
        return claim(self.claim) if self.claim else None

    @property
    def is_quoted(self) -> bool:
        """Whether a number, or a range, is quoted."""
        return self.claim is not None or self.quoted is not None

    @property
    def legs(self) -> int:
        """How many of quoted, modelled and measured there are."""
        return self.is_quoted + (self.modelled is not None) + (self.measured is not None)

    @property
    def own_card(self) -> bool:
        """Whether the claim is about the card that was measured, or carries over to it."""
        if self.measured is None or self.source is None or self.scaling:
            return True
        sheet = chip_of_card(self.card)
        return self.source.covers(sheet.name if sheet else self.card.removeprefix("NVIDIA "))

    @property
    def error(self) -> float | None:
        """The row's error: of the model against the card where there are both, else against the quoted.

        A share of the number it is held against, that number itself being 0 an absolute one. None where no
        two numbers may be held against each other.
        """
        if self.modelled is not None and self.measured is not None:
            return _relative(self.modelled, self.measured)
        return self.quoted_error

    @property
    def quoted_error(self) -> float | None:
        """What was measured on the claim's own card, or else what is modelled, against what is quoted."""
        number = self.measured if self.measured is not None else self.modelled
        if not self.is_quoted or number is None or not self.own_card:
            return None
        return self.source.error(number) if self.source else _relative(number, self.quoted)

    @property
    def missed(self) -> bool:
        """Whether the model is farther from the card than the experiment allows."""
        judged = self.modelled is not None and self.measured is not None and self.tolerance is not None
        return judged and abs(self.error) > self.tolerance

    @property
    def verdict(self) -> str:
        """One of ``VERDICTS``; empty below two legs."""
        if self.legs < 2:
            return ""
        if self.missed:
            return "missed"
        if self.quoted_error is not None and abs(self.quoted_error) > self._quoted_tolerance:
            return "differs"
        if self.no_test:
            return "no test"
        if not self.own_card and self.modelled is None:
            return "other card"
        judged = self.quoted_error is not None or self.tolerance is not None
        return "agrees" if judged else "not judged"

    @property
    def remarks(self) -> tuple[str, ...]:
        """What stands below the row: other cards, how a number carries over, and the row's own remark."""
        other = f"quoted for {self.source.device}, measured on {self.card}" if not self.own_card else ""
        scaling = f"carried over: {self.scaling}" if self.scaling else ""
        no_test = f"no test: {self.no_test}" if self.no_test else ""
        return tuple(text for text in (other, scaling, no_test, self.remark) if text)

    @property
    def _quoted_tolerance(self) -> float:
        if self.quoted_tolerance is not None:
            return self.quoted_tolerance
        about = self.source is not None and self.source.relation == "~"
        return ABOUT_TOLERANCE if about else QUOTED_TOLERANCE


@dataclass(frozen=True)
class Comparison:
    """What an experiment's recordings say of its model.

    Attributes
    ----------
    experiment, card
        What was measured, and on which card.
    compared, mismatches
        Answers held against the model, and those that miss it by more than the experiment allows.
    rows
        The quantities, for the table.
    notes
        What a reader must know, a sentence each.
    """

    experiment: str
    card: str
    compared: int
    mismatches: int
    rows: tuple[Row, ...] = ()
    notes: tuple[str, ...] = ()


def _relative(number: float, against: float) -> float:
    return (number - against) / (abs(against) or 1.0)
