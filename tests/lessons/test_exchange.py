"""Lesson 07 against the recordings, the models and the simulator that it shows."""

import pytest

from hopperlab import ledger
from hopperlab.course.exchange import LESSON
from hopperlab.course.exchange.measured import found, histogram_gains
from hopperlab.course.exchange.predictions import BLOCK_BINS
from hopperlab.course.exchange.specimens import SPECIMENS
from hopperlab.kernels.exchange import ping_pong
from hopperlab.lessons import exchange as lesson
from hopperlab.models.exchange import FLAG, ONE_SIDED, PROTOCOLS, all_to_all_rate, crossings
from tests.lessons.every_position import draw_every_position


@pytest.mark.parametrize("name", LESSON.panels)
def test_every_position_of_every_control_draws(name):
    draw_every_position(lesson.panel(name))


@pytest.mark.parametrize("specimen", SPECIMENS, ids=lambda specimen: specimen.module)
def test_every_specimen_is_found_out_and_shown_with_its_cure(specimen):
    found_out = specimen.run.findings[0]
    picture = specimen.picture()
    assert found_out.name in picture.title
    assert found_out.cure in picture.text
    assert "Met as:" in picture.text


def test_the_listed_breakages_are_among_the_specimens():
    assert {"read_before_the_peer_wrote", "peer_exited", "missing_sync_at_the_end"} <= {
        specimen.module for specimen in SPECIMENS
    }


def test_the_misconceptions_listed_for_the_lesson_are_all_caught():
    assert {
        "remote shared memory costs like local",
        "DSMEM saves the barrier",
        "any address of the peer is valid at any time",
        "7x is bandwidth",
        "larger clusters have longer latency for all",
        "a pointer to my shared memory reaches mine when a peer dereferences it",
        "shared memory grows per block",
    } <= LESSON.misconceptions.keys()


def test_answers_are_those_of_the_recordings():
    measured = ledger.recordings("exchange_protocols", card="H200 SXM")[0].results["round_trip_cycles"]
    assert list(LESSON.predictions["round-trip"].answer().values()) == [
        round(measured[FLAG]),
        round(measured[ONE_SIDED]),
    ]
    assert LESSON.predictions["four-ways"].answer() == {p: crossings(p)[0] for p in PROTOCOLS}
    gained = [bins for bins, gain in histogram_gains("uniform").items() if gain > 1]
    assert LESSON.predictions["stops-gaining"].answer() == "first"
    assert gained == [2 ** (BLOCK_BINS - 1).bit_length()]


def test_the_exercise_counts_the_four_protocols_as_the_model_does():
    examples = LESSON.exercises["crossings"].examples[:4]
    solved = [LESSON.exercises["crossings"].solution(*arguments) for arguments in examples]
    assert solved == [crossings(protocol) for protocol in PROTOCOLS]


def test_numbers_of_the_prose_are_those_of_the_recordings():
    times = found("exchange_protocols")["times_shorter"]
    assert [round(times[p], 1) for p in (lesson.BY_ATOMICS, FLAG, lesson.TAGGED)] == [6.8, 4.1, 1.4]
    table = lesson.seven().text
    assert "6.1    measured" in table
    swapped = {words: slow / fast for words, fast, slow in found("exchange_protocols")["swap_cycles"]}
    assert (round(max(swapped.values()), 1), round(swapped[128], 1), round(swapped[1024], 1)) == (
        5.5,
        5.5,
        2.1,
    )
    assert round(histogram_gains("uniform")[65_536], 1) == 1.7
    assert round(histogram_gains("skewed")[65_536], 1) == 4.8
    assert max(gain for bins, gain in histogram_gains("uniform").items() if bins < BLOCK_BINS) < 1 / 3.8
    reduces = {(size, words): gain for size, words, _, _, gain in found("exchange_programs")["all_reduces"]}
    assert round(max(reduces.values()), 1) == 2.2
    assert round(reduces[16, 16_384], 1) == 1.0
    rates = {tuple(kind): rate for *kind, rate in found("dsmem_all_to_all")["rates"]}
    whole, crowded = rates["staggered", "16 bytes", 16], rates["same order, in step", "16 bytes", 16]
    assert 1 / 12.5 < crowded / whole < 1 / 10.5
    scattered = [
        rates["staggered", "16 bytes", size] / rates["staggered", "4 bytes, scattered", size]
        for size in (2, 4, 8, 16)
    ]
    assert [round(times, 1) for times in scattered] == [3.3, 6.2, 8.6, 8.6]
    ports = {tuple(kind): rate for *kind, rate in found("dsmem_bandwidth")["rates"]}
    port = ports["loads", "ring", 16, True]
    for size in (2, 4, 8, 16):
        assert rates["staggered", "4 bytes, scattered", size] == pytest.approx(
            all_to_all_rate(size, False, port, 4), rel=1 / 6
        )
    assert round(ports["loads", "one way", 16, True], 1) == 18.9
    assert round(ports["loads", "ring", 16, True], 1) == 13.4
    separable = found("dsmem_latency")["separable"]
    assert (round(separable["rms"], 1), round(separable["by_mean"], 1)) == (0.6, 6.3)


def test_both_kernels_of_the_lesson_bring_both_words_in_the_simulator():
    for kernel in (ping_pong.ping_pong_by_st_async, ping_pong.ping_pong_by_flag):
        run = lesson._run(kernel)
        assert not run.findings
        assert run["received"].tolist() == [1, 1]
