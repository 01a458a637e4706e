import pytest

from hopperlab.course import Choice, Misconception, Number, Numbers, Order, Prediction, progress
from hopperlab.course.predictions import summary

POOLED = Misconception("SMs divided by size", 13, "A cluster lives in one GPC.")
TOO_MANY = Misconception("any number fits", lambda guess: guess > 100, "Each block needs an SM.", example=120)


def largest(**changes) -> Prediction:
    given = {
        "id": "largest",
        "question": "How many clusters of 10 run at once?",
        "kind": Number("clusters", low=0, high=132),
        "answer": lambda: 8,
        "because": "One fits in each GPC.",
        "misconceptions": [POOLED, TOO_MANY],
        "theme": "clusters",
    }
    return Prediction(**(given | changes))


def test_before_a_guess_the_answer_is_not_even_computed() -> None:
    def answer():
        raise AssertionError("the answer was computed before a guess")

    prediction = largest(answer=answer)
    waiting = prediction.reveal()
    assert waiting.text == "No guess yet for largest. Commit one above; the answer waits for it."
    assert "8" not in waiting.text
    assert not prediction.committed
    assert "none yet" in summary([prediction]).text


def test_a_right_guess_is_told_why() -> None:
    prediction = largest()
    assert prediction.commit("8 clusters").text == "Committed: 8 clusters."
    assert prediction.reveal().text == "Right.\nYou said 8 clusters, and so it is.\nOne fits in each GPC."


def test_a_foreseen_wrong_guess_is_told_its_own_reason() -> None:
    prediction = largest()
    prediction.commit(13)
    told = prediction.reveal().text
    assert told.splitlines() == [
        "Not this time.",
        "You said 13 clusters; it is 8 clusters.",
        "Often behind it: SMs divided by size. A cluster lives in one GPC.",
        "One fits in each GPC.",
    ]


def test_a_misconception_may_recognize_a_range_of_guesses() -> None:
    prediction = largest()
    prediction.commit(130)
    assert TOO_MANY.reason in prediction.reveal().text
    assert POOLED.reason not in prediction.reveal().text


def test_any_other_wrong_guess_is_told_the_reason_of_the_answer() -> None:
    prediction = largest()
    prediction.commit(2)
    told = prediction.reveal().text
    assert "it is 8 clusters" in told
    assert "One fits in each GPC." in told
    assert "Often behind it" not in told


def test_a_right_guess_shows_no_misconception_whatever_a_predicate_says() -> None:
    careless = Misconception("careless", lambda guess: True, "Never told when right.", example=1)
    prediction = largest(misconceptions=[careless])
    prediction.commit(8)
    assert careless.reason not in prediction.reveal().text


def test_the_first_guess_stands() -> None:
    prediction = largest()
    prediction.commit(13)
    assert prediction.commit(8).text == "Committed: 13 clusters. The first guess stands."
    assert prediction.commit(13).text == "Committed: 13 clusters."
    assert prediction.guess == 13


@pytest.mark.parametrize("guess", [200, "many", None])
def test_a_guess_that_cannot_be_meant_commits_nothing(guess) -> None:
    prediction = largest()
    with pytest.raises((ValueError, TypeError), match="0 to 132"):
        prediction.commit(guess)
    assert not prediction.committed


def test_the_reason_may_be_computed_from_the_answer() -> None:
    prediction = largest(because=lambda answer: f"{answer} GPCs have 10 SMs.")
    prediction.commit(1)
    assert "8 GPCs have 10 SMs." in prediction.reveal().text


def test_an_answer_must_be_a_function() -> None:
    with pytest.raises(TypeError, match="answer of prediction 'largest' is 8; it must be a function"):
        largest(answer=8)


def test_misconceptions_of_one_prediction_have_different_names() -> None:
    with pytest.raises(ValueError, match="repeat the names SMs divided by size"):
        largest(misconceptions=[POOLED, POOLED])


def test_a_misconception_that_recognizes_guesses_names_one() -> None:
    with pytest.raises(ValueError, match="example of misconception 'any number' is None"):
        largest(misconceptions=[Misconception("any number", lambda guess: guess > 100, "No.")])


@pytest.mark.parametrize(("name", "reason"), [("", "why"), ("idea", " ")])
def test_a_misconception_needs_a_name_and_a_reason(name, reason) -> None:
    with pytest.raises(ValueError, match="is empty"):
        Misconception(name, 1, reason)


def test_an_answer_out_of_its_own_range_is_a_defect_of_the_lesson() -> None:
    prediction = largest(answer=lambda: 500)
    prediction.commit(8)
    with pytest.raises(ValueError, match="guess is 500"):
        prediction.reveal()


def test_the_ledger_sums_what_was_revealed_and_hides_what_was_not() -> None:
    first, second, third = largest(), largest(id="second", answer=lambda: 77), largest(id="third")
    first.commit(13)
    first.reveal()
    second.commit(13)
    text = summary([first, second, third]).text
    assert "Predictions: 0 of 1 points, 1 of 3 revealed." in text
    assert "not revealed yet" in text
    assert "77" not in text
    assert "SMs divided by size" in text


def test_points_of_several_numbers_and_orders_are_summed_by_part() -> None:
    sizes = largest(
        id="sizes",
        kind=Numbers({"of 16": Number(), "of 10": Number(), "of 5": Number()}),
        answer=lambda: [7, 9, 22],
        misconceptions=[Misconception("pooled", {"of 16": 8, "of 10": 13, "of 5": 26}, "One GPC each.")],
    )
    order = largest(
        id="order",
        kind=Order(["a", "b", "c"], "first", "last"),
        answer=lambda: ["a", "b", "c"],
        misconceptions=[Misconception("backwards", ["c", "b", "a"], "The other end is first.")],
    )
    sizes.commit([7, 13, 22])
    order.commit(["c", "b", "a"])
    assert sizes.reveal().text.startswith("2 of 3 right.\nof 16: You said 7, and so it is.")
    assert "pooled. One GPC each." in sizes.reveal().text
    assert "backwards. The other end is first." in order.reveal().text
    assert "Predictions: 3 of 6 points, 2 of 2 revealed." in summary([sizes, order]).text


def test_a_second_reveal_changes_nothing_in_the_ledger() -> None:
    answers = iter([8, 9])
    prediction = largest(answer=lambda: next(answers))
    prediction.commit(8)
    prediction.reveal()
    before = progress.store().lessons()
    prediction.reveal()
    assert progress.store().lessons() == before


def test_a_guess_kept_for_an_earlier_question_does_not_stop_the_lesson() -> None:
    largest().commit(13)
    changed = largest(kind=Choice(["yes", "no"]), answer=lambda: "yes", misconceptions=[])
    assert not changed.committed
    assert "No guess yet" in changed.reveal().text
    changed.commit("no")
    assert "it is" in changed.reveal().text


def test_defects_of_a_lesson_are_found() -> None:
    lucky = Misconception("lucky", 8, "This is the right answer.")
    assert largest(misconceptions=[POOLED, lucky]).unexplained_misconceptions() == ["lucky"]
    assert largest().unexplained_misconceptions() == []
    fate = largest(
        kind=Choice(["a", "b", "c"]),
        answer=lambda: "a",
        misconceptions=[Misconception("b first", "b", "No.")],
    )
    assert fate.unexplained_options() == ["c"]
    assert fate.unexplained_misconceptions() == []


def test_a_misconception_that_names_some_parts_only_is_tried_with_the_others_right() -> None:
    sizes = largest(
        kind=Numbers({"of 16": Number(), "of 10": Number()}),
        answer=lambda: [7, 9],
        misconceptions=[Misconception("pooled", {"of 10": 13}, "One GPC each.")],
    )
    assert sizes.unexplained_misconceptions() == []


def test_an_idea_that_explains_less_of_a_guess_than_another_is_not_told() -> None:
    asked = Prediction(
        "sizes",
        "How many of each?",
        Numbers({"of 16": Number(), "of 10": Number(), "of 5": Number()}),
        answer=lambda: {"of 16": 7, "of 10": 7, "of 5": 22},
        because="Count GPC by GPC.",
        misconceptions=[
            Misconception("divides", {"of 16": 8, "of 10": 13, "of 5": 26}, "It pools."),
            Misconception("whole", {"of 16": 8, "of 10": 8, "of 5": 24}, "It counts the full die."),
        ],
    )
    answer = asked.right_answer()

    def told(*guess: int) -> list[str]:
        return [item.name for item in asked.shown_by(asked.kind.read(guess), answer)]

    assert told(8, 13, 26) == ["divides"]
    assert told(8, 8, 24) == ["whole"]
    assert told(8, 7, 22) == ["divides", "whole"]
    assert told(7, 13, 24) == ["divides", "whole"]
    assert told(7, 7, 22) == []
