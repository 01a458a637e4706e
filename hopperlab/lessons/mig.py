"""Lesson 16, Multi-Instance GPU: its panels and figures.

from hopperlab.lessons import mig as lesson
"""

import inspect
import textwrap
from functools import cache

from hopperlab import ledger
from hopperlab.course.mig import LESSON
from hopperlab.course.mig.card import CARD, DAY, SCATTERED, SEQUENCES, WANTED
from hopperlab.course.mig.hands import GAME, Hand, buttons
from hopperlab.course.mig.specimens import SPECIMENS
from hopperlab.course.report import Report, Table
from hopperlab.lessons.controls import choice, stepper
from hopperlab.lessons.panel import EventPanel, Panel, Step
from hopperlab.measure.mig import MIG
from hopperlab.models.mig import (
    CHIPS,
    MEMORY_SLICES,
    MOCK_H100_SMS,
    POLICIES,
    SHARED,
    Board,
    instance_ratio,
    make_room,
    place,
    place_compute,
    profile,
    profiles,
    serve,
    virtual_functions,
)
from hopperlab.views import mig as views
from hopperlab.views.evidence import Evidence, evidence
from hopperlab.views.picture import Picture

predict, commit, reveal = LESSON.predict, LESSON.commit, LESSON.reveal
panel, quiz, summary = LESSON.panel, LESSON.quiz, LESSON.summary
exercise, check, hint, solution = LESSON.exercise, LESSON.check, LESSON.hint, LESSON.solution

BOARD_HEIGHT = 600
MEASURED_CHIP = "H200 SXM"


# --- Play -------------------------------------------------------------------------------------------


def board() -> EventPanel:
    """The MIG board: create instances, move them along their starts, destroy them, undo."""
    empty = Hand(Board(CARD))
    return EventPanel("mig.board", empty, buttons(CARD), _hand, height=BOARD_HEIGHT)


def _hand(history: tuple[Step, ...]) -> Picture:
    hand = history[-1].state
    return views.board(hand.board, said=hand.said, selected=hand.selected)


def room() -> EventPanel:
    """A game: make room for a 3g with the fewest moves."""
    return EventPanel("mig.room", Hand(SCATTERED), GAME, _game, height=BOARD_HEIGHT)


def _game(history: tuple[Step, ...]) -> Picture:
    hand = history[-1].state
    needed = len(make_room(SCATTERED, WANTED).moves)
    moves = hand.moved_since(SCATTERED)
    count = f"{moves} {'instance' if moves == 1 else 'instances'} moved"
    if hand.board.free(WANTED):
        verdict = "the fewest" if moves == needed else f"{needed} would do"
        said = f"There is room for a {WANTED}: {count}, {verdict}."
    else:
        said = f"Make room for a {WANTED}: {count}. {hand.said}".rstrip()
    return views.board(hand.board, said=said, selected=hand.selected)


def driver() -> Panel:
    """The driver serving requests, one at a time, with the start that it chose."""
    longest = max(map(len, SEQUENCES.values()))
    return Panel(
        "mig.driver",
        _served,
        height=BOARD_HEIGHT,
        sequence=choice("Requests", SEQUENCES),
        step=stepper("Request", longest, 0),
    )


@cache
def _placing(sequence: tuple[str, ...]):
    return place(sequence, CARD)


def _served(sequence: tuple[str, ...], step: int) -> Picture:
    requests = _placing(sequence).requests[:step]
    if not requests:
        waiting = ", ".join(name.split(".")[0] for name in sequence)
        return views.board(Board(CARD), said=f"To come: {waiting}.")
    return views.board(requests[-1].board, request=requests[-1])


def queue() -> Panel:
    """A day's tenants on one card, under three ways to serve them."""
    return Panel(
        "mig.queue",
        lambda policy: views.queue(_day(policy)),
        height=420,
        policy=choice("Queue served", {policy: policy for policy in POLICIES}),
    )


@cache
def _day(policy: str):
    return serve(DAY, CARD, policy)


def specimens() -> Panel:
    """Requests that go wrong, each with the driver's words and a cure."""
    return Panel(
        "mig.specimens",
        lambda specimen: specimen.picture(),
        height=BOARD_HEIGHT + 140,
        specimen=choice("Specimen", {specimen.name: specimen for specimen in SPECIMENS}),
    )


# --- Explain ----------------------------------------------------------------------------------------


def layouts() -> Picture:
    """Every full layout of the base profiles, and what each costs in SMs."""
    return views.layouts(CARD)


def source() -> str:
    """The rule by which the driver's model chooses a start, as it is written."""
    written = (textwrap.dedent(inspect.getsource(method)).rstrip() for method in (Board.choice, Board._left))
    return "\n\n\n".join(written)


def ratios() -> Report:
    """The talk's "three times the compute, twice the bandwidth", for each base that it could have meant."""
    rows = []
    for base in ("A100 SXM4 40GB", "A100 SXM4 80GB"):
        ratio = instance_ratio(CARD, base)
        factors = f"{ratio.sms:.3f} x {ratio.per_sm_per_clock:g} x {ratio.clock:.3f} = {ratio.compute:.2f}"
        rows.append([f"1g of an {CARD} over 1g of an {base}", factors, f"{ratio.bandwidth:.2f}"])
    return Report(
        Table(["modelled", "compute: SMs x rate x clock", "memory bandwidth"], rows),
        "Quoted: about 3 times the compute (talk-062.a), about 2 times the bandwidth (talk-062.b).",
    )


def apart() -> Report:
    """What two tenants share, by how they are kept apart, and what was announced to keep them further apart."""
    rows = [[kept, ", ".join(shared) or "nothing"] for kept, shared in SHARED.items()]
    return Report(
        "Shipped: GPU instances with paths of their own (talk-075); bus and power are shared (mig-020).",
        Table(["two tenants have", "and share"], rows),
        "Announced for confidential tenants: a firewall, a virtual function and a key for each instance "
        "(talk-077); no release note found says that this shipped. Modelled, for three instances of a card:",
        _announced(),
    )


def _announced() -> Table:
    """The instances of one layout: the function of each, what the firewall lets it reach, what its keys are for."""
    functions = virtual_functions(place(["4g.40gb", "2g.20gb", "1g.10gb"], CARD).board)
    rows = [
        [
            one.instance.profile.name,
            str(one.number),
            ", ".join(str(n) for n in range(MEMORY_SLICES) if one.may_access(n)),
            one.key_context.decode(),
        ]
        for one in functions
    ]
    return Table(
        ["instance", "virtual function", "memory slices that it may reach", "its keys are made for"], rows
    )


def cut_again() -> Report:
    """The compute instances inside one 3g: how many SMs each way of cutting hands out."""
    whole = profile("3g.40gb", CARD)
    rows = []
    for sizes in ([3], [2, 1], [1, 1, 1]):
        parts = place_compute(sizes, whole)
        named = " + ".join(f"{part.name} ({part.sms})" for part in parts)
        rows.append([named, str(sum(part.sms for part in parts))])
    return Report(
        Table([f"compute instances of a {whole.name} (SMs)", f"of its {whole.sms} SMs"], rows),
        "Modelled on mig-009: a part has the SMs of a 1g for each of its slices; only the whole has all.",
    )


# --- Silicon ----------------------------------------------------------------------------------------


def _recorded() -> dict[int, int]:
    """SMs of each profile, by its number, as a recorded card listed them; none where there is no recording."""
    found = ledger.recordings("mig", card=MEASURED_CHIP)
    listed = found[0].results["profiles"] if found else {}
    return {int(number): values[2] for number, values in listed.items()}


def silicon() -> Picture:
    """SMs of an instance: what drivers list, what the public mock says, and what a card told us."""
    measured = _recorded()
    rows = []
    for ours, other in zip(profiles(CARD), profiles(MEASURED_CHIP), strict=True):
        if ours.media_extension:
            continue
        rows.append(
            Evidence(
                f"{ours.name} of an {CARD}",
                quoted=ledger.claim(ours.sms_claim).value,
                modelled=ours.sms,
                source=ours.sms_claim,
            )
        )
        if other.number in measured:
            rows.append(
                Evidence(
                    f"{other.name} of an {MEASURED_CHIP}",
                    quoted=ledger.claim(other.sms_claim).value,
                    modelled=other.sms,
                    measured=measured[other.number],
                    source=other.sms_claim,
                    card=MEASURED_CHIP,
                )
            )
    for id, name in (("mig-004.a", "3g.40gb"), ("mig-004.b", "7g.80gb")):
        rows.append(Evidence(f"{name} in the public mock", quoted=ledger.claim(id).value, source=id))
    return evidence(
        rows,
        title="SMs of an instance: drivers list them, a public table multiplies",
        unit="SMs",
        note="The model's table is what drivers list. The mock differs from it in 3g and 7g.",
    )


def audit() -> Report:
    """What a card's driver listed, held against the model, and where the model is unsure."""
    recorded = ledger.recordings("mig")
    if recorded:
        found = MIG.compare(recorded)
        told = [f"Measured on {found.card}: {found.compared} answers compared, {found.mismatches} differ."]
        told += [f"{note}." for note in found.notes]
    else:
        told = ["Not measured yet: no recording of a card's own list ships with this version."]
    return Report(*told, _transcripts())


TRANSCRIPTS = {
    "seven 1g": ("1g.10gb", (6, 4, 5, 0, 1, 2, 3), "mig-007"),
    "three 2g": ("2g.20gb", (4, 0, 2), "mig-007"),
    "two 3g": ("3g.40gb", (4, 0), "mig-007"),
    "three 1g with double memory": ("1g.20gb", (4, 0, 2), "mig-008"),
}
"""Starts that published transcripts of nvidia-smi show, and the claim that quotes them."""


def _transcripts() -> Table:
    rows = []
    for asked, (name, quoted, claim) in TRANSCRIPTS.items():
        modelled = [request.start for request in place([name] * len(quoted), CARD).requests]
        starts = (" ".join(map(str, starts)) for starts in (quoted, modelled))
        rows.append([f"{asked}, one after another", *starts, claim])
    return Table(["memory slices taken", "quoted", "modelled", "claim"], rows)


def wrong_table() -> Report:
    """A public table beside the drivers' lists."""
    rows = [
        [name, str(mock), str(profile(name, CARD).sms), profile(name, CARD).sms_claim]
        for name, mock in MOCK_H100_SMS.items()
    ]
    return Report(Table([f"{CARD}", "the mock", "drivers list", "claim"], rows))


def card_table() -> Report:
    """SMs of each shape on every card that has MIG."""
    header = ["card", "1g", "1g, double memory", "2g", "3g", "4g", "7g"]
    rows = [[card, *(str(k.sms) for k in profiles(card) if not k.media_extension)] for card in CHIPS]
    return Report(Table(header, rows), "SMs, as drivers list them (quoted: mig-010 to mig-014).")


LESSON.panels = {
    "board": board,
    "room": room,
    "driver": driver,
    "queue": queue,
    "specimens": specimens,
}
