"""Lesson 05: what the learner predicts, answers and writes about scaling, and training in FP8."""

from hopperlab.course.lesson import Lesson
from hopperlab.course.scaling.exercises import HISTORY, SPIKES
from hopperlab.course.scaling.predictions import GAP, INFINITY, SCALE
from hopperlab.course.scaling.quizzes import BELIEFS, DEPLOYED

LESSON = Lesson(
    "scaling",
    predictions=[SCALE, INFINITY, GAP],
    quizzes=[BELIEFS, DEPLOYED],
    exercises=[HISTORY, SPIKES],
)

__all__ = ["LESSON"]
