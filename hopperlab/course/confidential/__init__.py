"""Lesson 15: what the learner predicts, answers and writes about confidential computing."""

from hopperlab.course.confidential.exercises import FORGOTTEN, RECEIVER, ROTATION
from hopperlab.course.confidential.predictions import COST, LAYERS_BEATEN, LEFT
from hopperlab.course.confidential.quizzes import BELIEFS, SHIPPED
from hopperlab.course.lesson import Lesson

LESSON = Lesson(
    "confidential",
    predictions=[LAYERS_BEATEN, LEFT, COST],
    quizzes=[BELIEFS, SHIPPED],
    exercises=[RECEIVER, FORGOTTEN, ROTATION],
)

__all__ = ["LESSON"]
