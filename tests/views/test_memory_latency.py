"""The pictures of lesson 18 and their twins."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hopperlab.models.memory import LEVELS, Staircase
from hopperlab.views.memory import latency as views
from hopperlab.views.memory.chase import Chase
from hopperlab.views.memory.halves import halves
from hopperlab.views.memory.lost_lines import lost_lines
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


def test_where_a_hash_decides_is_told_apart():
    fifth = Chase(640)
    points = [(4 * KIB, 1.0), (4 * MIB, 1.0), (1.5 * MIB, 2.0)]
    found = [
        views.Point(at, cycles, cycles, cycles) for at, off in points for cycles in [fifth.latency(at) * off]
    ]
    picture = drawn(found, chase=fifth)
    assert "median error 0.0%, worst 0.0% of 2 points" in picture.text
    assert (
        "a hash that is not known decides which lines the L1 loses: worst 50.0% of 1 points" in picture.text
    )
    assert picture.svg.count('opacity="0.5"') == 1
    assert all(
        'opacity="0.5"' not in drawn(chase=chase).svg for chase in (LINES, Chase(640, through_l1=False))
    )


@pytest.mark.parametrize("shared", [0, 64, 228])
def test_a_line_is_drawn_through_the_step_of_the_l1(shared):
    chase = Chase(128, shared)
    capacity = chase.model.l1_bytes(shared)
    footprints = [at for at, _ in chase.line()]
    assert sum(capacity <= at <= 2 * capacity for at in footprints) >= 40
    assert footprints == sorted(set(footprints))


def test_lost_lines_are_modelled_and_measured_by_lines_too_many():
    places = Staircase().l1_bytes(64) / 128
    rows = [
        [128 * (places + 128 * over), 32.01 + 249.39 * 4 / (places / 128 + over)] for over in (-1, 1, 2, 9)
    ]
    picture = lost_lines({64: rows, 100: [[KIB, 32.01]]}, card="A card")
    assert "Beside 64 and 100 KiB" in picture.title
    assert [line.split() for line in picture.text.splitlines()[3:5]] == [
        ["1.00", "3.88", "4.00"],
        ["2.00", "4.00", "4.00"],
    ]
    assert picture.svg.count('class="f-measured"') == 3  # two points, and the sample
    assert picture.svg.count('class="f-none s-modelled"') == 4  # two lines, and their samples


def test_a_chase_that_nobody_measured_says_so():
    assert "Nothing was measured" in drawn(chase=Chase(256, 64)).text


def test_rows_of_the_twin_hold_points_that_are_alike():
    picture = drawn(measured(KIB, 2 * KIB, 4 * KIB, 4 * MIB))
    assert [line.split()[-2:] for line in picture.text.splitlines()[3:]] == [
        ["32.0", "32.0"],
        ["281.4", "281.4"],
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
