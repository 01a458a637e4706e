"""Lesson 04: what the learner predicts, answers and writes about FP8 formats and tensor cores."""

from hopperlab.course.fp8.exercises import CAST, PROMOTION, VANISHING
from hopperlab.course.fp8.predictions import BIAS, CASTS, ONES
from hopperlab.course.fp8.quizzes import BELIEFS, WHERE_IT_RUNS
from hopperlab.course.lesson import Lesson

LESSON = Lesson(
    "fp8",
    predictions=[CASTS, ONES, BIAS],
    quizzes=[BELIEFS, WHERE_IT_RUNS],
    exercises=[CAST, VANISHING, PROMOTION],
)

__all__ = ["LESSON"]
