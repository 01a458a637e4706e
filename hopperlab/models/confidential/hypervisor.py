"""The hypervisor's tools: what whoever owns the machine can do to messages and to the GPU.

A tool for ``Session.step`` takes the session and the message on its way and gives what arrives. ``ATTACKS``
plays each tool in a session and names the error that catches it; ``try_attack`` runs one.
"""

from collections.abc import Callable
from dataclasses import dataclass

from hopperlab.models.confidential import errors
from hopperlab.models.confidential.channel import DIRECTIONS
from hopperlab.models.confidential.errors import Refused
from hopperlab.models.confidential.keys import private_key, share, sign
from hopperlab.models.confidential.report import REQUEST_BYTES, encode_request
from hopperlab.models.confidential.session import Copy, Session, Tool, open_session
from hopperlab.models.confidential.trust import GENUINE, Firmware, Gpu, boot, build_device

LESSON_ENTROPY = b"the same bytes every time, so that every page of the lesson agrees"
EVIL = Firmware(firmware=b"GSP firmware 1.0, with a back door")
SECRET = (
    Copy(DIRECTIONS[0], b"pay 100 to Alice"),
    Copy(DIRECTIONS[0], b"pay 250 to Bob"),
    Copy(DIRECTIONS[1], b"balance: 650"),
)
"""What the lessons' program copies."""


# --- Tools on a message --------------------------------------------------------------------------------------


def read(session: Session, message: bytes) -> bytes:
    """Look at the message and pass it on."""
    return message


def flip_bit(bit: int) -> Tool:
    """Change one bit, counted from the first bit of the first byte.

    Raises
    ------
    ValueError
        When used on a message that has no such bit.
    """

    def flip_a_bit(session: Session, message: bytes) -> bytes:
        if not 0 <= bit < 8 * len(message):
            raise ValueError(f"bit={bit!r}: the message has bits 0 to {8 * len(message) - 1}")
        changed = bytearray(message)
        changed[bit // 8] ^= 0x80 >> bit % 8
        return bytes(changed)

    return flip_a_bit


def hold_back(session: Session, message: bytes) -> None:
    """Let nothing arrive; the next message of this direction then comes too early."""
    return None


def replay(session: Session, message: bytes) -> bytes:
    """Deliver the last message of the same kind once more, instead of this one.

    Raises
    ------
    ValueError
        If there is none yet.
    """
    earlier = [step.sent for step in session.steps if step.name == session.next]
    if not earlier:
        raise ValueError(f"no {session.next!r} has crossed the bus yet: there is nothing to replay")
    return earlier[-1]


def old_report(session: Session, message: bytes) -> bytes:
    """Deliver a genuine report of this GPU that answers an earlier question."""
    return session.gpu.attest(encode_request(b"asked a week ago".ljust(32)))


def my_key_share(session: Session, message: bytes) -> bytes:
    """Answer the key exchange instead of the GPU, signing with a key of one's own."""
    key = private_key(b"the hypervisor's own secret".ljust(48), "share")
    mine = share(key)
    return mine + sign(key, session.guest.transcript + mine)


# --- Tools on the GPU ----------------------------------------------------------------------------------------


def swapped_firmware(gpu: Gpu, *, lying: bool = False) -> Gpu:
    """The same GPU booted with a back door in its firmware, which may tell of genuine firmware instead."""
    return boot(gpu.device, EVIL, told=GENUINE if lying else None)


def forged_gpu() -> Gpu:
    """Something that runs genuine firmware under a chain with the right names, from another maker."""
    return boot(build_device(maker="forger"))


# --- The bench -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Attack:
    """One attack: what is done, where, and the error that catches it (None: it is let through).

    ``at`` is the message that the tool is used on; ``gpu`` replaces the GPU before the session.
    """

    name: str
    what: str
    caught_by: type[Refused] | None
    at: str = ""
    nth: int = 0
    tool: Tool | None = None
    gpu: Callable[[], Gpu] | None = None


_TO_DEVICE = f"copy {DIRECTIONS[0]}"
_ATTACKS = (
    Attack("read", "look into the bounce buffer", None, _TO_DEVICE, 0, read),
    Attack(
        "flip a bit",
        "change one bit of the ciphertext",
        errors.TamperedMessage,
        _TO_DEVICE,
        0,
        flip_bit(8 * 8 + 36),
    ),
    Attack("replay", "deliver the first message again", errors.ReplayedMessage, _TO_DEVICE, 1, replay),
    Attack(
        "reorder",
        "let the second message overtake the first",
        errors.OutOfOrderMessage,
        _TO_DEVICE,
        0,
        hold_back,
    ),
    Attack(
        "swap the firmware",
        "boot the GPU with a back door",
        errors.WrongMeasurement,
        gpu=lambda: swapped_firmware(boot(build_device())),
    ),
    Attack(
        "swap it and lie",
        "let the back door report genuine measurements",
        errors.LyingFirmware,
        gpu=lambda: swapped_firmware(boot(build_device()), lying=True),
    ),
    Attack(
        "forge the chain",
        "show certificates of another maker with the right names",
        errors.UntrustedRoot,
        gpu=forged_gpu,
    ),
    Attack(
        "replay a report",
        "deliver a report of last week",
        errors.StaleReport,
        "measurement report",
        0,
        old_report,
    ),
    Attack(
        "edit the report",
        "change one bit of a measurement",
        errors.BadSignature,
        "measurement report",
        0,
        flip_bit(8 * (REQUEST_BYTES + 30)),
    ),
    Attack(
        "stand in the middle",
        "answer the key exchange oneself",
        errors.ForgedKeyExchange,
        "signed key share",
        0,
        my_key_share,
    ),
)
ATTACKS = {attack.name: attack for attack in _ATTACKS}
"""Every attack of the bench by name."""


def try_attack(name: str, *, entropy: bytes = LESSON_ENTROPY) -> Session:
    """Play an attack in a session of ``SECRET`` and return its last state.

    Raises
    ------
    ValueError
        If there is no such attack.
    """
    if name not in ATTACKS:
        raise ValueError(f"name={name!r}: the attacks are {', '.join(map(repr, ATTACKS))}")
    attack = ATTACKS[name]
    session = open_session(SECRET, gpu=attack.gpu() if attack.gpu else None, entropy=entropy)
    passed = 0
    while session.next is not None:
        here = session.next == attack.at and passed == attack.nth
        passed += session.next == attack.at
        session = session.step(attack.tool, name=attack.name) if here else session.step()
    return session
