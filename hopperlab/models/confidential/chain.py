"""Certificate chains in SPDM's layout: written, read, and checked link by link up to a known root.

Layout of DSP0274: length 2, reserved 2, digest of the root 48, then the certificates in DER, root first.
"""

import datetime
import warnings

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding

from hopperlab.models.confidential.errors import (
    BrokenChain,
    ExpiredCertificate,
    MalformedChain,
    NotAnAuthority,
    TruncatedChain,
    UntrustedRoot,
    WrongCurve,
)
from hopperlab.models.confidential.keys import DIGEST_BYTES, digest

HEADER_BYTES = 4 + DIGEST_BYTES
FIRMWARE_ID = x509.ObjectIdentifier("2.23.133.5.4.1")
"""The certificate extension that holds the firmware's digest: TCG DICE's TcbInfo, its last 48 bytes."""


def encode_chain(certificates: tuple[bytes, ...]) -> bytes:
    """The chain of these DER certificates, root first."""
    body = digest(certificates[0]) + b"".join(certificates)
    return (4 + len(body)).to_bytes(2, "little") + bytes(2) + body


def read_chain(chain: bytes) -> tuple[x509.Certificate, ...]:
    """The certificates of a chain in SPDM's layout, root first.

    Raises
    ------
    MalformedChain
        If the bytes are no such chain, or a certificate cannot be read.
    """
    if len(chain) < HEADER_BYTES:
        raise MalformedChain(
            f"a chain begins with a header of {HEADER_BYTES} bytes, this one has {len(chain)}"
        )
    length = int.from_bytes(chain[:2], "little")
    if length != len(chain):
        raise MalformedChain(f"the chain announces {length} bytes and has {len(chain)}")
    if any(chain[2:4]):
        raise MalformedChain("the reserved bytes of the chain are not zero")
    encoded = _split(chain[HEADER_BYTES:])
    if not encoded:
        raise MalformedChain("the chain holds no certificate")
    if digest(encoded[0]) != chain[4:HEADER_BYTES]:
        raise MalformedChain("the chain's digest of its root is not that of its first certificate")
    return tuple(_load(der, place) for place, der in enumerate(encoded))


def check_chain(
    certificates: tuple[x509.Certificate, ...], *, known_root: bytes, today: datetime.datetime
) -> None:
    """Return if the last certificate is vouched for, link by link, by the root with that digest.

    Raises
    ------
    WrongCurve, ExpiredCertificate, TruncatedChain, NotAnAuthority, BrokenChain, UntrustedRoot
        Whichever is found first, from the root down; the root's own digest is compared last, so that a
        forged chain that is whole in itself is told from a broken one.
    """
    for certificate in certificates:
        public_key(certificate)
        _check_dates(certificate, today)
    if certificates[0].subject != certificates[0].issuer:
        raise TruncatedChain(f"the first certificate is {_subject(certificates[0])}, which is no root")
    issuers = (certificates[0], *certificates)
    for issuer, certificate in zip(issuers, certificates, strict=False):
        if certificate.issuer != issuer.subject:
            raise TruncatedChain(
                f"{_subject(certificate)} was issued by {certificate.issuer.rfc4514_string()}, "
                f"but {_subject(issuer)} comes before it"
            )
        _check_link(issuer, certificate)
    for authority in certificates[:-1]:
        if not _may_sign(authority):
            raise NotAnAuthority(f"{_subject(authority)} signed another certificate, but is no authority")
    for depth, authority in enumerate(certificates[:-1]):
        _check_path_length(authority, authorities_below=len(certificates) - 2 - depth)
    if certified_identity(certificates[-1]) is None and _may_sign(certificates[-1]):
        raise TruncatedChain(
            f"the chain ends at {_subject(certificates[-1])}, which is an authority and no GPU"
        )
    root = digest(_der(certificates[0]))
    if root != known_root:
        raise UntrustedRoot(
            f"the chain ends at a root with digest {root[:4].hex()}.., known is {known_root[:4].hex()}.."
        )


def chain_from_pem(pem: bytes) -> bytes:
    """A chain in SPDM's layout from PEM certificates, last first or root first: public sample files are PEM.

    Raises
    ------
    MalformedChain
        If there is no certificate in it.
    """
    try:
        certificates = x509.load_pem_x509_certificates(bytes(pem))
    except (ValueError, TypeError):
        raise MalformedChain("the file holds no PEM certificates") from None
    if certificates[0].subject != certificates[0].issuer:
        certificates = certificates[::-1]
    return encode_chain(tuple(_der(certificate) for certificate in certificates))


def _split(data: bytes) -> list[bytes]:
    """Cut concatenated DER structures apart by their lengths."""
    cut: list[bytes] = []
    while data:
        if len(data) < 4 or data[0] != 0x30 or data[1] != 0x82:
            raise MalformedChain(f"certificate {len(cut)}: no DER sequence with a two-byte length")
        size = 4 + int.from_bytes(data[2:4])
        if size > len(data):
            raise MalformedChain(f"certificate {len(cut)}: {size} bytes are announced, {len(data)} are left")
        cut.append(data[:size])
        data = data[size:]
    return cut


def _load(der: bytes, place: int) -> x509.Certificate:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # what the parser only warns of, a verifier refuses
            certificate = x509.load_der_x509_certificate(der)
            _ = (certificate.subject, certificate.issuer, certificate.extensions, certificate.public_key())
    except Exception:  # whatever the parser finds, it is one thing to the reader
        raise MalformedChain(f"certificate {place} of the chain cannot be read") from None
    # A bit string may call some of its last bits unused; a signature has none to spare.
    if not der.endswith(b"\0" + certificate.signature):
        raise MalformedChain(f"certificate {place} of the chain does not end with its whole signature")
    return certificate


def _der(certificate: x509.Certificate) -> bytes:
    return certificate.public_bytes(Encoding.DER)


def _subject(certificate: x509.Certificate) -> str:
    return certificate.subject.rfc4514_string()


def public_key(certificate: x509.Certificate) -> ec.EllipticCurvePublicKey:
    """The certificate's key.

    Raises
    ------
    WrongCurve
        If it is no key on P-384.
    """
    key = certificate.public_key()
    if not isinstance(key, ec.EllipticCurvePublicKey) or not isinstance(key.curve, ec.SECP384R1):
        curve = getattr(getattr(key, "curve", None), "name", type(key).__name__)
        raise WrongCurve(f"the key of {_subject(certificate)} is on {curve}, not on P-384")
    return key


def _check_dates(certificate: x509.Certificate, today: datetime.datetime) -> None:
    begins, ends = certificate.not_valid_before_utc, certificate.not_valid_after_utc
    if not begins <= today <= ends:
        raise ExpiredCertificate(
            f"{_subject(certificate)} is valid from {begins:%Y-%m-%d} to {ends:%Y-%m-%d}, not on {today:%Y-%m-%d}"
        )


def _check_link(issuer: x509.Certificate, certificate: x509.Certificate) -> None:
    try:
        certificate.verify_directly_issued_by(issuer)
    except (InvalidSignature, ValueError, TypeError):
        raise BrokenChain(f"{_subject(certificate)} was not signed by {_subject(issuer)}") from None


def _constraints(certificate: x509.Certificate) -> x509.BasicConstraints | None:
    try:
        return certificate.extensions.get_extension_for_class(x509.BasicConstraints).value
    except x509.ExtensionNotFound:
        return None


def _may_sign(certificate: x509.Certificate) -> bool:
    constraints = _constraints(certificate)
    return constraints is not None and constraints.ca


def _check_path_length(authority: x509.Certificate, authorities_below: int) -> None:
    allowed = _constraints(authority).path_length
    if allowed is not None and allowed < authorities_below:
        raise NotAnAuthority(
            f"{_subject(authority)} may have {allowed} authorities below it, here are {authorities_below}"
        )


def certified_identity(certificate: x509.Certificate) -> bytes | None:
    """The firmware digest in a certificate's extension: the last 48 bytes of it."""
    try:
        extension = certificate.extensions.get_extension_for_oid(FIRMWARE_ID).value
    except x509.ExtensionNotFound:
        return None
    return extension.value[-DIGEST_BYTES:]
