"""Lesson 18: what the learner predicts, answers and writes about caches and latency."""

from hopperlab.course.lesson import Lesson
from hopperlab.course.memory.latency.exercises import HALVES, NEAREST, RING
from hopperlab.course.memory.latency.predictions import CONSTANTS, FAR, KNEES
from hopperlab.course.memory.latency.quizzes import BELIEFS

LESSON = Lesson(
    "memory_latency",
    predictions=[KNEES, CONSTANTS, FAR],
    quizzes=[BELIEFS],
    exercises=[RING, HALVES, NEAREST],
)

__all__ = ["LESSON"]
