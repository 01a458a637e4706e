"""Attacks on a session, kept to be looked at: each with the error that catches it, and the check behind it."""

from dataclasses import dataclass
from functools import cached_property

from hopperlab.models.confidential import ATTACKS, Attack, Session, try_attack
from hopperlab.views import confidential as views
from hopperlab.views.finding import finding
from hopperlab.views.picture import Picture

CAUGHT_BY = {
    "flip a bit": "Authenticate what you encrypt: AES-GCM's tag covers every bit of the envelope.",
    "replay": "Count: the counter is in the IV, and the receiver knows which comes next.",
    "reorder": "Count: a genuine message that comes too early shows that one before it is missing.",
    "swap the firmware": "Measure before you run, and hold the digest against a reference value.",
    "swap it and lie": "Let the boot ROM certify the firmware that it started: firmware cannot vouch for itself.",
    "forge the chain": "Know the root beforehand. Names in certificates prove nothing.",
    "replay a report": "Send a nonce that nobody can foresee, and want it back under the signature.",
    "edit the report": "Sign the report, and the request with it.",
    "stand in the middle": "Sign the key exchange with the key that the chain vouches for.",
}
"""What stops each attack of the bench, in a sentence."""


@dataclass(frozen=True)
class Specimen:
    """One attack of the bench, and the session in which it was tried."""

    attack: Attack
    cure: str

    @cached_property
    def session(self) -> Session:
        """The session as the attack left it."""
        return try_attack(self.attack.name)

    @property
    def finding(self) -> str:
        """The error that caught it, by its name and in its words."""
        return f"{type(self.session.error).__name__}: {self.session.error}"

    @cached_property
    def _picture(self) -> Picture:
        words = f"{self.attack.what.capitalize()}."
        return finding(
            self.attack.name.capitalize(),
            words,
            f"{self.finding}.",
            self.cure,
            views.bounce_buffer(self.session),
        )

    def picture(self) -> Picture:
        """The session under the finding."""
        return self._picture


SPECIMENS = tuple(Specimen(ATTACKS[name], cure) for name, cure in CAUGHT_BY.items())
