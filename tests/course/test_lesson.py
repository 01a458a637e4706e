import subprocess
import sys

import pytest

from hopperlab.course import (
    Exercise,
    Lesson,
    Misconception,
    Number,
    Option,
    Prediction,
    Question,
    Quiz,
    Report,
    Table,
)
from hopperlab.course.report import Code


def double(n):
    # your part: double it
    return 2 * n
    # end of your part


def make() -> Lesson:
    return Lesson(
        "clusters",
        predictions=[
            Prediction(
                "largest", "How many?", Number(), lambda: 8, "So.", [Misconception("pooled", 13, "One GPC.")]
            )
        ],
        quizzes=[
            Quiz(
                "wait",
                [
                    Question(
                        "?", [Option("a", "No.", misconception="pooled"), Option("b", "Yes.", right=True)]
                    )
                ],
            )
        ],
        exercises=[
            Exercise(
                "double",
                "Write `double`.",
                double,
                lambda draw: (draw.integer(0, 9),),
                ["a", "b", "c"],
                [Misconception("squared", lambda n: n * n, "Twice is not squared.")],
            )
        ],
    )


@pytest.mark.parametrize(
    ("call", "noun", "known"),
    [
        (lambda lesson: lesson.predict("x"), "prediction", "largest"),
        (lambda lesson: lesson.commit("x", 1), "prediction", "largest"),
        (lambda lesson: lesson.reveal("x"), "prediction", "largest"),
        (lambda lesson: lesson.panel("x"), "panel", "none"),
        (lambda lesson: lesson.quiz("x"), "quiz", "wait"),
        (lambda lesson: lesson.exercise("x"), "exercise", "double"),
        (lambda lesson: lesson.skeleton("x"), "exercise", "double"),
        (lambda lesson: lesson.check("x", double), "exercise", "double"),
        (lambda lesson: lesson.hint("x"), "exercise", "double"),
        (lambda lesson: lesson.solution("x"), "exercise", "double"),
    ],
)
def test_an_unknown_id_is_refused_with_the_known_ones(call, noun, known) -> None:
    with pytest.raises(ValueError, match=f"{noun} is 'x'; lesson 'clusters' has: {known}"):
        call(make())


def test_ids_of_one_kind_differ() -> None:
    same = [Prediction("a", "?", Number(), lambda: 1, "So.") for _ in range(2)]
    with pytest.raises(ValueError, match="prediction id 'a' is used twice"):
        Lesson("clusters", predictions=same)


def test_a_lesson_gives_its_theme_to_its_parts() -> None:
    lesson = make()
    parts = [*lesson.predictions.values(), *lesson.quizzes.values(), *lesson.exercises.values()]
    assert {part.theme for part in parts} == {"clusters"}


def test_panels_are_made_when_called() -> None:
    lesson = make()
    lesson.panels["board"] = lambda: "a board"
    assert lesson.panel("board") == "a board"


def test_a_lesson_lists_where_each_misconception_is_answered() -> None:
    assert make().misconceptions == {
        "pooled": ["prediction largest", "quiz wait"],
        "squared": ["exercise double"],
    }


def test_a_summary_of_nothing_done_shows_no_answer() -> None:
    text = make().summary().text
    assert "none yet" in text
    assert "not verified yet" in text
    assert "not passed yet" in text
    assert "8" not in text


def test_a_summary_follows_what_was_done() -> None:
    lesson = make()
    lesson.commit("largest", 13)
    lesson.predictions["largest"].reveal()
    lesson.hint("double")
    assert lesson.check("double", double).passed
    assert "2 * n" in lesson.solution("double").text
    text = lesson.summary().text
    assert "largest     13          8       0 of 1  pooled" in text
    assert "double    passed  1             1" in text
    assert text.endswith("Progress is kept in memory, until the kernel stops.")


def test_a_lesson_needs_no_widgets_until_it_asks() -> None:
    code = (
        "import sys, hopperlab.course; print({'ipywidgets', 'plotly', 'numba', 'IPython'} & set(sys.modules))"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout.strip() == "set()"


def test_a_report_says_the_same_in_text_and_in_html() -> None:
    report = Report("Use `n < 2` & go.", "", Code("if a < b:\n    pass"), Table(["a", "b"], [["1", "x<y"]]))
    assert report.text == "Use `n < 2` & go.\nif a < b:\n    pass\na  b\n-  ---\n1  x<y"
    assert report.html == (
        "<p>Use <code>n &lt; 2</code> &amp; go.</p>"
        "<pre><code>if a &lt; b:\n    pass</code></pre>"
        '<table><thead><tr><th scope="col">a</th><th scope="col">b</th></tr></thead>'
        '<tbody><tr><th scope="row">1</th><td>x&lt;y</td></tr></tbody></table>'
    )
    assert repr(report) == report.text
    assert report._repr_mimebundle_()["text/plain"] == report.text
