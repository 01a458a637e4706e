"""The tampering bench: what the hypervisor did so far, and the session that comes of it.

A session holds keys, and keys are not copied; so the state of the bench is the list of what was done, and the
session is played again from it. The same deeds give the same session, byte for byte.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache

from hopperlab.models.confidential import (
    LESSON_ENTROPY,
    SECRET,
    Gpu,
    Session,
    boot,
    build_device,
    flip_bit,
    forged_gpu,
    hold_back,
    my_key_share,
    old_report,
    open_session,
    read,
    replay,
    swapped_firmware,
)

PASS_ON = "Pass on"
MIDDLE_BIT = 8 * 20 + 4
"""A bit that every message has: of the body of each, past any header."""

TOOLS = {
    PASS_ON: None,
    "Read": read,
    "Flip a bit": flip_bit(MIDDLE_BIT),
    "Hold back": hold_back,
    "Replay": replay,
    "Old report": old_report,
    "My key share": my_key_share,
}
"""What can be done to the next message."""

USED_ON = {"Old report": "measurement report", "My key share": "signed key share"}
"""Tools that make sense on one message only."""

GPUS: dict[str, Callable[[], Gpu]] = {
    "Swap the firmware": lambda: swapped_firmware(boot(build_device())),
    "Swap it and lie": lambda: swapped_firmware(boot(build_device()), lying=True),
    "Forge the chain": forged_gpu,
}
"""What can be done to the GPU before the first message."""


@dataclass(frozen=True)
class Bench:
    """What was done: to the GPU (empty: nothing), then to each message in turn."""

    gpu: str = ""
    tools: tuple[str, ...] = ()

    @property
    def session(self) -> Session:
        """The session as it stands."""
        return _played(self.gpu, self.tools)

    def use(self, tool: str) -> "Bench":
        """Let the next message pass under a tool; ValueError where it cannot be used."""
        session = self.session
        wanted = USED_ON.get(tool)
        if wanted is not None and session.next is not None and session.next != wanted:
            raise ValueError(f"it is for the {wanted}; the next message is the {session.next}")
        after = replace(self, tools=(*self.tools, tool))
        _played(after.gpu, after.tools)  # what cannot be done is refused now
        return after

    def tamper_with_gpu(self, deed: str) -> "Bench":
        """Do something to the GPU; ValueError once messages have passed."""
        if self.tools:
            raise ValueError("the session has begun: start over to get at the GPU before it boots")
        return replace(self, gpu=deed)


@lru_cache(maxsize=64)
def _played(gpu: str, tools: tuple[str, ...]) -> Session:
    if not tools:
        return open_session(SECRET, gpu=GPUS[gpu]() if gpu else None, entropy=LESSON_ENTROPY)
    *before, tool = tools
    name = "" if tool == PASS_ON else tool.lower()
    return _played(gpu, tuple(before)).step(TOOLS[tool], name=name)


def buttons() -> dict[str, Callable[[Bench], Bench]]:
    """The buttons of the bench: tools for the next message, then deeds to the GPU."""
    messages = {tool: (lambda bench, tool=tool: bench.use(tool)) for tool in TOOLS}
    gpus = {deed: (lambda bench, deed=deed: bench.tamper_with_gpu(deed)) for deed in GPUS}
    return messages | gpus
