"""Lesson 03: what the learner predicts, answers and writes about dynamic programming and DPX."""

from hopperlab.course.dpx.exercises import CELL, SIXTEEN_BITS, TOGETHER
from hopperlab.course.dpx.predictions import FUSES, PAIRS, WORDS
from hopperlab.course.dpx.quizzes import BELIEFS
from hopperlab.course.lesson import Lesson

LESSON = Lesson(
    "dpx",
    predictions=[FUSES, PAIRS, WORDS],
    quizzes=[BELIEFS],
    exercises=[CELL, TOGETHER, SIXTEEN_BITS],
)

__all__ = ["LESSON"]
