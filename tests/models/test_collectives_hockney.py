"""Start-up and bandwidth from runs: exact where the runs are, least off where they are not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hopperlab.models.collectives import Hockney, fitted

MIB = 2**20
SIZES = st.lists(st.integers(1, 8192).map(lambda n: n * MIB), min_size=2, max_size=8, unique=True)


@given(SIZES, st.floats(1, 500), st.floats(10, 900))
def test_runs_that_follow_the_model_give_it_back(sizes, startup, bandwidth):
    model = Hockney(startup, bandwidth)
    found = fitted({size: model.seconds(size) for size in sizes})
    assert found.startup_us == pytest.approx(startup, rel=1e-4)
    assert found.algorithm_gb_per_s == pytest.approx(bandwidth, rel=1e-4)


def test_errors_count_relative_to_each_run():
    model = Hockney(100, 300)
    runs = {size * MIB: model.seconds(size * MIB) for size in (128, 512, 2048)}
    runs[8192 * MIB] = 1.02 * model.seconds(8192 * MIB)
    found = fitted(runs)
    assert all(found.seconds(size) == pytest.approx(taken, rel=0.02) for size, taken in runs.items())


def test_too_little_to_fit_is_refused():
    with pytest.raises(ValueError, match="need at least 2"):
        fitted({MIB: 1.0})
    with pytest.raises(ValueError, match=r"seconds\[1048576\]"):
        fitted({MIB: 0.0, 2 * MIB: 1.0})
