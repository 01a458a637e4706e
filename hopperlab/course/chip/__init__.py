"""Lesson 01: what the learner predicts, answers and writes about the chip and its roofline."""

from hopperlab.course.chip.exercises import ATTAINABLE, CLOCK, SPEND
from hopperlab.course.chip.predictions import LEAST, MOST, RIDGE
from hopperlab.course.chip.quizzes import BELIEFS
from hopperlab.course.lesson import Lesson

LESSON = Lesson(
    "chip",
    predictions=[LEAST, MOST, RIDGE],
    quizzes=[BELIEFS],
    exercises=[SPEND, ATTAINABLE, CLOCK],
)

__all__ = ["LESSON"]
