"""Lesson 07, distributed shared memory: its panels and figures.

from hopperlab.lessons import exchange as lesson
"""

from functools import cache, partial
from typing import Any

import numpy as np

from hopperlab import ledger
from hopperlab.course.exchange import LESSON
from hopperlab.course.exchange.measured import (
    CARD,
    all_reduce_gains,
    found,
    histogram_gains,
    histogram_gains_by_size,
    round_trip,
)
from hopperlab.course.exchange.predictions import BLOCK_BINS
from hopperlab.course.exchange.specimens import SPECIMENS
from hopperlab.course.report import Report, Table
from hopperlab.kernels.exchange import histogram as histogram_kernel
from hopperlab.kernels.exchange import ping_pong
from hopperlab.lessons.comparison import compared
from hopperlab.lessons.controls import choice, slider, stepper
from hopperlab.lessons.panel import Panel
from hopperlab.measure.exchange import EXPERIMENTS
from hopperlab.measure.exchange.protocols import BY_ATOMICS
from hopperlab.models.exchange import (
    FLAG,
    ONE_SIDED,
    PROTOCOLS,
    STORE,
    TAGGED,
    Latencies,
    all_to_all_rate,
    crossings,
    exchange,
    port_rate,
)
from hopperlab.views import exchange as views
from hopperlab.views import trace
from hopperlab.views.evidence import Evidence, evidence
from hopperlab.views.picture import Picture

predict, commit, reveal = LESSON.predict, LESSON.commit, LESSON.reveal
panel, quiz, summary = LESSON.panel, LESSON.quiz, LESSON.summary
exercise, check, hint, solution = LESSON.exercise, LESSON.check, LESSON.hint, LESSON.solution

one_sided, by_flag = ping_pong.ping_pong_by_st_async, ping_pong.ping_pong_by_flag
histogram = histogram_kernel
"""The kernels of this lesson; `kernel.source()` shows one."""

USUAL = Latencies()
RING = "a ring of sends"
UNIFORM, SKEWED, ALL_REDUCE = "histogram, even values", "histogram, skewed values", "all-reduce"


def _ladder(
    protocol: str, memory: float, network: float, fence: float, wake: float, missed: float
) -> Picture:
    latencies = Latencies(memory, network, fence, wake, missed / 100)
    return views.ladder(exchange(protocol, latencies), exchange(ONE_SIDED, latencies))


def ladder() -> Panel:
    """One of four protocols beside st.async, with the latencies to drag."""
    return Panel(
        "exchange.ladder",
        _ladder,
        height=720,
        protocol=choice("Protocol", list(PROTOCOLS)),
        memory=slider("Round trip to the L2", 100, 800, int(USUAL.memory), unit="cycles"),
        network=slider("One way to the other SM", 20, 400, int(USUAL.network), unit="cycles"),
        fence=slider("A fence takes longer by", 0, 600, int(USUAL.fence), unit="cycles"),
        wake=slider("Waking and reading", 0, 400, int(USUAL.wake), unit="cycles"),
        missed=slider("How unlucky the poll is", 0, 100, 50, step=10, unit="%"),
    )


def figure() -> Picture:
    """The talk's two sides: a flag in global memory, and a one-sided write."""
    return views.ladder(exchange(FLAG), exchange(ONE_SIDED))


@cache
def _run(kernel: Any) -> Any:
    """Two words to and fro in the simulator, with every access in its trace."""
    between = () if kernel is one_sided else (np.zeros(64, np.uint32), np.zeros(64, np.uint32))
    results = np.zeros(2, np.uint32), np.zeros(2, np.uint32)
    return kernel.simulate(2, 1, (np.uint32(2), *between, *results), cluster=2, trace="accesses")


def _stepped(name: str, kernel: Any, step: int) -> Panel:
    """A kernel's run, one event after another: bytes on their way, or threads over time."""
    steps = trace.Steps(_run(kernel).trace)
    views_of = {"Byte flow": trace.byte_flow, "Threads": trace.thread_lanes}
    return Panel(
        name,
        lambda view, step: view(steps, step),
        height=380,
        view=choice("View", views_of),
        step=stepper("Step", steps.last, step, partial(trace.cause_place, steps)),
    )


def one_sided_steps() -> Panel:
    """The kernel with st.async in the simulator."""
    return _stepped("exchange.one_sided", one_sided, 12)


def by_flag_steps() -> Panel:
    """The kernel with a flag in global memory in the simulator."""
    return _stepped("exchange.by_flag", by_flag, 12)


def specimens() -> Panel:
    """Broken kernels, each run in the simulator when it is chosen."""
    return Panel(
        "exchange.specimens",
        lambda specimen: specimen.picture(),
        height=640,
        specimen=choice("Specimen", {specimen.name: specimen for specimen in SPECIMENS}),
    )


def _matrix(size: int) -> Picture:
    return views.latency_matrix(found("dsmem_latency")[str(size)]["median_cycles"], CARD)


def matrix() -> Panel:
    """Measured: every reader against every owner, in clusters of 4, 8 and 16."""
    return Panel("exchange.matrix", _matrix, height=540, size=choice("Blocks of the cluster", (4, 8, 16), 16))


def seven() -> Report:
    """Who says how many times, and which two protocols that compares."""
    remote = found("dsmem_latency")["16"]["remote_mean"]
    rows = [
        _said(
            "talk-032",
            "one store that writes the data and updates a barrier",
            "write, flush, flag, poll, read",
        ),
        _said("article-024", "as the vendor says; not tested", "global memory"),
        _said(
            "derived-009.a",
            "one load from another block: 181 cycles",
            "a hand-over: 1,110 cycles (lit-097.a)",
        ),
        _said("derived-009.b", "the same load", "the first version's hand-over: 956 cycles (lit-097.b)"),
        _said("derived-009.c", "the same load, in time", "two compare-and-swaps in the L2 (article-022.a)"),
        _said("lit-111.a", "a producer's data in shared memory", "the same in global memory"),
    ]
    for protocol, how in (
        (BY_ATOMICS, "full fences; the flag exchanged, and polled by atomic adds"),
        (FLAG, "store-release and load-acquire of a flag"),
        (STORE, "in the cluster too, in two messages with a fence"),
        (TAGGED, "a word that is its own flag"),
    ):
        times = round_trip(protocol) / round_trip(ONE_SIDED)
        rows.append([f"{times:.1f}", "measured, H200 SXM", "st.async, to and fro", f"{protocol}: {how}"])
    by_load = round_trip(FLAG) / 2 / remote
    rows.append(
        [f"{by_load:.1f}", "measured, H200 SXM", f"one load: {remote:.0f} cycles", "a hand-over by a flag"]
    )
    return Report(Table(["times", "who", "what is fast", "compared with"], rows))


def _said(claim: str, fast: str, slow: str) -> list[str]:
    return [f"{ledger.claim(claim).value:g}", f"quoted, {claim}", fast, slow]


def silicon() -> Picture:
    """Quoted, modelled and measured: the cycles of one hand-over by each protocol, and of one load."""
    latency = found("dsmem_latency")["16"]
    quoted = {FLAG: "lit-097.a", ONE_SIDED: "lit-118.b"}
    rows = [
        Evidence("a load, own memory", **_quoted("lit-088"), measured=latency["own_mean"], card=CARD),
        Evidence(
            "a load, another block's memory",
            **_quoted("lit-089.e"),
            measured=latency["remote_mean"],
            card=CARD,
        ),
        *(
            Evidence(
                f"hand-over: {protocol}",
                **_quoted(quoted.get(protocol)),
                modelled=exchange(protocol).cycles,
                measured=round_trip(protocol) / 2,
                card=CARD,
            )
            for protocol in (ONE_SIDED, TAGGED, STORE, FLAG)
        ),
        Evidence(f"hand-over: {BY_ATOMICS}", measured=round_trip(BY_ATOMICS) / 2, card=CARD),
    ]
    note = (
        "Modelled by the ladder, not by the simulator. Quoted of an H800 PCIe; for st.async it is an H200 NVL's remote "
        "arrival, from which the ladder has its waking, so only the measured cycles test that row. The ladder's fence "
        "is fitted to store and arrive; the other three hand-overs test it."
    )
    return evidence(
        rows, title="Cycles until the other block has the word", unit="cycles", logarithmic=True, note=note
    )


def _quoted(claim: str | None) -> dict[str, Any]:
    return {"quoted": ledger.claim(claim).value, "source": claim} if claim else {}


def swaps() -> Report:
    """Measured: messages of many words swapped by two blocks, both ways."""
    rows = [
        [str(words), f"{fast:,.0f}", f"{slow:,.0f}", f"{slow / fast:.1f}"]
        for words, fast, slow in found("exchange_protocols")["swap_cycles"]
    ]
    return Report(Table(["words", "st.async, cycles", "flag in global memory, cycles", "times"], rows))


def _gains(program: str) -> Picture:
    low, high = ledger.claim("talk-042").low, ledger.claim("talk-042").high
    quoted = (low, high, "talk-042")
    if program == ALL_REDUCE:
        gains = all_reduce_gains()
        best = max(max(curve.values()) for curve in gains.values())
        title = f"An all-reduce gains up to {best:.1f} times, and less with every word"
        return views.gains(gains, title=title, x="words of 4 bytes in a block", quoted=quoted)
    draw = "uniform" if program == UNIFORM else "skewed"
    best = histogram_gains(draw)
    gained = [f"{bins:,}" for bins, gain in best.items() if gain > 1]
    title = f"{program.capitalize()}: a cluster gains at {' and '.join(gained) or 'no number of'} bins"
    limits = {BLOCK_BINS: f"one block holds {BLOCK_BINS:,}"}
    return views.gains(histogram_gains_by_size(draw), title=title, x="bins", quoted=quoted, limits=limits)


def programs() -> Panel:
    """Measured: what two programs gain in a cluster, over bins and words."""
    return Panel(
        "exchange.programs",
        _gains,
        height=480,
        program=choice("Program", (UNIFORM, SKEWED, ALL_REDUCE)),
    )


def all_to_all() -> Picture:
    """Measured and modelled: what an SM sends in a ring, and what it gets when all blocks read all others."""
    ports = {tuple(kind): rate for *kind, rate in found("dsmem_bandwidth")["rates"]}
    one_way, both_ways = ports["loads", "one way", 16, True], ports["loads", "ring", 16, True]
    ways = {
        "each begins elsewhere": ("staggered", "16 bytes", False, both_ways, 32),
        "scattered words": ("staggered", "4 bytes, scattered", False, both_ways, 4),
        "all from one, in step": ("same order, in step", "16 bytes", True, one_way, 32),
    }
    rates = {tuple(kind): rate for *kind, rate in found("dsmem_all_to_all")["rates"]}
    sizes = (2, 4, 8, 16)
    measured = {RING: {size: ports["sends", "ring", size, True] for size in sizes}}
    modelled = {RING: dict.fromkeys(sizes, port_rate())}
    for way, (order, width, in_step, port, used) in ways.items():
        measured[way] = {size: rates[order, width, size] for size in sizes}
        modelled[way] = {size: all_to_all_rate(size, in_step, port, used) for size in sizes}
    apart, crowded = measured["each begins elsewhere"][16], measured["all from one, in step"][16]
    title = f"Of 16 blocks each reads {apart:.1f} bytes a clock, or {crowded:.1f} if all ask one"
    return views.rates(measured, modelled, title)


def counted() -> Report:
    """The crossings of each protocol, fewest and most, and its cycles, modelled and measured."""
    rows = [
        [
            protocol,
            " to ".join(str(count) for count in dict.fromkeys(crossings(protocol))),
            f"{exchange(protocol).cycles:,.0f}",
            f"{round_trip(protocol) / 2:,.0f}",
        ]
        for protocol in PROTOCOLS
    ]
    head = ["protocol", "crossings", "cycles, modelled (the ladder)", "cycles, measured (H200 SXM)"]
    return Report(Table(head, rows))


def simulated() -> Report:
    """Both kernels in the simulator: what came, and cycles."""
    rows = [
        [
            kernel.name,
            f"{_run(kernel).cycles:,.0f}",
            str(_run(kernel)["received"].tolist()),
            str(len(_run(kernel).findings)),
        ]
        for kernel in (one_sided, by_flag)
    ]
    return Report(Table(["kernel", "cycles, modelled (the simulator)", "received", "findings"], rows))


def audit() -> Report:
    """The models against every recording of the experiments about exchange."""
    note = (
        "Compared are values in the first row, each of which must be right, and times of four of the five protocols, "
        "each within 10 % of its model. Latencies, rates, gains and the one ratio stand beside what was published, or "
        "alone: nobody judges them."
    )
    return compared(EXPERIMENTS, note=note)


LESSON.panels = {
    "ladder": ladder,
    "one-sided": one_sided_steps,
    "by-flag": by_flag_steps,
    "specimens": specimens,
    "matrix": matrix,
    "programs": programs,
}
