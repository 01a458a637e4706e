"""One named error for each reason to refuse; nothing else comes out of this package for bad messages."""


class Refused(ValueError):  # noqa: N818  named for what happened; every subclass names its reason
    """A check said no. The message says what was expected and what came."""


# --- The report and the chain ------------------------------------------------------------------------


class MalformedReport(Refused):
    """The bytes are no measurement report in SPDM's layout."""


class MalformedChain(Refused):
    """The bytes are no certificate chain in SPDM's layout."""


class TruncatedChain(Refused):
    """A certificate between the GPU and the root is missing."""


class WrongCurve(Refused):
    """A key is not on P-384, or not a point on any curve."""


class ExpiredCertificate(Refused):
    """A certificate is not valid on this day."""


class NotAnAuthority(Refused):
    """A certificate signed another without the right to."""


class BrokenChain(Refused):
    """A certificate was not signed by the one above it."""


class UntrustedRoot(Refused):
    """The chain is whole, but it ends at a root that the verifier does not know: a forged chain."""


class BadSignature(Refused):
    """The GPU's key did not sign these bytes."""


class StaleReport(Refused):
    """The report answers another nonce: it may be an old one."""


class WrongMode(Refused):
    """The GPU is not in a confidential mode that the verifier accepts."""


class LyingFirmware(Refused):
    """The boot ROM certified other firmware than the report tells of."""


class WrongMeasurement(Refused):
    """A component measures otherwise than its reference value."""


# --- The key exchange ------------------------------------------------------------------------------------


class ForgedKeyExchange(Refused):
    """The answer to the key exchange was not signed by the attested GPU over this very exchange."""


class BadFinish(Refused):
    """The two sides did not see the same handshake."""


class NothingCame(Refused):
    """A message of the handshake never came: no protocol makes a hypervisor deliver."""


# --- The channel -----------------------------------------------------------------------------------------


class TamperedMessage(Refused):
    """The authentication tag does not fit: the message, its counter or its direction was changed."""


class ReplayedMessage(Refused):
    """A genuine message, seen before."""


class OutOfOrderMessage(Refused):
    """A genuine message, but one before it has not come."""


class NonceReuse(Refused):
    """An IV of this key has already sealed other data."""


class CounterExhausted(Refused):
    """All counters of a key are used."""


class KeyWornOut(Refused):
    """The key has encrypted as much as its security allows: rotate it."""
