"""The occupancy experiment, run whole on a made-up driver that counts by the rules of cuda_occupancy.h."""

import json
from types import SimpleNamespace

import pytest

import hopperlab.kernels.clusters
from hopperlab import ledger
from hopperlab.device.silicon import occupancy as driver
from hopperlab.measure.experiment import experiments
from hopperlab.measure.progress import Progress
from hopperlab.measure.sm import occupancy
from hopperlab.measure.sm.answered import HOPPER, answered_otherwise, answers, possible_units

GROUPS = [list(range(18)), list(range(18, 34)), [34, 35]]


class MadeUpKernel:
    """Takes four registers a pair and some more; its own driver's function."""

    def __init__(self, pairs):
        self.registers = 16 + 4 * pairs if pairs < 60 else 250
        self.silicon = SimpleNamespace(resources=lambda types: self, allow=lambda types, size, nbytes: self)

    def argument_types(self):
        return ()


def made_up_blocks(function, threads, shared_bytes):
    """Count blocks one by one until something runs out."""
    warps = -(-threads // 32)
    registers = -(-function.registers * 32 // 256) * 256
    shared = -(-(shared_bytes + 1024) // 128) * 128
    blocks = 0
    while (
        blocks < 32
        and (blocks + 1) * warps <= 64
        and (blocks + 1) * warps <= 4 * (16384 // registers)
        and (blocks + 1) * shared <= 228 * 1024
    ):
        blocks += 1
    return blocks


def made_up_clusters(function, cluster, threads, shared_bytes):
    """Count clusters GPC by GPC, eight blocks of clusters an SM."""
    size = cluster[0]
    places = min(made_up_blocks(function, threads, shared_bytes), 8)
    return sum(len(group) * places // size for group in GROUPS if len(group) >= size)


@pytest.fixture
def samples(monkeypatch):
    monkeypatch.setattr(hopperlab.kernels.clusters, "register_user", MadeUpKernel)
    monkeypatch.setattr(driver, "max_active_blocks_per_sm", made_up_blocks)
    monkeypatch.setattr(driver, "max_active_clusters", made_up_clusters)
    return json.loads(json.dumps(occupancy.run(None, Progress())))


def recorded(samples):
    return SimpleNamespace(
        card_name="Made-up", gpc_map=GROUPS, samples=samples, results=occupancy.results(samples)
    )


def test_the_calculator_counts_5000_configurations_as_the_rules_do(samples):
    found = experiments()["sm_occupancy"].compare([recorded(samples)])
    assert (found.compared, found.mismatches) == (5000, 0)
    assert 0 < occupancy.results(samples)["do_not_fit"] < 1000


@pytest.mark.parametrize("column", [4, 5])
def test_one_other_answer_is_found_and_told(samples, column):
    row = next(row for row in samples["rows"] if row[4])
    row[column] += 1
    found = experiments()["sm_occupancy"].compare([recorded(samples)])
    assert found.mismatches == 1
    assert "shared_bytes" in found.notes[0]


def test_configurations_are_the_same_every_time_and_cover_the_ranges():
    drawn = occupancy.configurations()
    assert drawn == occupancy.configurations()
    kernels, threads, shared, sizes = (set(column) for column in zip(*drawn, strict=True))
    assert len(kernels) == len(occupancy.REGISTER_PAIRS)
    assert sizes == set(range(1, 17))
    assert min(threads) < 32
    assert max(threads) > 1000
    assert 0 in shared
    assert max(shared) > 220 * 1024


@pytest.fixture(scope="module", params=["sm_occupancy", "cluster_occupancy"])
def asked(request):
    (found,) = ledger.recordings(request.param, card="H200 SXM")
    return found


def test_every_kernel_that_a_driver_was_asked_about_is_counted_alike(asked):
    assert len(list(answers(asked))) >= 5000
    assert answered_otherwise(asked) == 0


@pytest.mark.parametrize(
    ("constant", "other"),
    [
        ("warp_allocation_granularity", 1),
        ("reserved_shared_bytes_per_block", 0),
        ("shared_allocation_unit", 1),
    ],
)
def test_another_rule_would_have_been_found_out(constant, other):
    (asked,) = ledger.recordings("sm_occupancy", card="H200 SXM")
    assert answered_otherwise(asked, **{constant: other}) > 0


@pytest.mark.parametrize("constant", ["register_allocation_unit", "shared_allocation_unit"])
def test_the_units_of_the_sheet_are_the_largest_that_the_answers_allow(asked, constant):
    units = possible_units(asked, constant)
    assert getattr(HOPPER, constant) in units
    if asked.experiment == "sm_occupancy":
        assert max(units) == getattr(HOPPER, constant)


def test_a_unit_is_told_by_answers_where_one_block_less_fits():
    kernel = MadeUpKernel(2)
    ends = [228 * 1024 // blocks - 1024 for blocks in range(1, 33)]
    sizes = [end + more for end in ends for more in range(-200, 200)]
    rows = [
        [0, 32, size, 1, made_up_blocks(kernel, 32, size), 0] for size in sizes if 0 <= size <= 227 * 1024
    ]
    told = SimpleNamespace(
        samples={"registers": [kernel.registers], "rows": rows}, parameters=occupancy.SM_OCCUPANCY.parameters
    )
    assert possible_units(told, "shared_allocation_unit") == (128,)
