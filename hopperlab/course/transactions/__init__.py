"""Lesson 09: what the learner predicts, answers and writes about transaction barriers."""

from hopperlab.course.lesson import Lesson
from hopperlab.course.transactions.exercises import BARRIER, EDGES, RING
from hopperlab.course.transactions.predictions import BYTES_FIRST, EIGHT_EVENTS, FOUR_SHORT
from hopperlab.course.transactions.quizzes import BELIEFS, RINGS

LESSON = Lesson(
    "transactions",
    predictions=[EIGHT_EVENTS, BYTES_FIRST, FOUR_SHORT],
    quizzes=[BELIEFS, RINGS],
    exercises=[BARRIER, EDGES, RING],
)

__all__ = ["LESSON"]
