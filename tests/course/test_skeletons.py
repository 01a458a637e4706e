import pytest

from hopperlab.course import skeletons


def solved(numbers):
    """Sum the squares."""
    total = 0
    for number in numbers:
        # your part: add the square
        square = number * number
        total += square
        # end of your part
    return total


def two_parts(n):
    # your part: halve it.
    half = n // 2
    # end of your part
    # your part: double it
    return half * 2
    # end of your part


def unmarked(n):
    return n


def unclosed(n):
    # your part: all of it
    return n


def unopened(n):
    return n
    # end of your part


def test_a_skeleton_has_everything_but_the_learners_part() -> None:
    assert skeletons.skeleton(solved) == (
        "def solved(numbers):\n"
        '    """Sum the squares."""\n'
        "    total = 0\n"
        "    for number in numbers:\n"
        "        # Your part: add the square.\n"
        '        raise NotImplementedError("write this part")\n'
        "    return total"
    )


def test_each_part_raises() -> None:
    assert skeletons.skeleton(two_parts).count("raise NotImplementedError") == 2
    assert "halve it.\n" in skeletons.skeleton(two_parts)


def test_a_skeleton_runs_and_raises_where_the_part_is_missing() -> None:
    names: dict = {}
    exec(skeletons.skeleton(solved), names)
    assert names["solved"]([]) == 0
    with pytest.raises(NotImplementedError, match="write this part"):
        names["solved"]([1])


def test_the_shown_solution_runs_and_has_no_markers() -> None:
    shown = skeletons.shown_solution(solved)
    names: dict = {}
    exec(shown, names)
    assert names["solved"]([1, 2, 3]) == 14
    assert "# add the square" in shown
    assert "your part" not in shown


@pytest.mark.parametrize("function", [unmarked, unclosed, unopened])
def test_markers_must_come_in_pairs(function) -> None:
    with pytest.raises(ValueError, match=rf"solution {function.__name__}"):
        skeletons.skeleton(function)


def test_a_function_defined_within_another_has_a_skeleton_too() -> None:
    def inner(n):
        # your part: give it back
        return n
        # end of your part

    assert skeletons.skeleton(inner).startswith("def inner(n):\n    # Your part: give it back.")


def test_comments_docstrings_and_spacing_do_not_change_a_fingerprint() -> None:
    plain = "def f(n):\n    return n+1\n"
    dressed = 'def f(n):\n    """Add one."""\n\n    # one more\n    return n + 1  # done\n'
    assert skeletons.fingerprint(plain) == skeletons.fingerprint(dressed)
    assert skeletons.fingerprint(plain) != skeletons.fingerprint("def f(n):\n    return n+2\n")


def test_a_function_without_source_has_a_fingerprint_of_its_code() -> None:
    names: dict = {}
    exec("def f(n): return n + 1\ndef g(n): return n * 1\ndef same(n): return n + 1", names)
    marks = {name: skeletons.function_fingerprint(names[name]) for name in ("f", "g", "same")}
    assert marks["f"] == marks["same"] != marks["g"]


def test_constants_count_in_a_function_without_source() -> None:
    names: dict = {}
    exec("def f(n): return n + 1\ndef g(n): return n + 2", names)
    assert skeletons.function_fingerprint(names["f"]) != skeletons.function_fingerprint(names["g"])
