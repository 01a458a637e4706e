"""Lesson 20: what the learner predicts, answers and writes about bandwidth."""

from hopperlab.course.lesson import Lesson
from hopperlab.course.memory.bandwidth.exercises import MIXED, RATE, REACHED
from hopperlab.course.memory.bandwidth.predictions import BLOCKS, FOOTPRINT, HALF
from hopperlab.course.memory.bandwidth.quizzes import BELIEFS

LESSON = Lesson(
    "memory_bandwidth",
    predictions=[BLOCKS, FOOTPRINT, HALF],
    quizzes=[BELIEFS],
    exercises=[REACHED, RATE, MIXED],
)

__all__ = ["LESSON"]
