"""What the learner commits before the tenants of lesson 14 are placed."""

from hopperlab.course.guesses import Number, Numbers
from hopperlab.course.misconceptions import Misconception
from hopperlab.course.predictions import Prediction
from hopperlab.models.fabric import growth, superpod
from hopperlab.models.sharp_tenancy import GAME_HOMES, GAME_JOBS, RULES, Cluster, admit, pack


def _granted() -> dict[str, int]:
    cluster = Cluster()
    placed = pack(cluster, GAME_JOBS, GAME_HOMES)
    return {rule: sum(one.reduces_in_switch for one in admit(cluster, placed, rule)) for rule in RULES}


GRANTED = Prediction(
    "granted",
    "Six jobs on four leaves, in this order. A has 6 hosts on leaf 0. B has 2 on leaf 0 and 2 on leaf 1. C has 6 on "
    "leaf 2. D has 2 on leaf 2 and 4 on leaf 3. E has 4 on leaf 1. F has 2 on leaf 1 and 2 on leaf 3. How many get "
    "their reduction done in the switches, under SHARPv2 and under SHARPv3?",
    Numbers({rule: Number("jobs", low=0, high=6) for rule in RULES}),
    answer=_granted,
    because=(
        "v2 gives a switch to one streaming tree. A takes leaf 0, so B falls back; C takes leaf 2, so D does; E "
        "finds leaf 1 free, and F then does not. v3 gives one tree to a port: all six have ports of their own."
    ),
    misconceptions=[
        Misconception(
            "every job gets SHARP", {"v2": 6, "v3": 6}, "Under v2 a leaf serves one streaming tree."
        ),
        Misconception(
            "one job in the whole fabric",
            {"v2": 1, "v3": 6},
            "The lock is on a switch, not on the fabric. Jobs on other switches get their trees.",
        ),
        Misconception(
            "as many jobs as leaves",
            {"v2": 4, "v3": 6},
            "Only if each keeps to a leaf of its own. A job on two leaves needs both free.",
        ),
        Misconception(
            "a job that fell back still holds its leaves",
            {"v2": 2, "v3": 6},
            "B and D reduce by a ring, and hold no switch. So E finds leaf 1 free.",
        ),
    ],
)


def _factors() -> dict[str, float]:
    found = growth()
    return {
        "bisection": found["bisection"],
        "all-to-all, by the link": found["all-to-all by the link alone"],
        "reductions of a second tenant": found["reductions of a second tenant"],
    }


FACTORS = Prediction(
    "factors",
    "1,024 GPUs: A100 with HDR against H100 with NDR InfiniBand, one adapter a GPU, no taper. By which factor grow "
    "the bisection, all-to-all as far as the link makes it, and the reductions of a job that SHARPv2 turned away?",
    Numbers({name: Number("times", low=0, high=100) for name in _factors()}),
    answer=_factors,
    because=(
        "A port goes from 200 to 400 Gb/s: 2 for the bisection and for all-to-all. The turned-away job gains the "
        "link's 2 and the switch's 2. The talk's 4 for all-to-all needs ConnectX-7's engine for small messages."
    ),
    misconceptions=[
        Misconception(
            "all-to-all 4x is the link",
            {"bisection": 2.0, "all-to-all, by the link": 4.0, "reductions of a second tenant": 4.0},
            "The link gives 2. The rest is the adapter's engine for small messages, which is only quoted.",
        ),
        Misconception(
            "everything grows as compute does",
            {"bisection": 6.0, "all-to-all, by the link": 6.0, "reductions of a second tenant": 6.0},
            "Six is compute. A fabric grows by its ports.",
        ),
        Misconception(
            "the link is all there is",
            {"bisection": 2.0, "all-to-all, by the link": 2.0, "reductions of a second tenant": 2.0},
            "The second tenant also gets its reduction in the switch, which halves what its adapters carry.",
        ),
        Misconception(
            "32 times more tenants is 32 times faster",
            {"bisection": 2.0, "all-to-all, by the link": 2.0, "reductions of a second tenant": 32.0},
            "More jobs get a tree; none of them gets faster than its own port.",
        ),
    ],
)

SPINES = Prediction(
    "spines",
    "A SuperPOD of 3 units has 24 leaf switches, each with 32 cables up, and spine switches of 64 ports. How many "
    "spines does the reference architecture use?",
    Number("spines", low=0, high=128),
    answer=lambda: superpod(3).spines,
    because=(
        "768 cables fill 12 spines of 64 ports. But each leaf must spread its 32 cables evenly over all spines, and "
        "12 does not divide 32. The next number that does is 16."
    ),
    misconceptions=[
        Misconception(
            "ports are enough",
            12,
            "12 x 64 = 768 ports, but 32 cables of a leaf do not spread evenly over 12 spines.",
        ),
        Misconception("a spine for each leaf", 24, "A spine serves every leaf; 16 have ports enough."),
        Misconception("a spine for each cable of a leaf", 32, "A leaf may send two cables to each of 16."),
    ],
)
