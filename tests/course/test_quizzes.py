import pytest

from hopperlab.course import Option, Question, Quiz, progress
from hopperlab.course.quizzes import summary

WAIT = Question(
    "Who may wait for whom?",
    [
        Option("All of a grid", "The last may not have started.", misconception="any block may wait"),
        Option("Those of a cluster", "They start together.", right=True),
    ],
)
HOLD = Question(
    "What holds?",
    [
        Option("One GPC", "That is the network.", right=True),
        Option("Size 3", "Any size to 16.", right=True),
        Option("Two GPUs", "One grid, one GPU."),
    ],
    several=True,
)


def quiz() -> Quiz:
    return Quiz("waiting", [WAIT, HOLD], theme="clusters")


@pytest.mark.parametrize("option", [*WAIT.options, *HOLD.options], ids=lambda option: option.text)
def test_every_option_gives_its_own_sentence_and_no_other(option: Option) -> None:
    question = WAIT if option in WAIT.options else HOLD
    told = "\n".join(question.feedback([option.text]))
    assert option.feedback in told
    assert not any(other.feedback in told for other in question.options if other != option)
    assert told.startswith("Right: " if option.right else "No: ")


def test_unanswered_questions_are_named_and_nothing_is_kept() -> None:
    asked = quiz()
    assert "Not answered yet: 2." in asked.verify({1: "All of a grid"}).text
    assert "Not answered yet: 1, 2." in asked.verify({}).text
    assert progress.store().lessons() == {}


def test_right_options_left_out_are_counted_but_not_told() -> None:
    told = "\n".join(HOLD.feedback(["One GPC"]))
    assert "Still missing: 1 more that holds." in told
    assert "Size 3" not in told


def test_the_first_full_answer_counts_and_the_latest_is_kept_beside_it() -> None:
    asked = quiz()
    asked.verify({1: "All of a grid", 2: ["One GPC", "Size 3"]})
    told = asked.verify({1: "Those of a cluster", 2: ["Size 3", "One GPC"]})
    assert told.text.endswith("2 of 2 questions right.")
    assert "waiting  1 of 2  2 of 2" in summary([asked]).text


def test_a_question_with_several_right_options_wants_exactly_those() -> None:
    everything = [option.text for option in HOLD.options]
    assert "1 of 2 questions right." in quiz().verify({1: "Those of a cluster", 2: everything}).text


@pytest.mark.parametrize(
    ("answers", "message"),
    [
        ({3: "One GPC"}, "answers names question 3; quiz 'waiting' has 1 to 2"),
        ({1: "Nobody"}, "answer to question 1 is 'Nobody'; it must be one of: All of a grid"),
    ],
)
def test_an_answer_to_nothing_is_refused(answers, message) -> None:
    with pytest.raises(ValueError, match=message):
        quiz().verify(answers)


@pytest.mark.parametrize(
    "make",
    [
        lambda: Option("text", " "),
        lambda: Question("?", [Option("a", "x", right=True)]),
        lambda: Question("?", [Option("a", "x", right=True), Option("a", "y")]),
        lambda: Question("?", [Option("a", "x"), Option("b", "y")]),
        lambda: Question("?", [Option("a", "x", right=True), Option("b", "y", right=True)]),
        lambda: Quiz("empty", []),
    ],
    ids=["no feedback", "one option", "same twice", "none right", "two right", "no question"],
)
def test_a_quiz_that_could_not_be_answered_is_refused(make) -> None:
    with pytest.raises(ValueError, match=r"empty|options of"):
        make()
