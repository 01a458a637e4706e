"""Rates of instructions and of tensor cores, beside those of a public log and of a paper."""

from collections.abc import Iterator

from hopperlab.chip import MHZ, chip
from hopperlab.ledger import Recording, claim
from hopperlab.measure.peers.peer import Peer

PCIE = chip("H100 PCIe")


def instructions(recording: Recording) -> Iterator[Peer]:
    """Fused integer operations; the recording is of `dpx_rates`."""
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


def products(recording: Recording) -> Iterator[Peer]:
    """Products of tensor cores; the recording is of `wgmma_rates`."""
    cycles = {
        (kind, columns, sums): taken for kind, columns, sums, _, taken, _ in recording.results["products"]
    }
    for id, kind in (("lit-132.a", "f16"), ("lit-133.a", "e4m3")):
        yield Peer(id, cycles[kind, 256, "f32"], recording.card_name, "the same SM: less than a cycle apart")


def peak(recording: Recording) -> Iterator[Peer]:
    """The card's FP8 rate; the recording is of `clocks_and_power`."""
    phase = recording.results["tensor cores, zeros"]
    theirs = claim("lit-133.b").number * 10**12 / PCIE.sms / PCIE.tensor_fp8_flop_per_clock_per_sm / MHZ
    yield Peer(
        "lit-133.b",
        phase["tera_per_second"],
        recording.card_name,
        f"FP8; 114 SMs there and 132 here. Theirs is the peak of {theirs:.0f} MHz, ours ran at {phase['sm_mhz']:.0f}",
    )
