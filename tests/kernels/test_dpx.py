"""The DPX kernels' machine code: one instruction a word, what the compiler fuses by itself, and what it does not."""

import re
from collections import Counter

import numpy as np
import pytest
from numba import cuda, int32

from hopperlab.device import dpx, kernel, on_silicon
from hopperlab.kernels.dpx import arithmetic, functions, paths
from hopperlab.kernels.dpx.alignment import COLUMNS, smith_waterman
from hopperlab.measure.dpx import functions as functions_measured
from hopperlab.measure.dpx import programs
from hopperlab.models.dpx import FUNCTIONS, Scoring, floyd_warshall, function_named
from hopperlab.models.dpx import smith_waterman as model

FUSED = ("VIADDMNMX", "VIMNMX3", "RELU", "16x2")


def instructions(sass):
    """Count the instructions by name, with their modifiers."""
    return Counter(re.findall(r"\*/\s+(?:@!?U?P\d+ )?([A-Z0-9_.x]+)", sass))


def expected_instruction(name):
    function = FUNCTIONS[name]
    mnemonic = "VIADDMNMX" if function.adds else "VIMNMX3" if function.arguments == 3 else "VIMNMX"
    form = {"s32": "", "u32": ".U32", "s16x2": ".S16x2", "u16x2": ".U16x2"}[function.type]
    return mnemonic + form + (".RELU" if function.relu else "")


SAMPLE = ("viaddmax_s32", "viaddmin_u16x2", "vimax3_s16x2_relu", "vimin_s32_relu", "vibmax_s16x2")


def each_or_a_sample(names, sample):
    """All of the names for make test-all, the sample for make test."""
    return [n if n in sample else pytest.param(n, marks=pytest.mark.exhaustive) for n in names]


@pytest.mark.parametrize(
    "name", each_or_a_sample([n for n, f in FUNCTIONS.items() if not f.tells or f.packed], SAMPLE)
)
def test_a_function_is_one_instruction(name):
    found = instructions(functions.on_arrays(name).sass())
    integer = {n: count for n, count in found.items() if n.startswith(("VIADDMNMX", "VIMNMX"))}
    assert integer == {expected_instruction(name): 1}
    assert not any(n.startswith("VIADD.") for n in found)


@pytest.mark.parametrize(
    "name", each_or_a_sample(["vibmax_s32", "vibmax_u32", "vibmin_s32", "vibmin_u32"], ["vibmax_s32"])
)
def test_a_maximum_that_tells_of_32_bits_is_a_comparison_and_a_selection(name):
    found = instructions(functions.on_arrays(name).sass())
    assert sum(found[n] for n in found if n.startswith("ISETP")) >= 2  # the bound of the grid is another
    assert not any(n.startswith(("VIADDMNMX", "VIMNMX3")) for n in found)


VARIANTS = {
    "max(a + b, c)": (lambda a, b, c: max(int32(a + b), c), "VIADDMNMX"),
    "max(c, a - b)": (lambda a, b, c: max(c, int32(a - b)), "VIADDMNMX"),
    "a + b if a + b > c else c": (lambda a, b, c: int32(a + b) if int32(a + b) > c else c, "VIADDMNMX"),
    "max(max(a + b, c), 0)": (lambda a, b, c: max(max(int32(a + b), c), int32(0)), "VIADDMNMX.RELU"),
    "max(a, b, c)": (lambda a, b, c: max(max(a, b), c), "VIMNMX3"),
    "max(a, c) + b": (lambda a, b, c: int32(max(a, c) + b), "VIMNMX"),
    "max(a + b, c), in numba's 64 bits": (lambda a, b, c: max(a + b, c), None),
}


@pytest.mark.parametrize(("variant", "fused"), VARIANTS.values(), ids=VARIANTS)
def test_what_the_compiler_fuses_by_itself(variant, fused):
    compute = cuda.jit(device=True)(variant)

    @kernel(signature="void(int32[::1])")
    def once(values):
        values[3] = compute(values[0], values[1], values[2])

    found = {n for n in instructions(once.sass()) if n.startswith(("VIADDMNMX", "VIMNMX"))}
    assert found == ({fused} if fused else set())


def test_a_sum_that_is_needed_itself_is_not_fused():
    @kernel(signature="void(int32[::1])")
    def twice(values):
        total = int32(values[0] + values[1])
        values[3] = max(total, values[2])
        values[4] = total

    found = instructions(twice.sass())
    assert found["VIMNMX"] == 1
    assert found["VIADDMNMX"] == 0


@pytest.mark.parametrize("each", arithmetic.ARITHMETICS, ids=str)
@pytest.mark.parametrize("make", [smith_waterman, paths.relax_others])
def test_a_dynamic_program_stays_in_registers(each, make):
    resources = make(each).resources()
    assert (resources.spill_store_bytes, resources.stack_bytes) == (0, 0)
    assert resources.shared_bytes <= 48 * 1024


@pytest.mark.parametrize("each", [arithmetic.NAMED, arithmetic.PLAIN], ids=str)
def test_alignment_of_32_bits_is_fused_whether_named_or_not(each):
    found = instructions(smith_waterman(each).sass())
    assert (found["VIADDMNMX"], found["VIADDMNMX.RELU"]) == (2 * COLUMNS, COLUMNS)
    assert found["VIMNMX3"] == COLUMNS // 2


def test_alignment_of_pairs_has_an_instruction_for_two_cells():
    found = instructions(smith_waterman(arithmetic.NAMED_PAIRS).sass())
    assert (found["VIADDMNMX.S16x2"], found["VIADDMNMX.S16x2.RELU"]) == (3 * COLUMNS, COLUMNS)
    assert "VIADDMNMX" not in found


@pytest.mark.parametrize("make", [smith_waterman, paths.relax_others])
@pytest.mark.parametrize("each", [arithmetic.APART, arithmetic.PAIRS_APART], ids=str)
def test_the_twins_have_no_dpx_instruction(each, make):
    found = instructions(make(each).sass())
    assert not [n for n in found if any(part in n for part in FUSED)]
    assert any(n.startswith("VIMNMX") for n in found)  # Hopper's plain maximum


@pytest.mark.parametrize(
    ("each", "fused"),
    [
        (arithmetic.NAMED, "VIADDMNMX"),
        (arithmetic.PLAIN, "VIADDMNMX"),
        (arithmetic.NAMED_PAIRS, "VIADDMNMX.U16x2"),
    ],
    ids=str,
)
def test_a_step_of_shortest_paths_is_one_instruction_a_word(each, fused):
    assert instructions(paths.relax_others(each).sass())[fused] == paths.ROWS * paths.WORDS


@pytest.mark.parametrize(
    ("name", "independent"), [("viaddmax_s32", 1), ("vimin3_u16x2", 4), ("vimax_s16x2_relu", 4)]
)
def test_a_timed_chain_has_nothing_but_its_function_between_the_clocks(name, independent):
    between = re.split(r".*CS2R R\d+, SR_CLOCKLO.*\n", functions.chains(name, independent).sass())[1]
    found = instructions(between)
    applications = found.pop(expected_instruction(name))
    assert applications % (independent * FUNCTIONS[name].arguments) == 0
    assert sum(found.values()) <= applications / 6


@pytest.mark.parametrize("name", each_or_a_sample(functions.APART, ["viaddmax_s32_relu", "viaddmin_u16x2"]))
def test_a_timed_chain_apart_has_no_dpx_instruction(name):
    found = instructions(functions.chains(name, 4, apart=True).sass())
    assert not [n for n in found if any(part in n for part in FUSED)]


def test_the_words_are_those_of_the_model():
    from hopperlab.device.vocabulary import words

    assert {w.__name__ for w in words() if w.family == "dpx"} == set(FUNCTIONS)
    assert dpx.viaddmax_s16x2_relu.meaning.startswith("Give max(max(a + b, c), 0), for each half")


def test_distances_of_another_shape_are_refused():
    from types import SimpleNamespace

    with pytest.raises(ValueError, match=r"shape \(100, 100\) must be"):
        paths.floyd_warshall(arithmetic.NAMED, SimpleNamespace(shape=(100, 100)))
    with pytest.raises(ValueError, match=r"\(n, n / 2\)"):
        paths.floyd_warshall(arithmetic.NAMED_PAIRS, SimpleNamespace(shape=(128, 128)))


@pytest.mark.gpu
@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_gives_what_the_model_says_on_a_card(name):
    with on_silicon():
        found = functions_measured.sample(function_named(name))
    assert found["wrong"] == 0, found["mismatches"]


@pytest.mark.gpu
@pytest.mark.parametrize("each", arithmetic.ARITHMETICS, ids=str)
def test_alignments_score_as_the_model_on_a_card(each):
    query, targets = programs.letters(1)
    targets = np.ascontiguousarray(targets[:16, :100])
    scores, scoring = np.zeros(16, np.int32), Scoring(2, 3, 7, 2)
    with on_silicon():
        smith_waterman(each)[16 // (4 * each.numbers), 128](query, targets, scores, 2, 3, 7, 2)
    assert np.array_equal(scores, model(query, targets, scoring))


@pytest.mark.gpu
@pytest.mark.parametrize("each", arithmetic.ARITHMETICS, ids=str)
@pytest.mark.parametrize("nodes", [64, 192])
def test_shortest_paths_are_the_models_on_a_card(each, nodes):
    edges = programs.edges(nodes, each.numbers)
    with on_silicon():
        distances = cuda.to_device(edges.view(np.int32))
        paths.floyd_warshall(each, distances)
        found = distances.copy_to_host().view(edges.dtype)
    assert np.array_equal(found, floyd_warshall(edges))
