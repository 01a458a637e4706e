"""Notebook 00: one guess, to show how guesses are answered."""

from hopperlab.course.clusters.card import gpc_sm_counts
from hopperlab.course.guesses import Number
from hopperlab.course.lesson import Lesson
from hopperlab.course.misconceptions import Misconception
from hopperlab.course.predictions import Prediction
from hopperlab.models.clusters import max_active_clusters, naive_clusters

SIZE = 6


def _answer() -> int:
    return max_active_clusters(gpc_sm_counts(), SIZE)


ONE_MORE = Prediction(
    "one-more",
    "A chip of 132 SMs, in GPCs of 18, 18, 16, 16, 16, 16, 16, 8, 2, 2, 2 and 2. A cluster of 6 blocks needs 6 "
    "free SMs in one GPC. How many such clusters run at once?",
    Number("clusters", low=0, high=132),
    answer=_answer,
    because=(
        "A GPC of 18 SMs holds three, a GPC of 16 two, the one of 8 one, the pairs none: "
        "3 + 3 + 2 + 2 + 2 + 2 + 2 + 1 = 17. What is left over in each cannot be joined."
    ),
    misconceptions=[
        Misconception(
            "SMs divided by size",
            naive_clusters(132, SIZE),
            "That would join SMs of different GPCs. A cluster lives in one.",
        ),
        Misconception(
            "every GPC is whole",
            max_active_clusters((18,) * 8, SIZE),
            "That counts eight whole GPCs of 18 SMs. On every card sold some SMs are switched off.",
        ),
    ],
)

LESSON = Lesson("start_here", predictions=[ONE_MORE])
