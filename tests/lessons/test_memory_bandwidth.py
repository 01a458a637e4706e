"""Lesson 20 against the model, the recording and the machine code that it speaks of."""

import re

import numpy as np
import pytest

from hopperlab.course.memory.bandwidth import LESSON, recorded
from hopperlab.course.memory.bandwidth.exercises import mixed, reached
from hopperlab.course.memory.bandwidth.reader import LOADS_ASKED, LOADS_UNDER_WAY, reader
from hopperlab.course.memory.bandwidth.specimens import SPECIMENS
from hopperlab.lessons import memory_bandwidth as lesson
from hopperlab.measure.memory.bandwidth import EVERYTHING, at
from hopperlab.models.memory import Streams


@pytest.mark.parametrize("name", LESSON.panels)
def test_every_position_of_every_control_draws(name):
    panel = lesson.panel(name)
    for control in panel.controls.values():
        for _, value in control.options:
            control.value = value
            assert panel.error is None
            assert len(panel.picture.text.split()) > 5


def test_the_blocks_of_the_model_are_those_of_the_card():
    model = Streams()
    wanted = 0.9e9 * recorded.most("HBM")
    modelled = next(n for n in range(1, 529) if model.bandwidth("HBM", *recorded.SHOWN, n) >= wanted)
    assert modelled == pytest.approx(recorded.blocks_for(0.9), rel=0.1)
    rates = recorded.shape("HBM", *recorded.SHOWN)
    assert rates[132] < 0.9 * recorded.most("HBM") < rates[198]


def test_a_full_grid_is_not_enough_and_half_a_chip_gives_more_than_half():
    assert recorded.shape("HBM", 4, 1)[528] / recorded.most("HBM") == pytest.approx(0.54, abs=0.005)
    assert recorded.half("HBM") > 70
    assert recorded.half("L2") > 60


def test_rates_mix_as_the_exercise_says():
    rate = mixed(84.5, 62.9, 9200, 4600)
    assert at(recorded.bandwidth(), EVERYTHING, 84_500_000) == pytest.approx(rate, rel=0.02)


@pytest.mark.parametrize("blocks", [1, 8, 66])
def test_little_says_what_the_card_does_far_below_the_ceiling(blocks):
    latency = 1e9 * Streams().memory_cycles / 1.98e9
    rate = reached(blocks, 512, 4, 4, latency, recorded.most("HBM"))
    assert recorded.shape("HBM", 4, 4)[blocks] == pytest.approx(rate, rel=0.15)


def test_the_reader_reads_everything_in_the_simulator():
    rows = lesson.stepped().blocks[0].rows
    assert [row[0] for row in rows] == ["1", "2", "4"]
    assert all(simulated == numpy for *_, simulated, numpy in rows)


def test_the_reader_without_a_wait_reads_the_same():
    words = np.arange(768, dtype=np.uint32) * np.uint32(40503)
    run = reader(2, waits=False).simulate(2, 64, (words, 3, np.zeros(128, np.uint32)))
    assert int(run.outputs["sums"].sum(dtype=np.uint32)) == int(words.sum(dtype=np.uint32))


def most_under_way(sass):
    """The most loads that have begun before anything needs one of them, in the order of the machine code."""
    under_way, most = set(), 0
    for line in sass.splitlines():
        registers = re.findall(r"\bR\d+", line)
        load = re.search(r"\bLDG\S* (R\d+),", line)
        if under_way & set(registers[1:] if load else registers):
            under_way = set()
        if load:
            under_way.add(load[1])
            most = max(most, len(under_way))
    return most


@pytest.mark.parametrize(("waits", "loads"), [(True, LOADS_ASKED), (False, LOADS_UNDER_WAY)])
def test_the_compiler_begins_later_rounds_early_unless_they_must_wait(waits, loads):
    assert most_under_way(reader(2, waits).sass()) == loads


@pytest.mark.parametrize("specimen", SPECIMENS, ids=lambda specimen: specimen.name)
def test_every_specimen_is_found_out(specimen):
    assert "wrong" in specimen.picture().text
    assert len(specimen.found()) > 40


def test_the_tables_say_what_the_prose_says():
    assert [row[-1] for row in lesson.kinds().blocks[0].rows] == ["1.019", "0.997", "0.978"]
    assert [row[3] for row in lesson.collapse().blocks[0].rows] == ["0.92", "0.94", "0.98", "0.69", "0.45"]
    assert "median error 2.3%, worst 12.8%" in str(lesson.misses())


@pytest.mark.parametrize("kib", [0, -1, float("nan")])
def test_half_the_gpu_refuses_what_cannot_be_in_flight(kib):
    with pytest.raises(ValueError, match="sm_kib"):
        lesson.half_the_gpu(kib)


def test_the_footprints_within_the_cache_give_what_the_prediction_says_of_them():
    rates = [recorded.of_8_mb(size) for size in (16.8, 21.1, 26.6, 33.6, 42.3, 53.2)]
    assert (round(min(rates)), round(max(rates))) == (87, 98)
    assert (round(100 - recorded.of_8_mb(42)), round(100 - recorded.of_8_mb(27))) == (8, 13)
    assert "87 to 98 %" in LESSON.predictions["footprint"].because
