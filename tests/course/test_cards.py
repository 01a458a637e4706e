import ipywidgets as widgets
import pytest

from hopperlab.course import (
    Choice,
    Exercise,
    Misconception,
    Number,
    Numbers,
    Option,
    Order,
    Prediction,
    Question,
    Quiz,
    progress,
)
from hopperlab.course.cards.base import VIEW_MIME, Feedback, Named, button

KINDS = {
    "number": (Number("clusters", low=0, high=132), "13", 13),
    "numbers": (
        Numbers({"of 16": Number(), "of 10": Number()}),
        {"of 16": "7", "of 10": "9"},
        {"of 16": 7, "of 10": 9},
    ),
    "choice": (Choice({"hangs": "It hangs", "works": "It works"}), "hangs", "hangs"),
    "order": (Order(["a", "b", "c"], "first", "last"), ["b", "a", "c"], ["b", "a", "c"]),
}


def ask(kind, answer, **changes) -> Prediction:
    given = {
        "id": "largest",
        "question": "How many?",
        "kind": kind,
        "answer": lambda: answer,
        "because": "So.",
    }
    return Prediction(**(given | changes))


def put(card, typed) -> None:
    """Work the input as a learner does."""
    kind = card.prediction.kind
    if isinstance(kind, Number):
        card.input.field.value = typed
    elif isinstance(kind, Numbers):
        for part, value in typed.items():
            card.input.inputs[part].field.value = value
    elif isinstance(kind, Choice):
        card.input.value = typed
    else:
        card.input.move(1, -1)


@pytest.mark.parametrize("name", KINDS)
def test_an_input_of_every_kind_commits_and_locks(name) -> None:
    kind, typed, guess = KINDS[name]
    prediction = ask(kind, guess)
    card = prediction.widget()
    assert card.words().endswith("No guess committed yet.")
    put(card, typed)
    card.commit.click()
    assert prediction.guess == guess
    assert card.feedback.text.startswith("Committed: ")
    assert card.commit.disabled
    again = prediction.widget()
    assert again.commit.disabled
    assert again.input.guess in (
        guess,
        str(guess),
        {part: str(value) for part, value in guess.items()} if isinstance(guess, dict) else guess,
    )
    assert "Committed: " in again.words()


@pytest.mark.parametrize("name", ["number", "numbers", "choice"])
def test_an_empty_input_commits_nothing_and_says_what_to_give(name) -> None:
    kind, _, guess = KINDS[name]
    prediction = ask(kind, guess)
    card = prediction.widget()
    card.commit.click()
    assert not prediction.committed
    assert card.feedback.text == f"Give {kind.request()}, then commit."


def test_a_guess_out_of_range_commits_nothing_and_names_the_range() -> None:
    prediction = ask(*KINDS["number"][::2])
    card = prediction.widget()
    card.input.field.value = "1000"
    card.commit.click()
    assert not prediction.committed
    assert (
        card.feedback.text
        == "guess is 1000; it must be a number of clusters, 0 to 132. Nothing is committed yet."
    )
    card.input.field.value = "13"
    card.commit.click()
    assert prediction.guess == 13


def test_enter_commits_the_value_that_comes_after_it() -> None:
    prediction = ask(*KINDS["number"][::2])
    field = prediction.widget().input.field
    field.value = "12"
    assert not prediction.committed, "leaving the field is not Enter"
    field._handle_custom_msg({"event": "submit"}, [])
    assert not prediction.committed, "the value that Enter sends comes with the next message"
    field.value = "13"
    assert prediction.guess == 13


def test_an_item_moves_and_takes_the_focus_with_it() -> None:
    card = ask(*KINDS["order"][::2]).widget()
    focused = []
    for row in (card.input._up, card.input._down):
        for place, mover in enumerate(row):
            mover.focus = lambda row=row, place=place: focused.append(
                ("up" if row is card.input._up else "down", place)
            )
    card.input._down[0].click()
    assert card.input.guess == ["b", "a", "c"]
    card.input._down[1].click()
    assert card.input.guess == ["b", "c", "a"]
    assert focused == [("down", 1), ("up", 2)], "at the end, where down is disabled, the focus goes to up"
    assert card.input._up[0].disabled
    assert card.input._down[2].disabled
    assert card.input._up[2].tooltip == "Move a up"


def test_a_reveal_fills_itself_in_when_a_guess_is_committed() -> None:
    prediction = ask(Number(), 8, misconceptions=[Misconception("pooled", 13, "One GPC each.")])
    reveal = prediction.reveal_widget()
    assert reveal.words() == "No guess yet for largest. Commit one above; the answer waits for it."
    prediction.commit(13)
    assert "One GPC each." in reveal.words()
    assert 'aria-live="polite"' in reveal.feedback.value


def test_an_answer_that_fails_is_told_in_the_reveal_and_keeps_the_guess() -> None:
    prediction = ask(Number(), None)
    prediction.answer = lambda: 1 / 0
    reveal = prediction.reveal_widget()
    prediction.commit(13)
    assert reveal.feedback.text == "ZeroDivisionError: division by zero."
    assert 'role="alert"' in reveal.feedback.value
    assert prediction.guess == 13
    with pytest.raises(ZeroDivisionError):
        prediction.reveal_widget()


def test_a_file_that_cannot_be_used_is_said_when_a_lesson_first_asks(tmp_path) -> None:
    file = tmp_path / "progress.json"
    file.write_text('{"schema": 2, "lessons": {}}')
    progress.use(progress.Store(file))
    assert "schema version 2" in ask(Number(), 8).widget().feedback.text


def quiz() -> Quiz:
    one = Question("One?", [Option("a", "No a."), Option("b", "Yes b.", right=True)])
    some = Question(
        "Some?",
        [Option("c", "Yes c.", right=True), Option("d", "Yes d.", right=True), Option("e", "No e.")],
        True,
    )
    return Quiz("waiting", [one, some])


def test_a_quiz_card_verifies_clears_and_names_what_is_unanswered() -> None:
    card = quiz().widget()
    radio, boxes = card.inputs
    assert radio.value is None
    radio.value = "b"
    card.verify.click()
    assert "Not answered yet: 2." in card.feedback.text
    boxes.children[0].value = True
    boxes.children[2].value = True
    card.verify.click()
    assert card.feedback.text.splitlines() == [
        "1. Right: b. Yes b.",
        "2. Right: c. Yes c.",
        "2. No: e. No e.",
        "2. Still missing: 1 more that holds.",
        "1 of 2 questions right.",
    ]
    card.clear.click()
    assert (radio.value, [box.value for box in boxes.children], card.feedback.text) == (None, [False] * 3, "")


def doubled(n):
    # your part: double it
    return 2 * n
    # end of your part


def exercise() -> Exercise:
    return Exercise(
        "double",
        "Write `doubled`.",
        doubled,
        lambda draw: (draw.integer(0, 9),),
        ["Add.", "n + n.", "2 * n."],
    )


def test_an_exercise_card_gives_hints_one_at_a_time_and_unlocks() -> None:
    asked = exercise()
    card = asked.widget()
    assert card.hint.description == "Hint 1 of 3"
    card.hint.click()
    assert card.hints.text == "Hint 1 of 3: Add."
    card.hint.click()
    card.hint.click()
    assert card.hint.disabled
    assert "Hint 2 of 3: n + n." in card.words()
    card.show_solution.click()
    assert "The solution opens when" in card.solution.text
    asked.check(doubled)
    card.show_solution.click()
    assert "return 2 * n" in card.solution.text


def cards() -> list:
    asked = [ask(kind, guess, id=name) for name, (kind, _, guess) in KINDS.items()]
    return [
        *(prediction.widget() for prediction in asked),
        asked[0].reveal_widget(),
        quiz().widget(),
        exercise().widget(),
    ]


def test_cards_show_the_same_text_in_every_kernel() -> None:
    first = [card._repr_mimebundle_()["text/plain"] for card in cards()]
    progress.use(progress.Store())
    assert [card._repr_mimebundle_()["text/plain"] for card in cards()] == first
    assert all(len(text) > 20 for text in first)


def test_cards_are_shown_as_widgets_with_text_beside() -> None:
    card = quiz().widget()
    bundle = card._repr_mimebundle_()
    assert bundle[VIEW_MIME]["model_id"] == card.model_id
    assert repr(card) == bundle["text/plain"]


def _all_of(widget) -> list:
    return [widget, *(inner for child in getattr(widget, "children", ()) for inner in _all_of(child))]


def test_every_input_has_a_label() -> None:
    inputs = [
        w
        for card in cards()
        for w in _all_of(card)
        if isinstance(w, widgets.DOMWidget)
        and hasattr(w, "description")
        and not isinstance(w, widgets.HTML | widgets.Label)
    ]
    assert len(inputs) > 15
    assert [w for w in inputs if not w.description] == []


def test_asking_again_closes_the_card_before_and_leaves_nothing_behind() -> None:
    cards()
    instances = widgets.widget._instances
    before = len(instances)
    old = cards()
    assert len(instances) == before
    new = cards()
    assert len(instances) == before
    assert all(card.comm is None for card in old)
    assert all(card.comm is not None for card in new)


def test_an_error_of_a_button_is_shown_where_ipywidgets_would_drop_it() -> None:
    place = Feedback()
    button("Break", lambda: 1 / 0, place).click()
    assert place.text == "ZeroDivisionError: division by zero."
    assert "<details>" in place.value


def test_feedback_escapes_what_it_shows() -> None:
    place = Feedback()
    place.show("a < b & `c > d`")
    assert "a &lt; b &amp; <code>c &gt; d</code>" in place.value
    place.show_error(ValueError("<b>"))
    assert "<b>" not in place.value


def test_a_box_without_words_is_a_defect() -> None:
    with pytest.raises(NotImplementedError):
        repr(Named("nothing", []))
