"""The page of a card: every number on it, nothing to load, and text that cannot become markup."""

import re

import pytest

from hopperlab.measure.card_report import CardReport, Line, Section
from hopperlab.views.card_report import page, strip

LINE = Line("a <b> rate (x)", 1.0, 2.0, 3.0, "missed", "a remark & more")
REPORT = CardReport(
    "A card",
    {"SMs": "132"},
    (Section("one_thing", "How fast?", "Measured on a day.", (LINE,), ("A note.",)),),
    ("Why?",),
)


def test_the_page_says_what_was_asked_found_and_left_out():
    text = page(REPORT)
    for words in ("A card, measured", "How fast?", "Measured on a day.", "A note.", "Why?", "missed", "132"):
        assert words in text
    assert '<a href="#one-thing">' in text
    assert "id='one-thing'" in text


def test_nothing_is_loaded_and_nothing_runs():
    text = page(REPORT)
    assert not re.search(r"<script|<link|<img|https?://|@import|url\(", text)
    assert "a &lt;b&gt; rate" in text
    assert "a remark &amp; more" in text


@pytest.mark.parametrize(
    ("line", "marks"),
    [
        (LINE, 3),
        (Line("s", None, 2.0, 3.0, ""), 2),
        (Line("s", None, None, 3.0, ""), 0),
        (Line("s", 5.0, 5.0, None, ""), 2),
    ],
)
def test_a_strip_has_a_mark_for_each_number_and_none_for_a_lonely_one(line, marks):
    drawn = strip(line)
    assert drawn.count("hollow") + drawn.count("wide") + drawn.count("<circle") == marks


def test_a_wide_range_is_drawn_on_a_logarithmic_axis():
    places = [
        float(x)
        for x in re.findall(r"cx='([\d.]+)'|'M([\d.]+) 2V", strip(Line("s", 1.0, 10.0, 100.0, "")))[0]
        if x
    ]
    assert places == [pytest.approx(160)]
