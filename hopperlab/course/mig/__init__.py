"""Lesson 16: what the learner predicts, answers and writes about Multi-Instance GPU."""

from hopperlab.course.lesson import Lesson
from hopperlab.course.mig.exercises import FITS, MAKE_ROOM, QUEUE
from hopperlab.course.mig.predictions import LOST, ORDER, WHICH_FIT
from hopperlab.course.mig.quizzes import APART, PUBLIC_TABLE

LESSON = Lesson(
    "mig",
    predictions=[WHICH_FIT, LOST, ORDER],
    quizzes=[APART, PUBLIC_TABLE],
    exercises=[FITS, MAKE_ROOM, QUEUE],
)

__all__ = ["LESSON"]
