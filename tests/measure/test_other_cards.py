"""What differs between cards: only what does, theirs first, once for each pair."""

import pytest

from hopperlab.chip import NAMES, chip
from hopperlab.measure.audit import Report, Row, ThemeReport
from hopperlab.measure.audit_text import WIDTH, as_text
from hopperlab.measure.other_cards import differences, of_rows

PCIE, SXM, H200 = chip("H100 PCIe"), chip("H100 SXM5"), chip("H200 SXM")


def test_the_cards_of_the_article_and_of_the_talk_beside_an_h200() -> None:
    assert differences(PCIE, H200) == (
        "SMs 114 and 132, boost clock 1755 and 1980 MHz, L2 50 and 60 MiB, memory 2.039 and 4.8 TB/s, "
        "power limit 350 and 700 W"
    )
    assert differences(SXM, H200) == "L2 50 and 60 MiB, memory 3.352 and 4.8 TB/s"


@pytest.mark.parametrize("name", NAMES)
def test_nothing_differs_between_a_chip_and_itself(name: str) -> None:
    assert differences(chip(name), chip(name)) == ""


def test_a_pair_is_told_once_and_only_where_another_card_was_measured() -> None:
    rows = [
        Row("chip", "s", "article-003.a", measured=132, card="H200 SXM"),
        Row("chip", "s", "article-003.b", measured=60, card="NVIDIA H200"),
        Row("chip", "s", "chip-030", measured=132, card="H200 SXM"),
        Row("chip", "s", "talk-007", measured=132, card="H200 SXM", scaling="the same"),
        Row("chip", "s", "talk-007", modelled=132),
        Row("chip", "s", "talk-007", measured=132, card="a card unheard of"),
        Row("memory", "s", "article-013.c", measured=60, card="H200 SXM"),
    ]
    (line,) = of_rows(rows)
    assert line.startswith("H100 PCIe and H200 SXM: SMs 114 and 132")


def test_the_audit_tells_it_below_the_rows() -> None:
    row = Row("chip", "SMs", "talk-007", measured=132, card="H200 SXM")
    text = as_text(Report((ThemeReport("chip", (row,), ()),)))
    assert "  H100 SXM5 and H200 SXM: L2 50 and 60 MiB, memory 3.352 and 4.8 TB/s." in text
    assert max(map(len, text.splitlines())) <= WIDTH
