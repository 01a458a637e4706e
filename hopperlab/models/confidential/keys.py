"""Keys on P-384: made from secrets, shared, agreed on, signed with, and drawn out with HKDF-SHA384.

All of it is pyca/cryptography. A real GPU draws its secrets from fuses and a random source; here they come
in as bytes, so that a lesson can be replayed.
"""

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, hmac
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature, encode_dss_signature
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from hopperlab.models.confidential.errors import BadSignature, WrongCurve

COORDINATE_BYTES = 48
SHARE_BYTES = 2 * COORDINATE_BYTES
SIGNATURE_BYTES = 2 * COORDINATE_BYTES
"""SPDM writes a P-384 point as x and y, a signature as r and s: 48 bytes each (claim conf-001)."""

DIGEST_BYTES = 48
SCALAR_BYTES = 56
# The order of P-384 (FIPS 186-5, SP 800-186).
ORDER = int(
    "ffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973", 16
)


def digest(data: bytes) -> bytes:
    """SHA-384 of the data, 48 bytes."""
    sha = hashes.Hash(hashes.SHA384())
    sha.update(data)
    return sha.finalize()


def derive(secret: bytes, label: str, context: bytes = b"", length: int = 32) -> bytes:
    """HKDF-SHA384: bytes that depend on the secret, on what they are for, and on the context."""
    return HKDF(hashes.SHA384(), length, salt=None, info=label.encode() + b"\0" + context).derive(secret)


def private_key(secret: bytes, label: str, context: bytes = b"") -> ec.EllipticCurvePrivateKey:
    """The P-384 key that this secret gives for this label; 8 bytes more than needed, so that none is likelier."""
    scalar = int.from_bytes(derive(secret, label, context, SCALAR_BYTES)) % (ORDER - 1) + 1
    return ec.derive_private_key(scalar, ec.SECP384R1())


def share(key: ec.EllipticCurvePrivateKey | ec.EllipticCurvePublicKey) -> bytes:
    """The public point, x then y."""
    public = key.public_key() if isinstance(key, ec.EllipticCurvePrivateKey) else key
    numbers = public.public_numbers()
    return numbers.x.to_bytes(COORDINATE_BYTES) + numbers.y.to_bytes(COORDINATE_BYTES)


def read_share(raw: bytes) -> ec.EllipticCurvePublicKey:
    """The public key in a peer's share.

    Raises
    ------
    WrongCurve
        If it is not 96 bytes, or no point of P-384.
    """
    if len(raw) != SHARE_BYTES:
        raise WrongCurve(f"a key share on P-384 has {SHARE_BYTES} bytes, this one has {len(raw)}")
    x, y = int.from_bytes(raw[:COORDINATE_BYTES]), int.from_bytes(raw[COORDINATE_BYTES:])
    try:
        return ec.EllipticCurvePublicNumbers(x, y, ec.SECP384R1()).public_key()
    except ValueError:
        raise WrongCurve("the key share is no point of P-384") from None


def agree(mine: ec.EllipticCurvePrivateKey, peer_share: bytes) -> bytes:
    """The secret that both ends get from their own private key and the other's share (ECDH).

    Raises
    ------
    WrongCurve
        If the share is no point of P-384.
    """
    return mine.exchange(ec.ECDH(), read_share(peer_share))


def sign(key: ec.EllipticCurvePrivateKey, data: bytes) -> bytes:
    """ECDSA P-384 with SHA-384, as r and s; deterministic (RFC 6979)."""
    r, s = decode_dss_signature(key.sign(data, ec.ECDSA(hashes.SHA384(), deterministic_signing=True)))
    return r.to_bytes(COORDINATE_BYTES) + s.to_bytes(COORDINATE_BYTES)


def check_signature(key: ec.EllipticCurvePublicKey, signature: bytes, data: bytes) -> None:
    """Return if the key signed the data.

    Raises
    ------
    BadSignature
        If it did not, or the signature has not 96 bytes.
    """
    if len(signature) != SIGNATURE_BYTES:
        raise BadSignature(f"a P-384 signature has {SIGNATURE_BYTES} bytes, this one has {len(signature)}")
    r = int.from_bytes(signature[:COORDINATE_BYTES])
    s = int.from_bytes(signature[COORDINATE_BYTES:])
    try:
        key.verify(encode_dss_signature(r, s), data, ec.ECDSA(hashes.SHA384()))
    except InvalidSignature:
        raise BadSignature("the signature does not fit these bytes and this key") from None


def mac(key: bytes, data: bytes) -> bytes:
    """HMAC-SHA384 of the data."""
    code = hmac.HMAC(key, hashes.SHA384())
    code.update(data)
    return code.finalize()
