"""The ledger: what is claimed, with its source, and what was recorded, with its provenance."""

from hopperlab.ledger.claims import RELATIONS, THEMES, Claim, claim, claims
from hopperlab.ledger.recordings import (
    RecordedCard,
    Recording,
    RecordingError,
    load_recording,
    recordings,
    validate_recording,
)
from hopperlab.ledger.schema import SCHEMA
from hopperlab.ledger.units import UNITS, in_base_units

__all__ = [
    "RELATIONS",
    "SCHEMA",
    "THEMES",
    "UNITS",
    "Claim",
    "RecordedCard",
    "Recording",
    "RecordingError",
    "claim",
    "claims",
    "in_base_units",
    "load_recording",
    "recordings",
    "validate_recording",
]
