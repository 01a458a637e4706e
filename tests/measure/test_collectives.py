"""NCCL measured: the plan, one rank that answers at once, formulas, formats, and the comparison with the model."""

import importlib.util
import json

import pytest

from hopperlab.ledger import load_recording, validate_recording
from hopperlab.measure.collectives import EXPERIMENTS, experiment, launching, plan
from hopperlab.measure.collectives.experiment import busbw, collectives_of, compare, results, seconds_of
from hopperlab.measure.collectives.rank import measure
from hopperlab.models.collectives import bus_bandwidth, estimate

GIB, MIB = 2**30, 2**20
HAS_TORCH = importlib.util.find_spec("torch") is not None


class MadeRank:
    """A rank that is told how long each call takes, and notes what it is asked."""

    def __init__(self, ranks: int = 1, wrong: str = "") -> None:
        self.ranks, self.wrong, self.asked = ranks, wrong, []

    def call(self, operation, size):
        self.asked.append((operation, size))
        return operation, size

    def seconds(self, call, repetitions):
        return repetitions * (1e-5 + call[1] * 1e-11)

    def check(self, operation):
        if operation == self.wrong:
            raise RuntimeError(f"{operation} gave a wrong result")


def made_samples(ranks: int, slow_size: int = 0) -> dict:
    """Samples as if the model were right; one size may take half as long again."""
    taken = {}
    for variant in plan.VARIANTS:
        taken[variant] = [
            [operation, size, repetitions, [[_time(variant, ranks, size, slow_size)] * plan.GROUPS] * ranks]
            for operation, size, repetitions in plan.calls(variant, ranks)
        ]
    versions = {"torch": "2.11", "nccl": "2.28.9", "backend": "nccl", "gpu": "NVIDIA H200"}
    variants = [
        {"variant": name, "versions": versions, "environment": {}, "told": [], "taken": rows}
        for name, rows in taken.items()
    ]
    return {
        "ranks": ranks,
        "joined": {"topology": ["GPU0 GPU1 NV18"], "links_of_gpu_0": []},
        "variants": variants,
    }


def _time(variant: str, ranks: int, size: int, slow_size: int) -> float:
    taken = estimate("tree" if variant == "tree" else "ring", ranks, size).seconds
    return 1.5 * taken if size == slow_size else taken


def made_recording(ranks: int, slow_size: int = 0) -> dict:
    """A recording of an H200 that is not there, in the ledger's schema."""
    experiment = collectives_of(ranks)
    samples = made_samples(ranks, slow_size)
    reading = dict.fromkeys(("sm_mhz", "memory_mhz", "temperature_c", "power_w", "throttle_reasons"))
    software = dict.fromkeys(
        ("driver", "cuda", "python", "numba", "numba_cuda", "numpy", "hopperlab"), "made for a test"
    )
    return {
        "schema": 1,
        "experiment": experiment.name,
        "card": {
            "name": "NVIDIA H200",
            "slug": "nvidia-h200",
            "compute_capability": [9, 0],
            "sms": 132,
            "l2_bytes": 62914560,
            "memory_bytes": 150109880320,
        },
        "gpc_map": None,
        "software": software,
        "clocks": {"before": reading, "after": reading},
        "date": "2026-11-30T00:00:00+00:00",
        "parameters": dict(experiment.parameters),
        "statistic": experiment.statistic,
        "samples": samples,
        "results": results(samples),
    }


def loaded(tmp_path, ranks: int, slow_size: int = 0):
    folder = tmp_path / "nvidia-h200"
    folder.mkdir(exist_ok=True)
    path = folder / f"collectives_{ranks}.json"
    path.write_text(json.dumps(made_recording(ranks, slow_size)))
    return load_recording(path)


def test_there_is_an_experiment_for_each_count_of_gpus():
    assert [experiment.name for experiment in EXPERIMENTS] == [
        "collectives_2",
        "collectives_4",
        "collectives_8",
    ]
    assert {experiment.theme for experiment in EXPERIMENTS} == {"collectives"}


def test_the_plan_goes_from_8_bytes_to_8_gib_and_holds_an_element_for_each_rank():
    calls = list(plan.calls("chosen", 8))
    assert {operation for operation, _, _ in calls} == set(plan.OPERATIONS)
    assert min(size for _, size, _ in calls) == 32
    assert max(size for _, size, _ in calls) == 8 * GIB
    assert min(size for _, size, _ in plan.calls("chosen", 2)) == 8
    assert {operation for operation, _, _ in plan.calls("ring", 2)} == {"all-reduce"}


@pytest.mark.parametrize("ranks", [1, 2, 8])
@pytest.mark.parametrize("size", [32, 4096, 2**20 + 32])
def test_buffers_are_nccl_tests_own(ranks, size):
    assert plan.buffer_bytes("all-reduce", size, ranks) == (size, size)
    sent, received = plan.buffer_bytes("all-gather", size, ranks)
    assert received == sent * ranks <= size
    assert plan.buffer_bytes("reduce-scatter", size, ranks) == (received, sent)
    assert plan.buffer_bytes("all-to-all", size, ranks) == (received, received)


def test_a_single_rank_measures_every_call_of_the_plan():
    rank = MadeRank()
    taken = measure(rank, "chosen")
    assert [(operation, size) for operation, size, _, _ in taken] == rank.asked
    assert {operation for operation, _, _, _ in taken} == set(plan.OPERATIONS)
    assert all(len(groups) == plan.GROUPS for *_, groups in taken)
    _, size, _, groups = taken[-1]
    assert groups[0] == pytest.approx(1e-5 + size * 1e-11)


def test_a_single_ranks_samples_make_results_with_no_traffic():
    taken = [[op, size, n, [groups]] for op, size, n, groups in measure(MadeRank(), "chosen", MIB)]
    made = results({"ranks": 1, "variants": [{"variant": "chosen", "versions": {}, "taken": taken}]})
    assert all(row[5] == 0 for row in made["rows"])
    assert all(row[4] > 0 for row in made["rows"])


def test_a_wrong_result_stops_the_measurement():
    with pytest.raises(RuntimeError, match="all-gather gave a wrong result"):
        measure(MadeRank(wrong="all-gather"), "chosen")


def test_results_are_means_over_ranks_medians_over_groups_and_nccl_tests_formulas():
    by_rank = [[1.0, 2.0, 9.0], [3.0, 4.0, 11.0]]
    samples = {
        "ranks": 2,
        "variants": [{"variant": "chosen", "versions": {}, "taken": [["all-reduce", 10**9, 5, by_rank]]}],
    }
    row = results(samples)["rows"][0]
    assert row[:4] == ["chosen", "all-reduce", 10**9, 3.0]
    assert row[4] == pytest.approx(1 / 3, abs=1e-4)
    assert row[5] == pytest.approx(bus_bandwidth("all-reduce", 2, 10**9, 3.0).in_unit("GB/s"), abs=1e-4)


@pytest.mark.parametrize("ranks", [2, 4, 8])
def test_a_made_recording_is_one_of_the_ledgers(tmp_path, ranks):
    validate_recording(made_recording(ranks))
    recording = loaded(tmp_path, ranks)
    assert max(busbw(recording, "all-reduce", "ring")) == 8 * GIB
    assert seconds_of(recording, "all-to-all")[MIB] > 0


def test_the_model_agrees_with_what_it_made_and_misses_a_size_that_is_slow(tmp_path):
    right = compare([loaded(tmp_path, 8)])
    assert (right.compared, right.mismatches) == (6, 0)  # 256 MiB to 8 GiB
    assert all("multicast was off" in row.remark for row in right.rows if row.tolerance)
    assert "NCCL 2.28.9, 8 GPUs" in right.notes[0]
    slow = compare([loaded(tmp_path, 8, slow_size=GIB)])
    missed = {row.subject for row in slow.rows if row.tolerance and row.missed}
    assert "busbw of an all-reduce by ring, 8 GPUs, 1024 MiB" in missed


def test_an_algorithm_that_nccl_refuses_is_noted_and_the_rest_is_kept(tmp_path, monkeypatch):
    def run_variant(name, settings, ranks):
        if name != "ring":
            raise RuntimeError(f"rank 0 failed: no algorithm for {name}")
        return next(one for one in made_samples(ranks)["variants"] if one["variant"] == name)

    monkeypatch.setattr(launching, "run_variant", run_variant)
    assert experiment._variant("tree", 2) == {
        "variant": "tree",
        "refused": "rank 0 failed: no algorithm for tree",
    }
    with pytest.raises(RuntimeError, match="no algorithm for chosen"):
        experiment._variant("chosen", 2)
    made = made_samples(2)
    made["variants"][2] = experiment._variant("tree", 2)
    assert {row[0] for row in results(made)["rows"]} == {"chosen", "ring"}


def test_multicast_stays_off_and_ids_of_cards_stay_out(monkeypatch):
    assert launching.QUIET["NCCL_NVLS_ENABLE"] == "0"
    assert launching.NOTED.match("NCCL_ALGO")
    assert not launching.NOTED.match("HOME")


def test_what_ranks_saw_is_put_together_rank_by_rank():
    seen = [[["all-reduce", 8, 50, [1.0, 2.0]]], [["all-reduce", 8, 50, [3.0, 4.0]]]]
    assert launching._together(seen) == [["all-reduce", 8, 50, [[1.0, 2.0], [3.0, 4.0]]]]


def test_a_rank_that_fails_is_told_with_its_last_words():
    if HAS_TORCH:
        pytest.skip("with PyTorch the rank would run; this is about its absence")
    with pytest.raises(RuntimeError, match=r"(?s)rank 0 failed: .*No module named 'torch'"):
        launching.run_variant("ring", {}, 1, backend="gloo")


@pytest.mark.skipif(not HAS_TORCH, reason="PyTorch is not installed; it is a peer on a card, never required")
def test_two_ranks_over_gloo_reduce_rightly():
    seen = launching.run_variant("ring", {}, 2, backend="gloo", HOPPERLAB_MOST_BYTES=str(64 * 1024))
    assert {row[0] for row in seen["taken"]} == {"all-reduce"}
    assert all(len(by_rank) == 2 for *_, by_rank in seen["taken"])
