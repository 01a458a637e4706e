"""Lesson 10: what the learner predicts, answers and writes about the tensor memory accelerator."""

from hopperlab.course.lesson import Lesson
from hopperlab.course.tma.exercises import HALO, IM2COL, SWIZZLE
from hopperlab.course.tma.predictions import COLUMN, HALF_OUTSIDE, SIX_MAPS
from hopperlab.course.tma.quizzes import BELIEFS, SHAPES

LESSON = Lesson(
    "tma",
    predictions=[HALF_OUTSIDE, COLUMN, SIX_MAPS],
    quizzes=[BELIEFS, SHAPES],
    exercises=[SWIZZLE, HALO, IM2COL],
)

__all__ = ["LESSON"]
