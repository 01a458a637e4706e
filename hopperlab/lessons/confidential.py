"""Lesson 15, confidential computing: its panels and figures.

from hopperlab.lessons import confidential as lesson
"""

import inspect
import textwrap
import time
from functools import cache
from pathlib import Path

from cryptography.hazmat.primitives.hashes import SHA384

from hopperlab.course.confidential import LESSON
from hopperlab.course.confidential.bench import Bench, buttons
from hopperlab.course.confidential.paths import AES_BYTES_PER_S, CHIP, FIXED_S
from hopperlab.course.confidential.specimens import SPECIMENS
from hopperlab.course.confidential.verifiers import FORGETTABLE, KINDS, checks
from hopperlab.course.report import Report, Table
from hopperlab.lessons.controls import choice, stepper, toggle
from hopperlab.lessons.panel import EventPanel, Panel, Step
from hopperlab.models.confidential import (
    ADVANTAGES_LOG2,
    ARRANGEMENTS,
    LESSON_ENTROPY,
    SECRET,
    WORKLOADS,
    Channel,
    Policy,
    Session,
    bus_path,
    bytes_per_key,
    chain_from_pem,
    copy_seconds,
    matrix,
    measure_aes,
    nvlink_path,
    open_session,
    overhead,
    parse,
    read_chain,
    rotation_blocks,
)
from hopperlab.models.confidential import inspect as inspect_report
from hopperlab.models.confidential.report import MODES
from hopperlab.views import confidential as views
from hopperlab.views.picture import Picture

predict, commit, reveal = LESSON.predict, LESSON.commit, LESSON.reveal
panel, quiz, summary = LESSON.panel, LESSON.quiz, LESSON.summary
exercise, check, hint, solution = LESSON.exercise, LESSON.check, LESSON.hint, LESSON.solution

SESSION_HEIGHT = 700
GB = 1e9
AES_RATES = (1.0, AES_BYTES_PER_S / GB, 10.0, 40.0)
"""GB/s to choose from: examples, from one slow core to many fast ones."""

MODEL_BYTES = 140e9
"""A model of 70 billion parameters in 16 bits: an example."""


# --- Play -------------------------------------------------------------------------------------------


def layers() -> Panel:
    """Four attacks on four ways to send a message: a table to guess, then to uncover."""
    outcomes = matrix()
    return Panel(
        "confidential.layers",
        lambda shown: views.layers(outcomes, hide=not shown),
        height=330,
        shown=toggle("Show what happened"),
    )


def bench() -> EventPanel:
    """The tampering bench: the next message passes under the tool that is chosen; undo takes it back."""
    return EventPanel("confidential.bench", Bench(), buttons(), _bench, height=SESSION_HEIGHT)


def _bench(history: tuple[Step, ...]) -> Picture:
    return views.bounce_buffer(history[-1].state.session)


# --- Program ----------------------------------------------------------------------------------------


@cache
def _honest() -> tuple[Session, ...]:
    """A session that nobody disturbs, before its first message and after each."""
    states = [open_session(SECRET, entropy=LESSON_ENTROPY)]
    while states[-1].next is not None:
        states.append(states[-1].step())
    return tuple(states)


def protocol() -> Panel:
    """The protocol, message by message: forward, back, play."""
    states = _honest()
    return Panel(
        "confidential.protocol",
        lambda step: views.bounce_buffer(states[step]),
        height=SESSION_HEIGHT,
        step=stepper("Message", len(states) - 1, 0),
    )


def verifier() -> Panel:
    """The verifier's questions, with one forgotten, asked of each report of the bench."""
    forgotten = {"nothing": ""} | {name: name for name in FORGETTABLE}
    return Panel(
        "confidential.verifier",
        lambda kind, forgotten: views.verification(checks(kind, forgotten)),
        height=330,
        kind=choice("Report", {kind: kind for kind in KINDS}),
        forgotten=choice("Forgotten check", forgotten),
    )


def source() -> str:
    """How a receiver judges an envelope, as it is written."""
    return textwrap.dedent(inspect.getsource(Channel.receive)).rstrip()


# --- Break it ---------------------------------------------------------------------------------------


def specimens() -> Panel:
    """Nine attacks, each with the error that catches it and the check behind it."""
    return Panel(
        "confidential.specimens",
        lambda specimen: specimen.picture(),
        height=SESSION_HEIGHT + 140,
        specimen=choice("Attack", {specimen.attack.name: specimen for specimen in SPECIMENS}),
    )


# --- Explain ----------------------------------------------------------------------------------------


def outcome() -> Picture:
    """Every attack on every layer, uncovered."""
    return views.layers(matrix())


def keys() -> Report:
    """What one key may do before it is rotated, by the driver's law."""
    rows = [[_size(nbytes), *_per_key(nbytes)] for nbytes in (4 * 2**10, 64 * 2**10, 4 * 2**20)]
    low, high = min(ADVANTAGES_LOG2), max(ADVANTAGES_LOG2)
    return Report(
        Table(["message", "GB a key, by default", "loads of a 140 GB model"], rows),
        f"Modelled: {rotation_blocks():,} blocks a key by default (conf-011.b); "
        f"{16 * rotation_blocks(low) / GB:,.0f} GB for the least strict setting, a = {low}, and "
        f"{16 * rotation_blocks(high) / GB:,.1f} GB for the strictest, a = {high}.",
    )


def _size(nbytes: int) -> str:
    return f"{nbytes >> 20} MiB" if nbytes >= 2**20 else f"{nbytes >> 10} KiB"


def _per_key(nbytes: int) -> tuple[str, str]:
    total = bytes_per_key(nbytes)
    return f"{total / GB:.1f}", f"{total / MODEL_BYTES:.2f}"


def shipped() -> Report:
    """What was announced beside what shipped on Hopper."""
    rows = [[one.name, one.announced, one.shipped, one.claim] for one in ARRANGEMENTS]
    return Report(Table(["a VM holds", "announced", "shipped on Hopper", "claims"], rows))


# --- Cost and Silicon -------------------------------------------------------------------------------


def cost() -> Panel:
    """How fast a copy crosses, by its size: chunks, AES, pipelining, and NVLink beside it."""
    return Panel(
        "confidential.cost",
        _cost,
        height=460,
        aes=choice("AES-GCM", {f"{rate:g} GB/s": rate for rate in AES_RATES}, value=AES_BYTES_PER_S / GB),
        chunk=choice("Bounce buffer", {_size(n): n for n in (2**16, 2**20, 2**24)}, value=2**20),
        fixed=choice("Fixed time a chunk", {f"{n} µs": n for n in (0, 10, 50)}, value=round(1e6 * FIXED_S)),
    )


def _cost(aes: float, chunk: int, fixed: int) -> Picture:
    sealed = {"encrypt_bytes_per_s": aes * GB, "chunk_bytes": chunk, "fixed_s": fixed * 1e-6}
    paths = {
        "without": bus_path(CHIP),
        "one after another": bus_path(CHIP, **sealed),
        "pipelined": bus_path(CHIP, **sealed, pipelined=True),
        "NVLink, plain": nvlink_path(CHIP),
    }
    return views.copy_rates(paths, [4**power for power in range(5, 17)])


def workloads() -> Report:
    """Four programs seen from the bus: how many times as long each takes, in turn and pipelined."""
    sealed = {"encrypt_bytes_per_s": AES_BYTES_PER_S, "fixed_s": FIXED_S}
    plain = bus_path(CHIP)
    ways = (bus_path(CHIP, **sealed), bus_path(CHIP, **sealed, pipelined=True))
    rows = [
        [one.name, f"{sum(n * size for n, size in one.copies) / 1e6:,.4g}"]
        + [f"{1 + overhead(one, way, plain):.4g}x" for way in ways]
        for one in WORKLOADS
    ]
    return Report(
        Table(["modelled", "MB over the bus", "one after another", "pipelined"], rows),
        f"AES at {AES_BYTES_PER_S / GB:g} GB/s, a bus of {plain.bus_bytes_per_s / GB:g} GB/s one way, "
        f"{1e6 * FIXED_S:g} µs a chunk of 1 MiB: examples, to be replaced by your own.",
    )


def published() -> Picture:
    """Published overheads, which disagree because their crossings do."""
    return views.published_overheads()


def here() -> Report:
    """AES-256-GCM on one thread of this machine, measured now, and what it makes of a 140 GB model."""
    rows = []
    for nbytes in (4 * 2**10, 256 * 2**10, 4 * 2**20):
        found = measure_aes(time.perf_counter, nbytes)
        low, high = min(found.samples) / GB, max(found.samples) / GB
        path = bus_path(CHIP, encrypt_bytes_per_s=found.bytes_per_s, chunk_bytes=nbytes)
        seconds = copy_seconds(MODEL_BYTES, path)
        rows.append(
            [_size(nbytes), f"{found.bytes_per_s / GB:.2f}", f"{low:.2f} to {high:.2f}", f"{seconds:.0f} s"]
        )
    header = ["message", "measured here, GB/s", "lowest to highest", "modelled: 140 GB to the GPU"]
    return Report(Table(header, rows), "One thread; the median of five samples.")


# --- A report of a real GPU -------------------------------------------------------------------------


def verify_file(report_file: str | Path, chain_file: str | Path, root: bytes | None = None) -> Picture:
    """Ask the verifier's questions of a report of a real GH100, from two files that you supply.

    Parameters
    ----------
    report_file
        Request and response in SPDM's layout, as bytes or as hexadecimal text.
    chain_file
        The GPU's certificates, in PEM.
    root
        SHA-384 of the root certificate that you trust. Without it the file's own root is believed, and the
        picture proves no more than that the file fits together.

    Raises
    ------
    OSError
        If a file cannot be read.
    Refused
        If a file is no report, or no chain.
    """
    report, chain = _as_bytes(Path(report_file).read_bytes()), chain_from_pem(Path(chain_file).read_bytes())
    own_root = read_chain(chain)[0].fingerprint(SHA384())
    policy = Policy(root=root or own_root, measurements={}, modes=tuple(MODES.values()))
    return views.verification(inspect_report(report, chain, nonce=parse(report).nonce, policy=policy))


def _as_bytes(data: bytes) -> bytes:
    """The bytes of a file that holds them, or holds them in hexadecimal."""
    try:
        return bytes.fromhex(data.decode("ascii"))
    except ValueError:
        return data


LESSON.panels = {
    "layers": layers,
    "bench": bench,
    "protocol": protocol,
    "verifier": verifier,
    "specimens": specimens,
    "cost": cost,
}
