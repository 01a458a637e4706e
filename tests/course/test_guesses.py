import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hopperlab.course.guesses import Choice, Number, Numbers, Order

CLUSTERS = Number("clusters", low=0, high=132)
SIZES = Numbers({"of 16": CLUSTERS, "of 10": CLUSTERS})
FATE = Choice({"hangs": "It hangs", "works": "It works", "refused": "CUDA refuses it"})
MEMORIES = Order(["registers", "L2", "HBM"], first="fastest", last="slowest")


@pytest.mark.parametrize(
    ("typed", "value"), [("8", 8), (" 8 clusters ", 8), (8, 8), (8.0, 8), ("7.5", 7.5), ("1e2", 100)]
)
def test_a_number_is_read_with_or_without_its_unit(typed, value) -> None:
    read = CLUSTERS.read(typed)
    assert read == value
    assert type(read) is type(value)


@pytest.mark.parametrize("guess", [133, -1, "200 clusters", math.nan, math.inf, "many", ""])
def test_a_number_that_cannot_be_meant_is_refused_with_its_range(guess) -> None:
    with pytest.raises(ValueError, match="must be a number of clusters, 0 to 132"):
        CLUSTERS.read(guess)


@pytest.mark.parametrize("guess", [True, None, [8], 8j])
def test_what_is_no_number_is_refused_by_type(guess) -> None:
    with pytest.raises(TypeError, match="0 to 132"):
        CLUSTERS.read(guess)


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (Number(), "a number"),
        (Number("cycles", low=1), "a number of cycles, at least 1"),
        (Number("W", high=700, tolerance=20), "a number of W, at most 700 (right within 20 W)"),
        (Number("GB/s", relative_tolerance=0.1), "a number of GB/s (right within 10 %)"),
        (Number("ns", tolerance=5, relative_tolerance=0.02), "a number of ns (right within 5 ns or 2 %)"),
    ],
)
def test_a_number_says_what_it_asks_for(number: Number, words: str) -> None:
    assert number.request() == words


@given(st.floats(-1e6, 1e6), st.floats(0, 100), st.floats(0, 0.5), st.floats(-2, 2))
def test_a_number_is_right_within_the_wider_tolerance(answer, tolerance, relative, share) -> None:
    room = max(tolerance, relative * abs(answer))
    number = Number(tolerance=tolerance, relative_tolerance=relative)
    expected = abs(share) <= 1
    guess = answer + share * room
    if not math.isclose(abs(share), 1, rel_tol=1e-3) and room > 1e-3:
        assert number.points(guess, answer) == (int(expected), 1)


def test_a_sum_of_tenths_is_right() -> None:
    assert Number().points(0.3, 0.1 + 0.2) == (1, 1)


def test_several_numbers_are_read_by_label_or_in_order() -> None:
    assert SIZES.read({"of 10": "9", "of 16": 8}) == {"of 16": 8, "of 10": 9} == SIZES.read([8, 9])


@pytest.mark.parametrize("guess", [[8], {"of 16": 8}, {"of 16": 8, "of 9": 1}, [8, 200]])
def test_several_numbers_are_refused_unless_each_is_there(guess) -> None:
    with pytest.raises(ValueError, match=r"of 10: .*0 to 132"):
        SIZES.read(guess)


def test_a_single_number_in_place_of_several_is_refused() -> None:
    with pytest.raises(TypeError, match="of 16"):
        SIZES.read(8)


def test_each_of_several_numbers_earns_its_own_point() -> None:
    assert SIZES.points({"of 16": 7, "of 10": 8}, {"of 16": 7, "of 10": 9}) == (1, 2)


def test_a_misconception_shows_in_any_part_that_is_wrong() -> None:
    answer = {"of 16": 7, "of 10": 9}
    naive = {"of 16": 8, "of 10": 13}
    assert SIZES.shows(naive, {"of 16": 8, "of 10": 9}, answer)
    assert SIZES.shows({"of 10": 13}, {"of 16": 1, "of 10": 13}, answer)
    assert not SIZES.shows({"of 16": 7}, {"of 16": 7, "of 10": 1}, answer), "a right part shows nothing"


def test_a_choice_is_made_by_key_or_by_sentence() -> None:
    assert FATE.read("hangs") == FATE.read("It hangs") == "hangs"
    assert FATE.words("hangs") == "It hangs"


@pytest.mark.parametrize("guess", ["it hangs", None, 0, ["hangs"]])
def test_no_other_option_can_be_chosen(guess) -> None:
    with pytest.raises(ValueError, match="one of: hangs; works; refused"):
        FATE.read(guess)


@pytest.mark.parametrize("guess", [["L2", "HBM"], ["L2", "L2", "HBM"], ["L1", "L2", "HBM"]])
def test_an_order_needs_every_item_once(guess) -> None:
    with pytest.raises(ValueError, match="all of registers, L2, HBM, in order, fastest first, slowest last"):
        MEMORIES.read(guess)


def test_an_order_is_no_string() -> None:
    with pytest.raises(TypeError, match="fastest first"):
        MEMORIES.read("L2")


@given(st.permutations(MEMORIES.items), st.permutations(MEMORIES.items))
def test_an_order_earns_a_point_for_each_item_in_place(guess, answer) -> None:
    points, of = MEMORIES.points(guess, answer)
    assert (points == of) == (list(guess) == list(answer))
    assert points == sum(guess.index(item) == answer.index(item) for item in MEMORIES.items)


@pytest.mark.parametrize(
    ("kind", "guess", "answer"),
    [
        (CLUSTERS, 13, 8),
        (SIZES, {"of 16": 8, "of 10": 13}, {"of 16": 7, "of 10": 9}),
        (FATE, "works", "hangs"),
        (MEMORIES, ["HBM", "L2", "registers"], ["registers", "L2", "HBM"]),
    ],
)
def test_a_comparison_says_guess_and_answer_and_differs_when_right(kind, guess, answer) -> None:
    told = " ".join(kind.comparison(guess, answer))
    right = " ".join(kind.comparison(answer, answer))
    assert "so it is" in right
    assert told != right
    for value in (guess, answer):
        for word in kind.words(value).split(", "):
            assert word.split(": ")[-1] in told


def test_kinds_refuse_to_ask_nothing() -> None:
    for make in (
        lambda: Numbers({"one": Number()}),
        lambda: Choice(["same", "same"]),
        lambda: Choice(["one"]),
        lambda: Order(["one"], "first", "last"),
    ):
        with pytest.raises(ValueError, match="2 or more"):
            make()
