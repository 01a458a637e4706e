"""Neither a coin nor a ruler answers a question, and the place of an option tells nothing, in any lesson."""

import pytest

from tests.house.lesson_contract import lesson_notebooks

LESSONS = {lesson.theme: lesson for book in lesson_notebooks() if (lesson := book.lesson).quizzes}


def places(lesson):
    """The place of the right option and the number of options, of each question with one right option."""
    for quiz in lesson.quizzes.values():
        for question in quiz.questions:
            right = [option.right for option in question.shown]
            if sum(right) == 1:
                yield right.index(True), len(right)


def test_the_right_option_stands_first_no_more_often_than_last():
    firsts = lasts = 0
    for lesson in LESSONS.values():
        for place, options in places(lesson):
            firsts += place == 0
            lasts += place == options - 1
    assert firsts + lasts > 40
    assert 2 / 3 < firsts / lasts < 3 / 2, (firsts, lasts)


@pytest.mark.parametrize("theme", LESSONS)
def test_a_question_with_one_right_option_has_three_options_or_more(theme):
    assert all(options >= 3 for _, options in places(LESSONS[theme]))


@pytest.mark.parametrize("theme", LESSONS)
def test_no_place_is_right_throughout_a_lesson(theme):
    found = [place for place, _ in places(LESSONS[theme])]
    assert len(found) < 3 or len(set(found)) > 1


@pytest.mark.parametrize("theme", LESSONS)
def test_the_right_option_is_not_clearly_the_longest(theme):
    for quiz in LESSONS[theme].quizzes.values():
        for question in quiz.questions:
            if len(question.right) == 1:
                (right,) = question.right
                longest_wrong = max(len(option.text) for option in question.options if not option.right)
                assert len(right) <= 1.25 * longest_wrong, question.text
