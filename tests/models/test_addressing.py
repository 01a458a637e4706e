"""Addresses across an NVLink Network: every way to be refused, and the stale entry that is not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hopperlab.models import addressing as model


def shared(entries=4):
    """GPU 1 exports two pages; GPU 0 maps them at page 7 and is let in."""
    pod = model.export(model.Pod(entries=entries), "weights", owner=1, pages=2)
    return model.grant(model.map_buffer(pod, 0, "weights", 7), 0, "weights")


def outcome(pod, gpu=0, page=7):
    return model.access(pod, gpu, page).last


def test_an_access_passes_all_stations_and_is_cached():
    first = model.access(shared(), 0, 8)
    assert first.last.physical == (1, 101)
    assert [stage.place for stage in first.last.stages] == [
        "page table of the source",
        "fabric",
        "link TLB of the owner",
    ]
    assert "miss" in first.last.stages[-1].found
    assert "hit" in outcome(first, page=8).stages[-1].found


def test_what_is_not_mapped_faults_at_the_source():
    assert outcome(shared(), page=6).fault.startswith("page table of the source")
    assert outcome(shared(), gpu=2).fault.startswith("page table of the source")


def test_a_mapping_without_leave_faults_at_the_owner():
    pod = model.map_buffer(shared(), 2, "weights", 7)
    assert outcome(pod, gpu=2).fault.startswith("link TLB of the owner")
    assert outcome(model.grant(pod, 2, "weights"), gpu=2).physical == (1, 100)


def test_a_revocation_with_its_flush_faults_at_once():
    used = model.access(shared(), 0, 7)
    assert outcome(model.revoke(used, 0, "weights")).fault


def test_a_revocation_without_its_flush_lets_a_stale_entry_pass():
    used = model.access(shared(), 0, 7)
    pod = model.revoke(used, 0, "weights", flush=False)
    assert outcome(pod).stale
    assert "stale" in outcome(pod).words
    assert outcome(pod, page=8).fault  # never cached, so checked
    assert outcome(model.invalidate(pod, 1)).fault


def test_without_entries_nothing_is_ever_stale():
    pod = model.revoke(model.access(shared(entries=0), 0, 7), 0, "weights", flush=False)
    assert outcome(pod).fault


def test_unmapping_takes_the_pages_back():
    assert outcome(model.unmap(shared(), 0, "weights")).fault.startswith("page table")


@given(st.lists(st.sampled_from(["access", "grant", "revoke", "stale revoke", "flush"]), max_size=12))
def test_nobody_gets_in_without_leave_unless_the_entry_is_stale(events):
    pod = model.map_buffer(model.export(model.Pod(), "weights", 1, 1), 0, "weights", 7)
    allowed = False
    for event in events:
        if event == "grant":
            pod, allowed = model.grant(pod, 0, "weights"), True
        elif event == "revoke":
            pod, allowed = model.revoke(pod, 0, "weights"), False
        elif event == "stale revoke":
            pod, allowed = model.revoke(pod, 0, "weights", flush=False), False
        elif event == "flush":
            pod = model.invalidate(pod, 1)
        else:
            pod = model.access(pod, 0, 7)
            assert (pod.last.physical is not None) == (allowed or pod.last.stale)
            assert not (allowed and pod.last.stale)


def test_a_link_tlb_keeps_its_latest_entries_only():
    pod = shared(entries=1)
    pod = model.access(model.access(pod, 0, 7), 0, 8)
    assert [entry[1] for entry in pod.cached[1]] == [1001]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: model.export(shared(), "weights", 0, 1), "exported already"),
        (lambda: model.export(shared(), "x", 9, 1), "owner=9 must be in 0 to 3"),
        (lambda: model.map_buffer(shared(), 0, "weights", 8), "virtual page 8 of GPU 0 is mapped already"),
        (lambda: model.map_buffer(shared(), 0, "biases", 8), "not exported; there is weights"),
        (lambda: model.access(shared(), 4, 7), "gpu=4 must be in 0 to 3"),
        (lambda: model.Pod(gpus=1), "gpus=1 must be in 2 to 256"),
    ],
)
def test_what_cannot_be_is_refused_by_name(call, words):
    with pytest.raises(ValueError, match=words):
        call()
