"""Predictions, quizzes and exercises: what a learner commits, tries and is told.

A theme's lesson is made in ``course/<theme>.py``::

    from hopperlab.course import (
        Choice, Exercise, Lesson, Misconception, Number, Option, Prediction, Question, Quiz,
    )
    from hopperlab.models import clusters

    def max_active(gpc_sms, cluster_size):
        \"\"\"How many clusters of this size run at once.\"\"\"
        total = 0
        for sms in gpc_sms:
            # your part: add the clusters that fit in this GPC
            total += sms // cluster_size
            # end of your part
        return total

    def sms_divided_by_size(gpc_sms, cluster_size):
        return sum(gpc_sms) // cluster_size

    lesson = Lesson(
        "clusters",
        predictions=[
            Prediction(
                "largest",
                "How many clusters of 10 blocks run at once on this chip?",
                Number("clusters", low=0, high=132),
                answer=lambda: clusters.max_active_clusters(...),   # computed when revealed, never a literal
                misconceptions=[
                    Misconception("SMs divided by size", 13, "A cluster lives in one GPC; none has 20 SMs."),
                    Misconception("any number fits", lambda guess: guess > 13, "No.", example=99),
                ],
                because=lambda answer: f"Each GPC holds one cluster of 10, so {answer}.",
            )
        ],
        quizzes=[
            Quiz("who-may-wait", [
                Question("Which blocks may wait for each other?", [
                    Option("All of a grid", "Some may not have started.", misconception="any block may wait"),
                    Option("Those of a cluster", "They start together.", right=True),
                ]),
            ])
        ],
        exercises=[
            Exercise(
                "occupancy",
                "Write `max_active`: ...",
                solution=max_active,                        # the skeleton is made from its source
                inputs=lambda draw: (draw.several(lambda: draw.integer(1, 18), 1, 8), draw.integer(1, 16)),
                hints=["...", "...", "..."],
                misconceptions=[Misconception("SMs divided by size", sms_divided_by_size, "...")],  # mutants
                right=clusters.some_model,                  # optional: what results are held against
            )
        ],
    )

``lessons/<theme>.py`` imports that lesson and gives it panels, ``lesson.panels["board"] = make_board``. A
notebook then reads::

    from hopperlab.lessons.clusters import lesson

    lesson.predict("largest")                   # question, input, Commit
    lesson.panel("board")
    lesson.reveal("largest")                    # fills itself in once a guess is committed
    lesson.quiz("who-may-wait")
    lesson.exercise("occupancy")                # task, hints, solution
    lesson.check("occupancy", max_active)       # below the literal cell lesson.skeleton("occupancy")
    lesson.summary()

Tests ask a lesson for its defects: `Prediction.unexplained_misconceptions`, `Prediction.unexplained_options`,
`unrejected_mutants`, `unexplained_mutants`, `solution_failures`; and for ``lesson.misconceptions``.
"""

from hopperlab.course.checking import CheckResult
from hopperlab.course.draws import Draw
from hopperlab.course.exercises import Exercise, solution_failures, unexplained_mutants, unrejected_mutants
from hopperlab.course.guesses import Choice, Number, Numbers, Order
from hopperlab.course.lesson import Lesson
from hopperlab.course.misconceptions import Misconception
from hopperlab.course.predictions import Prediction
from hopperlab.course.quizzes import Option, Question, Quiz
from hopperlab.course.report import Code, Report, Table

__all__ = [
    "CheckResult",
    "Choice",
    "Code",
    "Draw",
    "Exercise",
    "Lesson",
    "Misconception",
    "Number",
    "Numbers",
    "Option",
    "Order",
    "Prediction",
    "Question",
    "Quiz",
    "Report",
    "Table",
    "solution_failures",
    "unexplained_mutants",
    "unrejected_mutants",
]
