"""Lesson 07: what the learner predicts, answers and writes about distributed shared memory."""

from hopperlab.course.exchange.exercises import BINS, CROSSINGS, RING
from hopperlab.course.exchange.predictions import FOUR_WAYS, ROUND_TRIP, STOPS_GAINING
from hopperlab.course.exchange.quizzes import BELIEFS, REACH
from hopperlab.course.lesson import Lesson

LESSON = Lesson(
    "exchange",
    predictions=[ROUND_TRIP, FOUR_WAYS, STOPS_GAINING],
    quizzes=[BELIEFS, REACH],
    exercises=[CROSSINGS, RING, BINS],
)

__all__ = ["LESSON"]
