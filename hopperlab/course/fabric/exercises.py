"""Three functions to write: the worst cut of a pod, a share from two speed-ups, and tables placed on GPUs."""

from itertools import combinations

from hopperlab.course.draws import Draw
from hopperlab.course.exercises import Exercise
from hopperlab.course.fabric import mutants
from hopperlab.course.misconceptions import Misconception
from hopperlab.models.recommender import invert, step_speedup


def worst_half(working_links):
    """The half of the servers whose cut carries least.

    working_links: for each server, how many of its 72 links into the pod still work; an
    even number of servers. What crosses a cut is bounded by the links of either side.
    Give the numbers of half of the servers, as a list.
    """
    # your part: choose which half to cut off
    order = sorted(range(len(working_links)), key=lambda server: working_links[server])
    return order[: len(order) // 2]
    # end of your part


def _crosses(working_links, side) -> int:
    left = sum(working_links[server] for server in side)
    return min(left, sum(working_links) - left)


def _judge_cut(side, working_links) -> str | None:
    half = len(working_links) // 2
    if not isinstance(side, list) or sorted(set(side)) != sorted(side) or len(side) != half:
        return f"it must be a list of {half} different servers"
    if any(server not in range(len(working_links)) for server in side):
        return f"servers are numbered 0 to {len(working_links) - 1}"
    least = min(
        _crosses(working_links, list(chosen)) for chosen in combinations(range(len(working_links)), half)
    )
    found = _crosses(working_links, side)
    return None if found == least else f"that cut carries {found} links; another carries {least}"


WORST_CUT = Exercise(
    "worst-cut",
    "Links have failed. Cut the pod worst: which half of the servers has the narrowest way to the other?",
    solution=worst_half,
    inputs=lambda draw: ([draw.integer(0, 72) for _ in range(2 * draw.integer(1, 4))],),
    judge=_judge_cut,
    examples=[([72, 60, 72, 20],), ([10, 72],), ([72, 0, 72, 0, 72, 0],)],
    hints=[
        "The spine blocks nothing: what crosses is the lesser of the two sides' working links.",
        "To make that small, one side must have as few working links as possible.",
        "So gather the servers with the fewest on one side.",
    ],
    misconceptions=[
        Misconception(
            "a cut goes through the middle",
            mutants.first_half,
            "Servers have no place in a fat tree. Any half may be cut off.",
        ),
        Misconception(
            "every balanced cut is alike",
            mutants.every_other,
            "That holds while nothing has failed. Count the links that still work.",
        ),
        Misconception(
            "cut off the one worst server",
            mutants.worst_and_best,
            "The others of its side matter as much: take the fewest links together.",
        ),
    ],
    because="`hopperlab.models.fabric.worst_cut` tries all halves by maximum flow.",
)


def communication_share(fabric_1, step_1, fabric_2, step_2):
    """The share of communication (0 to 1) in the old step.

    fabric_1, fabric_2: how many times faster each new fabric exchanges than the old one.
    step_1, step_2: how many times faster the whole step became on each.
    Compute became faster by one unknown factor, the same on both.
    """
    # your part: two equations, two unknowns
    return (1 / step_1 - 1 / step_2) / (1 / fabric_1 - 1 / fabric_2)
    # end of your part


def _share_inputs(draw: Draw) -> tuple:
    share, compute = draw.integer(1, 9) / 10, float(draw.integer(1, 8))
    slow, fast = float(draw.integer(1, 4)), float(draw.integer(5, 12))
    return slow, step_speedup(share, compute, slow), fast, step_speedup(share, compute, fast)


SHARE_OF = Exercise(
    "share",
    "Two speed-ups on two fabrics tell how much of the old time was exchange. Write the inversion.",
    solution=communication_share,
    inputs=_share_inputs,
    right=lambda f1, s1, f2, s2: invert((f1, s1), (f2, s2)).communication_share,
    examples=[(2.0, 2.5, 9.0, 4.0)],
    hints=[
        "Let the old step take 1: c for compute and a for exchange, c + a = 1. Compute gets x times faster.",
        "1/step = c/x + a/fabric, once for each fabric. c/x is the same in both.",
        "Subtract the equations: c/x drops out.",
    ],
    misconceptions=[
        Misconception(
            "what got lost is the share",
            mutants.lost_share,
            "Comparing the new machines with each other says nothing of the old one's step.",
        ),
        Misconception(
            "the faster fabric made exchange free",
            mutants.free_exchange,
            "It made it faster by a factor; what is left of it still counts.",
        ),
        Misconception(
            "speed-ups subtract",
            mutants.subtracted,
            "Times add up, speed-ups do not. Work with 1/step.",
        ),
    ],
    because="With the talk's numbers it is 38.6 %, and compute became 2.97 times faster.",
)


def place(tables, gpus, room):
    """A GPU for each table, so that the busiest GPU is done early.

    tables: for each table, (gigabytes, milliseconds of lookup and exchange).
    gpus: how many. room: gigabytes of each GPU.
    Give a list of GPUs, one for each table. It must fit, and be no slower than handing out
    tables, slowest first, each to the GPU that is least busy and has room.
    """
    busy, used = [0.0] * gpus, [0.0] * gpus
    where = [0] * len(tables)
    # your part: decide the order, and where each goes
    for number in sorted(range(len(tables)), key=lambda n: -tables[n][1]):
        gigabytes, milliseconds = tables[number]
        fits = [gpu for gpu in range(gpus) if used[gpu] + gigabytes <= room]
        gpu = min(fits, key=lambda gpu: busy[gpu])
        busy[gpu] += milliseconds
        used[gpu] += gigabytes
        where[number] = gpu
    # end of your part
    return where


def _judge_place(where, tables, gpus, room) -> str | None:
    if not isinstance(where, list) or len(where) != len(tables) or any(g not in range(gpus) for g in where):
        return f"it must be a list of {len(tables)} GPUs, each 0 to {gpus - 1}"
    used, slowest = _borne(where, tables, gpus)
    if max(used) > room:
        return f"GPU {used.index(max(used))} would hold {max(used):g} GB; it has room for {room:g}"
    allowed = _borne(place(tables, gpus, room), tables, gpus)[1]
    return (
        None if slowest <= allowed + 1e-9 else f"the busiest GPU takes {slowest:g} ms; {allowed:g} can be had"
    )


def _borne(where, tables, gpus) -> tuple[list[float], float]:
    used, busy = [0.0] * gpus, [0.0] * gpus
    for (gigabytes, milliseconds), gpu in zip(tables, where, strict=True):
        used[gpu] += gigabytes
        busy[gpu] += milliseconds
    return used, max(busy)


def _place_inputs(draw: Draw) -> tuple:
    """Tables of 1 to 8 GB; the room always suffices for handing out slowest first."""
    gpus = draw.integer(2, 4)
    tables = draw.several(lambda: (draw.integer(1, 8), draw.choice((1, 1, 4, 9, 16))), 2, 10)
    room = sum(gigabytes for gigabytes, _ in tables) // gpus + 8
    return tables, gpus, room


PLACE = Exercise(
    "place",
    "Place embedding tables on GPUs: all must fit, and the busiest GPU sets the step.",
    solution=place,
    inputs=_place_inputs,
    judge=_judge_place,
    examples=[([(8, 1), (1, 16), (8, 1), (1, 16), (2, 4)], 2, 18), ([(1, 9), (1, 9), (1, 9), (1, 9)], 4, 9)],
    hints=[
        "A large table is not a busy one: 300 lookups a sample cost more than a million rows.",
        "Take the busiest table first; late and small ones fill the gaps.",
        "For each table, among the GPUs that have room, take the one that is least busy.",
    ],
    misconceptions=[
        Misconception(
            "balance the bytes",
            mutants.balanced_bytes,
            "Then memory is even and time is not: what is looked up often sits beside what is looked up often.",
        ),
        Misconception(
            "deal them out in turn",
            mutants.in_turn,
            "Tables differ. Dealt in turn, two busy ones may meet.",
        ),
        Misconception(
            "the order does not matter",
            mutants.as_they_come,
            "A busy table that comes last finds no gap to fill. Begin with the busiest.",
        ),
        Misconception(
            "fill one GPU after another",
            mutants.first_that_fits,
            "It saves GPUs and wastes time: the others stand idle.",
        ),
    ],
    because="`hopperlab.models.recommender.greedy` does the same, and `improved` often beats it by swapping.",
)
