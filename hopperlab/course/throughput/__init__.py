"""Lesson 21: what the learner predicts, marks, answers and writes about the throughput of instructions."""

from hopperlab.course.lesson import Lesson
from hopperlab.course.throughput.exercises import CEILING, KEPT, LEVELS
from hopperlab.course.throughput.predictions import DOUBLE, MULTIPLY, ONE_WARP
from hopperlab.course.throughput.quizzes import BELIEFS

LESSON = Lesson(
    "throughput",
    predictions=[DOUBLE, MULTIPLY, ONE_WARP],
    quizzes=[BELIEFS],
    exercises=[KEPT, CEILING, LEVELS],
)

__all__ = ["LESSON"]
