"""How fast this machine encrypts: the one function of this package that reads a clock, which it is given."""

from collections.abc import Callable
from dataclasses import dataclass
from statistics import median

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from hopperlab.models.confidential.channel import IV_BYTES, KEY_BYTES, TAG_BYTES


@dataclass(frozen=True)
class Throughput:
    """AES-256-GCM on one thread of this machine, for one message size.

    ``samples`` are bytes per second, one for each timed round, in the order of measuring.
    """

    message_bytes: int
    samples: tuple[float, ...]

    @property
    def bytes_per_s(self) -> float:
        """The median of the samples."""
        return median(self.samples)


def measure_aes(
    clock: Callable[[], float], message_bytes: int = 2**18, *, rounds: int = 5, round_s: float = 0.02
) -> Throughput:
    """Encrypt messages of this size into a buffer that is kept, and time it.

    The IVs count up from zero under a key made for this call and thrown away with it.

    Parameters
    ----------
    clock
        Seconds, rising: ``time.perf_counter``.
    message_bytes
        From 1 byte to 1 GiB.
    rounds
        Samples to take, 1 or more.
    round_s
        Least time of a sample, in seconds.

    Raises
    ------
    ValueError
        For sizes, rounds or times out of range.
    """
    if not 1 <= message_bytes <= 2**30:
        raise ValueError(f"message_bytes={message_bytes}: a message has 1 byte to 1 GiB")
    if rounds < 1:
        raise ValueError(f"rounds={rounds}: at least one sample is needed")
    if not 0 < round_s <= 10:
        raise ValueError(f"round_s={round_s}: a sample takes above 0 and at most 10 seconds")
    aes = AESGCM(AESGCM.generate_key(8 * KEY_BYTES))
    message = memoryview(bytes(message_bytes))
    sealed = bytearray(message_bytes + TAG_BYTES)
    counter = 0
    samples = []
    for _ in range(rounds):
        begun, done = clock(), 0
        while (spent := clock() - begun) < round_s:
            aes.encrypt_into(counter.to_bytes(IV_BYTES), message, None, sealed)
            counter += 1
            done += message_bytes
        samples.append(done / spent)
    return Throughput(message_bytes, tuple(samples))
