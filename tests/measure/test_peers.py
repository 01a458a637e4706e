"""Public suites beside our recordings: whose, of which card, how far apart, and always with a reason."""

import pytest

from hopperlab.ledger import recordings
from hopperlab.measure.card_report import card_report
from hopperlab.measure.claims import answers
from hopperlab.measure.peers import SUITES, TOPICS, Peer, peers

SHIPPED = recordings(card="H200 SXM")
FOUND = {topic: peers(topic, SHIPPED) for topic in TOPICS}
ALL = [one for found in FOUND.values() for one in found]


@pytest.mark.parametrize("topic", TOPICS)
def test_every_comparison_names_a_suite_and_a_reason(topic: str) -> None:
    assert len(FOUND[topic]) >= 9
    assert len({one.claim for one in FOUND[topic]}) == len(FOUND[topic])
    for one in FOUND[topic]:
        assert one.suite in SUITES
        assert len(one.why) > 10


def test_both_public_suites_are_there_and_one_of_them_of_this_very_card() -> None:
    assert {"gpu-benches", "HPMLL", "Luo et al."} <= {one.suite for one in ALL}
    same = [one.claim for one in ALL if one.same_card]
    assert same == ["lit-079.a", "lit-079.b", "lit-079.c", "lit-079.d", "lit-152.b", "lit-152.a"]
    assert all("the same card" in one.why or one.claim[-1] in "cd" for one in ALL if one.same_card)


def test_the_numbers_are_those_of_the_audit() -> None:
    audited: dict[str, list[float]] = {}
    for theme in ("memory", "roofline", "tensorcore"):
        for row in answers(theme, SHIPPED):
            if row.measured is not None:
                audited.setdefault(row.claim, []).append(row.measured)
    in_both = [one for one in ALL if one.claim in audited]
    assert len(in_both) > 20
    for one in in_both:
        assert any(one.ours == pytest.approx(measured) for measured in audited[one.claim]), one.claim


def test_l2_reads_are_as_fast_as_the_best_published_for_the_card() -> None:
    by_claim = {one.claim: one for one in FOUND["bandwidth"]}
    assert by_claim["lit-079.a"].difference > -0.05
    assert by_claim["lit-079.b"].difference > -0.05
    assert by_claim["lit-079.d"].difference > 0


def test_inside_a_quoted_range_there_is_no_difference() -> None:
    assert Peer("lit-073.a", 650.0, "H200 SXM", "").difference == 0
    assert Peer("lit-073.a", 1378.0, "H200 SXM", "").difference == pytest.approx(1.0)


def test_what_was_not_recorded_is_left_out_and_another_topic_refused() -> None:
    assert peers("latency", ()) == ()
    assert {one.claim[:7] for one in peers("bandwidth", recordings("roofline_sweep"))} == {"lit-152"}
    with pytest.raises(ValueError, match="topic='speed' must be one of latency, bandwidth, arithmetic"):
        peers("speed", SHIPPED)


def test_a_cards_page_has_a_section_for_every_topic(monkeypatch) -> None:
    few = recordings("roofline_sweep")
    monkeypatch.setattr("hopperlab.measure.card_report.recordings", lambda directory=None: few)
    sections = {one.title: one for one in card_report().sections}
    assert set(sections) == {"roofline_sweep", "bandwidth beside public suites"}
    lines = sections["bandwidth beside public suites"].lines
    assert [line.quoted for line in lines] == [3760, 42.6]
    assert lines[0].verdict == "+13.4%"
    assert "the same card" in lines[0].remark


def test_a_quoted_range_stays_a_range_on_the_page(monkeypatch) -> None:
    latency = recordings("memory_latency")
    monkeypatch.setattr("hopperlab.measure.card_report.recordings", lambda directory=None: latency)
    (section,) = (one for one in card_report().sections if one.title == "latency beside public suites")
    (line,) = (one for one in section.lines if "lit-064.a" in one.subject)
    assert line.quoted is None
    assert "quoted 472 to 498 (cycles)" in line.subject
