"""The root of trust: who vouches for a GPU, and how its firmware is measured before it runs.

The chain has Hopper's five links (conf-007) with names and keys of our own: a root that the verifier knows,
two factory authorities, the GPU's boot ROM, and the firmware that the boot ROM let run. Each layer measures
the next before it starts it, and gives it a key that depends on that measurement; so firmware cannot choose
its own. The secrets of this factory are printed below: it shows how chains work and guards nothing.
"""

import datetime
from dataclasses import dataclass, field, replace
from functools import lru_cache

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding

from hopperlab.models.confidential import report as spdm
from hopperlab.models.confidential.chain import FIRMWARE_ID, encode_chain
from hopperlab.models.confidential.keys import DIGEST_BYTES, derive, digest, private_key, share, sign

LINKS = ("Workbook Device Identity CA", "Workbook GH100 Identity", "Workbook Provisioner ICA", "Boot ROM")
"""Subjects of the chain from the root down; the firmware's own certificate comes after them."""

FIRMWARE_SUBJECT = "GPU firmware"
VALID_FROM = datetime.datetime(2022, 3, 22, tzinfo=datetime.UTC)
VALID_UNTIL = datetime.datetime(2052, 3, 22, tzinfo=datetime.UTC)
BLOCKS = 64
"""Measurement blocks of a report; on a GH100 38 of the 64 hold only zeros (conf-004)."""


@dataclass(frozen=True)
class Firmware:
    """What is measured, component by component: any bytes will do."""

    boot_rom: bytes = b"boot ROM, burnt in"
    firmware: bytes = b"GSP firmware 1.0"
    vbios: bytes = b"VBIOS 96.00"
    hardware: bytes = b"fuses: confidential computing on, debug off"
    settings: bytes = b"settings: single GPU passthrough"

    def measurements(self) -> dict[int, bytes]:
        """SHA-384 of each component, by the index of its block."""
        return {index: digest(getattr(self, name)) for index, (name, _) in COMPONENTS.items()}

    @property
    def identity(self) -> bytes:
        """The digest that the boot ROM takes of the firmware, before it runs."""
        return digest(self.firmware)


# Block index: component, and its kind in report.KINDS. Index 9 is the one that users most often see fail.
COMPONENTS = {
    1: ("boot_rom", 0),
    2: ("firmware", 1),
    9: ("vbios", 1),
    10: ("hardware", 2),
    11: ("settings", 3),
}


@dataclass(frozen=True)
class Device:
    """A GPU as it leaves the factory: a secret in its fuses and a chain down to its boot ROM.

    ``certificates`` are DER, root first.
    """

    name: str
    secret: bytes = field(repr=False)
    certificates: tuple[bytes, ...] = field(repr=False)

    @property
    def boot_key(self) -> ec.EllipticCurvePrivateKey:
        """The boot ROM's key: it depends on the fuses only."""
        return private_key(self.secret, "boot ROM")


@dataclass(frozen=True)
class Gpu:
    """A GPU that has booted some firmware: the firmware's key, its chain, and what it will report.

    ``told`` is what the firmware says of itself; honest firmware tells what ran.
    """

    device: Device
    ran: Firmware
    told: Firmware
    mode: str = "SPT"

    @property
    def key(self) -> ec.EllipticCurvePrivateKey:
        """The firmware's key: other firmware on the same GPU has another."""
        return private_key(self.device.secret, "firmware", self.ran.identity)

    @property
    def chain(self) -> bytes:
        """The whole chain in SPDM's layout."""
        leaf = _certificate(
            FIRMWARE_SUBJECT,
            LINKS[-1],
            self.key.public_key(),
            self.device.boot_key,
            identity=self.ran.identity,
        )
        return encode_chain((*self.device.certificates, leaf))

    def attest(self, request: bytes) -> bytes:
        """The signed report that answers a request.

        Raises
        ------
        MalformedReport
            If the request is none.
        """
        nonce, slot = spdm.parse_request(request)
        digests = self.told.measurements()
        blocks = tuple(
            spdm.Block(i, COMPONENTS.get(i, ("", 0))[1], digests.get(i, bytes(DIGEST_BYTES)))
            for i in range(1, BLOCKS + 1)
        )
        feature = next(number for number, mode in spdm.MODES.items() if mode == self.mode)
        opaque = (
            (spdm.DRIVER_VERSION, b"workbook 1.0\0"),
            (spdm.VBIOS_VERSION, self.told.vbios),
            (spdm.FIRMWARE_ID, self.told.identity),
            (spdm.FEATURE_FLAG, bytes([feature])),
        )
        answer_nonce = derive(self.device.secret, "report nonce", request, spdm.NONCE_BYTES)
        unsigned = spdm.Report(nonce, slot, blocks, answer_nonce, opaque, bytes(96))
        return replace(unsigned, signature=sign(self.key, unsigned.signed_bytes)).encode()


GENUINE = Firmware()
"""The firmware whose measurements the verifier holds as reference."""


@lru_cache
def build_device(name: str = "GPU 0", *, maker: str = "workbook") -> Device:
    """A GPU from a factory: every maker has secrets of its own, and uses the same names.

    Parameters
    ----------
    name
        Gives the device its secret: another name, another GPU.
    maker
        ``"workbook"`` is the maker whose root the verifier knows; any other is a forger.
    """
    secret = f"the secrets of {maker} are no secret".encode()
    authorities = [private_key(secret, link) for link in LINKS[:-1]]
    fuses = derive(secret, "fuses", name.encode(), 48)
    keys = [*authorities, private_key(fuses, "boot ROM")]
    certificates = [_certificate(LINKS[0], LINKS[0], keys[0].public_key(), keys[0], below=3)]
    for depth in range(1, len(LINKS)):
        certificates.append(
            _certificate(
                LINKS[depth], LINKS[depth - 1], keys[depth].public_key(), keys[depth - 1], below=3 - depth
            )
        )
    return Device(name, fuses, tuple(certificates))


def boot(device: Device, firmware: Firmware = GENUINE, *, told: Firmware | None = None) -> Gpu:
    """Start firmware on a GPU. The boot ROM measures it first, whatever it later tells of itself.

    Parameters
    ----------
    told
        What the firmware reports; by default what ran.
    """
    return Gpu(device, firmware, firmware if told is None else told)


def root_digest(maker: str = "workbook") -> bytes:
    """SHA-384 of a maker's root certificate: what a verifier keeps to know it by."""
    return digest(build_device(maker=maker).certificates[0])


def _certificate(
    subject: str,
    issuer: str,
    key: ec.EllipticCurvePublicKey,
    issuer_key: ec.EllipticCurvePrivateKey,
    *,
    below: int | None = None,
    identity: bytes | None = None,
) -> bytes:
    """A certificate in DER. ``below``: how many authorities may follow; None makes it none itself."""
    builder = (
        x509.CertificateBuilder()
        .subject_name(_name(subject))
        .issuer_name(_name(issuer))
        .public_key(key)
        .serial_number(int.from_bytes(digest(subject.encode() + share(key))[:16]) >> 1)
        .not_valid_before(VALID_FROM)
        .not_valid_after(VALID_UNTIL)
        .add_extension(x509.BasicConstraints(below is not None, below), critical=True)
    )
    if identity is not None:
        builder = builder.add_extension(x509.UnrecognizedExtension(FIRMWARE_ID, identity), critical=False)
    signed = builder.sign(issuer_key, hashes.SHA384(), ecdsa_deterministic=True)
    return signed.public_bytes(Encoding.DER)


def _name(common_name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, common_name)])
