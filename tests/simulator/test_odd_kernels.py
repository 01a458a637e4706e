"""Odd but legal kernels: the simulator's registers hold what numba compiles, compiled here for the CPU as an oracle."""

import numba
import numba.cuda
import numpy as np
import pytest
from numba import float32, int8, int16, int32, int64, uint8, uint16, uint32, uint64

from hopperlab.device.simulator.run import simulate
from hopperlab.models.clusters import Hierarchy

THREADS = 64
RANDOM = np.random.default_rng(5)
SINGLES = (RANDOM.standard_normal(THREADS) * 8).astype(np.float32)
DOUBLES = RANDOM.standard_normal(THREADS) * 8
BYTES = RANDOM.integers(0, 2**64, THREADS, dtype=np.uint64)
PARTICLE = np.dtype([("x", np.float32), ("n", np.int32), ("v", np.float64)])


def unary(words, out):
    i = numba.cuda.grid(1)
    a, b, c = int32(words[i]), int16(words[i]), int8(words[i])
    d, e, f, g = uint32(words[i]), uint16(words[i]), uint8(words[i]), uint64(words[i])
    out[0, i], out[1, i], out[2, i] = -a, -b, -c
    out[3, i], out[4, i], out[5, i] = ~a, ~b, ~c
    out[6, i], out[7, i], out[8, i], out[9, i] = -d, -e, -f, -g
    out[10, i], out[11, i], out[12, i], out[13, i] = ~d, ~e, ~f, ~g
    out[14, i], out[15, i], out[16, i] = abs(a), abs(b), abs(c)


def lowest(words, out):
    out[0, 0], out[1, 0], out[2, 0] = -int32(-(2**31)), -int8(-128), abs(int16(-(2**15)))
    out[3, 0], out[4, 0] = ~uint8(0), -uint32(0)


def hash_of_words(words, out):
    i = numba.cuda.grid(1)
    mixed = int64(words[i])
    state = int64(i) * 6364136223846793005 + 1442695040888963407
    state = state ^ (state >> 33)
    out[0, i] = state * 31
    out[1, i] = (state + mixed) // 1000003
    out[2, i] = (state - mixed * 0x9E3779B97F4A7C15) % 1009 if i % 2 else state << 5
    folded = uint64(14695981039346656037)
    for k in range(4):
        folded ^= uint64(i + k)
        folded *= uint64(1099511628211)
    out[3, i] = folded >> uint64(7)
    out[4, i] = state > mixed


def powers(words, out):
    i = numba.cuda.grid(1)
    x = float32(int8(words[i])) / float32(7)
    out[0, i] = (x**2) == x * x
    out[1, i] = int64(float32(x**3) * float32(4096))
    out[2, i] = int64(float32(x**5))
    out[3, i] = int64(float32(x**-2) * float32(4096)) if x != 0 else 0
    out[4, i] = int32(words[i]) ** 2


def wild(words, out):
    i = numba.cuda.grid(1)
    total = 0
    for k in range(20, 0, -3):
        if k == 11:
            continue
        if k == words[i] % uint64(7):
            break
        total += k
    else:
        total += 1000
    n = int64(words[i] % uint64(1000)) + 1
    while n > 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        total += 1
    for place, weight in enumerate((3, 5, 7)):
        total += place * weight
    out[0, i] = total
    out[1, i] = int8(words[i]) // 7 + int8(words[i]) % -5 - int8(words[i]) // -3
    out[2, i] = max(int32(words[i]), int8(words[i])) - min(uint8(words[i]), uint16(words[i]))
    out[3, i] = divmod(i, 7)[0] * 10 + divmod(i, 7)[1]
    out[4, i] = int64(words[i]) >> 3 ^ int32(words[i]) << 5 | uint8(words[i]) & 0x55


def compiled(function, *arguments):
    """Run a kernel's function by numba's compiler, thread after thread."""
    import inspect
    import textwrap

    source = textwrap.dedent(inspect.getsource(function)).replace("numba.cuda.grid(1)", "_thread")
    scope = dict(globals())
    exec(source.replace(f"def {function.__name__}(", f"def {function.__name__}(_thread, "), scope)
    run = numba.njit(error_model="numpy")(scope[function.__name__])
    given = [np.copy(a) for a in arguments]
    for thread in range(THREADS):
        run(thread, *given)
    return given


@pytest.mark.parametrize("checks", [False, True])
@pytest.mark.parametrize("function", [unary, lowest, hash_of_words, powers, wild], ids=lambda f: f.__name__)
def test_whole_numbers_are_what_numba_compiles(function, checks):
    out = np.zeros((17, THREADS), np.int64)
    threads = 1 if function is lowest else THREADS
    run = simulate(function, Hierarchy(1, threads), (BYTES, out), checks=checks)
    assert run.findings == (), str(run)
    assert np.array_equal(run["out"], compiled(function, BYTES, out)[1])


def mixed(records, optional, pair, flags, z, out):
    i = numba.cuda.grid(1)
    if optional is None and flags[i]:
        out[0, i] = records[i].x * records[i].n + records[i]["v"]
    records[i].n = 2 * records[i].n + 1
    records[i]["x"] = records[i].v
    whole, real = pair
    out[1, i] = whole * real + (flags[i] and not flags[63 - i])
    out[2, i] = (z[i] * z[63 - i]).real + abs(z[i].imag) + z[i].conjugate().imag


@pytest.mark.parametrize("checks", [False, True])
def test_records_options_tuples_flags_and_complex_numbers_are_what_numba_compiles(checks):
    records = np.zeros(THREADS, PARTICLE)
    records["x"], records["n"], records["v"] = SINGLES, BYTES.astype(np.int32) % 1000, DOUBLES
    numbers = DOUBLES + 1j * DOUBLES[::-1]
    arguments = (records, None, (3, 0.5), DOUBLES > 0, numbers, np.zeros((3, THREADS)))
    run = simulate(mixed, Hierarchy(1, THREADS), arguments, checks=checks)
    assert run.findings == (), str(run)

    records_after, *_, out = _compiled_mixed(*arguments)
    assert run["records"].tobytes() == records_after.tobytes()
    assert np.array_equal(run["out"], out)


def _compiled_mixed(records, optional, pair, flags, z, out):
    import inspect

    source = (
        inspect.getsource(mixed).replace("numba.cuda.grid(1)", "_thread").replace("mixed(", "mixed(_thread, ")
    )
    scope = dict(globals())
    exec(source, scope)
    run = numba.njit(scope["mixed"])
    records, out = records.copy(), out.copy()
    for thread in range(THREADS):
        run(thread, records, optional, pair, flags, z, out)
    return records, out


def field_race(records, out):
    i = numba.cuda.threadIdx.x
    records[0].n = i
    out[i] = records[0].n


def test_fields_of_records_are_checked():
    run = simulate(field_race, Hierarchy(1, 2), (np.zeros(1, PARTICLE), np.zeros(2)))
    assert "race in global memory" in {finding.name for finding in run.findings}
    assert run.findings[0].line in (3, 4)


def no_such_field(records):
    records[0].mass = 1


def test_a_field_that_is_not_there_is_told():
    run = simulate(no_such_field, Hierarchy(1, 1), (np.zeros(1, PARTICLE),))
    assert "no field mass; it has x, n, v" in run.findings[0].seen


def by_zero(n, out):
    out[0] = 1 / n[0]


def test_division_of_plain_numbers_by_zero_is_told_with_what_a_card_gives():
    run = simulate(by_zero, Hierarchy(1, 1), (np.zeros(1, np.int64), np.zeros(1)))
    assert run.findings[0].name == "division by zero"
    assert "infinity" in run.findings[0].cure
    assert run.findings[0].line == 2


def overflows(words, out):
    i = numba.cuda.grid(1)
    a, b = out[0, i], out[1, 63 - i]
    out[2, i] = (a * b) >> 7
    out[3, i] = (a * b) // 1000
    out[4, i] = (a + b) % 1000
    out[5, i] = a * b > 0
    out[6, i] = words[i] // 10
    out[7, i] = words[i] % 7
    out[8, i] = (words[i] * 3) // 7
    out[9, i] = words[i] > a
    out[10, i] = (words[i] ^ a) // 3
    out[11, i] = (7 - words[i]) // 5


@pytest.mark.parametrize("checks", [False, True])
def test_what_leaves_64_bits_comes_in_again_at_the_other_end(checks):
    out = np.zeros((12, THREADS), np.int64)
    out[:2] = RANDOM.integers(-(2**63), 2**63, (2, THREADS))
    run = simulate(overflows, Hierarchy(1, THREADS), (BYTES, out), checks=checks)
    assert run.findings == (), str(run)
    assert np.array_equal(run["out"], compiled(overflows, BYTES, out)[1])
