"""SHARP's tenants: one tree a switch or one a port, who falls back, and what that costs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hopperlab.models import sharp_tenancy as model

CLUSTER = model.Cluster()
HOMES = st.tuples(*[st.integers(0, 3)] * 6)


def answers(homes, rule):
    return model.admit(CLUSTER, model.pack(CLUSTER, model.GAME_JOBS, homes), rule)


@given(HOMES)
def test_under_v2_no_switch_serves_two_trees(homes):
    served = [switch for one in answers(homes, "v2") for switch in one.tree]
    assert len(served) == len(set(served))


@given(HOMES)
def test_v3_gives_everyone_a_tree_who_has_one_under_v2_and_never_less_speed(homes):
    old, new = answers(homes, "v2"), answers(homes, "v3")
    assert all(n.reduces_in_switch for o, n in zip(old, new, strict=True) if o.reduces_in_switch)
    assert model.steps_per_hour(new) >= model.steps_per_hour(old)


@given(HOMES)
def test_every_host_has_a_port_and_a_fallback_says_why(homes):
    for one in answers(homes, "v2"):
        assert sum(one.placed.on.values()) == one.placed.job.hosts
        assert one.reduces_in_switch or "falls back to a ring" in one.why


def test_a_tree_over_two_leaves_has_a_spine_as_its_root():
    placed = [model.Placed(model.Job("A", 4), {0: 2, 1: 2})]
    assert model.admit(CLUSTER, placed, "v2")[0].tree == ("leaf 0", "leaf 1", "spine 0")


def test_spines_run_out_before_leaves():
    cluster = model.Cluster(leaves=4, spines=1)
    jobs = [
        model.Placed(model.Job("A", 2), {0: 1, 1: 1}),
        model.Placed(model.Job("B", 2), {2: 1, 3: 1}),
    ]
    assert [one.reduces_in_switch for one in model.admit(cluster, jobs, "v2")] == [True, False]
    assert [one.reduces_in_switch for one in model.admit(cluster, jobs, "v3")] == [True, True]


def test_a_fallback_lengthens_the_step_by_the_rings_bytes():
    job = model.Job("A", 4, compute_seconds=0, gradient_bytes=50e9)
    tree, ring = (model.Admission(model.Placed(job, {0: 4}), switches, "") for switches in (("leaf 0",), ()))
    assert model.step_seconds(tree) == pytest.approx(1)
    assert model.step_seconds(ring) == pytest.approx(1.5)


def test_the_best_packing_beats_the_careless_one_and_v3_needs_no_care():
    careless = model.steps_per_hour(answers(model.GAME_HOMES, "v2"))
    homes, best = model.best_packing(CLUSTER, model.GAME_JOBS, "v2", model.steps_per_hour)
    assert best > 1.03 * careless
    assert model.steps_per_hour(answers(homes, "v2")) == best
    assert model.steps_per_hour(answers(model.GAME_HOMES, "v3")) > best


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: model.pack(CLUSTER, [model.Job("A", 33)], [0]), "A wants 33 hosts; 32 ports are left"),
        (lambda: model.pack(CLUSTER, model.GAME_JOBS, [0]), "homes has 1 leaves for 6 jobs"),
        (lambda: model.pack(CLUSTER, [model.Job("A", 2)], [4]), "home of A=4 must be in 0 to 3"),
        (lambda: model.admit(CLUSTER, [], "v4"), "rule='v4' must be one of v2, v3"),
        (
            lambda: model.admit(CLUSTER, [model.Placed(model.Job("A", 4), {0: 2})], "v2"),
            "A wants 4 hosts and is placed on 2",
        ),
        (
            lambda: model.admit(CLUSTER, [model.Placed(model.Job(n, 6), {0: 6}) for n in "AB"], "v2"),
            "leaf 0 has 8 ports; 12 hosts are placed on it",
        ),
        (
            lambda: model.best_packing(CLUSTER, model.GAME_JOBS * 2, "v2", model.steps_per_hour),
            "homes to try",
        ),
    ],
)
def test_what_cannot_be_is_refused_by_name(call, words):
    with pytest.raises(ValueError, match=words):
        call()
