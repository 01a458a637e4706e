"""Lesson 12: what the learner predicts, answers and writes about collectives."""

from hopperlab.course.collectives.exercises import CROSSOVER, SWITCH_BYTES, WIRE
from hopperlab.course.collectives.predictions import PRINTED, SHARDS, TWO_GPUS
from hopperlab.course.collectives.quizzes import BELIEFS, LINES
from hopperlab.course.lesson import Lesson

LESSON = Lesson(
    "collectives",
    predictions=[SHARDS, PRINTED, TWO_GPUS],
    quizzes=[BELIEFS, LINES],
    exercises=[SWITCH_BYTES, WIRE, CROSSOVER],
)

__all__ = ["LESSON"]
