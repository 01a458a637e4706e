"""The loop of copies: the rows it was fitted to, the rows it was not, and Little's law."""

import pytest

from hopperlab.ledger import claim
from hopperlab.models.tma import Stream, bytes_in_flight, copy_cycles, fit_stream, loop_bandwidth
from hopperlab.models.tma.bandwidth import CYCLES_PER_KIB, FIXED_CYCLES, PEAK

SMS, CLOCK_HZ = 114, 1.755e9  # of the H800 PCIe that the log is from
FITTED = {"lit-125.a": 1, "lit-125.b": 2, "lit-125.c": 4, "lit-125.d": 8}
HELD_OUT = {"lit-125.e": 12, "lit-125.f": 16}


def modelled(kib):
    return loop_bandwidth(kib * 1024, SMS, CLOCK_HZ) / 1e9


def test_the_constants_are_the_ledger_s():
    assert claim("lit-126.a").value == FIXED_CYCLES
    assert claim("lit-126.b").value == CYCLES_PER_KIB
    assert claim("lit-127").value * 1e12 == pytest.approx(PEAK)


@pytest.mark.parametrize(("row", "kib"), FITTED.items())
def test_the_rows_of_the_fit_are_met(row, kib):
    assert modelled(kib) == pytest.approx(claim(row).value, rel=0.02)


@pytest.mark.parametrize(("row", "kib"), HELD_OUT.items())
def test_larger_copies_are_foretold_and_a_little_too_fast(row, kib):
    """The real link bends before its peak; the model has a corner there."""
    measured = claim(row).value
    assert measured < modelled(kib) < 1.08 * measured


def test_more_in_flight_helps_until_the_peak():
    rates = [loop_bandwidth(4096, SMS, CLOCK_HZ, stages=stages) for stages in (1, 2, 3, 8)]
    assert rates[1] == pytest.approx(2 * rates[0])
    assert rates[2] == rates[3] == PEAK


def test_little_s_law_gives_the_bytes_that_the_ledger_has():
    assert bytes_in_flight(1.961e12, 488e-9) / 1e3 == pytest.approx(claim("derived-010").value, rel=0.001)


@pytest.mark.parametrize(
    "call",
    [
        lambda: copy_cycles(0),
        lambda: copy_cycles(228 * 1024),
        lambda: loop_bandwidth(1024, 0, 1e9),
        lambda: loop_bandwidth(1024, 1, 0),
        lambda: loop_bandwidth(1024, 1, 1e9, stages=0),
        lambda: bytes_in_flight(1e12, -1),
    ],
)
def test_a_number_out_of_range_is_named(call):
    with pytest.raises(ValueError, match="must be"):
        call()


STREAM = Stream(latency_s=500e-9, seconds_per_byte=17e-12, seconds_per_box=115e-9, ceiling=4.6e12)
SIZES, STAGES = (1024, 4096, 16384), (1, 2, 4, 8, 16)


def test_each_limit_of_a_stream_sets_the_pace_somewhere():
    slowest = {
        min(limits, key=limits.get)
        for nbytes in SIZES
        for stages in STAGES
        if (limits := STREAM.limits(nbytes, stages, 132))
    }
    assert slowest == {"latency", "asking", "memory"}


@pytest.mark.parametrize("nbytes", SIZES)
def test_a_stream_never_slows_with_more_under_way(nbytes):
    rates = [STREAM.bandwidth(nbytes, stages, 132) for stages in STAGES]
    assert rates == sorted(rates)
    assert rates[0] == pytest.approx(132 * nbytes / (500e-9 + 17e-12 * nbytes))


def test_the_bytes_under_way_are_all_that_latency_looks_at():
    assert STREAM.limits(1024, 8, 132)["latency"] == STREAM.limits(8192, 1, 132)["latency"]


def test_a_fit_finds_the_constants_of_its_own_curves():
    points = [(n, s, STREAM.bandwidth(n, s, 132)) for n in (1024, 2048, 4096, 16384) for s in STAGES]
    found = fit_stream(points, 132)
    assert found.ceiling == pytest.approx(STREAM.ceiling)
    assert found.seconds_per_box == pytest.approx(STREAM.seconds_per_box)
    assert found.latency_s == pytest.approx(STREAM.latency_s, rel=1e-6)
    assert found.seconds_per_byte == pytest.approx(STREAM.seconds_per_byte, rel=1e-6)


def test_a_fit_needs_points_that_latency_holds_back():
    with pytest.raises(ValueError, match="2 or more"):
        fit_stream([(1024, 1, 1e12), (1024, 2, 1e12)], 132)
