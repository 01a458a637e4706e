"""Lesson 19: what the learner predicts, answers and writes about atomics."""

from hopperlab.course.atomics.exercises import HOT, PACE, SWAP
from hopperlab.course.atomics.predictions import CLOCK, CONTENTION, PLACES
from hopperlab.course.atomics.quizzes import BELIEFS
from hopperlab.course.lesson import Lesson

LESSON = Lesson(
    "atomics",
    predictions=[PLACES, CONTENTION, CLOCK],
    quizzes=[BELIEFS],
    exercises=[SWAP, PACE, HOT],
)

__all__ = ["LESSON"]
