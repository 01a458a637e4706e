"""The pictures of lesson 21 and their twins."""

import pytest

from hopperlab.views import throughput as views
from hopperlab.views.throughput import Suspect

HONEST = Suspect(
    "additions", "100 lane results a clock", "two units", "128", 0.78, True, "64 IADD3", "as printed"
)
CHEAT = Suspect("nothing", "10,280 lane results a clock", "two units", "128", 80.3, False, "no loop", "100")


def test_what_is_printed_gives_nothing_away():
    picture = views.spot([HONEST, CHEAT], "printed", {0})
    assert picture.text.splitlines() == [
        "1. additions: 100 lane results a clock; unit: two units; you: impossible",
        "2. nothing: 10,280 lane results a clock; unit: two units",
    ]
    assert "f-finding" not in picture.svg.split("</style>")[1]


@pytest.mark.parametrize(
    ("marked", "title"),
    [
        (set(), "0 of 1 impossible ones found, 0 wrongly accused"),
        ({1}, "1 of 1 impossible ones found, 0 wrongly accused"),
        ({0, 1}, "1 of 1 impossible ones found, 1 wrongly accused"),
    ],
)
def test_marks_are_judged_once_the_ceilings_are_shown(marked, title):
    assert views.spot([HONEST, CHEAT], "ceilings", marked).title == title


@pytest.mark.parametrize(("stage", "word"), [("machine code", "no loop"), ("repaired", "100")])
def test_later_stages_tell_code_and_cure(stage, word):
    told = views.spot([HONEST, CHEAT], stage, ()).text.splitlines()[1]
    assert told.endswith(f"80 times 128; impossible; {stage}: {word}")


def test_a_stage_that_does_not_exist_is_refused():
    with pytest.raises(ValueError, match="stage is 'solved'; it must be one of: printed, ceilings"):
        views.spot([HONEST], "solved", ())


def test_a_unit_fills_up_in_lines_and_points():
    picture = views.filling("fma", 128, {1: {1: 7.5, 2: 15.0}}, {1: {1: 7.7}}, (1, 1), "A card")
    assert picture.title == "fma, 1 warp of 1 chain: 7.5 of 128 lane results a clock (modelled)"
    assert picture.svg.count('class="f-none s-modelled"') == 2  # the line, and its sample
    assert picture.svg.count('class="f-measured"') == 2
    assert picture.text.splitlines()[-1] == "1, 1, 7.50, 7.70"


def test_levels_have_a_bar_for_each_level_and_instruction():
    ratios = {"an SM, in a clock": {"FP32": 2.0, "INT32": 1.0}, "a chip": {"FP32": 2.6, "INT32": 1.3}}
    picture = views.levels(ratios, "an A100")
    assert [list(trace.y) for trace in picture.figure.data] == [[2.0, 1.0], [2.6, 1.3]]
    assert picture.text.splitlines()[-1] == "INT32, 1.00, 1.30"


def test_the_overlay_is_quoted_with_its_claim():
    picture = views.width_and_clock({"a chip": (1.5, 10_000)}, [30], 2.0, "article-047")
    assert picture.text.startswith("Overlay: client chips run above 2 GHz (quoted, article-047).")
    assert picture.text.endswith("a chip, 1.5, 10,000, 30.0")
    assert picture.figure.layout.shapes[0].x0 == 2.0
