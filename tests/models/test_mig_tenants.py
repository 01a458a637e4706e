"""MIG for its tenants: what is stranded, what is shared, who waits, and what moving costs."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hopperlab import chip as chips
from hopperlab.models import confidential, mig

SXM = "H100 SXM5"
NAMES = [p.name for p in mig.profiles(SXM)]


def board(*names: str, chip: str = SXM) -> mig.Board:
    placing = mig.place(names, chip)
    assert placing.succeeded
    return placing.board


# --- Leftovers ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("chip", "names", "stranded"),
    [
        (SXM, ["1g.10gb"] * 7, 20),
        (SXM, ["3g.40gb"] * 2, 12),
        (SXM, ["4g.40gb", "3g.40gb"], 8),
        (SXM, ["7g.80gb"], 0),
        ("H100 PCIe", ["1g.10gb"] * 7, 16),
        ("H100 PCIe", ["7g.80gb"], 0),
        ("A100 SXM4 40GB", ["7g.40gb"], 10),
    ],
)
def test_sms_that_a_full_board_strands(chip, names, stranded):
    left = mig.leftovers(board(*names, chip=chip))
    assert (left.sms.stranded, left.sms.reachable) == (stranded, 0)
    assert mig.sms_lost(board(*names, chip=chip)) == pytest.approx(stranded / chips.chip(chip).sms)


def test_seven_small_instances_strand_the_eighth_memory_slice():
    left = mig.leftovers(board(*["1g.10gb"] * 7))
    assert (left.memory_slices.stranded, left.compute_slices.stranded) == (1, 0)


def test_what_mig_costs_an_h100_depends_on_the_layout():
    costs = [mig.sms_lost(mig.Board(SXM, layout)) for layout in mig.maximal_layouts(SXM)]
    assert Counter(round(cost, 2) for cost in costs) == {0.0: 1, 0.06: 5, 0.09: 1, 0.15: 10, 0.18: 2}


def test_maximal_means_that_nothing_is_reachable():
    for layout in mig.maximal_layouts(SXM, all_profiles=True):
        left = mig.leftovers(mig.Board(SXM, layout))
        assert (left.sms.reachable, left.memory_slices.reachable) == (0, 0)


@settings(deadline=None)
@given(st.lists(st.sampled_from(NAMES), max_size=7))
def test_used_reachable_and_stranded_make_the_whole(names):
    left = mig.leftovers(mig.place(names, SXM).board)
    for share in (left.sms, left.memory_slices, left.compute_slices, left.memory_gib):
        assert share.used + share.reachable + share.stranded == pytest.approx(share.total)
        assert share.stranded >= -1e-9
    assert left.sms.total == 132


# --- Compute instances ----------------------------------------------------------------------------


def test_compute_instances_divide_the_sms_of_one_gpu_instance():
    three = mig.profile("3g.40gb", SXM)
    assert [ci.name for ci in mig.place_compute([3], three)] == ["3g.40gb"]
    assert [ci.sms for ci in mig.place_compute([3], three)] == [60]
    parts = mig.place_compute([1, 2], three)
    assert [(ci.name, ci.sms) for ci in parts] == [("1c.3g.40gb", 16), ("2c.3g.40gb", 32)]
    assert sum(ci.sms for ci in mig.place_compute([1, 1, 1], three)) == 48


@pytest.mark.parametrize("kind", mig.profiles(SXM), ids=lambda p: p.name)
def test_compute_instances_never_overlap_and_fill_their_gpu_instance(kind):
    cis = mig.place_compute([1] * kind.compute_slices, kind)
    assert sorted(s for ci in cis for s in ci.compute) == list(range(kind.compute_slices))
    assert sum(ci.sms for ci in cis) <= kind.sms
    with pytest.raises(mig.InsufficientResources, match="are left"):
        mig.place_compute([1] * (kind.compute_slices + 1), kind)


def test_a_compute_instance_of_a_size_that_does_not_exist_is_refused():
    with pytest.raises(ValueError, match=r"slices=5: a 7g\.80gb holds .* 1, 2, 3, 4, 7 slices"):
        mig.place_compute([5], mig.profile("7g.80gb", SXM))
    assert mig.compute_sizes(mig.profile("2g.20gb", SXM)) == (1, 2)


# --- Isolation ------------------------------------------------------------------------------------


def test_gpu_instances_share_the_bus_and_power_and_compute_instances_share_memory_too():
    apart = mig.shared_between((0, 0), (4, 0))
    together = mig.shared_between((0, 0), (0, 1))
    assert apart == ("PCIe", "power")
    assert set(apart) < set(together)
    assert "L2 cache" in together
    with pytest.raises(ValueError, match="one tenant, not two"):
        mig.shared_between((0, 1), (0, 1))


def test_bandwidth_follows_the_memory_slices():
    full = chips.chip(SXM).memory_bandwidth_bytes_per_s
    assert mig.memory_bandwidth(mig.Instance(0, mig.profile("7g.80gb", SXM))) == full
    assert mig.memory_bandwidth(mig.Instance(4, mig.profile("3g.40gb", SXM))) == full / 2
    assert mig.memory_bandwidth(mig.Instance(6, mig.profile("1g.20gb", SXM))) == full / 4


def test_the_firewall_lets_each_function_reach_its_own_slices_only():
    functions = mig.virtual_functions(board("3g.40gb", "2g.20gb", "1g.10gb"))
    assert [f.number for f in functions] == [1, 2, 3]
    assert len({f.key_context for f in functions}) == 3
    for memory_slice in range(mig.MEMORY_SLICES):
        assert sum(f.may_access(memory_slice) for f in functions) <= 1
    assert [f.may_access(4) for f in functions] == [False, False, True]
    with pytest.raises(ValueError, match="slices 0 to 7"):
        functions[0].may_access(8)


def test_instances_with_keys_of_their_own_cannot_open_each_other_s_messages():
    functions = mig.virtual_functions(board("3g.40gb", "2g.20gb"))
    first, second = (
        confidential.traffic_keys(bytes(48), function.key_context)["host to device"] for function in functions
    )
    envelope = first.seal(0, b"weights of one tenant")
    assert first.open(envelope) == (0, b"weights of one tenant")
    with pytest.raises(confidential.errors.TamperedMessage):
        second.open(envelope)


# --- The talk's ratios ----------------------------------------------------------------------------


def test_three_times_the_compute_holds_against_any_a100():
    for base in ("A100 SXM4 40GB", "A100 SXM4 80GB"):
        assert mig.instance_ratio(SXM, base).compute == pytest.approx(2.97, abs=0.01)


def test_twice_the_bandwidth_holds_against_the_40_gb_card_only():
    assert mig.instance_ratio(SXM, "A100 SXM4 40GB").bandwidth == pytest.approx(2.155, abs=0.01)
    assert mig.instance_ratio(SXM, "A100 SXM4 80GB").bandwidth == pytest.approx(1.644, abs=0.01)


def test_a_ratio_names_what_it_compares():
    ratio = mig.instance_ratio(SXM, "A100 SXM4 40GB", shape="3g")
    assert (ratio.profile, ratio.base_profile) == ("3g.40gb", "3g.20gb")
    assert ratio.compute == pytest.approx(ratio.sms * ratio.per_sm_per_clock * ratio.clock)
    with pytest.raises(ValueError, match="shapes 1g, 2g, 3g, 4g, 7g"):
        mig.instance_ratio(shape="5g")
    with pytest.raises(ValueError, match="fp8"):
        mig.instance_ratio(data_type="fp8")


# --- Making room, and the queue -------------------------------------------------------------------


def test_the_fewest_moves_that_let_a_3g_in():
    scattered = board("1g.10gb", "1g.10gb", "2g.20gb")
    repacking = mig.make_room(scattered, "3g.40gb")
    assert [(m.profile, m.start) for m in repacking.moves] == [("1g.10gb", 6), ("1g.10gb", 4)]
    assert sorted(i.profile.name for i in repacking.board.instances) == [
        "1g.10gb",
        "1g.10gb",
        "2g.20gb",
        "3g.40gb",
    ]


def test_no_move_is_made_where_there_is_room_and_none_helps_where_there_is_not():
    assert mig.make_room(board("3g.40gb"), "3g.40gb").moves == ()
    with pytest.raises(mig.InsufficientResources, match="too much memory"):
        mig.make_room(board("3g.40gb", "3g.40gb"), "1g.10gb")


@settings(deadline=None)
@given(st.lists(st.sampled_from(NAMES), max_size=6), st.sampled_from(NAMES))
def test_room_can_be_made_exactly_when_the_whole_layout_fits(names, wanted):
    start = mig.place(names, SXM).board
    layout = [i.profile.name for i in start.instances] + [wanted]
    if not mig.is_valid(layout, SXM):
        with pytest.raises(mig.InsufficientResources):
            mig.make_room(start, wanted)
        return
    repacking = mig.make_room(start, wanted)
    assert sorted(i.profile.name for i in repacking.board.instances) == sorted(layout)
    before = {(i.profile.name, i.start) for i in start.instances}
    after = {(i.profile.name, i.start) for i in repacking.board.instances}
    assert len(before - after) == len(repacking.moves)


QUEUE = [
    mig.Tenant("ada", "1g.10gb", 0, 5),
    mig.Tenant("bob", "1g.10gb", 0, 9),
    mig.Tenant("cleo", "2g.20gb", 1, 6),
    mig.Tenant("dan", "3g.40gb", 2, 4),
    mig.Tenant("eve", "1g.10gb", 2, 3),
]


def test_making_room_serves_the_same_queue_sooner():
    schedules = {policy: mig.serve(QUEUE, SXM, policy) for policy in mig.POLICIES}
    assert [s.hours_waited for s in schedules.values()] == [10, 5, 4]
    assert [s.moves for s in schedules.values()] == [0, 0, 2]
    assert schedules["make room"].hours < schedules["in order"].hours


tenants = st.lists(
    st.tuples(st.sampled_from(NAMES), st.integers(0, 12), st.integers(1, 6)), min_size=1, max_size=8
)


@settings(deadline=None)
@given(tenants, st.sampled_from(mig.POLICIES))
def test_every_tenant_is_served_once_and_never_two_on_one_slice(rows, policy):
    queue = [mig.Tenant(f"t{i}", *row) for i, row in enumerate(rows)]
    schedule = mig.serve(queue, SXM, policy)
    assert sorted(s.tenant.name for s in schedule.stays) == sorted(t.name for t in queue)
    assert all(s.begins >= s.tenant.arrives for s in schedule.stays)
    assert all(s.ends - s.begins >= s.tenant.stays for s in schedule.stays)
    assert 0 < schedule.sms_busy <= 132
    for hour in range(schedule.hours):
        now = [
            mig.Instance(start, mig.profile(stay.tenant.profile, SXM))
            for stay in schedule.stays
            for start, begins, ends in stay.spans
            if begins <= hour < ends
        ]
        assert len(mig.Board(SXM, tuple(now)).instances) == len(now)


def test_a_queue_that_cannot_be_meant_is_refused():
    with pytest.raises(ValueError, match="policies are"):
        mig.serve(QUEUE, SXM, "random")
    with pytest.raises(ValueError, match="1 hour or more"):
        mig.serve([mig.Tenant("a", "1g.10gb", 0, 0)], SXM)
    with pytest.raises(ValueError, match="hours count from 0"):
        mig.serve([mig.Tenant("a", "1g.10gb", -1, 1)], SXM)
    with pytest.raises(ValueError, match="names must differ"):
        mig.serve([QUEUE[0], QUEUE[0]], SXM)
    assert mig.serve([], SXM).stays == ()
