import pytest
from hypothesis import given
from hypothesis import strategies as st

from hopperlab.course.draws import Case, Draw, make, smallest


def gpcs_and_size(draw: Draw) -> tuple:
    return draw.several(lambda: draw.integer(1, 18), 1, 8), draw.integer(1, 16)


@given(st.integers(0, 10_000))
def test_the_same_seed_draws_the_same_input_and_stays_in_range(seed) -> None:
    case = make(gpcs_and_size, seed)
    assert case == make(gpcs_and_size, seed)
    counts, size = case.arguments
    assert 1 <= len(counts) <= 8
    assert all(1 <= count <= 18 for count in counts)
    assert 1 <= size <= 16


@given(st.lists(st.integers(0, 50), max_size=12))
def test_any_choices_replay_to_an_input_in_range(choices) -> None:
    counts, size = make(gpcs_and_size, replay=choices).arguments
    assert 1 <= len(counts) <= 8
    assert all(1 <= count <= 18 for count in [*counts, size])


@given(st.integers(0, 10_000))
def test_the_choices_of_an_input_make_it_again(seed) -> None:
    case = make(gpcs_and_size, seed)
    assert make(gpcs_and_size, replay=case.choices) == case


def test_without_choices_the_simplest_input_is_made() -> None:
    assert make(gpcs_and_size).arguments == ([1], 1)


def test_every_way_to_draw_has_its_simplest_value() -> None:
    draw = Draw()
    assert draw.boolean() is False
    assert draw.choice("abc") == "a"
    assert draw.real(1.0, 2.0) == 1.0
    assert draw.shuffled([3, 1, 2]) == [3, 1, 2]
    assert draw.several(draw.boolean, 0, 5) == []


@given(st.integers(0, 1000))
def test_reals_and_shuffles_stay_in_their_sets(seed) -> None:
    draw = Draw(seed)
    assert -1.0 <= draw.real(-1.0, 1.0) <= 1.0
    assert sorted(draw.shuffled("hopper")) == sorted("hopper")


def test_an_empty_range_is_refused() -> None:
    with pytest.raises(ValueError, match="low is 3; it must be at most high, 2"):
        Draw().integer(3, 2)


def test_inputs_must_give_a_tuple() -> None:
    with pytest.raises(TypeError, match="inputs gives list; it must give a tuple"):
        make(lambda draw: [1])


@given(st.integers(0, 200), st.integers(2, 18))
def test_shrinking_reaches_the_smallest_input_with_one_large_gpc(seed, wanted) -> None:
    def large(case: Case) -> bool:
        return max(case.arguments[0]) >= wanted

    start = make(gpcs_and_size, seed)
    if large(start):
        assert smallest(gpcs_and_size, start, large).arguments == ([wanted], 1)


@given(st.integers(0, 200), st.integers(5, 60))
def test_shrinking_keeps_the_property_and_wastes_nothing(seed, wanted) -> None:
    def large(case: Case) -> bool:
        return sum(case.arguments[0]) >= wanted

    start = make(gpcs_and_size, seed)
    if large(start):
        counts, size = smallest(gpcs_and_size, start, large, budget=5000).arguments
        assert sum(counts) == wanted
        assert size == 1


@given(st.integers(1, 19))
def test_the_smallest_of_a_small_range_is_found_exactly(wanted) -> None:
    """Even where being wanted does not grow with the value."""

    def number(draw: Draw) -> tuple:
        return (draw.integer(0, 19),)

    found = smallest(number, make(number, replay=[19]), lambda case: case.arguments[0] in (wanted, 19))
    assert found.arguments == (wanted,)


def test_shrinking_stops_at_its_budget() -> None:
    tried = []
    start = make(gpcs_and_size, 3)
    smallest(gpcs_and_size, start, lambda case: tried.append(case) or False, budget=10)
    assert len(tried) <= 10


def test_what_a_teacher_wrote_down_is_not_shrunk() -> None:
    case = Case(([18, 18], 4))
    assert smallest(gpcs_and_size, case, lambda _: True) is case


def test_fresh_arguments_are_copies() -> None:
    case = Case(([1, 2],))
    case.fresh()[0].append(3)
    assert case.arguments == ([1, 2],)
