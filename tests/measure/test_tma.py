"""What is read off recordings of the tensor memory accelerator: fits, counts of a profiler, rows for the audit."""

from types import SimpleNamespace

import pytest

from hopperlab.ledger import claim, recordings
from hopperlab.measure.claims.tma import PROBES, answers
from hopperlab.measure.progress import Progress
from hopperlab.measure.tma import bandwidth, instructions, layout, multicast, profile, reading, refusals
from hopperlab.models.tma import Stream

STREAM = Stream(latency_s=500e-9, seconds_per_byte=17e-12, seconds_per_box=115e-9, ceiling=4.6e12)


def made_up(change=lambda kind, row, stages, rate: rate):
    """A recording of a card that reads as STREAM does, but for what `change` makes of a rate."""
    cases = [
        ["curve", 1024 * kib, bandwidth.ROW, stages, 1]
        for kib in bandwidth.CURVE_KIB
        for stages in bandwidth.CURVE_STAGES
        if 1024 * kib * stages <= bandwidth.MOST_RING
    ]
    cases += [["shape", 4096, row, 8, 1] for row in bandwidth.SHAPE_ROWS]
    cases += [[way, 16384, 256, *case] for way, tried in bandwidth.WAYS.items() for case in tried]
    reads = [
        [*case, change(case[0], case[2], case[3], STREAM.bandwidth(case[1], case[3], 132)), 0.0]
        for case in cases
    ]
    results = {
        "blocks": 132,
        "reads": reads,
        "alone": {str(n): 850 + n / 64 for n in bandwidth.ALONE_BYTES},
        "chases": dict.fromkeys(bandwidth.CHASE_CLAIMS, 300.0),
    }
    return SimpleNamespace(card_name="H200 SXM", results=results)


def test_a_card_that_obeys_little_s_law_is_met_on_the_curves_held_out():
    found = bandwidth.compare([made_up()])
    assert found.compared == sum(
        stages not in bandwidth.FITTED_STAGES for _, stages, _ in bandwidth.curves(made_up())
    )
    assert found.mismatches == 0


def test_a_card_that_does_not_is_found_out():
    slow = made_up(lambda kind, row, stages, rate: rate / 2 if stages == 4 else rate)
    assert bandwidth.compare([slow]).mismatches == 6


def test_the_grid_has_a_block_for_every_sm():
    assert bandwidth.grid_of(132) == (12, 11)
    assert all(a * b == sms for sms in (78, 114, 132, 144) for a, b in [bandwidth.grid_of(sms)])


PRINTED = """==PROF== Connected
"ID","Kernel Name","Metric Name","Metric Unit","Metric Value"
"0","read","lts__t_sectors_op_read.sum","sector","1,024"
"0","read","smsp__inst_executed.sum","inst","2,048"
"1","read","lts__t_sectors_op_read.sum","sector","4"
"1","read","smsp__inst_executed.sum","inst","5"
"""


def test_the_profiler_s_counts_are_read_in_the_order_of_launches():
    assert instructions.counts(PRINTED, 2) == {
        instructions.INSTRUCTIONS: [2048, 5],
        instructions.L2_READS: [1024, 4],
    }


def test_a_profiler_that_saw_other_launches_is_refused():
    with pytest.raises(RuntimeError, match="3 were made"):
        instructions.counts(PRINTED, 3)


def test_what_a_tile_costs_is_the_difference_of_more_and_fewer():
    tiles = (profile.MORE - profile.FEW) * profile.GRID[0] * profile.GRID[1]
    counted = {instructions.INSTRUCTIONS: [7, 7 + 10 * tiles], instructions.L2_READS: [0, 512 * tiles]}
    (row,) = instructions.results([["engine", 1, counted]])["tiles"]
    assert row == ["engine", 1, 10, reading.TILE]


def test_the_shipped_recordings_follow_from_their_samples():
    for module, name in (
        (bandwidth, "tma_bandwidth"),
        (multicast, "tma_multicast"),
        (instructions, "tma_instructions"),
    ):
        for recording in recordings(name):
            assert module.results(recording.samples) == recording.results
            assert module.compare([recording]).mismatches == 0


@pytest.mark.parametrize("id", PROBES)
def test_the_rules_begin_to_refuse_where_the_claim_says(id):
    assert claim(id).error(PROBES[id]()) == 0


def test_every_numeric_claim_of_the_talk_has_its_row():
    answered = {row.claim for row in answers([])}
    assert {"talk-038", "talk-039", "talk-041", "talk-088", "talk-089"} <= answered


def tried(monkeypatch, answer):
    """What the copies come to on a card that answers so; nothing is launched."""
    monkeypatch.setattr(refusals, "_in_a_process", answer)
    samples = refusals.run(None, Progress())
    recording = SimpleNamespace(card_name="H200 SXM", results=refusals.results(samples))
    return refusals.compare([recording])


def test_the_model_refuses_rows_between_units_and_signed_words_of_64_bits():
    for operation, kind, start in refusals.COPIES:
        assert refusals.refused(operation, kind, start) == (start % 16 != 0 or kind == "INT64")


def test_an_h200_refused_what_the_model_refuses_and_did_all_else_as_modelled():
    (recording,) = recordings("tma_refusals", card="NVIDIA H200")
    assert [copy for *copy, _ in recording.samples] == refusals.COPIES
    for *copy, answer in recording.samples:
        assert answer == (refusals.ILLEGAL if refusals.refused(*copy) else refusals.AS_MODELLED)
    found = refusals.compare([recording])
    assert (found.compared, found.mismatches) == (len(refusals.COPIES), 0)


def test_a_card_that_refuses_what_the_model_refuses_has_no_mismatch(monkeypatch):
    found = tried(
        monkeypatch, lambda copy: refusals.ILLEGAL if refusals.refused(*copy) else refusals.AS_MODELLED
    )
    assert (found.compared, found.mismatches) == (len(refusals.COPIES), 0)


def test_a_card_that_does_all_copies_misses_those_that_the_model_refuses(monkeypatch):
    found = tried(
        monkeypatch, lambda copy: refusals.DONE if refusals.refused(*copy) else refusals.AS_MODELLED
    )
    assert found.mismatches == sum(refusals.refused(*copy) for copy in refusals.COPIES)


def test_a_card_that_refuses_all_misses_those_that_the_model_allows(monkeypatch):
    found = tried(monkeypatch, lambda copy: refusals.ILLEGAL)
    assert found.mismatches == sum(not refusals.refused(*copy) for copy in refusals.COPIES)


@pytest.mark.parametrize(
    ("seen", "told"),
    [
        (True, refusals.AS_MODELLED),
        (False, refusals.DONE),
        (ValueError("the model refuses"), refusals.DONE),
        (RuntimeError(f"Call to cuMemcpyDtoH_v2 results in {refusals.ILLEGAL}"), refusals.ILLEGAL),
    ],
)
def test_a_copy_is_told_by_what_the_model_says_and_by_the_driver_s_error(monkeypatch, seen, told):
    from numba import cuda

    def copied(case):
        if isinstance(seen, Exception):
            raise seen
        return seen

    monkeypatch.setattr(layout, "as_modelled", copied)
    monkeypatch.setattr(cuda, "synchronize", lambda: None)
    assert refusals.outcome(["store", "UINT8", 8]) == told


def test_a_store_s_error_that_comes_after_the_launch_is_seen(monkeypatch):
    from numba import cuda

    def late():
        raise RuntimeError(f"Call to cuCtxSynchronize results in {refusals.ILLEGAL}")

    monkeypatch.setattr(layout, "as_modelled", lambda case: False)
    monkeypatch.setattr(cuda, "synchronize", late)
    assert refusals.outcome(["store", "UINT8", 8]) == refusals.ILLEGAL


@pytest.mark.gpu
def test_a_box_between_units_is_an_illegal_instruction_on_the_card():
    assert refusals._in_a_process(["load", "UINT8", 8]) == refusals.ILLEGAL
    assert refusals._in_a_process(["load", "UINT8", 16]) == refusals.AS_MODELLED
