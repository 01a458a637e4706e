"""Lesson 11: what the learner predicts, answers and writes about the asynchronous matrix product."""

from hopperlab.course.gemm.exercises import BUBBLE, STAGE, TILE
from hopperlab.course.gemm.predictions import LARGEST_GAIN, REGISTERS, STAGES, WIDTH
from hopperlab.course.gemm.quizzes import BELIEFS
from hopperlab.course.lesson import Lesson

LESSON = Lesson(
    "gemm",
    predictions=[LARGEST_GAIN, STAGES, REGISTERS, WIDTH],
    quizzes=[BELIEFS],
    exercises=[STAGE, BUBBLE, TILE],
)

__all__ = ["LESSON"]
