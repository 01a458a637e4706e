"""Lesson 17: what the learner predicts, answers and writes about clocks and power."""

from hopperlab.course.lesson import Lesson
from hopperlab.course.power.exercises import BITS, READING, TIME
from hopperlab.course.power.predictions import CLOCK, WATTS
from hopperlab.course.power.predictions import READING as TRAILING
from hopperlab.course.power.quizzes import BELIEFS

LESSON = Lesson(
    "power",
    predictions=[CLOCK, WATTS, TRAILING],
    quizzes=[BELIEFS],
    exercises=[BITS, TIME, READING],
)

__all__ = ["LESSON"]
