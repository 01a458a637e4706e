"""Four ways to use the bounce buffer, each one mechanism stronger, and what each attack does to them.

Plain: as without confidential computing. Encrypted: AES-CTR, secrecy only. Authenticated: AES-GCM, but the
receiver believes any counter. Counted: the channel of this package. All run; nothing is looked up.
"""

from dataclasses import dataclass

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from hopperlab.models.confidential.channel import COUNTER_BYTES, DIRECTIONS, Channel, TrafficKey
from hopperlab.models.confidential.errors import Refused
from hopperlab.models.confidential.keys import derive

LAYERS = ("plain", "encrypted", "authenticated", "counted")
DATA_ATTACKS = ("read", "change", "replay", "reorder")
MESSAGES = (b"pay 100 to Alice", b"pay 250 to Bob")
CHANGED_BIT = 8 * 4 + 4
"""The bit that makes "pay 100" into "pay 900": whoever knows the text can aim, even through AES-CTR."""


@dataclass(frozen=True)
class Outcome:
    """What one attack did to one layer: whether it succeeded, what arrived, and any refusal."""

    layer: str
    attack: str
    succeeded: bool
    arrived: tuple[bytes, ...]
    error: Refused | None


def attack_layer(layer: str, attack: str) -> Outcome:
    """Send the two messages through a layer under an attack.

    Raises
    ------
    ValueError
        For an unknown layer or attack.
    """
    if layer not in LAYERS:
        raise ValueError(f"layer={layer!r}: the layers are {', '.join(map(repr, LAYERS))}")
    if attack not in DATA_ATTACKS:
        raise ValueError(f"attack={attack!r}: the attacks are {', '.join(map(repr, DATA_ATTACKS))}")
    sent = [_seal(layer, counter, message) for counter, message in enumerate(MESSAGES)]
    arrived, error = _receive(layer, _attacked(layer, attack, sent))
    if attack == "read":
        succeeded = any(message in envelope for message, envelope in zip(MESSAGES, sent, strict=True))
    else:
        succeeded = error is None and arrived != MESSAGES
    return Outcome(layer, attack, succeeded, arrived, error)


def matrix() -> tuple[Outcome, ...]:
    """Every attack on every layer, layer by layer."""
    return tuple(attack_layer(layer, attack) for layer in LAYERS for attack in DATA_ATTACKS)


def _key(layer: str) -> bytes:
    return derive(b"the layers' secret", layer)


def _keystream(layer: str, counter: bytes, data: bytes) -> bytes:
    """AES-CTR: the same for both directions, and no tag."""
    return Cipher(algorithms.AES(_key(layer)), modes.CTR(counter + bytes(8))).encryptor().update(data)


def _seal(layer: str, counter: int, message: bytes) -> bytes:
    header = counter.to_bytes(COUNTER_BYTES)
    if layer == "plain":
        return header + message
    if layer == "encrypted":
        return header + _keystream(layer, header, message)
    return TrafficKey(_key(layer), DIRECTIONS[0]).seal(counter, message)


def _attacked(layer: str, attack: str, sent: list[bytes]) -> list[bytes]:
    first, second = sent
    if attack == "change":
        changed = bytearray(first)
        bit = 8 * COUNTER_BYTES + CHANGED_BIT
        changed[bit // 8] ^= 0x80 >> bit % 8
        return [bytes(changed), second]
    return {"read": sent, "replay": [first, first], "reorder": [second, first]}[attack]


def _receive(layer: str, envelopes: list[bytes]) -> tuple[tuple[bytes, ...], Refused | None]:
    arrived: list[bytes] = []
    channel = Channel(TrafficKey(_key(layer), DIRECTIONS[0]))
    for envelope in envelopes:
        header, body = envelope[:COUNTER_BYTES], envelope[COUNTER_BYTES:]
        try:
            if layer == "plain":
                arrived.append(body)
            elif layer == "encrypted":
                arrived.append(_keystream(layer, header, body))
            elif layer == "authenticated":
                arrived.append(channel.key.open(envelope)[1])
            else:
                channel, message = channel.receive(envelope)
                arrived.append(message)
        except Refused as error:
            return tuple(arrived), error
    return tuple(arrived), None
