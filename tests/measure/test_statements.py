"""Claims without a number: each testable one of the article, and of the talk's chip and SM, has a verdict."""

from dataclasses import replace

import pytest

from hopperlab.ledger import claim, claims, recordings
from hopperlab.measure.audit import Report, ThemeReport
from hopperlab.measure.audit_text import WIDTH, as_text
from hopperlab.measure.statements import ANSWERED, FAILS, HOLDS, IN_PART, Statement, statement, statements

THEMES = ("chip", "roofline", "sm", "dpx", "tensorcore", "memory", "power", "atomics", "throughput")
SHIPPED = recordings()
FOUND = {one.claim: one for theme in THEMES for one in statements(theme, SHIPPED)}


def test_every_testable_statement_has_a_verdict_and_no_other_claim_has() -> None:
    testable = {
        row.id
        for theme in THEMES
        for row in claims(theme)
        if not row.is_numeric and row.testable != "cite" and row.id.startswith(("article", "talk"))
    }
    assert set(FOUND) == testable


def test_the_verdicts_of_the_card_at_hand() -> None:
    assert {id: one.verdict for id, one in FOUND.items()} == {
        "talk-093": HOLDS,
        "talk-084": HOLDS,
        "talk-087": HOLDS,
        "article-011": HOLDS,
        "article-019": IN_PART,
        "article-020": HOLDS,
        "article-045": ANSWERED,
        "article-046": IN_PART,
    }


@pytest.mark.parametrize("id", FOUND)
def test_evidence_says_where_its_numbers_are_from(id: str) -> None:
    evidence = FOUND[id].evidence
    assert "measured, H200 SXM" in evidence or "quoted" in evidence
    assert not claim(id).is_numeric


def test_without_recordings_only_what_sheets_decide_is_decided() -> None:
    assert [one.claim for theme in THEMES for one in statements(theme, ())] == ["talk-093"]


def test_a_card_on_which_a_statement_is_wrong_says_so() -> None:
    (latency,) = recordings("memory_latency")
    slow = replace(latency, results={**latency.results, "shared": [[8, 40.0]], "clock_mhz": 1000.0})
    verdicts = {one.claim: one.verdict for one in statements("memory", [slow])}
    assert (verdicts["article-020"], verdicts["article-011"]) == (FAILS, FAILS)


def test_the_text_names_claim_verdict_and_evidence() -> None:
    found = Statement("article-020", HOLDS, "23 cycles against 32 " * 9)
    text = as_text(Report((ThemeReport("memory", (), (), statements=(found,)),)))
    assert "article-020    Shared memory is faster than L1, for it checks no tags: holds. 23 cycles" in text
    assert max(map(len, text.splitlines())) <= WIDTH


def test_one_claim_is_found_or_refused() -> None:
    assert statement("article-020", SHIPPED) == FOUND["article-020"]
    for id in ("article-020", "talk-092"):
        with pytest.raises(ValueError, match=f"id='{id}' is decided by nothing here"):
            statement(id, ())
