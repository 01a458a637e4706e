"""DPX on paper: every function against its formula in plain Python, and the two dynamic programs."""

import itertools

import networkx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hopperlab.models.dpx import (
    FUNCTIONS,
    Scoring,
    floyd_warshall,
    function_named,
    no_edge,
    score_matrices,
    smith_waterman,
)

CORNERS = (0, 1, 0x7FFF, 0x8000, 0x8001, 0xFFFF, 0x00010000, 0x7FFFFFFF, 0x80000000, 0x80008000, 0xFFFFFFFF)


def wrapped(value, bits, signed):
    value %= 2**bits
    return value - 2**bits if signed and value >= 2 ** (bits - 1) else value


def halves(word):
    return [word & 0xFFFF, word >> 16]


def in_plain_python(name, arguments):
    """Compute one function on 32-bit words with Python's whole numbers, from its name alone."""
    operation, type, *relu = name.split("_")
    bits, signed = (16 if type.endswith("x2") else 32), type.startswith("s")
    pick = max if "max" in operation else min
    split = [halves(word) if bits == 16 else [word] for word in arguments]
    results, firsts = [], []
    for numbers in zip(*split, strict=True):
        numbers = [wrapped(n, bits, signed) for n in numbers]
        if "add" in operation:
            numbers = [wrapped(numbers[0] + numbers[1], bits, signed), numbers[2]]
        result = max(pick(numbers), 0) if relu else pick(numbers)
        results.append(result % 2**bits)
        firsts.append(numbers[0] == pick(numbers))
    return sum(r << (16 * i) for i, r in enumerate(results)), firsts[::-1]


def as_arrays(function, arguments):
    return [np.array(words, np.uint32).view(function.word) for words in arguments]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_computes_what_its_name_says(name):
    function = FUNCTIONS[name]
    random = np.random.default_rng(3).integers(0, 2**32, (300, function.arguments)).tolist()
    cases = [*itertools.product(CORNERS, repeat=function.arguments), *random]
    found = function(*as_arrays(function, zip(*cases, strict=True)))
    results, told = (found[0], found[1:]) if function.tells else (found, ())
    assert results.dtype == function.word
    expected = [in_plain_python(name, case) for case in cases]
    assert results.view(np.uint32).tolist() == [result for result, _ in expected]
    for place, column in enumerate(told):
        assert column.tolist() == [firsts[place] for _, firsts in expected]


def test_there_are_36_functions_and_the_formula_is_the_one_computed():
    assert len(FUNCTIONS) == 36
    assert FUNCTIONS["viaddmin_s16x2_relu"].formula == "max(min(a + b, c), 0)"
    assert FUNCTIONS["vimax3_u32"].formula == "max(a, b, c)"
    assert FUNCTIONS["vibmin_s32"].formula == "min(a, b)"


def test_a_sum_wraps_around_before_it_is_compared():
    assert FUNCTIONS["viaddmax_s16x2"]([0x7FFF], [1], [0]) == 0
    assert FUNCTIONS["viaddmax_u16x2"]([0xFFFF], [2], [0]) == 1
    assert FUNCTIONS["viaddmax_s32"]([2**31 - 1], [1], [-5]) == -5


def test_arguments_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match=r"name='vimax_s32' must be one of viaddmax_s32"):
        function_named("vimax_s32")
    with pytest.raises(TypeError, match="takes 3 arguments, but 2"):
        FUNCTIONS["vimax3_s32"]([1], [2])
    with pytest.raises(TypeError, match="b: dtype int64 must be int32"):
        FUNCTIONS["vimax_s32_relu"](np.int32([1]), np.array([2]))


def best_by_definition(query, target, scoring):
    """Score every way to align every part of the query with every part of the target, one letter at a time."""
    best = 0
    starts = itertools.product(range(len(query) + 1), range(len(target) + 1))
    todo = [(j, i, 0, "") for j, i in starts]
    while todo:
        j, i, score, gap = todo.pop()
        best = max(best, score)
        cost = {True: scoring.gap_extend, False: scoring.gap_open}
        if j < len(query) and i < len(target):
            earned = scoring.match if query[j] == target[i] else -scoring.mismatch
            todo.append((j + 1, i + 1, score + earned, ""))
        if j < len(query):
            todo.append((j + 1, i, score - cost[gap == "query"], "query"))
        if i < len(target):
            todo.append((j, i + 1, score - cost[gap == "target"], "target"))
    return best


letters = st.lists(st.integers(0, 3), max_size=4)
scorings = st.builds(
    lambda match, mismatch, extend, more: Scoring(match, mismatch, extend + more, extend),
    *[st.integers(0, 4)] * 4,
)


@settings(max_examples=40, deadline=None)
@given(letters, letters, scorings)
def test_the_score_is_that_of_the_best_of_all_alignments(query, target, scoring):
    targets = np.array([target], dtype=int).reshape(1, len(target))
    found = smith_waterman(np.array(query, dtype=int), targets, scoring)
    assert found.tolist() == [best_by_definition(query, target, scoring)]


def test_an_equal_part_scores_all_its_letters_and_a_gap_costs_what_is_said():
    query = np.array([0, 1, 2, 3, 0, 1])
    assert smith_waterman(query, [query]).tolist() == [12]
    long = np.tile([0, 1, 2, 3], 8)
    with_gap = np.concatenate([long[:16], long[19:]])
    assert smith_waterman(long, [with_gap], Scoring(5, 4, 10, 1)).tolist() == [29 * 5 - 12]
    assert score_matrices(query, [query]).shape == (1, 6, 6)


def test_letters_and_scorings_out_of_range_are_refused():
    with pytest.raises(ValueError, match=r"query: letters 0 to 4 must be in 0 to 3"):
        smith_waterman([0, 4], [[0]])
    with pytest.raises(ValueError, match="targets: shape"):
        smith_waterman([0], [0])
    with pytest.raises(ValueError, match="mismatch=-1 must be in 0 to 255"):
        Scoring(mismatch=-1)
    with pytest.raises(ValueError, match="gap_open=1 must be at least gap_extend=2"):
        Scoring(gap_open=1)


@pytest.mark.parametrize("seed", range(5))
def test_shortest_paths_equal_those_of_networkx(seed):
    random = np.random.default_rng(seed)
    edges = random.integers(1, 100, (12, 12)).astype(np.uint16)
    edges[random.random((12, 12)) < 0.7] = no_edge(np.uint16)
    np.fill_diagonal(edges, 0)
    graph = networkx.DiGraph()
    graph.add_nodes_from(range(12))
    graph.add_weighted_edges_from(
        (i, j, int(edges[i, j]))
        for i, j in itertools.permutations(range(12), 2)
        if edges[i, j] < no_edge(np.uint16)
    )
    found = floyd_warshall(edges)
    expected = dict(networkx.all_pairs_dijkstra_path_length(graph))
    for i, j in itertools.product(range(12), repeat=2):
        assert min(found[i, j], no_edge(np.uint16)) == expected[i].get(j, no_edge(np.uint16))


def test_one_more_than_no_edge_wraps_around():
    edges = np.full((3, 3), 40_000, np.uint16)
    np.fill_diagonal(edges, 0)
    assert floyd_warshall(edges)[1, 2] == 2 * 40_000 - 2**16
    edges = np.minimum(edges, no_edge(np.uint16))
    assert (floyd_warshall(edges)[~np.eye(3, dtype=bool)] == no_edge(np.uint16)).all()


def test_what_are_no_distances_is_refused():
    with pytest.raises(ValueError, match="must be square"):
        floyd_warshall(np.zeros((2, 3), int))
    with pytest.raises(TypeError, match="float64"):
        floyd_warshall(np.zeros((2, 2)))
    with pytest.raises(TypeError, match="float64"):
        no_edge(float)
