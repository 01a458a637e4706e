"""What is held against claims that state something and give no number: a verdict, and the numbers that it rests on.

Only statements that a recording or a model can decide are here; those of the article, and of the talk about chip and
SM, are complete, and a test sees to it.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from hopperlab.chip import chip
from hopperlab.ledger import Recording, claim

HOLDS, IN_PART, ANSWERED, FAILS = "holds", "in part", "answered", "fails"
KIB = 1024


@dataclass(frozen=True)
class Statement:
    """A claim without a number, and what is found of it.

    Attributes
    ----------
    claim
        Its id.
    verdict
        ``holds``, ``in part``, ``fails``, or ``answered``, where the claim is that somebody did not measure.
    evidence
        The numbers, and whether they are quoted, modelled or measured, and of which card.
    """

    claim: str
    verdict: str
    evidence: str


def statements(theme: str, recorded: Sequence[Recording]) -> tuple[Statement, ...]:
    """What is found of a theme's statements, as far as there are recordings for them."""
    by_experiment = {one.experiment: one for one in recorded}
    return tuple(
        found
        for owner, experiment, decide in _DECIDED
        if owner == theme and (not experiment or experiment in by_experiment)
        for found in decide(by_experiment.get(experiment))
    )


def statement(id: str, recorded: Sequence[Recording]) -> Statement:
    """What is found of one claim.

    Raises
    ------
    ValueError
        If nothing decides it, or the recordings for it are missing.
    """
    for found in statements(claim(id).theme, recorded):
        if found.claim == id:
            return found
    raise ValueError(f"id={id!r} is decided by nothing here, or by recordings that are missing")


def _holds(truth: bool) -> str:
    return HOLDS if truth else FAILS


def _leap(_: Recording | None) -> Iterator[Statement]:
    rates = [claim("chip-055.a").number, claim("chip-055.b").number]
    rates += [chip(name).memory_bandwidth_bytes_per_s / 10**9 for name in ("A100 SXM4 40GB", "H100 SXM5")]
    first, second, last = (new / old for old, new in pairwise(rates))
    yield Statement(
        "talk-093",
        _holds(last > max(first, second)),
        f"{last:.2f} times the A100's, whose own leap was {second:.2f}, after {first:.2f} of the V100 over the P100 "
        "(quoted sheets: chip-055, lit-055)",
    )


def _narrower_is_faster(recording: Recording) -> Iterator[Statement]:
    products = recording.results["products"]
    rates = {kind: rate for kind, columns, sums, *_, rate in products if (columns, sums) == (256, "f32")}
    tf32, fp16, fp8 = rates["tf32"], rates["f16"], rates["e4m3"]
    fp64 = chip("H100 SXM5").tensor_fp64_flop_per_clock_per_sm
    yield Statement(
        "talk-084",
        _holds(fp64 < tf32 < fp16 < fp8),
        f"{tf32} FLOP a clock and SM in TF32, {fp16} in FP16, {fp8} in FP8 (measured, {recording.card_name}); "
        f"{fp64} in FP64 (quoted: chip-007)",
    )


def _products_read_shared_memory(recording: Recording) -> Iterator[Statement]:
    from hopperlab.models.sm import Operands

    narrow = Operands(32, data_type="fp16")
    (cycles,) = [row[4] for row in recording.results["products"] if row[:3] == ["f16", 32, "f32"]]
    yield Statement(
        "article-046",
        IN_PART,
        f"sums stay in registers, operands need not: {narrow.name} takes {cycles:.1f} cycles (measured, "
        f"{recording.card_name}), which is the time of its bytes in shared memory, {narrow.shared_cycles:g}, and not "
        f"of its arithmetic, {narrow.math_cycles:g} (modelled)",
    )


def _fused(recording: Recording) -> Iterator[Statement]:
    gains = {
        name: max(by_width.values()) for name, by_width in recording.results["times_faster_with_dpx"].items()
    }
    told = ", ".join(f"{name} {gain:.2f}" for name, gain in gains.items())
    yield Statement(
        "talk-087",
        _holds(min(gains.values()) > 1),
        f"times as fast with DPX as with nothing fused: {told} (measured, {recording.card_name})",
    )


def _latencies(recording: Recording) -> Iterator[Statement]:
    from hopperlab.measure.memory.latency import at

    card, mhz = recording.card_name, recording.results["clock_mhz"]
    l1 = at(recording.results["curves"]["lines"], 32 * KIB)
    shared = min(cycles for _, cycles in recording.results["shared"])
    constants = dict(recording.results["constants"])
    small, large = constants[2 * KIB], constants[64 * KIB]
    older = claim("lit-058.b").number
    yield Statement(
        "article-011",
        _holds(1000 * l1 / mhz < older),
        f"{1000 * l1 / mhz:.1f} ns (measured, {card}), {older:g} on an A100 (quoted: lit-058.b); in cycles they are "
        f"alike, {l1:.1f} and {claim('lit-058.a').number:g}",
    )
    yield Statement(
        "article-019",
        IN_PART,
        f"{small:.1f} cycles up to 2 KiB of constants, {l1:.1f} from the L1, but {large:.1f} at 64 KiB (measured, "
        f"{card}): it has a small cache of its own, as others have",
    )
    yield Statement(
        "article-020",
        _holds(shared < l1),
        f"{shared:.1f} cycles, {l1:.1f} from the L1 (measured, {card})",
    )


def _fp16(recording: Recording) -> Iterator[Statement]:
    from hopperlab.measure.throughput.rates import row_of

    rate = row_of(recording, "fp16x2 fma")["results_per_clock_per_sm"]
    fp32 = row_of(recording, "fp32 fma")["results_per_clock_per_sm"]
    yield Statement(
        "article-045",
        ANSWERED,
        f"{rate:.0f} results a clock and SM in pairs of FP16, {fp32:.0f} in FP32 (measured, {recording.card_name})",
    )


_DECIDED: tuple[tuple[str, str, Callable], ...] = (
    ("chip", "", _leap),
    ("tensorcore", "wgmma_rates", _narrower_is_faster),
    ("tensorcore", "wgmma_rates", _products_read_shared_memory),
    ("dpx", "dpx_programs", _fused),
    ("memory", "memory_latency", _latencies),
    ("throughput", "instruction_rates", _fp16),
)
"""The theme, the experiment that decides, if it takes one, and how."""
