"""Lesson 13: what the learner predicts, answers and writes about an NVLink Network."""

from hopperlab.course.fabric.exercises import PLACE, SHARE_OF, WORST_CUT
from hopperlab.course.fabric.predictions import CUTS, REVOKED, SHARE
from hopperlab.course.fabric.quizzes import ANNOUNCED, WAY
from hopperlab.course.lesson import Lesson

LESSON = Lesson(
    "fabric",
    predictions=[CUTS, SHARE, REVOKED],
    quizzes=[ANNOUNCED, WAY],
    exercises=[WORST_CUT, SHARE_OF, PLACE],
)

__all__ = ["LESSON"]
