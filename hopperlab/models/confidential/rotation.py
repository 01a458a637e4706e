"""When a key is worn out: the law by which the driver rotates AES-GCM keys.

Each block and each call lets an attacker learn a little. The driver keeps the attacker's advantage below
2**-a and rotates at 2**((129 - a) / 2) - 1 blocks (claim conf-010), a bound of the draft on AEAD limits.
"""

from math import isqrt

BLOCK_BYTES = 16
DEFAULT_ADVANTAGE_LOG2 = 60
ADVANTAGES_LOG2 = range(50, 66)
"""The exponents that the driver has a threshold for; 60 is its default (conf-011)."""

EARLY_BLOCKS = 10**9
"""How far below the limit the driver begins to rotate (conf-012)."""


def rotation_blocks(advantage_log2: int = DEFAULT_ADVANTAGE_LOG2) -> int:
    """Blocks after which a key must be rotated.

    Parameters
    ----------
    advantage_log2
        ``a`` in "the attacker's advantage stays below 2**-a", from 50 to 65. The driver's own table is
        this law within one block.

    Raises
    ------
    TypeError
        If it is no whole number.
    ValueError
        If the driver has no threshold for it.
    """
    if not isinstance(advantage_log2, int) or isinstance(advantage_log2, bool):
        raise TypeError(f"advantage_log2 must be a whole number, not {type(advantage_log2).__name__}")
    if advantage_log2 not in ADVANTAGES_LOG2:
        raise ValueError(f"advantage_log2={advantage_log2}: the driver takes 50 to 65")
    return (isqrt(2 ** (131 - advantage_log2)) + 1) // 2 - 1  # the root rounded, in whole numbers


def work(nbytes: int, calls: int) -> int:
    """What encrypting costs a key: its 16-byte blocks, begun ones counted whole, and one for each call."""
    if nbytes < 0 or calls < 0:
        raise ValueError(f"nbytes={nbytes}, calls={calls}: neither can be negative")
    return -(-nbytes // BLOCK_BYTES) + calls


def bytes_per_key(message_bytes: int, advantage_log2: int = DEFAULT_ADVANTAGE_LOG2) -> int:
    """Bytes that one key may encrypt in messages of this size; small messages wear it out sooner.

    Raises
    ------
    ValueError
        If the message has no byte, or for an exponent outside 50 to 65.
    """
    if message_bytes < 1:
        raise ValueError(f"message_bytes={message_bytes}: a message has at least one byte")
    return rotation_blocks(advantage_log2) // work(message_bytes, 1) * message_bytes
