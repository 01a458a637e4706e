"""Public suites beside our recordings: the same quantity by their program and by ours, and why they differ.

Where the card is the same, the difference is of programs. Where it is another, what is known to differ of it is said.
What could not be explained says so.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from hopperlab.chip import MHZ, Chip, chip
from hopperlab.ledger import Claim, Recording, claim

KIB, MIB, MB = 2**10, 2**20, 10**6
PCIE, H200 = chip("H100 PCIe"), chip("H200 SXM")

SUITES = {
    "gpu-benches": "RRZE-HPC/gpu-benches",
    "HPMLL": "HPMLL/NVIDIA-Hopper-Benchmark",
    "Luo et al.": "Luo et al.",
    "HopperTest": "lenLRX/HopperTest",
    "Chips and Cheese": "Chips and Cheese",
}
"""Names of suites and studies, by what their claims' sources hold."""

NO_PROGRAM = "the same card and footprint; what is left is the program"


@dataclass(frozen=True)
class Peer:
    """One quantity by another's program and by ours.

    Attributes
    ----------
    claim
        The claim that quotes it.
    ours, card
        What was measured here, in the claim's unit, and on which card.
    why
        Why the two differ, or that it is not known.
    """

    claim: str
    ours: float
    card: str
    why: str

    @property
    def source(self) -> Claim:
        """The claim itself."""
        return claim(self.claim)

    @property
    def suite(self) -> str:
        """The suite's short name."""
        return next(name for name, words in SUITES.items() if words in self.source.source)

    @property
    def same_card(self) -> bool:
        """Whether theirs is of the card that was measured here."""
        return self.source.covers(self.card)

    @property
    def difference(self) -> float:
        """How far ours is from what is quoted, as a share of it; 0 inside a quoted range."""
        return self.source.error(self.ours)


def peers(topic: str, recorded: Sequence[Recording]) -> tuple[Peer, ...]:
    """The comparisons of one topic, as far as there are recordings for them.

    Parameters
    ----------
    topic
        One of ``TOPICS``.
    recorded
        Recordings of one card.

    Raises
    ------
    ValueError
        For another topic.
    """
    by_name = {one.experiment: one for one in recorded}
    return tuple(
        peer
        for experiment in experiments_of(topic)
        if experiment in by_name
        for peer in TOPICS[topic][experiment](by_name[experiment])
    )


def experiments_of(topic: str) -> tuple[str, ...]:
    """The experiments that answer to a topic; see ``peers`` for errors."""
    if topic not in TOPICS:
        raise ValueError(f"topic={topic!r} must be one of {', '.join(TOPICS)}")
    return tuple(TOPICS[topic])


def _latency(recording: Recording) -> Iterator[Peer]:
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


def _bandwidth(recording: Recording) -> Iterator[Peer]:
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
    for id, ours, name in (("lit-086.a", read, "H100 PCIe"),):
        yield Peer(id, ours, card, _of_pins(claim(id).number, chip(name), ours))
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


def _roofline(recording: Recording) -> Iterator[Peer]:
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


def _instructions(recording: Recording) -> Iterator[Peer]:
    rates = {(name, how): found for name, how, *found in recording.results["functions"]}
    card = recording.card_name
    same = "the same pipe, at 64 lanes: two programs"
    latency, rate = rates["viaddmax_s16x2_relu", "fused"]
    yield Peer("lit-143.a", rate, card, same)
    yield Peer(
        "lit-142.a",
        latency,
        card,
        "the same pipe: ours is the time of a loop over its steps, with what the loop itself takes",
    )
    latency, rate = rates["viaddmax_s32", "fused"]
    yield Peer("lit-144.c", rate, card, same)
    yield Peer(
        "lit-144.a",
        latency,
        card,
        "theirs equals an A100's, which has no such instruction (lit-144.b): their chain was not fused, ours is, by "
        "its machine code",
    )
    yield Peer("lit-145.a", rates["vimax3_s32_relu", "fused"][1], card, same)
    latency, rate = rates["vimax_s32_relu", "fused"]
    yield Peer(
        "lit-146.a",
        rate,
        card,
        "more than the pipe's 64 lanes: part of their work was done elsewhere, or not at all",
    )
    yield Peer(
        "lit-146.b", latency, card, "half of ours: one instruction for two steps of their chain would give it"
    )


def _products(recording: Recording) -> Iterator[Peer]:
    cycles = {
        (kind, columns, sums): taken for kind, columns, sums, _, taken, _ in recording.results["products"]
    }
    for id, kind in (("lit-132.a", "f16"), ("lit-133.a", "e4m3")):
        yield Peer(id, cycles[kind, 256, "f32"], recording.card_name, "the same SM: less than a cycle apart")


def _power(recording: Recording) -> Iterator[Peer]:
    phase = recording.results["tensor cores, zeros"]
    theirs = claim("lit-133.b").number * 10**12 / PCIE.sms / PCIE.tensor_fp8_flop_per_clock_per_sm / MHZ
    yield Peer(
        "lit-133.b",
        phase["tera_per_second"],
        recording.card_name,
        f"FP8; 114 SMs there and 132 here. Theirs is the peak of {theirs:.0f} MHz, ours ran at {phase['sm_mhz']:.0f}",
    )


TOPICS: Mapping[str, Mapping[str, Callable[[Recording], Iterator[Peer]]]] = {
    "latency": {"memory_latency": _latency},
    "bandwidth": {"bandwidth": _bandwidth, "roofline_sweep": _roofline},
    "arithmetic": {"dpx_rates": _instructions, "wgmma_rates": _products, "clocks_and_power": _power},
}
"""By topic, the experiments that answer to it, and what they say."""
