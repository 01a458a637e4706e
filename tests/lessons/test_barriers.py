"""Lessons 08 and 09 against the models, the simulator and the exploration that they show."""

import numpy as np
import pytest

from hopperlab import ledger
from hopperlab.course.barriers import LESSON as ASYNCHRONOUS
from hopperlab.course.barriers.specimens import SPECIMENS as SEVEN
from hopperlab.course.transactions import LESSON as TRANSACTIONS
from hopperlab.course.transactions.specimens import SPECIMENS as THIRTEEN
from hopperlab.kernels.overlap import share_apart, share_at_once
from hopperlab.kernels.transactions import TILE, gather_edges, ring
from hopperlab.lessons import barriers, transactions
from hopperlab.models.barriers import Ring, explore, mistakes

PANELS = [(lesson, name) for lesson in (barriers, transactions) for name in lesson.LESSON.panels]


@pytest.mark.parametrize(("lesson", "name"), PANELS, ids=lambda part: getattr(part, "__name__", part))
def test_every_position_of_every_control_draws(lesson, name):
    panel = lesson.panel(name)
    for control in getattr(panel, "controls", {}).values():
        first = control.value
        positions = getattr(control, "options", None)
        moved = getattr(control, "slider", control)
        for value in [value for _, value in positions] if positions else [moved.min, moved.max]:
            control.value = value
            assert panel.error is None
            assert len(panel.picture.text.split()) > 10
        control.value = first


def press(panel, *labels: str) -> str:
    for label in labels:
        panel.do(label)
    return panel.picture.title


def test_the_machine_counts_as_the_model_does_and_takes_back_what_it_did():
    panel = transactions.machine()
    assert press(panel, "arrive", "32 bytes land").endswith(
        "lacks 1 arrival and an expect_tx for 32 bytes that came"
    )
    assert press(panel, "arrive and expect 64").endswith("phase 0 lacks 0 arrivals and 32 bytes")
    assert press(panel, "32 bytes land").endswith("phase 1 lacks 2 arrivals and 0 bytes")
    assert "wait(parity 0) returns" in press(panel, "wait for parity 0")
    panel.undo()
    panel.undo()
    assert panel.picture.title.endswith("phase 0 lacks 0 arrivals and 32 bytes")


def test_an_arrival_too_many_is_refused_in_words_and_changes_nothing():
    panel = transactions.machine()
    press(panel, "arrive and expect 64", "arrive")
    before = panel.picture
    panel.do("arrive")
    assert "no arrival is pending" in panel.problem.text
    assert panel.picture == before


@pytest.mark.parametrize("specimen", [*SEVEN, *THIRTEEN], ids=lambda specimen: specimen.module)
def test_every_specimen_is_found_out_and_shown_with_its_cure(specimen):
    found = specimen.run.findings[0]
    picture = specimen.picture()
    assert found.name in picture.title
    assert found.seen[1:] in picture.text
    assert found.cure in picture.text
    assert "Met as:" in picture.text


def test_lesson_09_has_its_specimens_and_names_the_reports_behind_them():
    assert len(THIRTEEN) >= 10
    told = " ".join(specimen.story for specimen in THIRTEEN)
    for report in (
        "mirage-project/mirage #705",
        "DeepEP #293",
        "hopper-gemm #3",
        "Fuser #3446",
        "tilus #124",
    ):
        assert report in told


@pytest.mark.parametrize(
    ("wrong", "finding"), [(0, None), (4, "expect_tx too large"), (-4, "expect_tx too small")]
)
def test_the_halo_is_right_or_found_out(wrong, finding):
    picture = transactions.halo().draw(first=8, second=12, third=4, wrong=wrong, event=8)
    assert (finding in picture.title) if finding else "Finding" not in picture.text


@pytest.mark.parametrize("edges", [(8, 12, 4), (1, 0, 16), (0, 0, 1)])
def test_block_0_adds_up_all_edges(edges):
    starts = np.cumsum([0, 0, *edges]).astype(np.int32)
    words = np.arange(1, starts[-1] + 1, dtype=np.float32)
    run = gather_edges.simulate(
        4, 16, (words, starts, np.int32(4 * words.size), np.zeros(1, np.float32)), cluster=4
    )
    assert not run.findings
    assert run["total"][0] == words.sum()


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("stages", [1, 2, 3, 4])
def test_the_ring_moves_every_tile_whatever_the_order(stages, seed):
    source = np.arange(6 * TILE, dtype=np.float32)
    run = ring.simulate(1, 64, (source, np.zeros_like(source), np.int32(stages)), seed=seed)
    assert not run.findings
    np.testing.assert_array_equal(run["target"], 2 * source)


def test_both_kernels_of_lesson_08_give_the_same_bits_and_apart_is_earlier():
    apart, at_once = (barriers._run(way) for way in barriers.KERNELS)
    assert not apart.findings
    assert not at_once.findings
    assert apart["sums"].tobytes() == at_once["sums"].tobytes()
    assert apart.cycles < at_once.cycles


@pytest.mark.parametrize("kernel", [gather_edges, ring, share_apart, share_at_once], ids=lambda k: k.name)
def test_the_kernels_compile_for_hopper(kernel):
    assert "sm_90" in kernel.ptx()


def test_every_mistake_offered_ends_as_the_walk_says():
    for name, wrong in mistakes(Ring()).items():
        picture = transactions.proof().draw(mistake=name, stages=2, producers=1, back=0)
        assert picture.title.startswith(explore(wrong).verdict.capitalize())
    right = transactions.proof().draw(mistake=transactions.RIGHT, stages=2, producers=1, back=0)
    assert right.title == "Proved: 92 states, and no trouble in any"


def test_the_misconceptions_listed_for_the_two_lessons_are_all_caught():
    assert {
        "arrive blocks",
        "wait needs my own arrival first",
        "one phase is enough",
        "try_wait returning false is an error",
        "a fresh barrier with parity 1 blocks",
        "syncthreads is the same thing with another name",
        "sleeping and spinning cost the other warps the same",
        "a barrier has two phases",
    } <= ASYNCHRONOUS.misconceptions.keys()
    assert {
        "expect_tx waits",
        "complete before expect is an error",
        "the barrier knows who sent",
        "bytes count as arrivals",
        "4 bytes short is nearly done",
        "the producer waits with parity 0 on a fresh ring",
        "each of 32 lanes must arrive",
        "the count can be any integer",
        "one may wait on a peer block's barrier",
    } <= TRANSACTIONS.misconceptions.keys()


def test_numbers_of_lesson_08_are_those_of_the_recording():
    found = ledger.recordings("barrier_overlap", card="H200 SXM")[0].results
    shares = {steps: apart / joint for steps, apart, joint in found["same_work"]}
    assert (round(shares[256], 3), round(shares[0], 2)) == (0.814, 1.04)
    assert shares[1] < 1
    slower = {(way, waiters): times for way, waiters, _, times, *_ in found["waiting"]}
    spun = [100 * (slower["spin", waiters] - 1) for waiters in (4, 8, 12, 16)]
    assert spun == sorted(spun)
    assert (round(spun[0]), round(spun[-1])) == (7, 21)
    slept = [times for (way, waiters), times in slower.items() if way == "sleep" and waiters]
    left = [times for (way, waiters), times in slower.items() if way == "leave" and waiters]
    assert max(slept) < 1.02
    assert max(slept) < min(left)
    looks = [each for way, waiters, *_, each in found["waiting"] if way.startswith("sleep") and waiters]
    assert max(looks) / min(looks) < 1.05


def test_beside_warps_that_left_a_step_takes_one_of_three_times_as_the_notebook_tells():
    (recording,) = ledger.recordings("barrier_overlap", card=barriers.CARD)
    steps = recording.parameters["work"]
    waiting = recording.samples["waiting"]
    beside = [cycles / steps for way, waiters, cycles, *_ in waiting if way == "leave" and waiters]
    alone = [cycles / steps for _, waiters, cycles, *_ in waiting if not waiters]
    assert (len(beside), sum(each > 36 for each in beside)) == (36, 26)
    assert (len(alone), sum(each > 36 for each in alone)) == (54, 1)
    for each in beside + alone:
        assert min(abs(each - rhythm) for rhythm in (35.1, 36.1, 36.6)) < 0.1
    for waiters in (4, 8, 12, 16):
        assert any(way == "leave" and n == waiters and c / steps < 35.3 for way, n, c, *_ in waiting)


def test_a_word_too_many_hangs_the_halo_and_one_too_few_lets_it_read_early():
    too_many, too_few = transactions.off_by_a_word().text.splitlines()
    assert "100 bytes expected, 96 come" in too_many
    assert "needs 4 more bytes" in too_many
    assert "92 bytes expected, 96 come" in too_few
    assert "its bytes need not be there yet" in too_few


def test_a_copy_that_comes_in_pieces_never_stops_one_word_short():
    found = ledger.recordings("copy_pieces", card=transactions.CARD)[0].results
    assert all(
        dict(zip(found["columns"], copy, strict=True))["divided_by_bytes"] >= 16 for copy in found["copies"]
    )
    whole = [line.split() for line in transactions.pieces().text.splitlines() if line.startswith("64  ")]
    assert whole == [["64", "0", "-", "-"], ["64", "16", "3", "16"], ["64", "64", "-", "-"]]
    in_one_piece = explore(mistakes(Ring())["expects too few bytes"])
    assert in_one_piece.verdict == "deadlock"


def test_the_simulated_messages_take_what_a_card_took_within_a_tenth():
    rows = transactions.silicon().text.splitlines()
    to_and_fro = [line.split()[-4:-2] for line in rows if line.startswith("a word to and fro")]
    assert len(to_and_fro) == 2
    for modelled, measured in to_and_fro:
        assert float(modelled) == pytest.approx(float(measured), rel=0.1)
