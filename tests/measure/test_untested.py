"""Claims that nothing is held against: named with their reasons, or counted, and never both answered and excused."""

from itertools import chain

import pytest

from hopperlab.ledger import claim
from hopperlab.measure.audit import Report, Row, ThemeReport, audit
from hopperlab.measure.audit_text import WIDTH, as_text
from hopperlab.measure.untested import UNTESTED, reasons

COMPLETE = ("chip", "roofline", "sm", "dpx", "power", "memory", "atomics", "throughput")
"""Themes each of whose claims with a number is answered, or named with the reason why not."""

IDS = tuple(chain.from_iterable(UNTESTED.values()))


@pytest.fixture(scope="module")
def audited() -> Report:
    """The audit of all themes that have to be complete."""
    return audit(COMPLETE)


def test_a_claim_is_excused_once_and_has_a_number() -> None:
    assert len(set(IDS)) == len(IDS)
    assert all(claim(id).is_numeric for id in IDS)


def test_nothing_of_these_themes_is_only_quoted(audited: Report) -> None:
    assert {theme.theme: theme.cited_only for theme in audited.themes} == dict.fromkeys(COMPLETE, 0)


@pytest.mark.exhaustive
def test_nothing_of_the_tensor_cores_is_only_quoted() -> None:
    (theme,) = audit(["tensorcore"]).themes
    assert theme.cited_only == 0
    assert {row.claim for row in theme.rows}.isdisjoint(IDS)


def test_no_claim_is_both_answered_and_excused(audited: Report) -> None:
    answered = {row.claim for theme in audited.themes for row in theme.rows}
    assert answered.isdisjoint(IDS)


def test_what_a_program_on_one_card_or_a_model_can_answer_is_excused_for_a_reason_of_that_kind() -> None:
    testable = [id for id in IDS if claim(id).testable != "cite" and id.startswith(("talk", "article"))]
    assert testable == []


def test_only_reasons_that_concern_the_claims_are_given() -> None:
    assert reasons({"talk-004"}) == {"it is of a Grace Hopper, which no recording is of": ("talk-004",)}
    assert reasons({"talk-007"}) == {}
    assert set(chain.from_iterable(reasons(set(IDS)).values())) == set(IDS)


def test_the_text_names_the_claims_that_cannot_be_tested_by_their_reasons(audited: Report) -> None:
    lines = as_text(Report((audited.themes[0],))).splitlines()
    assert "29 claims with a number cannot be tested here:" in lines
    assert "  it is of a Grace Hopper, which no recording is of: talk-004" in lines
    assert max(map(len, lines)) <= WIDTH
    assert not any("only quoted" in line for line in lines)


def test_an_answered_claim_is_not_named_and_one_with_no_excuse_is_counted() -> None:
    theme = ThemeReport("recommender", (), ())
    assert theme.untested == {}
    assert theme.cited_only > 0
    row = Row("dpx", "s", "lit-147.b", modelled=4.0)
    assert ThemeReport("dpx", (row,), ()).untested == {}


def test_a_theme_whose_every_claim_is_excused_does_not_fail_and_one_with_a_claim_left_does() -> None:
    assert ThemeReport("addressing", (), ()).failures == ()
    assert ThemeReport("addressing", (Row("addressing", "s", modelled=1.0, no_test="so"),), ()).failures
    assert ThemeReport("recommender", (), ()).failures
