import time

import numpy as np
import pytest

from hopperlab.course import Draw, Exercise, Misconception, checking, progress
from hopperlab.course.exercises import solution_failures, summary, unexplained_mutants, unrejected_mutants


def clusters_at_once(gpc_sms, cluster_size):
    """Clusters of this size that run at once."""
    # your part: add what fits in each GPC
    return sum(sms // cluster_size for sms in gpc_sms)
    # end of your part


def pooled(gpc_sms, cluster_size):
    return sum(gpc_sms) // cluster_size


def rounded_up(gpc_sms, cluster_size):
    return sum(-(-sms // cluster_size) for sms in gpc_sms)


def inputs(draw: Draw) -> tuple:
    return draw.several(lambda: draw.integer(1, 18), 1, 8), draw.integer(1, 16)


def occupancy(**changes) -> Exercise:
    given = {
        "id": "occupancy",
        "task": "Write `clusters_at_once`.",
        "solution": clusters_at_once,
        "inputs": inputs,
        "hints": ["Take one GPC.", "Round down there.", "Then add."],
        "misconceptions": [
            Misconception("SMs divided by size", pooled, "A cluster lives in one GPC."),
            Misconception("a rest is enough", rounded_up, "A cluster starts whole."),
        ],
        "because": "The model is the same.",
        "seconds": 10,
        "theme": "clusters",
    }
    return Exercise(**(given | changes))


def test_the_solution_passes_on_many_seeds() -> None:
    assert solution_failures(occupancy()) == []
    assert occupancy().check(clusters_at_once).text == "Right on all 61 inputs."


def test_every_mutant_is_rejected_and_told_its_own_reason() -> None:
    assert unrejected_mutants(occupancy()) == []
    assert unexplained_mutants(occupancy()) == []
    assert progress.store().lessons() == {}, "asking for defects keeps nothing"


def counted_by_hand(gpc_sms, cluster_size):
    count = 0
    for sms in gpc_sms:
        count += sms // cluster_size
    return count


def loops_over_a_wrong_count(gpc_sms, cluster_size):
    count = 0
    for sms in gpc_sms:
        count += sms
    return count // cluster_size


def keeps_its_own_count(function) -> str | None:
    return "it keeps a count" if "count" in function.__code__.co_varnames else None


def test_right_results_that_are_not_what_was_asked_for_are_told_the_idea_of_a_mutant_as_right() -> None:
    wrong = Misconception("one pool", loops_over_a_wrong_count, "A cluster lives in one GPC.")
    alike = Misconception("a loop is needed", counted_by_hand, "Let `sum` count.")
    asked = occupancy(examine=keeps_its_own_count, misconceptions=[wrong, alike])
    result = asked.check(counted_by_hand)
    assert result.text.splitlines() == [
        "Not yet. Right on all 61 inputs, but: it keeps a count.",
        "Often behind it: a loop is needed. Let `sum` count.",
    ]
    assert occupancy(examine=keeps_its_own_count, misconceptions=[wrong]).check(counted_by_hand).text == (
        "Not yet. Right on all 61 inputs, but: it keeps a count."
    )


def test_a_mutant_that_passes_and_a_solution_that_fails_are_found() -> None:
    lucky = Misconception(
        "lucky", lambda gpc_sms, cluster_size: sum(s // cluster_size for s in gpc_sms), "Right."
    )
    assert unrejected_mutants(occupancy(misconceptions=[lucky])) == ["lucky"]
    assert unexplained_mutants(occupancy(misconceptions=[lucky])) == ["lucky"]
    assert len(solution_failures(occupancy(right=pooled))) == 1


def test_the_smallest_failing_input_is_shown_with_both_results_and_the_idea() -> None:
    result = occupancy().check(pooled)
    assert not result.passed
    assert result.arguments == ([1, 1], 2)
    assert (result.result, result.right) == (1, 0)
    assert result.misconception == "SMs divided by size"
    assert result.text.splitlines() == [
        "Not yet. The smallest input found on which it fails:",
        "clusters_at_once(gpc_sms=[1, 1], cluster_size=2)",
        "Yours gives 1.",
        "Right is 0.",
        "Often behind it: SMs divided by size. A cluster lives in one GPC.",
    ]


def test_the_same_code_gets_the_same_words() -> None:
    assert occupancy().check(rounded_up).text == occupancy().check(rounded_up).text


def test_wrong_code_of_no_known_idea_gets_no_misconception() -> None:
    result = occupancy().check(lambda gpc_sms, cluster_size: 0)
    assert not result.passed
    assert result.misconception == ""
    assert "Right is 1." in result.text


def test_the_empty_skeleton_gets_one_line_and_is_no_try() -> None:
    exercise = occupancy()
    names: dict = {}
    source = exercise.skeleton()
    exec(compile(source, "a cell", "exec"), names)
    _remember("a cell", source)
    result = exercise.check(names["clusters_at_once"])
    assert (
        result.text
        == "Not written yet: fill in clusters_at_once above, run its cell, then run this one again."
    )
    assert exercise.honest_tries == 0


def _remember(name: str, source: str) -> None:
    """Let Python find the source of a cell, as IPython does."""
    import linecache

    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)


def test_a_skeleton_may_have_lines_above_it() -> None:
    assert (
        occupancy(preamble="import numpy as np\n")
        .skeleton()
        .startswith("import numpy as np\n\n\ndef clusters_at_once(")
    )


def raises(gpc_sms, cluster_size):
    return gpc_sms[0] / 0


def leaves(gpc_sms, cluster_size):
    raise SystemExit


def forgets(gpc_sms, cluster_size):
    sum(sms // cluster_size for sms in gpc_sms)


def changes(gpc_sms, cluster_size):
    gpc_sms.sort(reverse=True)
    gpc_sms.append(0)
    return sum(sms // cluster_size for sms in gpc_sms)


def spells(gpc_sms, cluster_size):
    return str(sum(sms // cluster_size for sms in gpc_sms))


def loops(gpc_sms, cluster_size):
    while True:
        print("spam" * 100)


def recurs(gpc_sms, cluster_size):
    return recurs(gpc_sms, cluster_size)


def half_written(gpc_sms, cluster_size):
    raise NotImplementedError("write this part")


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # at the depth of recursion
@pytest.mark.parametrize(
    ("function", "told"),
    [
        (raises, "Why: it raises ZeroDivisionError: division by zero, at line 2, `return gpc_sms[0] / 0`."),
        (leaves, "Why: it raises SystemExit, at line 2, `raise SystemExit`."),
        (forgets, "Why: it gives None; is a return missing?"),
        (changes, "Why: it changes its argument gpc_sms; work on a copy."),
        (spells, "Why: it gives a str where an integer is wanted."),
        (recurs, "Why: it raises RecursionError: maximum recursion depth exceeded, at line 2"),
        (half_written, "Why: a part is not written yet, at line 2"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_nothing_that_a_function_does_stops_the_notebook(function, told) -> None:
    result = occupancy().check(function)
    assert not result.passed
    assert told in result.text


def test_an_endless_loop_is_stopped_once_and_what_it_prints_is_cut() -> None:
    started = time.monotonic()
    result = occupancy(seconds=0.3).check(loops)
    assert "Why: it had not ended after 0.3 s, and was stopped." in result.text
    assert result.tested == 1
    assert 2000 < len(result.text) < 4000
    assert time.monotonic() - started < 5


def test_the_learner_can_still_interrupt_a_check() -> None:
    def interrupted(gpc_sms, cluster_size):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        occupancy().check(interrupted)


def test_what_the_function_prints_is_shown_for_the_smallest_input_only(capsys) -> None:
    def talks(gpc_sms, cluster_size):
        print("sum is", sum(gpc_sms))
        return sum(gpc_sms) // cluster_size

    text = occupancy().check(talks).text
    assert text.endswith("For this input it printed:\nsum is 2")
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (8, "Give the function itself, clusters_at_once, without parentheses after it; 8 was given."),
        (None, "None was given."),
        (int, "<class 'int'> was given."),
        (
            lambda gpc_sms: 0,
            "Your function must take the arguments of clusters_at_once(gpc_sms, cluster_size), in this",
        ),
        (lambda: 0, "must take the arguments"),
    ],
)
def test_what_cannot_be_tried_is_said_and_is_no_try(given, told) -> None:
    exercise = occupancy()
    result = exercise.check(given)
    assert told in result.text
    assert not result.passed
    assert exercise.honest_tries == 0


def test_other_parameter_names_are_fine() -> None:
    assert occupancy().check(lambda sizes, n: sum(size // n for size in sizes)).passed


def test_a_slow_function_is_told_so(monkeypatch) -> None:
    monkeypatch.setattr(checking, "SECONDS_IN_ALL", 0.1)

    def slow(gpc_sms, cluster_size):
        time.sleep(0.02)
        return sum(sms // cluster_size for sms in gpc_sms)

    result = occupancy().check(slow)
    assert not result.passed
    assert 1 < result.tested < 20
    assert "inputs, then 0.1 s were over. Make it faster." in result.text


def test_examples_come_first_and_fail_where_nothing_drawn_does() -> None:
    exercise = occupancy(examples=[([200], 100)])
    result = exercise.check(lambda gpc_sms, n: 0 if n > 16 else sum(sms // n for sms in gpc_sms))
    assert result.text.startswith(
        "Not yet. An input on which it fails:\nclusters_at_once(gpc_sms=[200], cluster_size=100)"
    )


def test_a_judge_accepts_every_right_result_and_says_what_is_wrong_with_others() -> None:
    def root(n):
        # your part: a number whose square is n * n
        return n
        # end of your part

    def judge(result, n):
        return None if result * result == n * n else f"{result} squared is {result * result}"

    exercise = Exercise(
        "root",
        "Write `root`.",
        root,
        lambda draw: (draw.integer(1, 9),),
        ["a", "b", "c"],
        [Misconception("doubled", lambda n: 2 * n, "Twice the root squared is four times too much.")],
        judge=judge,
    )
    assert exercise.check(lambda n: -n).passed
    told = exercise.check(lambda n: n + n)
    assert told.text.splitlines()[1:] == [
        "root(n=1)",
        "Yours gives 2.",
        "Why: 2 squared is 4.",
        "Often behind it: doubled. Twice the root squared is four times too much.",
    ]


def test_arrays_in_and_out_are_compared_by_shape_and_value() -> None:
    def doubled(values):
        # your part: double them
        return values * 2
        # end of your part

    exercise = Exercise(
        "doubled",
        "Write `doubled`.",
        doubled,
        lambda draw: (np.array(draw.several(lambda: draw.integer(0, 9), 1, 5)),),
        ["a", "b", "c"],
    )

    def in_place(values):
        values *= 2
        return values

    assert exercise.check(lambda values: values + values).passed
    assert "it changes its argument values" in exercise.check(in_place).text
    assert "its shape is (1, 1) where (1,) is wanted" in exercise.check(lambda values: values[None] * 2).text
    assert (
        "it gives a list where an array is wanted"
        in exercise.check(lambda values: (values * 2).tolist()).text
    )


def test_hints_come_one_at_a_time_and_stay() -> None:
    exercise = occupancy()
    assert exercise.hints_so_far() == []
    assert exercise.hint().text == "Hint 1 of 3: Take one GPC."
    assert exercise.hint().text == "Hint 1 of 3: Take one GPC.\nHint 2 of 3: Round down there."
    exercise.hint()
    assert exercise.hint().text.splitlines()[-1] == "Hint 3 of 3: Then add."
    assert exercise.hints_given == 3


def wrong_one(gpc_sms, cluster_size):
    return 1


def wrong_one_with_a_comment(gpc_sms, cluster_size):
    # another try?
    return 1


def wrong_two(gpc_sms, cluster_size):
    return 2


def wrong_three(gpc_sms, cluster_size):
    return 3


def test_three_honest_tries_unlock_the_solution() -> None:
    exercise = occupancy()
    for function in (wrong_one, wrong_one, raises, wrong_two, wrong_one, half_written):
        exercise.check(function)
    assert exercise.honest_tries == 2
    assert not exercise.unlocked
    locked = exercise.show_solution().text
    assert "sum(" not in locked
    assert locked.endswith("Honest tries so far: 2.")
    exercise.check(wrong_three)
    assert exercise.unlocked
    shown = exercise.show_solution().text
    assert "return sum(sms // cluster_size for sms in gpc_sms)" in shown
    assert shown.endswith("The model is the same.")


def test_the_same_body_under_another_comment_is_no_new_try() -> None:
    import inspect

    exercise = occupancy()
    exercise.check(wrong_one)
    source = inspect.getsource(wrong_one_with_a_comment).replace("wrong_one_with_a_comment", "wrong_one")
    names: dict = {}
    _remember("another cell", source)
    exec(compile(source, "another cell", "exec"), names)
    exercise.check(names["wrong_one"])
    assert exercise.honest_tries == 1


def test_success_unlocks_the_solution_at_once_and_for_good() -> None:
    exercise = occupancy()
    exercise.check(clusters_at_once)
    exercise.check(wrong_one)
    assert exercise.unlocked
    assert "occupancy  passed" in summary([exercise]).text


def test_the_misconceptions_shown_are_kept_for_the_lecturer() -> None:
    exercise = occupancy()
    exercise.check(pooled)
    exercise.check(pooled)
    exercise.check(rounded_up)
    entry = progress.store().entry("clusters", "exercises", "occupancy")
    assert entry["misconceptions"] == ["SMs divided by size", "a rest is enough"]
    assert entry["checks"] == 3


@pytest.mark.parametrize("hints", [["one", "two"], ["one", "two", " "], []])
def test_an_exercise_has_three_hints(hints) -> None:
    with pytest.raises(ValueError, match="hints of exercise 'occupancy'"):
        occupancy(hints=hints)


def test_a_misconception_of_an_exercise_needs_a_mutant() -> None:
    with pytest.raises(TypeError, match="it must be a mutant function"):
        occupancy(misconceptions=[Misconception("pooled", 13, "No.")])


def test_mutants_are_listed_by_misconception() -> None:
    assert occupancy().mutants == {"SMs divided by size": pooled, "a rest is enough": rounded_up}
