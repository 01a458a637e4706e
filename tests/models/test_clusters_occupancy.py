"""Clusters at once: the rule against brute force, against the claims, and at its edges."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hopperlab.ledger import claims
from hopperlab.models.clusters import (
    EXAMPLE_MAPS,
    can_all_be_resident,
    cluster_occupancy,
    max_active_clusters,
    naive_clusters,
    waves,
)

SIZES = st.lists(st.integers(1, 18), min_size=1, max_size=12)
CLUSTER = st.integers(1, 16)
PER_SM = st.integers(0, 32)

quick = settings(max_examples=100, deadline=None)


def clusters_by_trying(gpc_sm_counts, cluster_size, blocks_per_sm):
    """Put clusters in one by one, each block on the emptiest SM, until no GPC takes another."""
    placed = 0
    for sms in gpc_sm_counts:
        free = [min(blocks_per_sm, 8)] * sms
        while sms >= cluster_size and sum(free) >= cluster_size:
            for _ in range(cluster_size):
                free[free.index(max(free))] -= 1
            placed += 1
    return placed


@quick
@given(SIZES, CLUSTER, PER_SM)
def test_the_rule_equals_trying(counts, size, per_sm):
    assert max_active_clusters(counts, size, per_sm) == clusters_by_trying(counts, size, per_sm)


@quick
@given(SIZES, CLUSTER, st.integers(0, 31))
def test_more_blocks_an_sm_never_run_fewer_clusters(counts, size, per_sm):
    assert max_active_clusters(counts, size, per_sm) <= max_active_clusters(counts, size, per_sm + 1)


@quick
@given(SIZES, st.integers(1, 15), PER_SM)
def test_larger_clusters_never_run_more_of_them(counts, size, per_sm):
    assert max_active_clusters(counts, size, per_sm) >= max_active_clusters(counts, size + 1, per_sm)


@quick
@given(SIZES, CLUSTER, PER_SM)
def test_never_more_than_dividing_promises_and_exact_for_plain_blocks(counts, size, per_sm):
    assert max_active_clusters(counts, size, per_sm) <= naive_clusters(sum(counts), size, per_sm)
    assert max_active_clusters(counts, 1, per_sm) == naive_clusters(sum(counts), 1, min(per_sm, 8))


@quick
@given(SIZES, CLUSTER, PER_SM)
def test_used_and_stranded_sms_make_up_every_gpc(counts, size, per_sm):
    full = cluster_occupancy(counts, size, per_sm)
    for sms, clusters, used, stranded in zip(
        counts, full.clusters_per_gpc, full.sms_used_per_gpc, full.stranded_sms_per_gpc, strict=True
    ):
        assert used + stranded == sms
        assert used <= clusters * size <= sms * per_sm
        assert (clusters == 0) == (used == 0)


@quick
@given(CLUSTER, PER_SM)
def test_a_gpc_smaller_than_the_cluster_runs_none_however_many_blocks_fit(size, per_sm):
    if size > 1:
        assert max_active_clusters((size - 1,) * 8, size, per_sm) == 0
    assert max_active_clusters((size,), size, per_sm) == min(per_sm, 8)


@quick
@given(SIZES, CLUSTER, PER_SM)
def test_load_balancing_lets_a_small_gpc_run_clusters_on_second_places(counts, size, per_sm):
    balanced = max_active_clusters(counts, size, per_sm, "load balancing")
    assert balanced == sum(sms * min(per_sm, 8) // size for sms in counts)
    assert balanced >= max_active_clusters(counts, size, per_sm)


def test_an_sm_holds_eight_blocks_of_clusters_but_a_plain_grid_is_not_held_to_that():
    assert max_active_clusters((16,), 16, 32) == max_active_clusters((16,), 16, 8) == 8
    assert can_all_be_resident(16 * 32, (16,), 32)
    assert not can_all_be_resident(16 * 32, (16,), 32, cluster_size=16)


def cluster_claims():
    """Claims that say how many clusters fit on which GPCs: id, SMs of the GPCs, cluster size, clusters."""
    for claim in claims("clusters"):
        if "gpc_sm_counts" in claim.conditions and claim.unit == "clusters":
            counts = tuple(map(int, claim.conditions["gpc_sm_counts"].split("+")))
            yield claim.id, counts, int(claim.conditions["cluster_size"]), claim.value


def test_every_derived_row_of_the_claims_is_reproduced():
    rows = list(cluster_claims())
    assert len(rows) >= 40
    wrong = [row for row in rows if max_active_clusters(row[1], row[2]) != row[3]]
    assert wrong == []


def test_size_ten_runs_one_cluster_a_gpc_on_any_card():
    for shown in EXAMPLE_MAPS.values():
        assert max_active_clusters(shown.gpc_sm_counts, 10) <= 8
    assert naive_clusters(132, 10) == 13


def test_the_sketched_card_runs_22_clusters_of_5_and_strands_22_sms():
    full = cluster_occupancy(EXAMPLE_MAPS["H200 SXM"].gpc_sm_counts, 5)
    assert (full.clusters, full.stranded_sms, full.naive) == (22, 22, 26)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (((), 2), r"gpc_sm_counts=\(\) must hold"),
        (((16, 0), 2), r"gpc_sm_counts\[1\]=0 must be in 1 to 18"),
        (((19,), 2), r"gpc_sm_counts\[0\]=19 must be in 1 to 18"),
        (((16,), 0), "cluster_size=0 must be in 1 to 16"),
        (((16,), 17), "cluster_size=17 blocks.*1 to 16"),
        (((16,), 2, -1), "blocks_per_sm=-1 must be in 0 to 32"),
        (((16,), 2, 33), "blocks_per_sm=33 must be in 0 to 32"),
        (((16,), 2, 1, "greedy"), "policy='greedy' must be one of default, spread, load balancing"),
    ],
)
def test_bad_arguments_are_refused_by_name_value_and_range(arguments, message):
    with pytest.raises(ValueError, match=message):
        max_active_clusters(*arguments)


@pytest.mark.parametrize("size", [2.0, 17.0, "2", None, True])
def test_a_size_that_is_no_whole_number_is_a_type_error(size):
    with pytest.raises(TypeError, match=f"cluster_size={size!r} must be a whole number"):
        max_active_clusters((16,), size)


@quick
@given(st.integers(1, 10**6), st.integers(1, 1000))
def test_waves_hold_all_units_and_only_the_last_is_partial(units, at_once):
    split = waves(units, at_once)
    assert split.full * at_once + split.tail == units
    assert 0 <= split.tail < at_once
    assert split.total == -(-units // at_once)
    assert split.efficiency == pytest.approx(units / (split.total * at_once))


def test_a_grid_of_one_more_than_fits_may_not_wait_for_itself():
    counts = EXAMPLE_MAPS["H200 SXM"].gpc_sm_counts
    assert can_all_be_resident(132, counts)
    assert not can_all_be_resident(133, counts)
    assert can_all_be_resident(264, counts, blocks_per_sm=2)
    assert "1 start only when others leave" in can_all_be_resident(133, counts).reason
    assert not can_all_be_resident(23 * 5, counts, cluster_size=5)
    with pytest.raises(ValueError, match="blocks=131 must be a multiple of cluster_size=2"):
        can_all_be_resident(131, counts, cluster_size=2)
