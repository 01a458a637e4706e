"""Lesson 02: what the learner predicts, answers and writes about the SM."""

from hopperlab.course.lesson import Lesson
from hopperlab.course.sm.exercises import FEED, OCCUPY, TILES
from hopperlab.course.sm.predictions import IN_REGISTERS, IN_SHARED, WARPS
from hopperlab.course.sm.quizzes import BELIEFS

LESSON = Lesson(
    "sm",
    predictions=[IN_SHARED, IN_REGISTERS, WARPS],
    quizzes=[BELIEFS],
    exercises=[OCCUPY, FEED, TILES],
)

__all__ = ["LESSON"]
