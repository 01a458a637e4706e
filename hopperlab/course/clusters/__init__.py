"""Lesson 06: what the learner predicts, answers and writes about thread block clusters."""

from hopperlab.course.clusters.card import measured_map
from hopperlab.course.clusters.exercises import GPC_MAP, OCCUPANCY, STENCIL
from hopperlab.course.clusters.predictions import AT_ONCE, IDLE, TWO_BLOCKS
from hopperlab.course.clusters.quizzes import BELIEFS, WHO_MAY_WAIT
from hopperlab.course.lesson import Lesson

LESSON = Lesson(
    "clusters",
    predictions=[AT_ONCE, TWO_BLOCKS, IDLE],
    quizzes=[WHO_MAY_WAIT, BELIEFS],
    exercises=[OCCUPANCY, GPC_MAP, STENCIL],
)

__all__ = ["LESSON", "measured_map"]
