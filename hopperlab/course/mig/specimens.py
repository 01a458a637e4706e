"""Requests that go wrong, kept to be looked at: each with the driver's words, and a cure."""

from dataclasses import dataclass
from functools import cached_property

from hopperlab.chip import chip
from hopperlab.course.mig.card import CARD, SCATTERED, board
from hopperlab.models.mig import (
    MOCK_H100_SMS,
    Board,
    InsufficientResources,
    Request,
    make_room,
    place,
    profile,
)
from hopperlab.views import mig as views
from hopperlab.views.finding import finding
from hopperlab.views.picture import Picture


@dataclass(frozen=True)
class Specimen:
    """A board, a request that the driver refuses, and what to do.

    Parameters
    ----------
    name, launch, cure
        What is wrong in a few words; what was asked, and what to do, a sentence each.
    state
        The board before the request.
    wanted
        The profile that is asked for.
    """

    name: str
    launch: str
    cure: str
    state: Board
    wanted: str

    @cached_property
    def finding(self) -> str:
        """What went wrong, in the driver's words."""
        try:
            self.state.choice(self.wanted)
        except InsufficientResources as refusal:
            return str(refusal)
        raise AssertionError(f"{self.name!r} is no specimen: the driver has a place for it")

    def picture(self) -> Picture:
        """The board under the finding."""
        request = Request(self.wanted, None, self.finding, self.state)
        shown = views.board(self.state, request=request)
        return finding(self.name, self.launch, f"{self.finding}.", self.cure, shown)


@dataclass(frozen=True)
class WrongTable(Specimen):
    """A table that multiplies where it should have asked a card."""

    @cached_property
    def finding(self) -> str:
        """Where it differs from what cards list."""
        wrong = [
            f"{name} {sms}, listed {profile(name, CARD).sms}"
            for name, sms in MOCK_H100_SMS.items()
            if sms != profile(name, CARD).sms
        ]
        return f"{'; '.join(wrong)}; the 7g is the whole card, which has {chip(CARD).sms} SMs"

    def picture(self) -> Picture:
        """The whole card as one instance, under the finding."""
        return finding(self.name, self.launch, f"{self.finding}.", self.cure, views.board(self.state))


def _moves() -> str:
    repacking = make_room(SCATTERED, "3g.40gb")
    return " and ".join(f"the {move.profile} from {move.start} to {move.to}" for move in repacking.moves)


SPECIMENS = (
    Specimen(
        "Free, but not in one piece",
        "1g at 1, 1g at 3 and 2g at 4 are running; four memory slices are free. A 3g is asked for.",
        f"Move as few instances as can be: {_moves()}. Each one moved is destroyed, and its tenant stops.",
        SCATTERED,
        "3g.40gb",
    ),
    Specimen(
        "Right set, wrong order",
        "2g, 3g and 2g fit together. They are asked for in this order, and the second 2g is refused.",
        "Ask for the largest first, or give each instance its place yourself.",
        place(["2g.20gb", "3g.40gb"], CARD).board,
        "2g.20gb",
    ),
    Specimen(
        "Idle compute, full memory",
        "Two 3g are running: six of the seven compute slices. A 1g is asked for.",
        "Take a 4g beside the 3g, or a 2g and a 1g in place of the 3g at 0: then the 1g fits, too.",
        board(("3g.40gb", 4), ("3g.40gb", 0)),
        "1g.10gb",
    ),
    Specimen(
        "Two of what there is one of",
        "One 1g with the media engines is running. A second one is asked for.",
        "One tenant a card can have optical flow and the engines of the +me profile; the others take plain 1g.",
        board(("1g.10gb+me", 6)),
        "1g.10gb+me",
    ),
    WrongTable(
        "A table that multiplies",
        "NVIDIA's own mock of the H100, for tests without a card, lists 16 SMs for each compute slice "
        "(mig-004.a, mig-004.b).",
        "Ask the card: nvidia-smi mig -lgip, or hopperlab measure mig.",
        board(("7g.80gb", 0)),
        "7g.80gb",
    ),
)
