"""The pictures of lesson 20 and their twins."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hopperlab.models.memory import Streams
from hopperlab.views.memory import bandwidth as views
from hopperlab.views.memory.share_of_the_chip import Card, by_share_of_the_chip

MIB = 2**20
SHOWN, NARROW = views.Kernel(16, 2), views.Kernel(4, 1)
MEASURED = {SHOWN: {1: 35.0, 132: 3577.0}, NARROW: {1: 5.4, 528: 2461.0}}
PUBLISHED = [views.Rate("lit-0", 8 * MIB, 10_252, "Another card")]


def footprint(**more):
    points = [(MIB, 14_000.0), (8 * MIB, 10_400.0), (512 * MIB, 4500.0)]
    about = {"how": "All read", "l2_bytes": 60 * MIB, "card": "A card"}
    return views.by_footprint(points, PUBLISHED, **(about | more))


def in_flight(**more):
    about = {"level": "HBM", "chosen": SHOWN, "blocks": 132, "axis": "blocks", "card": "A card"}
    return views.by_what_is_in_flight(MEASURED, PUBLISHED, **(about | more))


def marks(picture):
    return {trace.name: trace for trace in picture.figure.data}


def test_each_kind_of_evidence_has_its_mark_and_its_words():
    picture = footprint()
    assert marks(picture)["modelled, of one level"].mode == "lines"
    assert marks(picture)["measured, A card"].marker.symbol == "circle"
    assert marks(picture)["quoted"].marker.symbol == "diamond-open"
    assert "quoted: lit-0, Another card, 10252 GB/s" in picture.text
    assert "14 TB/s at 1 MiB, 4.5 at 512 MiB" in picture.title


def test_the_line_has_a_gap_where_hits_and_misses_mix():
    line = marks(footprint())["modelled, of one level"]
    assert list(line.y).count(None) == 1
    assert line.y[0] > line.y[-1]
    assert line.x[1] == 60 * MIB < line.x[3]


def test_what_no_model_tells_has_no_line():
    picture = footprint(modelled=False)
    assert "modelled, of one level" not in marks(picture)
    assert "No model here" in picture.text


@given(st.sampled_from([4, 8, 16]), st.integers(1, 8), st.integers(1, 528))
def test_bytes_in_flight_are_those_of_all_threads(width, loads, blocks):
    assert views.Kernel(width, loads).nbytes(blocks) == 512 * width * loads * blocks


@pytest.mark.parametrize("level", ["L2", "HBM"])
def test_the_chosen_blocks_lie_on_the_line(level):
    picture = in_flight(level=level)
    cross, line = marks(picture)["the chosen blocks"], marks(picture)["modelled"]
    assert line.y[list(line.x).index(cross.x[0])] == pytest.approx(cross.y[0], abs=0.1)
    assert cross.y[0] == pytest.approx(Streams().bandwidth(level, 16, 2, 132) / 1e9)


def test_on_the_axis_of_bytes_a_kernel_moves_by_what_its_block_has_in_flight():
    blocks, nbytes = (marks(in_flight(axis=axis)) for axis in ("blocks", "bytes in flight"))
    assert list(blocks["measured, A card"].x) == [1, 132]
    assert list(nbytes["measured, A card"].x) == [16384, 132 * 16384]
    assert list(nbytes["measured, other kernels"].x) == [2048, 528 * 2048]


def test_published_rates_stand_only_where_their_bytes_in_flight_are_known():
    assert "quoted" not in marks(in_flight())
    assert "quoted" in marks(in_flight(axis="bytes in flight"))


NEW = Card("New", 114, 370, 2040, "lit-0")
OLD = Card("Old", 108, 389, 1555, "lit-1")


@given(st.floats(0, 1), st.floats(1, 1e5))
def test_a_part_of_a_chip_gives_no_more_than_its_bytes_or_its_peak(share, sm_bytes):
    rate = NEW.rate(share, sm_bytes)
    assert rate <= NEW.peak_gb_per_s
    assert rate <= share * NEW.sms * sm_bytes / NEW.latency_ns * (1 + 1e-12)


def leads(picture):
    return int(re.search(r"with (\d+) % of its SMs", picture.title)[1])


def test_a_busy_sm_with_less_in_flight_needs_more_company():
    many, some = (leads(by_share_of_the_chip([NEW, OLD], kib * 1024)) for kib in (22, 11))
    assert some == pytest.approx(100 * 1.15 * 1555 * 370 / (114 * 11 * 1024), abs=1)
    assert many == pytest.approx(some / 2, abs=1)


def test_a_card_that_is_never_full_never_leads_clearly():
    picture = by_share_of_the_chip([NEW, OLD], 1024)
    assert "clearly never" in picture.title
    assert not picture.figure.layout.shapes
