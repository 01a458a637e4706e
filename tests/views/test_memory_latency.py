"""The pictures of lesson 18 and their twins."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hopperlab.models.memory import LEVELS, Staircase, sets_of
from hopperlab.views.memory import latency as views
from hopperlab.views.memory.chase import Chase
from hopperlab.views.memory.halves import halves
from hopperlab.views.memory.lost_lines import lost_lines
from hopperlab.views.memory.same_set import same_set
from hopperlab.views.memory.within_an_sm import within_an_sm

KIB, MIB, GIB = 2**10, 2**20, 2**30
LINES = Chase(128)


def drawn(points=(), published=(), chase=LINES, footprint=4 * MIB, **more):
    return views.staircase(points, published, chase=chase, footprint=footprint, card="A card", **more)


def measured(*footprints, off=1.0):
    found = [(at, LINES.latency(at) * off) for at in footprints]
    return [views.Point(at, cycles, cycles - 1, cycles + 2) for at, cycles in found]


@given(st.integers(KIB, 16 * GIB), st.sampled_from([0, 64, 228]), st.booleans())
def test_shares_of_the_levels_are_all_of_the_loads(footprint, shared, through):
    shares = Chase(128, shared, through).answers(footprint)
    assert tuple(shares) == LEVELS
    assert sum(shares.values()) == pytest.approx(1)
    assert min(shares.values()) >= 0


def test_each_kind_of_evidence_has_its_mark_and_its_words():
    published = [views.Published("lit-0", MIB, 200, 220, "Another card")]
    picture = drawn(measured(4 * KIB, 4 * MIB), published)
    assert picture.svg.count('class="f-none s-modelled"') == 2  # the line, and its sample
    assert picture.svg.count('class="f-measured"') == 3
    assert picture.svg.count('class="f-none s-measured"') == 2  # a spread for each point
    assert picture.svg.count('class="f-none s-quoted"') == 2
    assert "lit-0, Another card, 200 to 220 cycles" in picture.text


def test_treads_carry_the_names_of_the_levels():
    assert all(f">{level}</text>" in drawn().svg for level in LEVELS)
    past = drawn(chase=Chase(128, through_l1=False))
    assert ">L1</text>" not in past.svg


def test_nanoseconds_are_cycles_over_the_clock():
    cycles, ns = drawn(measured(4 * MIB)), drawn(measured(4 * MIB), clock_mhz=2000)
    away = [float(picture.title.split()[6]) for picture in (cycles, ns)]
    assert away[1] == pytest.approx(away[0] / 2, rel=0.01)
    assert "ns away" in ns.title


@pytest.mark.parametrize("shared", [0, 64, 228])
def test_a_line_is_drawn_through_the_step_of_the_l1(shared):
    chase = Chase(128, shared)
    capacity = chase.model.l1_bytes(shared)
    footprints = [at for at, _ in chase.line()]
    assert sum(0.98 * capacity <= at <= 2 * capacity for at in footprints) >= 16
    assert footprints == sorted(set(footprints))


def test_a_line_goes_through_what_was_measured():
    measured = (200.0 * KIB, 250.0 * KIB)
    assert set(measured) < {at for at, _ in LINES.line(measured)}


def test_lost_lines_are_modelled_and_measured_by_lines_too_many():
    model = Staircase()
    room = model.l1_lines(64)
    step = model.l2_cycles - model.l1_cycles
    rows = [[128 * (room + over), model.l1_cycles + step * 512 / (room + over)] for over in (-9, 192, 1300)]
    picture = lost_lines({64: rows, 100: [[KIB, 32.0]]}, card="A card")
    assert "Beside 64 and 100 KiB" in picture.title
    ((over, modelled, measured),) = [line.split() for line in picture.text.splitlines()[3:4]]
    assert (over, measured) == ("192", "512")
    assert 480 <= float(modelled) <= 545
    assert picture.svg.count('class="f-measured"') == 2  # one point, and the sample
    assert picture.svg.count('class="f-none s-modelled"') == 4  # two lines, and their samples


@pytest.mark.parametrize("bit", [11, 12, 13, 16])
def test_a_far_line_shares_its_set_with_four_lines_of_a_full_ring(bit):
    far = 1 << bit
    picture = same_set(1920, far, None, card="A card")
    mates = [int(word) for word in re.findall(r"\d+", picture.title.replace(",", ""))][1:]
    assert len(mates) == 4
    assert len(set(sets_of(np.array([*mates, far])).tolist())) == 1
    assert "all of them miss" in picture.text
    assert "Nobody measured this one" in picture.text
    agreed = same_set(1920, far, [*mates, far], card="A card")
    assert ": as modelled" in agreed.text
    assert agreed.svg.count('class="f-measured"') == 5  # four lines, and the sample
    assert "not as modelled" in same_set(1920, far, [], card="A card").text


def test_a_chase_that_nobody_measured_says_so():
    assert "Nothing was measured" in drawn(chase=Chase(256, 64)).text


def test_rows_of_the_twin_hold_points_that_are_alike():
    picture = drawn(measured(KIB, 2 * KIB, 4 * KIB, 4 * MIB))
    assert [line.split()[-2:] for line in picture.text.splitlines()[3:]] == [
        ["32.0", "32.0"],
        ["279.6", "279.6"],
    ]


@pytest.mark.parametrize(
    ("nbytes", "said"), [(96, "96 B"), (1536, "1.5 KiB"), (MIB - 128, "1 MiB"), (3 * GIB, "3 GiB")]
)
def test_sizes_are_said_in_powers_of_two(nbytes, said):
    assert views.size(nbytes) == said


@given(st.lists(st.floats(200, 700), min_size=4, max_size=4))
def test_every_sm_is_near_or_far(cycles):
    picture = halves([[0, 1], [2, 3]], cycles, far_from=420, line=3, how="atomics", card="A card")
    near = sum(each < 420 for each in cycles)
    assert picture.svg.count('<g class=""><title>SM ') == 4
    assert (f"near for {near} SMs" in picture.title) == (near > 0)
    assert (f"far for {4 - near} SMs" in picture.title) == (near < 4)
    assert len(picture.text.splitlines()) == 2


def test_memories_of_an_sm_have_their_own_marks():
    rows = {"constants": [[256, 30.0]], "L1": [[256, 32.0]], "shared memory": [[256, 23.0]]}
    picture = within_an_sm(rows, [views.Published("lit-0", KIB, 29, 29, "Another card")], card="A card")
    assert len({trace.marker.symbol for trace in picture.figure.data}) == 4
    assert "shared memory, cycles by bytes visited (measured, A card): 256 B 23.0" in picture.text
