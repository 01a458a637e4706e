"""A confidential session, message by message: six to shake hands, then one for each crossing of the bus.

Everything passes through memory that the hypervisor holds. Each step takes a message from its sender,
lets a tool of the hypervisor have it, and hands what is left to the receiver, who accepts or refuses. States
are immutable: ``step`` gives the next, ``back`` the one before.

The handshake follows SPDM's order with its key exchange, its report and its finish; the names in a message
are shortened, the cryptography is not.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from hopperlab.models.confidential import report as spdm
from hopperlab.models.confidential.chain import public_key, read_chain
from hopperlab.models.confidential.channel import DIRECTIONS, OVERHEAD_BYTES, Channel, traffic_keys
from hopperlab.models.confidential.errors import (
    BadFinish,
    BadSignature,
    ForgedKeyExchange,
    NothingCame,
    Refused,
)
from hopperlab.models.confidential.keys import (
    SHARE_BYTES,
    agree,
    check_signature,
    derive,
    digest,
    mac,
    private_key,
    share,
    sign,
)
from hopperlab.models.confidential.rotation import rotation_blocks
from hopperlab.models.confidential.trust import Gpu, boot, build_device
from hopperlab.models.confidential.verifier import Check, Policy, inspect

GUEST, GPU = "guest", "GPU"
DEFAULT_BUFFER_BYTES = 4096


@dataclass(frozen=True)
class Copy:
    """What a program in the guest copies: a direction and the bytes."""

    direction: str
    payload: bytes


@dataclass(frozen=True)
class Step:
    """One message: what was sent, what arrived (None: nothing), and what the receiver said to it.

    ``message`` is what a data message held, as the receiver read it; ``checks`` are the verifier's.
    """

    name: str
    sender: str
    receiver: str
    sent: bytes
    delivered: bytes | None
    tool: str
    said: str
    error: Refused | None = None
    message: bytes | None = None
    checks: tuple[Check, ...] = ()


@dataclass(frozen=True)
class End:
    """What one end knows: the handshake as it saw it, the agreed secret, and its channels by direction."""

    transcript: bytes = b""
    secret: bytes = field(default=b"", repr=False)
    channels: tuple[tuple[str, Channel], ...] = ()

    def channel(self, direction: str) -> Channel:
        """Its end of one direction's channel."""
        return dict(self.channels)[direction]

    def with_channel(self, direction: str, channel: Channel) -> "End":
        """The same end with that channel moved on."""
        return replace(self, channels=tuple((dict(self.channels) | {direction: channel}).items()))

    def heard(self, message: bytes) -> "End":
        """The same end with one more message in its handshake."""
        return replace(self, transcript=self.transcript + message)


Tool = Callable[["Session", bytes], bytes | None]
"""What the hypervisor does to a message: takes the session and the message, gives what arrives or None."""


@dataclass(frozen=True)
class Session:
    """The state of a session after some messages. Build one with ``open_session``."""

    gpu: Gpu
    policy: Policy
    copies: tuple[Copy, ...]
    entropy: bytes = field(repr=False)
    key_limit: int
    buffer_bytes: int
    steps: tuple[Step, ...] = ()
    guest: End = End()
    device: End = End()
    chain: bytes = field(default=b"", repr=False)
    before: "Session | None" = field(default=None, repr=False, compare=False)

    @property
    def plan(self) -> tuple[str, ...]:
        """The names of all messages of this session, in order."""
        return (*HANDSHAKE, *(f"copy {copy.direction}" for copy in self.copies))

    @property
    def next(self) -> str | None:
        """The name of the next message; None at the end, or after a refusal."""
        if self.error is not None or len(self.steps) == len(self.plan):
            return None
        return self.plan[len(self.steps)]

    @property
    def error(self) -> Refused | None:
        """Why the session ended early, if it did."""
        return self.steps[-1].error if self.steps else None

    @property
    def received(self) -> tuple[tuple[str, bytes], ...]:
        """Direction and content of every message that was accepted."""
        return tuple(
            (step.name.removeprefix("copy "), step.message) for step in self.steps if step.message is not None
        )

    @property
    def buffer(self) -> bytes:
        """The bounce buffer as it lies in shared memory now: the last copy as the hypervisor left it, then zeros."""
        copies = [step for step in self.steps if step.name not in HANDSHAKE]
        held = (
            b"" if not copies else copies[-1].sent if copies[-1].delivered is None else copies[-1].delivered
        )
        return held.ljust(self.buffer_bytes, b"\0")

    def back(self) -> "Session":
        """The state before the last message.

        Raises
        ------
        ValueError
            If there is none.
        """
        if self.before is None:
            raise ValueError("the session has not begun: there is no step to take back")
        return self.before

    def step(self, tool: Tool | None = None, *, name: str = "") -> "Session":
        """The state after the next message.

        Parameters
        ----------
        tool
            What the hypervisor does to it on its way; by default nothing.
        name
            What to call the tool in the step; by default its own name.

        Raises
        ------
        ValueError
            If the session has ended.
        """
        message = self.next
        if message is None:
            raise ValueError("the session has ended: no message is left to send")
        protocol = HANDSHAKE.get(message) or _copy_protocol(self.copies[len(self.steps) - len(HANDSHAKE)])
        sent, after = protocol.send(self)
        delivered = sent if tool is None else tool(self, sent)
        step = Step(
            message,
            protocol.sender,
            protocol.receiver,
            sent,
            delivered,
            name or getattr(tool, "__name__", "").replace("_", " "),
            "nothing arrived",
        )
        if delivered is not None:
            step, after = protocol.judge(after, step)
        elif message in HANDSHAKE:
            step = replace(
                step, error=NothingCame(f"the {message} never came; the {protocol.receiver} waits")
            )
        return replace(after, steps=(*self.steps, step), before=self)

    def run(self) -> "Session":
        """The state at the end, with nobody in the way of the messages that are left."""
        session = self
        while session.next is not None:
            session = session.step()
        return session


def open_session(
    copies: Sequence[Copy] = (),
    *,
    gpu: Gpu | None = None,
    policy: Policy | None = None,
    entropy: bytes,
    buffer_bytes: int = DEFAULT_BUFFER_BYTES,
    key_limit: int | None = None,
) -> Session:
    """A session before its first message.

    Parameters
    ----------
    copies
        What the program will copy; each becomes one message for every bounce buffer that it fills.
    gpu
        By default a genuine GPU with genuine firmware.
    policy
        By default this workbook's root and reference measurements.
    entropy
        48 bytes or more that the guest draws its secrets from: ``os.urandom(48)`` for a session of one's own.
        The same entropy and the same copies give the same session, byte for byte.
    buffer_bytes
        Size of the bounce buffer: the largest message, with its counter and tag.
    key_limit
        Blocks of work after which a key is rotated; by default the driver's.

    Raises
    ------
    TypeError
        If entropy or a payload is not bytes.
    ValueError
        For an unknown direction, entropy under 48 bytes, or a buffer that holds no byte of payload.
    """
    for name, value in (("entropy", entropy), *(("payload", copy.payload) for copy in copies)):
        if not isinstance(value, bytes):
            raise TypeError(f"{name} must be bytes, not {type(value).__name__}")
    if len(entropy) < 48:
        raise ValueError(f"entropy has {len(entropy)} bytes; a P-384 key needs 48 or more")
    room = buffer_bytes - OVERHEAD_BYTES
    if room < 1:
        raise ValueError(f"buffer_bytes={buffer_bytes}: counter and tag alone take {OVERHEAD_BYTES}")
    chunks: list[Copy] = []
    for copy in copies:
        if copy.direction not in DIRECTIONS:
            raise ValueError(f"direction={copy.direction!r}: there are {', '.join(map(repr, DIRECTIONS))}")
        starts = range(0, max(len(copy.payload), 1), room)
        chunks.extend(Copy(copy.direction, copy.payload[at : at + room]) for at in starts)
    return Session(
        gpu=boot(build_device()) if gpu is None else gpu,
        policy=Policy() if policy is None else policy,
        copies=tuple(chunks),
        entropy=entropy,
        key_limit=rotation_blocks() if key_limit is None else key_limit,
        buffer_bytes=buffer_bytes,
    )


# --- Who says what, and what the other end makes of it -----------------------------------------------------


@dataclass(frozen=True)
class Protocol:
    """One message: who sends it to whom, how it is made, and how it is judged."""

    sender: str
    receiver: str
    send: Callable[[Session], tuple[bytes, Session]]
    receive: Callable[[Session, bytes], tuple[Session, str, dict]]

    def judge(self, session: Session, step: Step) -> tuple[Step, Session]:
        """Let the receiver have what arrived; its refusal becomes the step's error."""
        try:
            after, said, more = self.receive(session, step.delivered)
        except Refused as error:
            checks = getattr(error, "checks", ())
            return replace(step, said=str(error), error=error, checks=checks), session
        return replace(step, said=said, **more), after


def _context(session: Session) -> bytes:
    """What the guest's secrets depend on besides its entropy: all that it is going to say."""
    said = b"".join(digest(copy.direction.encode() + copy.payload) for copy in session.copies)
    return digest(said + session.key_limit.to_bytes(8))


def _guest_key(session: Session):
    return private_key(session.entropy, "guest share", _context(session))


def _nonce(session: Session) -> bytes:
    return derive(session.entropy, "nonce", _context(session), spdm.NONCE_BYTES)


def _send_chain(session: Session) -> tuple[bytes, Session]:
    chain = session.gpu.chain
    return chain, replace(session, device=session.device.heard(chain))


def _receive_chain(session: Session, message: bytes):
    certificates = read_chain(message)
    public_key(certificates[-1])
    guest = session.guest.heard(message)
    return replace(session, guest=guest, chain=message), f"{len(certificates)} certificates, judged later", {}


def _send_share(session: Session) -> tuple[bytes, Session]:
    message = share(_guest_key(session))
    return message, replace(session, guest=session.guest.heard(message))


def _receive_share(session: Session, message: bytes):
    device = session.device.heard(message)
    mine = private_key(session.gpu.device.secret, "session share", digest(device.transcript))
    device = replace(device, secret=agree(mine, message))
    return replace(session, device=device), "a point of P-384", {}


def _send_answer(session: Session) -> tuple[bytes, Session]:
    device = session.device
    mine = share(private_key(session.gpu.device.secret, "session share", digest(device.transcript)))
    message = mine + sign(session.gpu.key, device.transcript + mine)
    return message, replace(session, device=device.heard(message))


def _receive_answer(session: Session, message: bytes):
    theirs, signature = message[:SHARE_BYTES], message[SHARE_BYTES:]
    try:
        check_signature(
            public_key(read_chain(session.chain)[-1]), signature, session.guest.transcript + theirs
        )
    except BadSignature as error:
        raise ForgedKeyExchange(f"the answer to the key exchange: {error}") from None
    guest = session.guest.heard(message)
    guest = replace(guest, secret=agree(_guest_key(session), theirs))
    return replace(session, guest=guest), "signed by the GPU over this exchange", {}


def _send_request(session: Session) -> tuple[bytes, Session]:
    message = spdm.encode_request(_nonce(session))
    return message, replace(session, guest=session.guest.heard(message))


def _receive_request(session: Session, message: bytes):
    spdm.parse_request(message)
    return replace(session, device=session.device.heard(message)), "a request for all measurements", {}


def _send_report(session: Session) -> tuple[bytes, Session]:
    message = session.gpu.attest(session.device.transcript[-spdm.REQUEST_BYTES :])
    return message, replace(session, device=session.device.heard(message))


def _receive_report(session: Session, message: bytes):
    checks = inspect(message, session.chain, nonce=_nonce(session), policy=session.policy)
    error = next((check.error for check in checks if check.error is not None), None)
    if error is not None:
        error.checks = checks
        raise error
    guest = session.guest.heard(message)
    return replace(session, guest=guest), "all checks pass: this GPU is trusted", {"checks": checks}


def _finished(end: End) -> bytes:
    return mac(derive(end.secret, "finished", digest(end.transcript)), end.transcript)


def _send_finish(session: Session) -> tuple[bytes, Session]:
    message = _finished(session.guest)
    return message, replace(session, guest=_with_channels(session.guest, session.key_limit))


def _receive_finish(session: Session, message: bytes):
    if message != _finished(session.device):
        raise BadFinish("the guest has seen another handshake than the GPU")
    device = _with_channels(session.device, session.key_limit)
    return replace(session, device=device), "both saw the same handshake; the channel is open", {}


def _with_channels(end: End, limit: int) -> End:
    keys = traffic_keys(end.secret, digest(end.transcript))
    return replace(end, channels=tuple((d, Channel(keys[d], limit=limit)) for d in DIRECTIONS))


HANDSHAKE: dict[str, Protocol] = {
    "certificate chain": Protocol(GPU, GUEST, _send_chain, _receive_chain),
    "key share": Protocol(GUEST, GPU, _send_share, _receive_share),
    "signed key share": Protocol(GPU, GUEST, _send_answer, _receive_answer),
    "measurement request": Protocol(GUEST, GPU, _send_request, _receive_request),
    "measurement report": Protocol(GPU, GUEST, _send_report, _receive_report),
    "finish": Protocol(GUEST, GPU, _send_finish, _receive_finish),
}
"""The six messages of the handshake, in order."""


def _copy_protocol(copy: Copy) -> Protocol:
    direction = copy.direction
    sender, receiver = (GUEST, GPU) if direction == DIRECTIONS[0] else (GPU, GUEST)
    ends = {GUEST: "guest", GPU: "device"}

    def send(session: Session) -> tuple[bytes, Session]:
        end: End = getattr(session, ends[sender])
        channel, envelope = end.channel(direction).ready_for(len(copy.payload)).send(copy.payload)
        return envelope, replace(session, **{ends[sender]: end.with_channel(direction, channel)})

    def receive(session: Session, message: bytes):
        end: End = getattr(session, ends[receiver])
        size = max(len(message) - OVERHEAD_BYTES, 0)
        channel, opened = end.channel(direction).ready_for(size).receive(message)
        after = replace(session, **{ends[receiver]: end.with_channel(direction, channel)})
        said = f"message {channel.counter - 1} under key {channel.generation}: genuine and next"
        return after, said, {"message": opened}

    return Protocol(sender, receiver, send, receive)
