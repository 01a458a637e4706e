"""Claims: what a talk, an article or a measurement by others says, one value and one unit a claim."""

import csv
from dataclasses import dataclass, fields
from functools import cache
from importlib.resources import files

from hopperlab.chip import NAMES, chip

THEMES = (
    *("chip", "roofline", "sm", "dpx", "fp8", "tensorcore", "scaling", "training", "clusters", "exchange"),
    *("barriers", "tma", "gemm", "collectives", "fabric", "recommender", "addressing", "sharp_tenancy"),
    *("confidential", "mig", "power", "memory", "atomics", "throughput"),
)
"""The themes that own claims, in the order of the notebooks."""

RELATIONS = {
    "=": "the value",
    "~": "about the value",
    "<": "less than the value",
    "<=": "at most the value",
    ">": "more than the value",
    ">=": "at least the value",
    "range": "from low to high",
    "is": "the value is a text",
    "states": "no value: the statement itself",
}
"""How a claim's value is meant."""

ABOUT_NO_CARD = ("", "all", "FP8", "E4M3", "E5M2")
"""Devices of claims that hold on every card."""

ARCHITECTURES = {"Ampere": (8, 0), "Hopper": (9, 0)}
"""Devices that stand for every chip of a compute capability."""


@dataclass(frozen=True)
class Claim:
    """One row of ``data/claims.csv``.

    Attributes
    ----------
    id
        Its name; ``talk-006.b`` is the second value of what the source says in one place, ``talk-006``.
    theme
        The theme that owns it.
    statement
        What is claimed, in words.
    conditions
        Where it holds, as ``name=value`` pairs, empty if everywhere.
    value, low, high, relation
        The value, a number or a text; or the bounds of a range; and how it is meant: see ``RELATIONS``.
    unit
        One of ``UNITS``; empty for texts and statements.
    direction
        ``one`` or ``both`` for the rate of a link, empty for all else.
    device
        What it is about; see ``covers``.
    source
        Where a reader finds it.
    evidence
        ``primary``: the source's own text, log or header; ``transcript``: a talk, written down and
        translated; ``secondary``: quoted by another; ``derived``: arithmetic; ``recalled``: from memory.
    verified
        ``read``, ``recalled`` (not checked) or ``measured``.
    testable
        ``kernel``: one Hopper card can measure it; ``model``: a model can; ``cite``: it is only quoted.
    notes
        What a reader should know, contradictions above all.
    """

    id: str
    theme: str
    statement: str
    conditions: dict[str, str]
    value: float | str | None
    low: float | None
    high: float | None
    relation: str
    unit: str
    direction: str
    device: str
    source: str
    evidence: str
    verified: str
    testable: str
    notes: str

    @property
    def number(self) -> float | None:
        """The value where it is one number, else None."""
        return None if isinstance(self.value, str) else self.value

    @property
    def is_numeric(self) -> bool:
        """Whether a number can agree or disagree with it."""
        return self.relation not in ("is", "states")

    @property
    def quoted(self) -> str:
        """The value as a reader says it: ``132``, ``> 3``, ``2 to 30``; empty for a statement."""
        if self.relation == "range":
            return f"{self.low:g} to {self.high:g}"
        if self.number is None:
            return self.value or ""
        shown = f"{self.number:.10g}"
        return shown if self.relation == "=" else f"{self.relation} {shown}"

    def error(self, number: float) -> float:
        """How far a number is from what the claim admits, as a share of it; 0 where it agrees.

        Negative below, positive above; absolute where the claim's own bound is 0.

        Raises
        ------
        ValueError
            If the claim has no number.
        """
        low, high = self._bounds()
        bound = low if number < low else high if number > high else number
        return (number - bound) / (abs(bound) or 1.0)

    def _bounds(self) -> tuple[float, float]:
        if not self.is_numeric:
            raise ValueError(f"{self.id} has no number: {self.statement}")
        if self.relation == "range":
            return self.low, self.high
        lowest = float("-inf") if self.relation in ("<", "<=") else self.number
        highest = float("inf") if self.relation in (">", ">=") else self.number
        return lowest, highest

    def covers(self, chip_name: str) -> bool:
        """Whether the claim is about that chip: by name, by family (``H100``, ``Hopper``), or about none."""
        return self.device in ABOUT_NO_CARD or any(
            _is_of(chip_name, family) for part in self.device.split(" and ") for family in part.split(", ")
        )


def _is_of(chip_name: str, family: str) -> bool:
    if chip_name == family or chip_name.startswith(f"{family} "):
        return True
    architecture = ARCHITECTURES.get(family)
    return (
        architecture is not None and chip_name in NAMES and chip(chip_name).compute_capability == architecture
    )


def claims(theme: str | None = None) -> tuple[Claim, ...]:
    """All claims, or those that a theme owns.

    Raises
    ------
    ValueError
        If there is no such theme.
    """
    if theme is None:
        return tuple(_ledger().values())
    if theme not in THEMES:
        raise ValueError(f"theme={theme!r} is no theme; there are {', '.join(THEMES)}")
    return tuple(row for row in _ledger().values() if row.theme == theme)


def claim(id: str) -> Claim:
    """The claim of that id.

    Raises
    ------
    ValueError
        If there is none; for an id that is split, the message names its parts.
    """
    if id in _ledger():
        return _ledger()[id]
    parts = [name for name in _ledger() if name.startswith(f"{id}.")]
    if parts:
        raise ValueError(f"id={id!r} holds several values: {', '.join(parts)}")
    raise ValueError(f"id={id!r} is no claim; ids look like talk-007 or lit-020.a")


@cache
def _ledger() -> dict[str, Claim]:
    text = (files("hopperlab") / "data" / "claims.csv").read_text(encoding="utf-8")
    rows = [_claim_from(row) for row in csv.DictReader(text.splitlines())]
    return {row.id: row for row in rows}


def _claim_from(row: dict[str, str]) -> Claim:
    texts = {f.name: row[f.name] for f in fields(Claim)}
    is_text = row["relation"] in ("is", "states")
    return Claim(
        **texts
        | {
            "conditions": dict(pair.split("=", 1) for pair in row["conditions"].split(";") if pair),
            "value": (row["value"] or None) if is_text else _number(row["value"]),
            "low": _number(row["low"]),
            "high": _number(row["high"]),
        }
    )


def _number(text: str) -> float | None:
    if not text:
        return None
    return (
        int(text, 16) if text.startswith("0x") else int(text) if text.lstrip("-").isdigit() else float(text)
    )
