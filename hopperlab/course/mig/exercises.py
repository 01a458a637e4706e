"""Three functions to write: what fits, the fewest moves that make room, and a queue of tenants."""

from dataclasses import dataclass
from itertools import combinations

from hopperlab.course.draws import Draw
from hopperlab.course.exercises import Exercise
from hopperlab.course.mig import mutants
from hopperlab.course.mig.card import CARD
from hopperlab.course.misconceptions import Misconception
from hopperlab.models.mig import (
    Board,
    Instance,
    InsufficientResources,
    Tenant,
    base_profiles,
    free_starts,
    is_valid,
    make_room,
    profiles,
    serve,
)

SHAPES = {kind.name: (kind.compute_slices, kind.memory_slices) for kind in profiles(CARD)}


def fits(layout, shapes):
    """Whether these GPU instances can exist together on one card, wherever they are laid.

    layout: profile names, such as ["3g.40gb", "3g.40gb"].
    shapes: for each name its compute slices and its memory slices, such as (3, 4).
    Only one instance of a card can have the media engines; its name ends in "+me".
    """
    # your part: three things must not be asked for twice over
    compute = sum(shapes[name][0] for name in layout)
    memory = sum(shapes[name][1] for name in layout)
    media = sum(name.endswith("+me") for name in layout)
    return compute <= 7 and memory <= 8 and media <= 1
    # end of your part


def _fits_inputs(draw: Draw) -> tuple:
    return draw.several(lambda: draw.choice(list(SHAPES)), 0, 8), SHAPES


FITS = Exercise(
    "fits",
    "Will this layout work? Write the rule that holds on every MIG card.",
    solution=fits,
    inputs=_fits_inputs,
    right=lambda layout, shapes: is_valid(layout, CARD),
    examples=[
        (["3g.40gb", "3g.40gb", "1g.10gb"], SHAPES),
        (["4g.40gb", "4g.40gb"], SHAPES),
        (["4g.40gb", "3g.40gb"], SHAPES),
        (["1g.10gb+me", "1g.10gb+me"], SHAPES),
        (["1g.20gb"] * 5, SHAPES),
        (["1g.10gb"] * 8, SHAPES),
    ],
    hints=[
        "Add up what the instances ask for, once in compute slices and once in memory slices.",
        "The card has seven compute slices and eight memory slices. A layout may use all of both.",
        "The starts need no look here: on these cards whatever passes both sums can be laid somewhere. What is "
        "left is the +me profile, of which there is one.",
    ],
    misconceptions=[
        Misconception(
            "only compute slices count",
            mutants.compute_only,
            "3g + 3g + 1g asks for seven compute slices, and for nine of eight memory slices.",
        ),
        Misconception(
            "only memory slices count",
            mutants.memory_only,
            "Two 4g fill the memory exactly, and ask for eight of seven compute slices.",
        ),
        Misconception(
            "seven slices of everything",
            mutants.seven_of_both,
            "4g + 3g uses all eight memory slices, and it is a layout that drivers accept.",
        ),
        Misconception(
            "a +me is a 1g like another",
            mutants.any_media,
            "The slices would do, but the media engines go to one instance of the card.",
        ),
    ],
    because="The model is `hopperlab.models.mig.is_valid`; a test tries every layout of up to seven instances.",
)


def fewest_moves(instances, wanted, lay):
    """The fewest instances to move so that `wanted` fits too, or None if no moves do it.

    instances: each a pair (profile name, first memory slice).
    lay(names, standing): whether these profiles can all be created while `standing`, some
    of the instances, stay where they are.
    An instance cannot slide: to move it is to destroy it and create it elsewhere.
    """
    for count in range(len(instances) + 1):
        # your part: try every choice of `count` instances to move
        for moved in combinations(instances, count):
            standing = [one for one in instances if one not in moved]
            if lay([wanted, *(name for name, _ in moved)], standing):
                return count
        # end of your part
    return None


@dataclass(frozen=True, repr=False)
class Lay:
    """Whether profiles can be created beside instances that stay: the search of the model, to call."""

    def __call__(self, names, standing) -> bool:
        """Try every start of every profile."""
        known = {kind.name: kind for kind in profiles(CARD)}
        return _can_lay([known[name] for name in names], [Instance(at, known[name]) for name, at in standing])

    def __repr__(self) -> str:
        """The same in every message."""
        return "lay"


def _can_lay(wanted, laid) -> bool:
    if not wanted:
        return True
    first, *rest = wanted
    return any(_can_lay(rest, [*laid, Instance(start, first)]) for start in free_starts(first, laid))


def _right_moves(instances, wanted, lay):
    known = {kind.name: kind for kind in profiles(CARD)}
    board = Board(CARD, tuple(Instance(at, known[name]) for name, at in instances))
    try:
        return len(make_room(board, wanted).moves)
    except InsufficientResources:
        return None


def _moves_inputs(draw: Draw) -> tuple:
    """A board as it is after tenants have come and gone: instances at any of their free starts."""
    laid: list[Instance] = []
    for kind in draw.several(lambda: draw.choice(base_profiles(CARD)[:3]), 0, 4):
        starts = free_starts(kind, laid)
        if starts:
            laid.append(Instance(draw.choice(starts), kind))
    instances = [(one.profile.name, one.start) for one in laid]
    return instances, draw.choice(["2g.20gb", "3g.40gb", "4g.40gb"]), Lay()


MAKE_ROOM = Exercise(
    "make-room",
    "Defragment a card in the fewest moves. Every move stops a tenant.",
    solution=fewest_moves,
    inputs=_moves_inputs,
    right=_right_moves,
    preamble="from itertools import combinations",
    examples=[
        ([("1g.10gb", 1), ("1g.10gb", 3), ("2g.20gb", 4)], "3g.40gb", Lay()),
        ([("1g.10gb", 1), ("2g.20gb", 2), ("1g.10gb", 5)], "3g.40gb", Lay()),
        ([("1g.10gb", 1), ("1g.10gb", 5)], "2g.20gb", Lay()),
        ([("3g.40gb", 4), ("3g.40gb", 0)], "2g.20gb", Lay()),
        ([("1g.10gb", 0), ("1g.10gb", 2), ("2g.20gb", 4)], "4g.40gb", Lay()),
    ],
    hints=[
        "How many moves are needed is a search: none, then one, then two. The loop over `count` is there.",
        "`itertools.combinations(instances, count)` gives every choice of instances to move.",
        "For each choice, those not chosen stand. If `lay` can create `wanted` and the chosen ones beside them, "
        "`count` is the answer.",
    ],
    misconceptions=[
        Misconception(
            "free slices are enough",
            mutants.free_slices,
            "Four free slices are no place for a 3g unless they lie where a 3g may start.",
        ),
        Misconception(
            "pack everything anew",
            mutants.move_all,
            "Those that are not in the way can stay. Each move costs a tenant its work.",
        ),
        Misconception(
            "one move is always enough",
            mutants.one_move,
            "Two small instances can stand in the two halves of the card, and one move frees neither.",
        ),
        Misconception(
            "what is moved may vanish",
            mutants.forget_the_moved,
            "An instance that is moved needs a place of its own again, beside the new one.",
        ),
    ],
    because="The model is `hopperlab.models.mig.make_room`, which also says what goes where.",
)


def first_hours(queue, board):
    """The hour in which each tenant begins, in the order of the queue.

    queue: each a tuple (profile name, hour of arrival, hours to stay).
    board: an empty card. `board.free(name)` gives the starts that are free for a profile,
    `board.create(name)` the board with one more instance, placed by the driver, and
    `board.destroy(start)` the board without one.
    In every hour, first those go whose time is over; then the queue is walked from its head,
    and whoever has come and finds a place begins. Who finds none lets the others pass.
    """
    begins = [None] * len(queue)
    running = []  # (hour of leaving, start of the instance)
    hour = 0
    while None in begins:
        # your part: let those go whose time is over, then let in whoever finds a place
        for leaves, start in [one for one in running if one[0] <= hour]:
            running.remove((leaves, start))
            board = board.destroy(start)
        for number, (name, arrives, stays) in enumerate(queue):
            if begins[number] is None and arrives <= hour and board.free(name):
                board = board.create(name)
                running.append((hour + stays, board.instances[-1].start))
                begins[number] = hour
        # end of your part
        hour += 1
    return begins


def _right_hours(queue, board):
    tenants = [Tenant(str(n), name, arrives, stays) for n, (name, arrives, stays) in enumerate(queue)]
    begins = {stay.tenant.name: stay.begins for stay in serve(tenants, CARD, "let others pass").stays}
    return [begins[tenant.name] for tenant in tenants]


def _queue_inputs(draw: Draw) -> tuple:
    """A queue as it stands: sorted by arrival."""

    def tenant() -> tuple:
        return draw.choice(["1g.10gb", "2g.20gb", "3g.40gb", "4g.40gb", "7g.80gb"]), draw.integer(1, 4)

    hour, queue = 0, []
    for name, stays in draw.several(tenant, 0, 6):
        hour += draw.integer(0, 2)
        queue.append((name, hour, stays))
    return queue, Board(CARD)


QUEUE = Exercise(
    "queue",
    "Schedule a queue of tenants on one card: who does not fit lets the others pass.",
    solution=first_hours,
    inputs=_queue_inputs,
    right=_right_hours,
    examples=[
        ([("4g.40gb", 0, 2), ("4g.40gb", 0, 1), ("1g.10gb", 0, 1)], Board(CARD)),
        ([("1g.10gb", 0, 3), ("2g.20gb", 0, 1), ("3g.40gb", 1, 1), ("3g.40gb", 1, 2)], Board(CARD)),
        ([("7g.80gb", 1, 2), ("1g.10gb", 1, 1)], Board(CARD)),
    ],
    hints=[
        "The board is a value: `create` and `destroy` give a new one, so keep what they return.",
        "Keep for everyone who runs the hour of leaving and the start; `board.instances[-1].start` is the start "
        "of the newest. A tenant that begins in hour 2 and stays 3 hours leaves in hour 5.",
        "In each hour, destroy first, for everyone whose hour of leaving has come. Then, for every waiting tenant "
        "that has arrived, ask `board.free(name)`; if it is not empty, create and note the hour.",
    ],
    misconceptions=[
        Misconception(
            "the head of the queue goes first",
            mutants.head_first,
            "Here others may pass. Waiting for the head keeps slices idle that somebody could use.",
        ),
        Misconception(
            "nobody gives back",
            mutants.never_leave,
            "A tenant whose hours are over must be destroyed before anyone is let in, in that same hour.",
        ),
        Misconception(
            "free slices are enough",
            mutants.slices_enough,
            "Enough free slices are no place: ask the board for a free start.",
        ),
        Misconception(
            "all have come at hour 0",
            mutants.all_at_once,
            "Nobody begins before the hour of arrival.",
        ),
    ],
    because="The model is `hopperlab.models.mig.serve`; the panel above also shows it with moves.",
)
