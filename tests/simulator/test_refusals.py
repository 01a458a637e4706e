"""What the simulator refuses: options that mean nothing, arrays that no register holds, and what numba.cuda lacks."""

import math
import random
import time

import numpy as np
import pytest
from numba import cuda, float32

from hopperlab.device import kernel


@kernel
def store(out):
    out[0] = 1


@pytest.mark.parametrize(
    ("option", "value", "error", "message"),
    [
        ("seed", "a", TypeError, "seed is 'a'; give a whole number of 0 or more"),
        ("seed", 1.5, TypeError, "seed is 1.5"),
        ("seed", -1, ValueError, "seed is -1"),
        ("timing", "fast", TypeError, "timing is 'fast'; give None or True for the shipped costs"),
        ("checks", "no", TypeError, "checks is 'no'; give True or False"),
        ("trace", "all", ValueError, "trace is 'all'; give True, False, or 'accesses'"),
        ("patience", "long", TypeError, "patience is 'long'; give seconds above 0"),
        ("patience", 0, ValueError, "patience is 0; give seconds above 0"),
        ("chip", 5, TypeError, "chip is 5; give a chip, or a name: H100 SXM5"),
    ],
)
def test_an_option_that_means_nothing_is_refused(option, value, error, message):
    with pytest.raises(error) as refused:
        store.simulate(1, 1, (np.zeros(1),), **{option: value})
    assert message in str(refused.value)


@pytest.mark.parametrize("arguments", [np.zeros(1), 5, None])
def test_arguments_come_as_a_tuple(arguments):
    with pytest.raises(TypeError, match="store takes its arguments as a tuple"):
        store.simulate(1, 1, arguments)


@pytest.mark.parametrize(
    "array",
    [
        np.array(["a"]),
        np.array([object()]),
        np.zeros(1, np.dtype(np.float32).newbyteorder()),
        np.zeros(1, "M8[s]"),
        np.zeros(1, [("x", np.float32), ("name", "U3")]),
    ],
    ids=lambda a: str(a.dtype),
)
def test_elements_that_no_register_holds_are_refused(array):
    with pytest.raises(
        TypeError, match=r"out has the dtype .* a kernel takes arrays of booleans, whole numbers"
    ):
        store.simulate(1, 1, (array,))
    with pytest.raises(TypeError, match=r"out\[0\] has the dtype"):
        store.simulate(1, 1, ((array, 1),))


def test_a_number_beyond_64_bits_is_refused():
    with pytest.raises(ValueError, match="out is 18446744073709551616; a whole number has 64 bits"):
        store.simulate(1, 1, (2**64,))


def test_what_may_not_be_written_on_the_host_is_not_written_in_a_kernel():
    constant = np.zeros(1)
    constant.flags.writeable = False
    run = store.simulate(1, 1, (constant,))
    assert run.findings[0].line == 3
    assert "read-only" in run.findings[0].seen


@kernel
def add_pairs(pair, out):
    i = cuda.threadIdx.x
    out[i] = pair[0][i] + pair[1][i]


def test_arrays_may_come_in_a_tuple():
    run = add_pairs.simulate(1, 4, ((np.arange(4.0), np.ones(4)), np.zeros(4)))
    assert run.findings == ()
    assert run["out"].tolist() == [1, 2, 3, 4]
    assert run["pair[1]"].tolist() == [1] * 4


# Each goes wrong in its first line, but the first.


def catches(out):
    while True:
        try:
            out[0] += 1
        except KeyError:
            out[0] = 0


def opens(out):
    with open("/dev/null") as nothing:
        nothing.read()


def yields(out):
    yield out[0]


def imports(out):
    import os  # noqa: F401


def gives(out):
    return 5


def misspells(out):
    cuda.syncthread()


def misspells_an_atomic(out):
    cuda.atomic.addd(out, 0, 1)


def sums_an_array(out):
    out[0] = np.sum(out)


def makes_an_array(out):
    out[0] = np.zeros(3)[0]


def draws(out):
    out[0] = random.random()


def looks_at_the_time(out):
    out[0] = time.time()


def multiplies_out(out):
    out[0] = math.factorial(5)


def indexes_by_a_float(out):
    out[1.5] = 1


def indexes_by_a_list(out):
    out[[0, 1]] = 1


def indexes_too_deep(out):
    out[0, 0] = 1


def sorts(out):
    out.sort()


def adds_to_a_whole_array(out):
    out[0] = (out + 1)[0]


def names_no_type(out):
    cuda.local.array(4, "float77")


def asks_for_less_than_nothing(out):
    cuda.shared.array(-4, float32)


def asks_for_a_word(out):
    cuda.shared.array((2, "a"), float32)


SEEN = {
    catches: "neither try nor with",
    opens: "neither try nor with",
    yields: "has no generators",
    imports: "import before the kernel",
    gives: "a kernel returns nothing: store the result in an array",
    misspells: "there is no numba.cuda.syncthread; there is numba.cuda.syncthreads",
    misspells_an_atomic: "there is no numba.cuda.atomic.addd; there is numba.cuda.atomic.add",
    sums_an_array: "numba.cuda compiles no numpy.sum, or the simulator has none",
    makes_an_array: "numba.cuda compiles no numpy.zeros",
    draws: "numba.cuda compiles no random.random",
    looks_at_the_time: "numba.cuda compiles no time.time",
    multiplies_out: "numba.cuda compiles no math.factorial",
    indexes_by_a_float: "an index of out is 1.5; give whole numbers and slices",
    indexes_by_a_list: "an index of out is [0, 1]",
    indexes_too_deep: "[0, 0] of an array with 1 dimensions",
    sorts: "an array has no sort in a kernel; it has shape, size",
    adds_to_a_whole_array: "unsupported operand type(s) for +: 'array' and 'int'",
    names_no_type: "dtype is 'float77'; give a type of numba or numpy",
    asks_for_less_than_nothing: "shape is -4; give a whole number of 0 or more",
    asks_for_a_word: "shape is (2, 'a')",
}


@pytest.mark.parametrize("checks", [True, False])
@pytest.mark.parametrize("function", SEEN, ids=lambda f: f.__name__)
def test_what_no_kernel_has_is_told_with_its_line(function, checks):
    given = np.zeros(
        3, np.float64 if checks else np.int64
    )  # unchecked arrays of floats are numpy's, and do more
    run = kernel(function).simulate(1, 1, (given,), checks=checks, trace=False, timing=False)
    assert run.stopped
    (finding,) = run.findings
    assert SEEN[function] in finding.seen
    assert finding.line == (4 if function is catches else 2)
    assert finding.cure


@pytest.mark.parametrize(
    ("act", "dtype", "allowed"),
    [
        ("add", np.int8, "float32, float64, int32, int64, uint32, uint64"),
        ("max", np.float16, "float32, float64, int32, int64, uint32, uint64"),
        ("xor", np.float32, "int32, int64, uint32, uint64"),
        ("exch", np.float64, "int32, int64, uint32, uint64"),
        ("inc", np.int32, "uint32, uint64"),
        ("cas", np.float32, "int32, int64, uint32, uint64"),
    ],
)
def test_an_atomic_is_refused_where_a_card_has_none(act, dtype, allowed):
    word = getattr(cuda.atomic, act)

    @kernel
    def once(out):
        word(out, 0, 1)

    @kernel
    def swap(out):
        word(out, 0, 0, 1)

    for checks in (True, False):
        run = (swap if act == "cas" else once).simulate(1, 1, (np.zeros(1, dtype),), checks=checks)
        assert run.findings[0].name == "misuse of a word"
        shown = f"cuda.atomic.{act} on an array of {np.dtype(dtype)}; a card has it for {allowed}"
        assert shown in run.findings[0].seen


@kernel
def fill_records(records):
    records[0].p[1] = 2
    records[0].q.a = 5.7
    records[1]["p"][2] = records[0].p[1] / 3


@pytest.mark.parametrize("checks", [True, False])
def test_records_hold_arrays_and_records(checks):
    records = np.zeros(2, [("p", np.float32, (3,)), ("q", [("a", np.int32)])])
    run = fill_records.simulate(1, 1, (records,), checks=checks)
    assert run.findings == ()
    after = run["records"]
    assert after["p"].tolist() == [[0, 2, 0], [0, 0, np.float32(2 / 3)]]
    assert after["q"]["a"].tolist() == [5, 0]


@kernel
def overflow_after_a_barrier(out):
    cuda.syncthreads()
    out[cuda.threadIdx.x] = np.float16(60000) * np.float16(cuda.threadIdx.x + 1)


@pytest.mark.filterwarnings("error")
def test_nothing_is_warned_of_that_a_card_does_without_a_word():
    run = overflow_after_a_barrier.simulate(1, 2, (np.zeros(2),))
    assert run["out"].tolist() == [60000 // 32 * 32, np.inf]


@kernel
def next_and_rest(x, out):
    out[0] = math.nextafter(x[0], x[1])
    out[1] = math.remainder(x[0], x[1])


def test_the_next_number_is_that_of_the_type():
    for dtype in (np.float32, np.float64):
        x = np.array([5, 3], dtype)
        out = next_and_rest.simulate(1, 1, (x, np.zeros(2, dtype)))["out"]
        assert out.tolist() == [np.nextafter(x[0], x[1]), -1]
