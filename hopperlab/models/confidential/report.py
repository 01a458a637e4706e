"""The attestation report in SPDM's layout: the request and the signed answer, byte for byte.

Layout of DSP0274 version 1.1, as Hopper sends it (claims conf-001 to conf-004)::

    request   version 0x11 | code 0xE0 | sign 0x01 | all 0xFF | nonce 32 | slot 1           37 bytes
    answer    version 0x11 | code 0x60 | parameters 2 | blocks 1 | record length 3 | record
              | nonce 32 | opaque length 2 | opaque data | signature 96
    block     index 1 | specification 0x01 | size 2 | kind 1 | value size 2 | value 48      55 bytes
    opaque    type 2 | size 2 | data, repeated

Numbers are little-endian. The signature covers the request and the answer up to itself.
"""

from dataclasses import dataclass

from hopperlab.models.confidential.errors import MalformedReport
from hopperlab.models.confidential.keys import DIGEST_BYTES, SIGNATURE_BYTES

VERSION, GET_MEASUREMENTS, MEASUREMENTS = 0x11, 0xE0, 0x60
SIGN, ALL_BLOCKS = 0x01, 0xFF
DMTF_SPECIFICATION = 0x01
NONCE_BYTES, REQUEST_BYTES, BLOCK_HEADER_BYTES = 32, 37, 7

KINDS = ("immutable ROM", "mutable firmware", "hardware configuration", "firmware configuration")
"""What a measurement is of, by a block's kind (DSP0274, measurement value types); later versions add more."""

DRIVER_VERSION, VBIOS_VERSION, FIRMWARE_ID, FEATURE_FLAG = 3, 6, 20, 36
"""Types of opaque data that this workbook writes, numbered as Hopper numbers them (conf-005)."""

MODES = {0: "SPT", 1: "MPT", 2: "PPCIE"}
"""What the feature flag says: single GPU, several GPUs, protected PCIe (conf-006)."""


@dataclass(frozen=True)
class Block:
    """One measurement: its index, what kind of thing was measured, and the SHA-384 of it."""

    index: int
    kind: int
    value: bytes

    def encode(self) -> bytes:
        """The block's bytes: 7 of header and 48 of digest."""
        size = len(self.value)
        header = bytes([self.index, DMTF_SPECIFICATION]) + (3 + size).to_bytes(2, "little")
        return header + bytes([self.kind]) + size.to_bytes(2, "little") + self.value


@dataclass(frozen=True)
class Report:
    """A request and its answer. ``nonce`` is the request's; ``answer_nonce`` the GPU's own.

    ``parameters`` are the answer's two bytes whose meaning differs by SPDM version; kept as they came.
    """

    nonce: bytes
    slot: int
    blocks: tuple[Block, ...]
    answer_nonce: bytes
    opaque: tuple[tuple[int, bytes], ...]
    signature: bytes
    parameters: bytes = b"\0\0"

    @property
    def signed_bytes(self) -> bytes:
        """What the signature covers."""
        record = b"".join(block.encode() for block in self.blocks)
        opaque = b"".join(
            kind.to_bytes(2, "little") + len(data).to_bytes(2, "little") + data for kind, data in self.opaque
        )
        return (
            encode_request(self.nonce, self.slot)
            + bytes([VERSION, MEASUREMENTS, *self.parameters, len(self.blocks)])
            + len(record).to_bytes(3, "little")
            + record
            + self.answer_nonce
            + len(opaque).to_bytes(2, "little")
            + opaque
        )

    def encode(self) -> bytes:
        """The whole report: request, answer, signature."""
        return self.signed_bytes + self.signature

    def opaque_field(self, kind: int) -> bytes | None:
        """The opaque data of that type, if the GPU sent any."""
        return next((data for known, data in self.opaque if known == kind), None)

    def measured(self) -> dict[int, bytes]:
        """Digest by index, without the blocks that hold only zeros: those measure nothing."""
        return {b.index: b.value for b in self.blocks if any(b.value)}


def encode_request(nonce: bytes, slot: int = 0) -> bytes:
    """GET_MEASUREMENTS for all blocks, signed, with a nonce of 32 bytes.

    Raises
    ------
    ValueError
        If the nonce has not 32 bytes, or the slot is not 0 to 7.
    """
    if len(nonce) != NONCE_BYTES:
        raise ValueError(f"nonce has {len(nonce)} bytes; SPDM's has {NONCE_BYTES}")
    if slot not in range(8):
        raise ValueError(f"slot={slot!r}: a device has certificate slots 0 to 7")
    return bytes([VERSION, GET_MEASUREMENTS, SIGN, ALL_BLOCKS]) + nonce + bytes([slot])


def parse_request(data: bytes) -> tuple[bytes, int]:
    """The nonce and the slot of a request.

    Raises
    ------
    MalformedReport
        If it is no such request.
    """
    reader = _Reader(data)
    request = _read_request(reader)
    reader.end()
    return request


def parse(data: bytes) -> Report:
    """Read a report; ``parse(report.encode()) == report``, and every byte is accounted for.

    Raises
    ------
    TypeError
        If ``data`` is not bytes.
    MalformedReport
        If anything is missing, left over, or not as the layout has it; the message says which field.
    """
    if not isinstance(data, bytes | bytearray | memoryview):
        raise TypeError(f"data must be the report's bytes, not {type(data).__name__}")
    reader = _Reader(bytes(data))
    nonce, slot = _read_request(reader)
    reader.expect(VERSION, "version of the answer")
    reader.expect(MEASUREMENTS, "code of the answer")
    parameters = reader.take(2, "parameters of the answer")
    count = reader.number(1, "number of blocks")
    record = _Reader(reader.take(reader.number(3, "record length"), "measurement record"))
    blocks = tuple(_read_block(record, i) for i in range(1, count + 1))
    record.end()
    answer_nonce = reader.take(NONCE_BYTES, "nonce of the answer")
    opaque = _Reader(reader.take(reader.number(2, "opaque length"), "opaque data"))
    fields = tuple(_read_opaque(opaque))
    signature = reader.take(SIGNATURE_BYTES, "signature")
    reader.end()
    return Report(nonce, slot, blocks, answer_nonce, fields, signature, parameters)


class _Reader:
    """Takes fields off the front of some bytes and says what is wrong by the field's name."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def take(self, size: int, field: str) -> bytes:
        left = len(self.data) - self.at
        if size > left:
            raise MalformedReport(f"{field}: {size} bytes are announced at offset {self.at}, {left} are left")
        self.at += size
        return self.data[self.at - size : self.at]

    def number(self, size: int, field: str) -> int:
        return int.from_bytes(self.take(size, field), "little")

    def expect(self, value: int, field: str) -> None:
        found = self.number(1, field)
        if found != value:
            raise MalformedReport(f"{field}: expected {value:#04x}, found {found:#04x}")

    def end(self) -> None:
        left = len(self.data) - self.at
        if left:
            raise MalformedReport(f"{left} bytes are left over at offset {self.at}")


def _read_request(reader: _Reader) -> tuple[bytes, int]:
    reader.expect(VERSION, "version of the request")
    reader.expect(GET_MEASUREMENTS, "code of the request")
    reader.expect(SIGN, "sign flag of the request")
    reader.expect(ALL_BLOCKS, "blocks asked for")
    nonce = reader.take(NONCE_BYTES, "nonce of the request")
    slot = reader.number(1, "slot of the request")
    if slot > 7:
        raise MalformedReport(f"slot of the request: {slot}, but a device has slots 0 to 7")
    return nonce, slot


def _read_block(record: _Reader, index: int) -> Block:
    field = f"measurement block {index}"
    record.expect(index, f"index of {field}")
    record.expect(DMTF_SPECIFICATION, f"specification of {field}")
    size = record.number(2, f"size of {field}")
    kind = record.number(1, f"kind of {field}")
    value_size = record.number(2, f"value size of {field}")
    if size != value_size + 3:
        raise MalformedReport(f"{field}: size {size} does not hold a value of {value_size} bytes")
    if value_size != DIGEST_BYTES:
        raise MalformedReport(f"{field}: a SHA-384 digest has {DIGEST_BYTES} bytes, not {value_size}")
    return Block(index, kind, record.take(value_size, f"value of {field}"))


def _read_opaque(opaque: _Reader):
    while opaque.at < len(opaque.data):
        kind = opaque.number(2, "type of opaque data")
        yield kind, opaque.take(opaque.number(2, "size of opaque data"), f"opaque data of type {kind}")
