"""Lesson 16: its answers by another way, its board and its game, its specimens, its words on a card."""

import time
from contextlib import suppress
from itertools import combinations, product
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hopperlab import ledger
from hopperlab.course.mig import LESSON
from hopperlab.course.mig.card import CARD, LAYOUTS, SCATTERED, WANTED
from hopperlab.course.mig.hands import Hand, buttons
from hopperlab.course.mig.specimens import SPECIMENS
from hopperlab.lessons import mig as lesson
from hopperlab.models.mig import Board, make_room, profile, profiles

CONTROLLED = ("driver", "queue", "specimens")


def _can_be_laid(names):
    """Every combination of starts, tried one by one: no sums."""
    kinds = [profile(name, CARD) for name in names]
    if sum(kind.compute_slices for kind in kinds) > 7:
        return False
    for starts in product(*(kind.starts for kind in kinds)):
        masks = [kind.mask_at(start) for kind, start in zip(kinds, starts, strict=True)]
        if all(not one & other for one, other in combinations(masks, 2)):
            return True
    return False


def test_the_seven_layouts_are_judged_as_trying_every_start_judges_them():
    answer = LESSON.predictions["layouts"].right_answer()
    assert answer == {name: int(_can_be_laid(layout)) for name, layout in LAYOUTS.items()}
    assert sorted(answer.values()) == [0, 0, 0, 1, 1, 1, 1]


def test_the_lost_sms_are_those_that_the_claims_leave():
    sms = {
        name: ledger.claim(profile(name, CARD).sms_claim).value for name in ("1g.10gb", "3g.40gb", "4g.40gb")
    }
    lost = LESSON.predictions["sms-lost"].right_answer()
    assert lost == {
        "7 x 1g": 132 - 7 * sms["1g.10gb"],
        "4g + 3g": 132 - sms["4g.40gb"] - sms["3g.40gb"],
        "7g": 0,
    }


def test_largest_first_is_served():
    assert LESSON.predictions["order"].right_answer() == "largest"


BELIEFS = {
    "seven slices of everything",
    "only compute slices count",
    "MIG always costs 15 %",
    "order is irrelevant",
    "GPU instances share L2 bandwidth",
    "2x bandwidth per instance against any A100",
    "H100 PCIe and SXM have the same SMs per slice",
}


def test_every_belief_of_the_lesson_is_answered_somewhere():
    assert set(LESSON.misconceptions) >= BELIEFS


@pytest.mark.parametrize("name", CONTROLLED)
def test_every_position_of_every_control_draws(name):
    panel = lesson.panel(name)
    for control in panel.controls.values():
        first = control.value
        options = getattr(control, "options", None)
        for value in [value for _, value in options] if options else range(control.last + 1):
            control.value = value
            assert panel.error is None
            assert len(panel.picture.text.split()) > 10
        control.value = first


@pytest.mark.parametrize("name", CONTROLLED)
def test_a_panel_draws_well_within_a_frame_of_patience(name):
    panel = lesson.panel(name)
    assert min(_seconds(lambda: panel.draw(**panel.values)) for _ in range(5)) < 0.05


def _seconds(draw):
    started = time.perf_counter()
    draw()
    return time.perf_counter() - started


def test_the_board_creates_moves_and_destroys_and_takes_back():
    panel = lesson.panel("board")
    for label in ("3g.40gb", "1g.10gb", "Move right", "Move left", "Select next", "Destroy"):
        panel.do(label)
        assert panel.error is None, label
    assert [one.profile.name for one in panel.state.board.instances] == ["1g.10gb"]
    panel.undo()
    assert len(panel.state.board.instances) == 2
    panel.start_over()
    assert panel.state == Hand(Board(CARD))


def test_the_board_refuses_in_the_drivers_words_and_stays_as_it_was():
    panel = lesson.panel("board")
    for label in ("3g.40gb", "3g.40gb", "1g.10gb"):
        panel.do(label)
    assert "in the way are 3g.40gb at 0, 3g.40gb at 4" in panel.problem.text
    assert len(panel.state.board.instances) == 2
    for label, words in (("Destroy", ""), ("Destroy", "no instance is selected")):
        panel.do(label)
        assert words in panel.problem.text


@settings(deadline=None, max_examples=60)
@given(st.lists(st.sampled_from(sorted(buttons(CARD))), max_size=14))
def test_whatever_is_pressed_the_board_is_one_that_the_hardware_allows(pressed):
    hand = Hand(Board(CARD))
    for label in pressed:
        with suppress(ValueError):
            hand = buttons(CARD)[label](hand)
    assert Board(CARD, hand.board.instances) == hand.board
    assert hand.selected is None or hand.selected in {one.start for one in hand.board.instances}


def test_the_game_is_won_in_the_fewest_moves_that_the_model_knows():
    panel = lesson.panel("room")
    assert not panel.state.board.free(WANTED)
    for label in (
        "Select next",
        "Select next",
        "Move left",
        "Move left",
        "Select next",
        "Select next",
        "Move left",
    ):
        panel.do(label)
    assert panel.state.board.free(WANTED)
    assert panel.state.moved_since(SCATTERED) == len(make_room(SCATTERED, WANTED).moves) == 2
    assert "2 instances moved, the fewest" in panel.picture.text


def test_one_move_is_not_enough_for_the_game():
    for held in range(len(SCATTERED.instances)):
        for start in SCATTERED.instances[held].profile.starts:
            rest = [one for number, one in enumerate(SCATTERED.instances) if number != held]
            board = Board(CARD, tuple(rest))
            if start in board.free(SCATTERED.instances[held].profile.name):
                assert not board.create(SCATTERED.instances[held].profile.name, start).free(WANTED)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Free, but not in one piece", "in the way are 1g.10gb at 1, 1g.10gb at 3, 2g.20gb at 4"),
        ("Right set, wrong order", "no place for 2g.20gb"),
        ("Idle compute, full memory", "in the way are 3g.40gb at 0, 3g.40gb at 4"),
        ("Two of what there is one of", "already holds the card's media engines"),
        ("A table that multiplies", "3g.40gb 48, listed 60; 7g.80gb 112, listed 132"),
    ],
)
def test_every_specimen_is_found_out(name, words):
    specimen = next(one for one in SPECIMENS if one.name == name)
    assert words in specimen.finding
    assert specimen.finding in specimen.picture().text


def test_no_specimen_goes_untested():
    assert len(SPECIMENS) == 5


def test_a_recording_of_a_card_is_shown_beside_what_is_quoted(monkeypatch):
    listed = {str(kind.number): [kind.name, 0, kind.sms] for kind in profiles("H200 SXM")}
    made_up = SimpleNamespace(results={"profiles": listed})
    monkeypatch.setattr(lesson.ledger, "recordings", lambda *_, **__: (made_up,))
    by_leg = {trace.name: list(trace.x) for trace in lesson.silicon().figure.data}
    assert by_leg["measured"] == [16, 26, 32, 60, 64, 132]


def test_the_transcripts_that_the_model_misses_are_told():
    text = lesson.audit().text
    assert "three 1g with double memory, one after another  4 0 2          6 4 0" in text
