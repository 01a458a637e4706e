"""Lesson 14: what the learner predicts, answers and writes about InfiniBand, SuperPODs and SHARP's tenants."""

from hopperlab.course.lesson import Lesson
from hopperlab.course.sharp_tenancy.exercises import SIZE, TREES
from hopperlab.course.sharp_tenancy.predictions import FACTORS, GRANTED, SPINES
from hopperlab.course.sharp_tenancy.quizzes import BELIEFS

LESSON = Lesson(
    "sharp_tenancy",
    predictions=[GRANTED, FACTORS, SPINES],
    quizzes=[BELIEFS],
    exercises=[TREES, SIZE],
)

__all__ = ["LESSON"]
