"""Every broken kernel is found by its own name, whatever the order in which its threads run."""

import inspect

import pytest

from hopperlab.kernels.specimens import kernel_of, specimens

SPECIMENS = list(specimens())


def run_specimen(specimen, seed):
    grid, block, arguments, options = specimen.launch(seed)
    return kernel_of(specimen).simulate(grid, block, arguments, seed=seed, **options)


@pytest.mark.parametrize("specimen", SPECIMENS, ids=lambda s: s.__name__.rpartition(".")[2])
def test_a_specimen_is_found_by_its_own_name(specimen):
    for seed in range(2):
        run = run_specimen(specimen, seed)
        assert run.findings, f"seed {seed}: nothing found"
        assert run.findings[0].name == specimen.FINDING, f"seed {seed}: {run}"


@pytest.mark.exhaustive
@pytest.mark.parametrize("specimen", SPECIMENS, ids=lambda s: s.__name__.rpartition(".")[2])
def test_a_specimen_is_found_over_many_seeds(specimen):
    for seed in range(50):
        assert run_specimen(specimen, seed).findings[0].name == specimen.FINDING, f"seed {seed}"


@pytest.mark.parametrize("specimen", SPECIMENS, ids=lambda s: s.__name__.rpartition(".")[2])
def test_a_finding_tells_line_text_threads_and_cure_and_no_file(specimen):
    finding = run_specimen(specimen, 0).findings[0]
    assert finding.cure.endswith(".")
    assert finding.seen
    if finding.line is not None:
        source = inspect.getsource(kernel_of(specimen).function).splitlines()
        assert source[finding.line - 1].strip() == finding.text
        assert finding.threads
    assert ".py" not in str(finding)


def test_there_are_specimens_for_at_least_24_findings():
    assert len({specimen.FINDING for specimen in SPECIMENS}) >= 24


def test_each_specimen_says_where_it_was_met():
    assert [s.__name__ for s in SPECIMENS if "Met as:" not in s.__doc__] == []


def test_a_stopped_run_says_how_far_its_threads_came_and_not_when_its_last_copy_landed():
    (specimen,) = [one for one in SPECIMENS if one.__name__.endswith("wrong_arrival_count")]
    run = run_specimen(specimen, 0)
    threads_came_to, last = run.cycles, max(event.cycle for event in run.trace.events)
    assert threads_came_to < last
    assert f"was stopped when its threads had come to cycle {threads_came_to:,.0f} (modelled)" in str(run)
