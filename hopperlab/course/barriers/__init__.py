"""Lesson 08: what the learner predicts, answers and writes about asynchronous barriers."""

from hopperlab.course.barriers.exercises import PARITY, PLACE, WAITING
from hopperlab.course.barriers.predictions import FRESH, SAVED, WHO_WAITS
from hopperlab.course.barriers.quizzes import BELIEFS, SLEEPING
from hopperlab.course.lesson import Lesson

LESSON = Lesson(
    "barriers",
    predictions=[SAVED, WHO_WAITS, FRESH],
    quizzes=[BELIEFS, SLEEPING],
    exercises=[PLACE, WAITING, PARITY],
)

__all__ = ["LESSON"]
