"""What the learner commits before the pod of lesson 13 is cut."""

from hopperlab.course.guesses import Choice, Number, Numbers
from hopperlab.course.misconceptions import Misconception
from hopperlab.course.predictions import Prediction
from hopperlab.models import addressing
from hopperlab.models.fabric import cut, split_of, topology
from hopperlab.models.recommender import invert

NETWORK = "NVLink Network, 32 servers (announced)"
CUT_AT = {
    "4 | 4 in one server": ("HGX H100", 4),
    "8 | 248 in the pod": (NETWORK, 8),
    "128 | 128": (NETWORK, 128),
}


def _bisections() -> dict[str, float]:
    found = {}
    for name, (fabric, left) in CUT_AT.items():
        graph = topology(fabric)
        found[name] = round(cut(graph, split_of(graph, left)).both_directions / 1e9)
    return found


CUTS = Prediction(
    "cuts",
    "GPUs with 18 links of 25 GB/s each way; a server has 72 links into the pod (the announced wiring). How much "
    "crosses each cut, both directions added?",
    Numbers({name: Number("GB/s", low=0, high=10**6, relative_tolerance=0.02) for name in CUT_AT}),
    answer=_bisections,
    because=(
        "Within a server nothing blocks: 4 x 900 = 3,600. A server's door to the pod is 72 x 50 = 3,600, half of "
        "what its 8 GPUs can send. So 16 servers against 16 get 16 x 3,600 = 57,600: a taper of 2 to 1."
    ),
    misconceptions=[
        Misconception(
            "a fabric never tapers",
            {"4 | 4 in one server": 3600, "8 | 248 in the pod": 7200, "128 | 128": 115200},
            "That lets all 18 links of every GPU leave its server. Only 72 of the 144 do.",
        ),
        Misconception(
            "a link's 50 GB/s is one direction",
            {"4 | 4 in one server": 7200, "8 | 248 in the pod": 7200, "128 | 128": 115200},
            "A link carries 25 GB/s each way; 50 is both directions already.",
        ),
        Misconception(
            "bisection counts one direction",
            {"4 | 4 in one server": 1800, "8 | 248 in the pod": 1800, "128 | 128": 28800},
            "Right, if you say so. Vendors add both directions, and so did the question.",
        ),
        Misconception(
            "a cut costs all links of both sides",
            {"4 | 4 in one server": 7200, "8 | 248 in the pod": 14400, "128 | 128": 230400},
            "What crosses is bounded by the smaller side's links, counted once.",
        ),
    ],
)


def _share() -> float:
    return round(100 * invert((2, 2.5), (9, 4)).communication_share, 1)


SHARE = Prediction(
    "share",
    "The talk's recommender runs 2.5 times faster on H100 with InfiniBand, 4 times with the NVLink Network. "
    "Exchange gets 2 and 9 times faster on these two fabrics. Which share of a step was exchange on the A100?",
    Number("%", low=0, high=100, tolerance=0.7),
    answer=_share,
    because=(
        "Two equations: 1/2.5 = c/x + a/2 and 1/4 = c/x + a/9. Their difference is a(1/2 - 1/9) = 0.15, so a = "
        "38.6 %. Then x = 2.97: the compute got three times faster. The inversion is ours; the talk gives no share."
    ),
    misconceptions=[
        Misconception(
            "what got lost is the share",
            37.5,
            "(4 - 2.5)/4 compares the two new machines. On the old one everything else was slower, too.",
        ),
        Misconception(
            "the faster fabric made exchange free",
            30.0,
            "That is 2 x (0.4 - 0.25). On the NVLink Network a ninth of it is left.",
        ),
        Misconception(
            "all of the gain is the fabric's",
            100.0,
            "Then the step would be twice and nine times faster.",
        ),
        Misconception(
            "four times faster means three quarters",
            75.0,
            "1 - 1/4 is the time saved by everything together: compute gained too.",
        ),
    ],
)


def _after_revocation() -> str:
    pod = addressing.export(addressing.Pod(), "weights", owner=1, pages=2)
    pod = addressing.grant(addressing.map_buffer(pod, 0, "weights", 7), 0, "weights")
    pod = addressing.revoke(addressing.access(pod, 0, 7), 0, "weights", flush=False)
    last = addressing.access(pod, 0, 7).last
    return "reaches" if last.stale else "faults at the owner"


REVOKED = Prediction(
    "revoked",
    "GPU 0 has used a page of GPU 1. Then GPU 1 revokes GPU 0's permission, but its link TLB is not flushed. What "
    "does GPU 0's next access to that page do, in the model?",
    Choice(
        {
            "reaches": "it reaches the page",
            "faults at the owner": "it faults at the link TLB of GPU 1",
            "faults at the source": "it faults on GPU 0, before it leaves",
        }
    ),
    answer=_after_revocation,
    because=(
        "The owner's check uses what its link TLB holds. Until the entry is gone, the old permission stands: "
        "revoking and flushing belong together. This is modelled; how a real link TLB behaves here is not public."
    ),
    misconceptions=[
        Misconception(
            "revoking is enough",
            "faults at the owner",
            "The table says no, but the check reads the cached entry first.",
        ),
        Misconception(
            "the source knows what the owner allows",
            "faults at the source",
            "The source's page table was not touched. The check is where the memory is.",
        ),
    ],
)
