"""What the learner commits before the board of lesson 16 is shown."""

from itertools import permutations

from hopperlab.chip import chip
from hopperlab.course.guesses import Choice, Number, Numbers
from hopperlab.course.mig.card import CARD, LAYOUTS, MIXED
from hopperlab.course.misconceptions import Misconception
from hopperlab.course.predictions import Prediction
from hopperlab.models.mig import (
    MOCK_H100_SMS,
    Board,
    explain,
    is_valid,
    maximal_layouts,
    orders_refused,
    place,
    profile,
    sms_lost,
)

SMS = chip(CARD).sms


def _fits() -> dict[str, int]:
    return {name: int(is_valid(layout, CARD)) for name, layout in LAYOUTS.items()}


def _slices(layout: tuple[str, ...], kind: str) -> int:
    return sum(getattr(profile(name, CARD), f"{kind}_slices") for name in layout)


def _if(rule) -> dict[str, int]:
    """The verdicts of a wrong rule, where they differ from the right ones."""
    judged = {name: int(rule(layout)) for name, layout in LAYOUTS.items()}
    return {name: verdict for name, verdict in judged.items() if verdict != _fits()[name]}


def _in_words(_: dict[str, int]) -> str:
    verdicts = "; ".join(f"{name}, {explain(layout, CARD).reason}" for name, layout in LAYOUTS.items())
    return f"Two sums decide, eight memory slices and seven compute slices: {verdicts}."


WHICH_FIT = Prediction(
    "layouts",
    f"Seven sets of instances for one {CARD}. Write 1 for a set that fits, 0 for one that does not.",
    Numbers({name: Number("", low=0, high=1) for name in LAYOUTS}),
    answer=_fits,
    because=_in_words,
    misconceptions=[
        Misconception(
            "only compute slices count",
            _if(lambda layout: _slices(layout, "compute") <= 7),
            "Compute slices leave room, but each instance lies on memory slices too: a 3g takes four of the "
            "eight, and a 1g with double memory two.",
        ),
        Misconception(
            "seven slices of everything",
            _if(lambda layout: _slices(layout, "memory") <= 7),
            "The card has seven compute slices and eight memory slices; all eight may be used.",
        ),
        Misconception(
            "only memory slices count",
            {"4g + 4g": 1},
            "Two 4g would fill the eight memory slices exactly, but they ask for eight compute slices of seven.",
        ),
    ],
)


def _lost() -> dict[str, int]:
    sets = {"7 x 1g": ("1g.10gb",) * 7, "4g + 3g": ("4g.40gb", "3g.40gb"), "7g": ("7g.80gb",)}
    return {name: SMS - sum(profile(one, CARD).sms for one in layout) for name, layout in sets.items()}


def _lost_in_words(_: dict[str, int]) -> str:
    shown = ", ".join(
        f"a {name.split('.')[0]} has {profile(name, CARD).sms}"
        for name in ("1g.10gb", "3g.40gb", "4g.40gb", "7g.80gb")
    )
    losses = [sms_lost(Board(CARD, layout)) for layout in maximal_layouts(CARD)]
    return (
        f"By the drivers' own lists (mig-010.a to mig-010.g), {shown}. What MIG costs depends on the layout: full ones "
        f"lose {100 * min(losses):.0f} to {100 * max(losses):.0f} % of the SMs."
    )


def _mock_lost() -> dict[str, int]:
    lost = SMS - MOCK_H100_SMS["7g.80gb"]
    return {"4g + 3g": lost, "7g": lost}


LOST = Prediction(
    "sms-lost",
    f"How many of the {SMS} SMs of an {CARD} does no tenant have, with these instances?",
    Numbers({name: Number("SMs", low=0, high=SMS) for name in ("7 x 1g", "4g + 3g", "7g")}),
    answer=_lost,
    because=_lost_in_words,
    misconceptions=[
        Misconception(
            "MIG always costs 15 %",
            _mock_lost(),
            "That is 7 x 16 = 112 SMs, true of seven 1g only. A 3g has more than three times a 1g, and the 7g "
            "is the whole card.",
        ),
        Misconception(
            "MIG costs nothing",
            {"7 x 1g": 0, "4g + 3g": 0},
            "Slices are not equal shares of the card's SMs: 132 is no multiple of 7, and small instances get 16.",
        ),
    ],
)


def _order() -> str:
    refused = orders_refused(MIXED, CARD)
    largest = place(MIXED[::-1], CARD).succeeded
    smallest = place(MIXED, CARD).succeeded
    if not refused:
        return "any"
    return "largest" if largest and not smallest else "smallest" if smallest and not largest else "none"


def _order_in_words(_: str) -> str:
    orders = len(set(permutations(MIXED)))
    refused = len(orders_refused(MIXED, CARD))
    stopped = place(MIXED, CARD).refused
    return (
        f"Of {orders} orders the driver serves {orders - refused}. Smallest first, it ends with: "
        f"{stopped.reason}. The driver does not look ahead, and an instance does not slide."
    )


ORDER = Prediction(
    "order",
    "Two 1g, a 2g and a 3g fit together. You ask the driver for one after another, and it places each at once. "
    "In which order do you get all four?",
    Choice(
        {
            "any": "in any order: the set fits",
            "largest": "largest first: 3g, 2g, 1g, 1g",
            "smallest": "smallest first: 1g, 1g, 2g, 3g",
            "none": "in none: the driver never packs so tightly",
        }
    ),
    answer=_order,
    because=_order_in_words,
    misconceptions=[
        Misconception(
            "order is irrelevant",
            "any",
            "A 3g starts at memory slice 0 or 4 only. Small instances placed first may sit in both halves.",
        ),
        Misconception(
            "small ones fill the gaps",
            "smallest",
            "There are no gaps yet when they come: they take places of their own choosing, and the 3g finds both "
            "of its halves broken.",
        ),
        Misconception(
            "the driver wastes space",
            "none",
            "It keeps as many places open as it can; from the largest down that is enough here.",
        ),
    ],
)
