"""The bounce buffer: guest, hypervisor and GPU, the messages as envelopes, and what each check says."""

from collections.abc import Iterator, Sequence
from textwrap import shorten, wrap

from hopperlab.models.confidential import CHECKS, GENUINE, HANDSHAKE, Check, Session, Step
from hopperlab.models.confidential.keys import digest
from hopperlab.views import svg
from hopperlab.views.confidential.marks import answer_mark
from hopperlab.views.picture import Picture
from hopperlab.views.svg import SMALLEST_TEXT, group, path, rect, text

WIDTH, MARGIN = 1060, 20
GUEST_RIGHT, BUFFER_LEFT, BUFFER_RIGHT, GPU_LEFT = 310, 366, 694, 750
LANES_TOP, ROW, ENVELOPE = 106, 68, 50
FIRST_ROW = LANES_TOP + 52
MOST_ROWS, ROWS_BEHIND = 10, 8
SIDE_COLUMNS, SUBTITLE_COLUMNS = 34, 118
BYTES_SHOWN = 10

SENDS = {
    "certificate chain": "who vouches for me",
    "key share": "my point for the key exchange",
    "signed key share": "my point, signed over what came",
    "measurement request": "a nonce that I just drew",
    "measurement report": "what was measured, signed",
    "finish": "a code over all that I saw",
}
"""What the sender means by each message of the handshake."""


def bounce_buffer(session: Session) -> Picture:
    """A session at its present step: what crossed, what the hypervisor saw and did, what the receiver said.

    Of a long session the last messages are drawn; the words tell of all.

    Parameters
    ----------
    session
        From ``open_session`` and its ``step``.
    """
    title, subtitle = _title(session), _subtitle(session)
    first = _first_row(session)
    rows = session.plan[first : first + MOST_ROWS]
    body = [text(MARGIN, 34, title, size=22, bold=True)]
    body += svg.lines(MARGIN, 60, subtitle, SUBTITLE_COLUMNS, "f-quiet")
    bottom = FIRST_ROW + ROW * len(rows)
    body += _lanes(session, bottom)
    for place, name in enumerate(rows):
        y = FIRST_ROW + ROW * place
        number = first + place
        if number < len(session.steps):
            body.append(_crossed(session, session.steps[number], y))
        else:
            body.append(
                _to_come(session, name, y, following=number == len(session.steps) and session.error is None)
            )
    checks = _checks(session)
    body += _checks_strip(checks, bottom + 28)
    drawing = svg.document(WIDTH, bottom + 84, title, subtitle, body)
    return Picture(title, _twin(session, subtitle, checks), svg=drawing)


def _title(session: Session) -> str:
    done, planned = len(session.steps), len(session.plan)
    if session.error is not None:
        return f"{type(session.error).__name__}: refused at the {session.steps[-1].name}"
    if not done:
        return "Nothing has crossed the bus yet"
    if done == planned:
        return f"All {planned} messages have crossed, and none was refused"
    return f"{done} of {planned} messages have crossed"


def _subtitle(session: Session) -> str:
    if session.error is not None:
        said = str(session.error)
        return said[0].upper() + said[1:] + ("" if said.endswith(".") else ".")
    if session.next is None:
        return "The hypervisor saw every byte of the envelopes and learned lengths, order and times."
    return f"Next: {session.next}."


def _first_row(session: Session) -> int:
    most = max(len(session.plan) - MOST_ROWS, 0)
    return min(max(len(session.steps) - ROWS_BEHIND, 0), most)


def _checks(session: Session) -> Sequence[Check]:
    return next((step.checks for step in session.steps if step.checks), ())


def _gpu_said(session: Session) -> str:
    """What the picture says of the GPU: what the hypervisor did to it, which the guest has yet to find out."""
    if digest(session.gpu.device.certificates[0]) != session.policy.root:
        return "from another maker"
    if session.gpu.ran != GENUINE:
        return "its firmware was swapped"
    return "trusted once it has attested"


def _lanes(session: Session, bottom: float) -> Iterator[str]:
    """The three columns: two that the tenant trusts, and the memory between them."""
    height = bottom - LANES_TOP
    for left, right, name, under, stroke, looks in (
        (MARGIN, GUEST_RIGHT, "Guest", "confidential VM, trusted", "s-engine", ""),
        (BUFFER_LEFT - 26, BUFFER_RIGHT + 26, "Bounce buffer", "the hypervisor holds it", "s-finding", "8 6"),
        (GPU_LEFT, WIDTH - MARGIN, "GPU", _gpu_said(session), "s-engine", ""),
    ):
        dashes = f' stroke-dasharray="{looks}"' if looks else ""
        yield rect(
            left, LANES_TOP, right - left, height, f"f-none {stroke}", f'rx="8" stroke-width="2"{dashes}'
        )
        yield text(left + 14, LANES_TOP + 26, name, bold=True)
        yield text(right - 14, LANES_TOP + 26, under, "f-quiet", size=SMALLEST_TEXT, anchor="end")


def _crossed(session: Session, step: Step, y: float) -> str:
    """A message that has been sent: the sender's words, the envelope, the receiver's words."""
    from_guest = step.sender == "guest"
    sent_at, said_at = (MARGIN + 14, GPU_LEFT + 14) if from_guest else (GPU_LEFT + 14, MARGIN + 14)
    touched = step.delivered != step.sent
    parts = list(_side(sent_at, y, _sends(session, step.name, step), "f-ink"))
    parts += _envelope(y, step.name, step.sent, step.tool, touched)
    parts += _arrow(y, from_guest, first_half=True, color="s-ink")
    if step.delivered is None:
        parts += _cut(y, from_guest)
    else:
        parts += _arrow(y, from_guest, first_half=False, color="s-finding" if touched else "s-ink")
    parts += _side(said_at, y, _said(step), "f-ink", bold=step.error is not None)
    return group(parts, "message", step.said)


def _to_come(session: Session, name: str, y: float, *, following: bool) -> str:
    """A message of the plan that has not been sent; the following one is outlined."""
    color = "s-ink" if following else "s-line"
    looks = 'rx="4" stroke-dasharray="5 5"'
    parts = [
        rect(BUFFER_LEFT, y, BUFFER_RIGHT - BUFFER_LEFT, ENVELOPE, f"f-none {color}", looks),
        text((BUFFER_LEFT + BUFFER_RIGHT) / 2, y + 30, name, "f-quiet", size=SMALLEST_TEXT, anchor="middle"),
    ]
    return group(parts, "to-come")


def _sends(session: Session, name: str, step: Step) -> str:
    if name in SENDS:
        return SENDS[name]
    copy = session.copies[session.steps.index(step) - len(HANDSHAKE)]
    return f"“{_readable(copy.payload)}”"


def _said(step: Step) -> str:
    if step.error is not None:
        return f"{type(step.error).__name__}: {step.said}"
    if step.message is not None:
        return f"“{_readable(step.message)}”: {step.said.split(': ')[-1]}"
    return step.said


def _readable(payload: bytes) -> str:
    words = payload.decode("ascii", "replace")
    return shorten(words, 40, placeholder="..") if words.isprintable() else f"{len(payload)} bytes"


def _side(x: float, y: float, words: str, classes: str, *, bold: bool = False) -> Iterator[str]:
    """At most three lines in a column; the words below the picture have the rest."""
    rows = wrap(words, SIDE_COLUMNS - (4 if bold else 0))
    if len(rows) > 3:
        rows = [*rows[:2], f"{rows[2][: SIDE_COLUMNS - 6]}.."]
    top = y + 30 - 9 * (len(rows) - 1)
    for row, line in enumerate(rows):
        yield text(x, top + 19 * row, line, classes, size=SMALLEST_TEXT, bold=bold)


def _envelope(y: float, name: str, sent: bytes, tool: str, touched: bool) -> Iterator[str]:
    """What the hypervisor sees: a name, a length and bytes; and its own mark if it used a tool."""
    color = "s-finding" if touched else "s-ink"
    width = BUFFER_RIGHT - BUFFER_LEFT
    yield rect(
        BUFFER_LEFT,
        y,
        width,
        ENVELOPE,
        f"f-paper {color}",
        f'rx="4" stroke-width="{2.5 if touched else 1.5}"',
    )
    flap = f"M{BUFFER_RIGHT - 34} {y:g}l17 14l17 -14"
    yield path(flap, f"f-none {color}", 'stroke-width="1.5" stroke-linejoin="round"')
    heading = f"{name}, {len(sent)} bytes"
    yield text(BUFFER_LEFT + 12, y + 20, heading, size=SMALLEST_TEXT, bold=True)
    if tool:
        yield text(BUFFER_LEFT + 12, y + 40, f"tool: {tool}", "f-finding", size=SMALLEST_TEXT, bold=True)
    else:
        yield text(BUFFER_LEFT + 12, y + 40, _seen(sent), "f-quiet", size=SMALLEST_TEXT)


def _seen(sent: bytes) -> str:
    return sent[:BYTES_SHOWN].hex(" ") + (" .." if len(sent) > BYTES_SHOWN else "")


def _arrow(y: float, from_guest: bool, *, first_half: bool, color: str) -> Iterator[str]:
    """From the sender to the buffer, or from the buffer to the receiver."""
    middle = y + ENVELOPE / 2
    left_gap = (GUEST_RIGHT + 4, BUFFER_LEFT - 4)
    right_gap = (BUFFER_RIGHT + 4, GPU_LEFT - 4)
    start, end = left_gap if from_guest == first_half else right_gap
    tip, back = (end, -9) if from_guest else (start, 9)
    yield path(f"M{start} {middle:g}H{end}", f"f-none {color}", 'stroke-width="2"')
    head = f"M{tip + back} {middle - 6:g}L{tip} {middle:g}L{tip + back} {middle + 6:g}"
    yield path(head, f"f-none {color}", 'stroke-width="2" stroke-linejoin="round"')


def _cut(y: float, from_guest: bool) -> Iterator[str]:
    """A cross where the message stopped."""
    x = (BUFFER_RIGHT + GPU_LEFT) / 2 if from_guest else (GUEST_RIGHT + BUFFER_LEFT) / 2
    middle = y + ENVELOPE / 2
    cross = f"M{x - 8:g} {middle - 8:g}l16 16M{x + 8:g} {middle - 8:g}l-16 16"
    yield path(cross, "f-none s-finding", 'stroke-width="3"')


def _checks_strip(checks: Sequence[Check], y: float) -> Iterator[str]:
    """The verifier's seven checks in a row: passed, refused, or not asked."""
    yield text(MARGIN, y, "The guest's checks of the report", bold=True)
    known = {check.name: check for check in checks}
    x = MARGIN
    for name in CHECKS:
        yield from answer_mark(x + 8, y + 25, known[name].passed if name in known else None)
        yield text(x + 24, y + 30, name, size=SMALLEST_TEXT)
        x += 24 + 8.6 * len(name) + 32


def _twin(session: Session, subtitle: str, checks: Sequence[Check]) -> str:
    lines = [subtitle, f"GPU: {_gpu_said(session)}."]
    for number, step in enumerate(session.steps, start=1):
        done = f", tool: {step.tool}" if step.tool else ""
        lines.append(
            f"{number}. {step.name}, {step.sender} to {step.receiver}, {len(step.sent)} bytes{done}; "
            f"on the bus {_seen(step.sent)}"
        )
        arrived = "refused, " if step.error is not None else ""
        lines.append(f"   sends {_sends(session, step.name, step)}; {step.receiver}: {arrived}{_said(step)}")
    if len(session.steps) < len(session.plan) and session.error is None:
        lines.append("To come: " + ", ".join(session.plan[len(session.steps) :]))
    answers = {True: "passed", False: "refused", None: "not asked"}
    known = {check.name: check.passed for check in checks}
    lines.append("Checks: " + ", ".join(f"{name} {answers[known.get(name)]}" for name in CHECKS))
    return "\n".join(lines)
