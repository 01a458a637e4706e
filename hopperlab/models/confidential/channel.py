"""The encrypted channel: one AES-256-GCM key a direction, IVs that count, and a receiver that counts too.

An IV must never seal two different messages under one key. Here that cannot be done: the record of used
IVs belongs to the key, not to the object that holds it, so stepping back or building a second channel from
the same key does not give an IV back. Sealing the same message again gives the same bytes again.
"""

from dataclasses import dataclass, replace

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from hopperlab.models.confidential.errors import (
    CounterExhausted,
    KeyWornOut,
    NonceReuse,
    OutOfOrderMessage,
    ReplayedMessage,
    TamperedMessage,
)
from hopperlab.models.confidential.keys import derive, digest
from hopperlab.models.confidential.rotation import rotation_blocks, work

DIRECTIONS = ("host to device", "device to host")
"""Each has a key of its own and its own fixed part of the IV: even and odd, as in the driver (conf-013)."""

KEY_BYTES, IV_BYTES, TAG_BYTES, COUNTER_BYTES = 32, 12, 16, 8
OVERHEAD_BYTES = COUNTER_BYTES + TAG_BYTES
MAX_MESSAGE_BYTES = 2**31 - 1 - TAG_BYTES  # one call of the library

_sealed: dict[tuple[bytes, bytes], bytes] = {}
"""For every key and IV that this process used: the digest of what it sealed. Never forgets."""


class TrafficKey:
    """An AES-256-GCM key for one direction. It never shows itself, and it remembers its IVs."""

    __slots__ = ("__aes", "__key", "direction", "fingerprint")

    def __init__(self, key: bytes, direction: str) -> None:
        """Take a key of 32 bytes; ValueError for another length or direction."""
        if direction not in DIRECTIONS:
            raise ValueError(f"direction={direction!r}: there are {', '.join(map(repr, DIRECTIONS))}")
        if len(key) != KEY_BYTES:
            raise ValueError(f"key has {len(key)} bytes; AES-256 takes {KEY_BYTES}")
        self.__key = bytes(key)
        self.__aes = AESGCM(self.__key)
        self.direction = direction
        self.fingerprint = digest(self.__key)

    def __repr__(self) -> str:
        """Only the direction: a key is not printed."""
        return f"TrafficKey({self.direction!r})"

    def __reduce__(self):
        """Refuse to be copied or pickled."""
        raise TypeError("a traffic key does not leave the process")

    def iv(self, counter: int) -> bytes:
        """The 96-bit IV: 32 fixed bits for the direction, then the counter (SP 800-38D, 8.2.1).

        Raises
        ------
        CounterExhausted
            If the counter is not within 64 bits.
        """
        if not 0 <= counter < 2 ** (8 * COUNTER_BYTES):
            raise CounterExhausted(f"counter={counter}: a key counts from 0 to 2**64 - 1")
        return DIRECTIONS.index(self.direction).to_bytes(4) + counter.to_bytes(COUNTER_BYTES)

    def seal(self, counter: int, message: bytes) -> bytes:
        """Counter, ciphertext and tag.

        Raises
        ------
        NonceReuse
            If this counter has sealed another message under this key, in this process, through any object.
        CounterExhausted
            If the counter is not within 64 bits.
        ValueError
            If the message is longer than one call may take.
        """
        if len(message) > MAX_MESSAGE_BYTES:
            raise ValueError(f"message has {len(message)} bytes; one call takes {MAX_MESSAGE_BYTES} at most")
        iv = self.iv(counter)
        content = digest(message)
        if _sealed.setdefault((self.fingerprint, iv), content) != content:
            raise NonceReuse(
                f"counter {counter} of this {self.direction} key has already sealed another message; "
                "two messages under one IV give away both"
            )
        return counter.to_bytes(COUNTER_BYTES) + self.__aes.encrypt(iv, message, None)

    def open(self, envelope: bytes) -> tuple[int, bytes]:
        """The counter and the message of an envelope that this key sealed.

        Raises
        ------
        TamperedMessage
            If the envelope is too short, or anything in it was changed.
        """
        if len(envelope) < OVERHEAD_BYTES:
            raise TamperedMessage(
                f"an envelope has at least {OVERHEAD_BYTES} bytes (counter and tag), this one has {len(envelope)}"
            )
        counter = int.from_bytes(envelope[:COUNTER_BYTES])
        try:
            return counter, self.__aes.decrypt(self.iv(counter), envelope[COUNTER_BYTES:], None)
        except InvalidTag:
            raise TamperedMessage(
                f"the tag of the envelope with counter {counter} does not fit its bytes"
            ) from None

    def successor(self) -> "TrafficKey":
        """The key that follows this one when it is rotated: both ends derive it, nothing crosses the bus."""
        return TrafficKey(derive(self.__key, "traffic update"), self.direction)


@dataclass(frozen=True)
class Channel:
    """One end of one direction: its key, the counter that comes next, and how worn the key is.

    Immutable: sending or receiving gives the next state along with the bytes.

    Parameters
    ----------
    key
        The direction's key.
    counter
        Of the next message.
    worked, limit
        Blocks of work that the key has done and may do; see ``rotation``.
    generation
        How often the key was rotated.
    """

    key: TrafficKey
    counter: int = 0
    worked: int = 0
    generation: int = 0
    limit: int = rotation_blocks()

    def send(self, message: bytes) -> tuple["Channel", bytes]:
        """Seal a message under the next counter.

        Raises
        ------
        KeyWornOut
            If the key's limit would be passed: ``rotate`` first.
        NonceReuse
            If another message was already sent from this very state.
        """
        after = self._after(len(message))
        return after, self.key.seal(self.counter, message)

    def receive(self, envelope: bytes) -> tuple["Channel", bytes]:
        """Open an envelope, if it is genuine and the next one.

        Raises
        ------
        TamperedMessage
            If anything in it was changed.
        ReplayedMessage, OutOfOrderMessage
            If it is genuine but older, or newer, than the next.
        """
        counter, message = self.key.open(envelope)
        if counter < self.counter:
            raise ReplayedMessage(f"counter {counter} has been received; the next is {self.counter}")
        if counter > self.counter:
            raise OutOfOrderMessage(f"counter {counter} has come before {self.counter}")
        return self._after(len(message)), message

    def rotate(self) -> "Channel":
        """The state after a key rotation: the next key, counting from zero."""
        return Channel(self.key.successor(), generation=self.generation + 1, limit=self.limit)

    def ready_for(self, nbytes: int) -> "Channel":
        """This state, or the rotated one if the key cannot do a message of this size any more.

        Both ends count the same work, so both rotate before the same message.
        """
        return self.rotate() if self.worked + work(nbytes, 1) > self.limit else self

    def _after(self, nbytes: int) -> "Channel":
        worked = self.worked + work(nbytes, 1)
        if worked > self.limit:
            raise KeyWornOut(f"the key would have done {worked} blocks of work; its limit is {self.limit}")
        return replace(self, counter=self.counter + 1, worked=worked)


def traffic_keys(secret: bytes, context: bytes) -> dict[str, TrafficKey]:
    """Both directions' keys of a session, from the agreed secret and the digest of the handshake."""
    return {d: TrafficKey(derive(secret, f"traffic {d}", context, KEY_BYTES), d) for d in DIRECTIONS}
