"""The recommender: capacity, exchange, the inversion of two speed-ups, and tables placed well and badly."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from hopperlab.models import recommender as model

GB = 10**9
MACHINE = model.Machine(4, memory_bytes=60 * GB)


def test_the_talks_two_speed_ups_give_38_6_percent_and_2_97():
    found = model.invert((2, 2.5), (9, 4))
    assert found.communication_share == pytest.approx(0.386, abs=5e-4)
    assert found.compute_speedup == pytest.approx(2.97, abs=5e-3)


@given(st.floats(0.01, 0.95), st.floats(1, 20), st.floats(1, 4), st.floats(5, 40))
def test_inverting_what_the_model_gives_finds_what_went_in(share, compute, slow, fast):
    speedups = [model.step_speedup(share, compute, fabric) for fabric in (slow, fast)]
    found = model.invert((slow, speedups[0]), (fast, speedups[1]))
    assert found.communication_share == pytest.approx(share, rel=1e-6)
    assert found.compute_speedup == pytest.approx(compute, rel=1e-6)


def test_capacity_of_the_talks_example():
    assert model.gpus_needed(14e12, 80e9) == 175
    assert model.gpus_needed(14e12, 640e9) == 22
    assert model.gpus_needed(14e12, 128 * 80e9) > 1  # the launch's 128 GPUs do not hold it


def test_fabrics_are_1_2_and_9_times_the_first():
    assert list(model.communication_speedups().values()) == [1, 2, 9]


@given(st.integers(1, 256))
def test_bytes_sent_by_all_gpus_are_all_vectors_but_those_that_stay(gpus):
    everyone = gpus * model.exchanged_bytes(65536, 512, 128, 2, gpus)
    assert everyone == pytest.approx(65536 * 512 * 128 * 2 * (gpus - 1) / gpus)


@given(st.integers(0, 30), st.integers(4, 14))
def test_placements_only_get_better_and_always_fit(seed, count):
    tables = model.example_tables(seed, count)
    try:
        by_bytes = model.greedy(tables, MACHINE, 4096, "bytes")
    except ValueError:
        assume(False)
    better = model.improved(tables, by_bytes, MACHINE, 4096)
    assert model.step_seconds(tables, better, MACHINE, 4096) <= model.step_seconds(
        tables, by_bytes, MACHINE, 4096
    )
    assert all(one.fits for one in model.load(tables, better, MACHINE, 4096))


@given(st.integers(0, 30), st.integers(2, 12))
def test_no_placement_beats_an_even_share(seed, count):
    tables = model.example_tables(seed, count)
    roomy = model.Machine(4, memory_bytes=10**15)
    placement = model.greedy(tables, roomy, 4096)
    total = sum(one.seconds for one in model.load(tables, placement, roomy, 4096))
    assert model.step_seconds(tables, placement, roomy, 4096) >= total / 4 * (1 - 1e-9)


def test_a_split_table_is_as_much_work_as_the_whole():
    table = model.example_tables(0, 1)[0]
    parts = model.split(table, 4)
    assert sum(part.nbytes for part in parts) == table.nbytes
    assert sum(part.read(100) for part in parts) == table.read(100)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: model.invert((2, 2.5), (2, 4)), "both fabrics are 2 times as fast"),
        (lambda: model.invert((2, 4), (9, 2.5)), "no share of communication"),
        (lambda: model.step_speedup(1.5, 2, 2), "must be in 0 to 1"),
        (lambda: model.gpus_needed(0, 80e9), "table_bytes=0"),
        (lambda: model.exchanged_bytes(8, 8, 8, 2, 0), "gpus=0 must be in 1 to"),
        (lambda: model.load(model.example_tables(0, 3), [0, 1], MACHINE, 8), "2 GPUs for 3 tables"),
        (lambda: model.load(model.example_tables(0, 1), [4], MACHINE, 8), "placement=4 must be in 0 to 3"),
        (
            lambda: model.step_seconds(model.example_tables(2, 12), [0] * 12, MACHINE, 8),
            "GPU 0 would hold 108.2 GB of tables; it has room for 60.0 GB",
        ),
        (lambda: model.greedy(model.example_tables(0, 1), model.Machine(2, 1), 8), "finds no GPU with room"),
        (lambda: model.greedy([], MACHINE, 8, "rows"), "must be bytes or time"),
        (lambda: model.split(model.Table("T", 1, 10, 1), 3), "must divide the 10 columns"),
        (lambda: model.Machine(0), "gpus=0"),
    ],
)
def test_what_cannot_be_is_refused_by_name(call, words):
    with pytest.raises(ValueError, match=words):
        call()
