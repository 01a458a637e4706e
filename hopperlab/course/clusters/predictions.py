"""What the learner commits before the board of lesson 06 is shown."""

from hopperlab.course.clusters.card import gpc_sm_counts
from hopperlab.course.guesses import Choice, Number, Numbers
from hopperlab.course.misconceptions import Misconception
from hopperlab.course.predictions import Prediction
from hopperlab.models.clusters import cluster_occupancy, max_active_clusters, naive_clusters

SIZES = (16, 10, 5)


def _by_size(count) -> dict[str, int]:
    return {f"of {size}": count(size) for size in SIZES}


def _at_once() -> dict[str, int]:
    return _by_size(lambda size: max_active_clusters(gpc_sm_counts(), size))


def _sum_in_words(answer: dict[str, int]) -> str:
    counts = gpc_sm_counts()
    lines = []
    for size in SIZES:
        per_gpc = cluster_occupancy(counts, size).clusters_per_gpc
        terms = " + ".join(f"{sms}//{size}" for sms, n in zip(counts, per_gpc, strict=True) if n)
        lines.append(f"of {size}: {terms} = {answer[f'of {size}']}")
    return "Each GPC is counted on its own, and what is left over there is lost. " + "; ".join(lines) + "."


AT_ONCE = Prediction(
    "at-once",
    "On the card mapped above, with one block an SM: how many clusters run at the same time?",
    Numbers({f"of {size}": Number("clusters", low=0, high=132) for size in SIZES}),
    answer=_at_once,
    because=_sum_in_words,
    misconceptions=[
        Misconception(
            "SMs divided by size",
            _by_size(lambda size: naive_clusters(132, size)),
            "That would pool SMs of different GPCs. A cluster lives in one GPC, so left-over SMs of two GPCs "
            "cannot be joined.",
        ),
        Misconception(
            "every GPC is whole",
            _by_size(lambda size: max_active_clusters((18,) * 8, size)),
            "That counts eight GPCs of 18 SMs, the full die. On every card sold some SMs are switched off, "
            "and not evenly.",
        ),
        Misconception(
            "powers of two only",
            {"of 16": max_active_clusters((16,) * 8, 16), "of 10": 0, "of 5": 0},
            "Any size from 1 to 16 may be launched; 5 and 10 are as good as 4 and 8.",
        ),
    ],
)


def _two_blocks() -> int:
    return max_active_clusters(gpc_sm_counts(), 16, blocks_per_sm=2)


TWO_BLOCKS = Prediction(
    "two-blocks",
    "Now blocks are small enough that two fit on an SM. How many clusters of 16 run at the same time?",
    Number("clusters", low=0, high=264),
    answer=_two_blocks,
    because=(
        "A GPC of 16 or 18 SMs has 32 or 36 places: two clusters of 16. A group with fewer than 16 SMs has "
        "none, even where its places would do: a cluster of 16 wants 16 SMs in its GPC. The card answers so; "
        "no document says why."
    ),
    misconceptions=[
        Misconception(
            "a small GPC lends its second places",
            sum(2 * sms // 16 for sms in (18, 18, 16, 16, 16, 16, 16, 8)),
            "Eight SMs with two places each make 16 places, but a cluster larger than its GPC never runs "
            "there, however many blocks fit on an SM.",
        ),
        Misconception(
            "one block an SM always",
            lambda guess: guess == max_active_clusters(gpc_sm_counts(), 16),
            "Spreading over SMs is a preference. Where SMs are short, two blocks of a cluster share one.",
            example=7,
        ),
        Misconception(
            "places divided by size",
            264 // 16,
            "That would pool places of different GPCs; a cluster lives in one.",
        ),
    ],
)


def _idle() -> str:
    occupancy = cluster_occupancy(gpc_sm_counts(), 10)
    large = [n for n, sms in enumerate(occupancy.gpc_sm_counts) if sms >= 10]
    left_in_each = all(occupancy.stranded_sms_per_gpc[n] > 0 for n in large)
    small_idle = all(
        occupancy.stranded_sms_per_gpc[n] == sms
        for n, sms in enumerate(occupancy.gpc_sm_counts)
        if n not in large
    )
    return "some of each" if left_in_each and small_idle else "none"


IDLE = Prediction(
    "idle",
    "The card is full of clusters of 10, one block an SM, and more of them wait. Which SMs stand idle?",
    Choice(
        {
            "none": "none: the waiting clusters take them",
            "whole": "two or three whole GPCs, at the end of the chip",
            "some of each": "some in every large GPC, and all SMs of the small groups",
            "small only": "only the SMs of groups smaller than 10",
        }
    ),
    answer=_idle,
    because=(
        "A GPC of 18 or 16 SMs holds one cluster of 10; its other 8 or 6 SMs are too few for a second. A group "
        "smaller than 10 holds none. All of them stay idle although work waits: they are stranded."
    ),
    misconceptions=[
        Misconception(
            "nothing idles while work waits",
            "none",
            "All blocks of a cluster start together or none does. Ten free SMs in two GPCs start nothing.",
        ),
        Misconception(
            "GPCs fill one after another",
            "whole",
            "The scheduler uses every GPC that has room; what is stranded is left over in each of them.",
        ),
        Misconception(
            "large GPCs are used up",
            "small only",
            "Only if the size divides the number of SMs. 18 and 16 are no multiples of 10.",
        ),
    ],
)
