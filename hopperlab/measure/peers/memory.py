"""Latencies, bandwidths and a sweep of intensities, beside those of public suites."""

from collections.abc import Iterator

from hopperlab.chip import Chip, chip
from hopperlab.ledger import Recording, claim
from hopperlab.measure.peers.peer import Peer

KIB, MIB, MB = 2**10, 2**20, 10**6
PCIE, H200 = chip("H100 PCIe"), chip("H200 SXM")

NO_PROGRAM = "the same card and footprint; what is left is the program"


def latency(recording: Recording) -> Iterator[Peer]:
    """Latencies of the levels; the recording is of `memory_latency`."""
    from hopperlab.measure.memory.latency import at

    found, card = recording.results, recording.card_name
    lines = found["curves"]["lines"]
    l1, l2, memory = at(lines, 32 * KIB), at(lines, 4 * MIB), at(lines, 512 * MIB)
    shared = min(cycles for _, cycles in found["shared"])
    index = found["index_chase_cycles"]
    an_index = (
        f"a chase of indices, not of addresses, takes {index:.1f} cycles from the L1 here, {index - l1:.1f} more "
        "(measured): an index has to become an address; theirs is as much slower"
    )
    mhz = found["clock_mhz"]
    clocks = (
        f"clocks of 1755 and {mhz:.0f} MHz: fewer cycles there, yet more time, {claim('lit-063.b').number:g} ns "
        f"(lit-063.b) against {1000 * l2 / mhz:.1f}: not all of the way goes by the SM's clock"
    )
    larger = "an L2 cache of 60 MiB instead of 50: of 38 MiB, more is near here"
    yield Peer("lit-059.a", l1, card, "the same SM")
    yield Peer("lit-057.a", l1, card, "the same SM")
    yield Peer("lit-062.a", l1, card, an_index)
    yield Peer("lit-061.a", shared, card, an_index)
    yield Peer("lit-066.a", l2, card, "the same chip at the same clock")
    yield Peer("lit-063.a", l2, card, clocks)
    yield Peer("lit-064.a", at(lines, 38 * MIB), card, larger)
    yield Peer("lit-073.a", memory, card, "inside their range, which grows with the footprint")
    yield Peer("lit-072.a", memory, card, "faster memory, and a faster SM to count its cycles")


def bandwidth(recording: Recording) -> Iterator[Peer]:
    """Rates of caches and of device memory; the recording is of `bandwidth`."""
    from hopperlab.measure.memory.bandwidth import EVERYTHING, THROUGH_L1, at, best

    card, sms = recording.card_name, recording.card.sms
    footprints = recording.results["footprints"]
    l1 = max(1e3 * rate / mhz / sms for pattern, _, rate, mhz in footprints if pattern == THROUGH_L1)
    in_l2 = max(
        1e3 * rate / mhz
        for pattern, size, rate, mhz in footprints
        if 8 * MIB < size < 50 * MIB and pattern == EVERYTHING
    )
    read, write = best(recording, "read"), best(recording, "write")
    half = _shape(recording, "HBM", 16, 1, 2 * sms)
    few = (
        f"perhaps bytes in flight, which are not known of theirs: with two blocks of 512 threads an SM and one load "
        f"of 16 bytes each, ours reads {half:.0f} GB/s too (measured)"
    )
    yield Peer("lit-079.a", at(recording, EVERYTHING, 8 * MB), card, NO_PROGRAM)
    yield Peer("lit-079.b", at(recording, EVERYTHING, 40 * MB), card, NO_PROGRAM)
    yield Peer(
        "lit-079.c",
        at(recording, EVERYTHING, 63 * MB),
        card,
        "63 MB are just more than the L2 cache holds; what it keeps of them depends on the order of the reads",
    )
    yield Peer("lit-079.d", read, card, few)
    for id, megabytes in (("lit-078.a", 10), ("lit-078.b", 37)):
        ours = at(recording, EVERYTHING, megabytes * MB)
        yield Peer(id, ours, card, _per_sm(id, ours))
    ours = at(recording, EVERYTHING, 8 * MB)
    yield Peer("lit-076", ours, card, _per_sm("lit-076", ours))
    yield Peer(
        "lit-075",
        in_l2,
        card,
        f"114 SMs there: {claim('lit-075').number / PCIE.sms:.1f} and {in_l2 / sms:.1f} bytes a clock of each",
    )
    yield Peer("lit-074", l1, card, "the same SM, which gives 128 at most (chip-051.b): two programs")
    whole = at(recording, EVERYTHING, 50 * MIB) / 1000
    yield Peer(
        "article-027.a",
        whole,
        card,
        "an OpenCL test; of 37 MB on such a card gpu-benches read 6.8 TB/s (lit-078.b)",
    )
    yield Peer("lit-086.a", read, card, _of_pins(claim("lit-086.a").number, PCIE, read))
    yield Peer(
        "lit-085", write, card, "another card: which memory it has, and at which clock, the log does not tell"
    )


def _shape(recording: Recording, level: str, width: int, loads: int, blocks: int) -> float:
    """GB/s of reads with so many loads of a width in flight, by so many blocks."""
    return next(
        rate for *shape, rate, _ in recording.results["shapes"] if shape == [level, width, loads, blocks]
    )


def _per_sm(id: str, ours: float) -> str:
    theirs = claim(id).number
    per_clock = [
        gigabytes * 10**9 / one.sms / one.boost_clock_hz for gigabytes, one in ((theirs, PCIE), (ours, H200))
    ]
    return (
        f"114 SMs of 1755 MHz there, 132 of 1980 here: {per_clock[0]:.1f} (quoted) and {per_clock[1]:.1f} "
        "(measured) bytes a clock of each SM, if both keep their boost clock"
    )


def _of_pins(theirs: float, other: Chip, ours: float) -> str:
    shares = [
        rate * 10**9 / one.memory_bandwidth_bytes_per_s for rate, one in ((theirs, other), (ours, H200))
    ]
    return f"slower memory there: {shares[0]:.0%} of its pins' rate, {shares[1]:.0%} here"


def intensities(recording: Recording) -> Iterator[Peer]:
    """Rates by intensity; the recording is of `roofline_sweep`."""
    programs = {intensity: rate for _, intensity, rate in recording.results["programs"]}
    yield Peer(
        "lit-152.b",
        programs[1.0] / 1.0 / 10**9,
        recording.card_name,
        "the same card: theirs gives less wherever memory decides, as in lit-079.d; ours at 1 FLOP a byte",
    )
    yield Peer(
        "lit-152.a",
        programs[128.0] / 10**12,
        recording.card_name,
        f"the same card, ours at 128 FLOP a byte; at 64 it is {programs[64.0] / 10**12:.1f} (measured). Both lose to "
        "their loads, for the lanes alone give more (lesson 21); why theirs loses more is not known",
    )
