"""Lesson 13, the NVLink Network: its panels and figures.

from hopperlab.lessons import fabric as lesson
"""

import inspect
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from hopperlab import ledger
from hopperlab.course.fabric import LESSON
from hopperlab.course.fabric.specimens import BATCH, SPECIMENS
from hopperlab.lessons.controls import choice, slider, toggle
from hopperlab.lessons.panel import EventPanel, Panel, Step
from hopperlab.measure.claims import fabric as fabric_claims
from hopperlab.models import addressing, recommender
from hopperlab.models.fabric import (
    TOPOLOGIES,
    cut,
    endpoints,
    job,
    simulate,
    split_of,
    topology,
    two_tiers,
    without_links,
)
from hopperlab.views import addressing as address_views
from hopperlab.views import fabric as views
from hopperlab.views import recommender as recommender_views
from hopperlab.views.evidence import Evidence, evidence
from hopperlab.views.picture import Picture

predict, commit, reveal = LESSON.predict, LESSON.commit, LESSON.reveal
panel, quiz, summary = LESSON.panel, LESSON.quiz, LESSON.summary
exercise, check, hint, solution = LESSON.exercise, LESSON.check, LESSON.hint, LESSON.solution

MIB = 2**20
NETWORK = "NVLink Network, 32 servers (announced)"
MACHINE = recommender.Machine(4, memory_bytes=60 * 10**9)
TABLES = tuple(recommender.example_tables(2, 12))
WHERE = {
    "each job across both servers": ([0, 4, 1, 5], [2, 6, 3, 7]),
    "each job within a server": ([0, 1, 2, 3], [4, 5, 6, 7]),
}


@cache
def _fabric(name: str, broken: bool) -> Any:
    """A fabric; if asked, with one link of every bundle of its first switch gone."""
    graph = topology(name)
    if not broken:
        return graph
    kinds = ("nvswitch", "leaf")
    first = next(node for node, kind in graph.nodes(data="kind") if kind in kinds)
    return without_links(graph, [(first, other) for other in graph[first]], 1)


@cache
def _pod(fabric: str, percent: int, broken: bool) -> Picture:
    graph = _fabric(fabric, broken)
    gpus = len(endpoints(graph))
    left = min(max(1, round(gpus * percent / 100)), gpus - 1)
    note = "One link of every bundle of the first switch is gone." if broken else ""
    return views.pod(graph, cut(graph, split_of(graph, left)), note)


def pod() -> Panel:
    """A fabric that can be cut: drag the cut, break links."""
    return Panel(
        "fabric.pod",
        _pod,
        height=460,
        fabric=choice("Fabric", list(TOPOLOGIES), NETWORK),
        percent=slider("GPUs on the left", 1, 99, 50, unit="%"),
        broken=toggle("Break links of the first switch"),
    )


def cut_in_half() -> Picture:
    """The announced pod, halved."""
    return _pod(NETWORK, 50, False)


@cache
def _two_jobs(where: str, taper: float, size: int) -> Picture:
    network = two_tiers(2, 4, 450e9, taper, 500)
    messages = []
    for name, ranks in zip("AB", WHERE[where], strict=True):
        messages += job("all-to-all", "direct", ranks, size * MIB, name, len(messages))
    done = simulate(network, messages)
    links = {
        "GPU 0 sends": ("up", 0),
        "GPU 2 sends": ("up", 2),
        "server 0 to spine": ("to spine", 0),
        "spine to server 1": ("from spine", 1),
        "GPU 5 receives": ("down", 5),
    }
    return views.timeline(done, links, f"Two all-to-alls of {size} MiB, taper {taper:g} to 1")


def contention() -> Panel:
    """Two jobs that exchange at the same time, over uplinks with a taper."""
    return Panel(
        "fabric.contention",
        _two_jobs,
        height=360,
        where=choice("Placement", list(WHERE)),
        taper=choice("Taper", {"1 to 1": 1.0, "2 to 1": 2.0, "4 to 1": 4.0}, 2.0),
        size=slider("Buffer of a GPU", 16, 256, 64, step=16, unit="MiB"),
    )


def recommender_step() -> Panel:
    """A recommender's step: which share of communication, which speed-up of compute explain the talk?"""
    return Panel(
        "fabric.recommender",
        lambda share, compute: recommender_views.step_times(share / 100, compute),
        height=350,
        share=slider("Exchange on A100", 0, 90, 20, unit="% of the step"),
        compute=slider("Compute on H100", 1.0, 6.0, 2.5, step=0.05, unit="times faster"),
    )


def talk_inverted() -> Picture:
    """The step that explains both of the talk's speed-ups."""
    found = recommender.invert((2, 2.5), (9, 4))
    return recommender_views.step_times(found.communication_share, found.compute_speedup)


@dataclass(frozen=True)
class Hand:
    """A placement, and the table that is in hand."""

    placement: tuple[int, ...]
    table: int = 0


def _moved(gpu: int):
    def move(hand: Hand) -> Hand:
        placement = (*hand.placement[: hand.table], gpu, *hand.placement[hand.table + 1 :])
        return replace(hand, placement=placement)

    return move


def _tables(history: tuple[Step, ...]) -> Picture:
    hand = history[-1].state
    table = TABLES[hand.table]
    best = recommender.step_seconds(TABLES, _best_found(), MACHINE, BATCH) * 1e3
    note = (
        f"In hand: {table.name}, {table.entries} rows a sample, {table.nbytes / 1e9:.1f} GB. "
        f"Our own search finds {best:.2f} ms."
    )
    return recommender_views.placed_tables(TABLES, hand.placement, MACHINE, BATCH, hand.table, note)


@cache
def _best_found() -> tuple[int, ...]:
    start = recommender.greedy(TABLES, MACHINE, BATCH, "bytes")
    return tuple(recommender.improved(TABLES, start, MACHINE, BATCH))


def tables() -> EventPanel:
    """Place tables by hand: choose the next table, send it to a GPU, and beat the greedy start."""
    start = Hand(tuple(recommender.greedy(TABLES, MACHINE, BATCH, "bytes")))
    events = {"Next table": lambda hand: replace(hand, table=(hand.table + 1) % len(TABLES))}
    events |= {f"To GPU {gpu}": _moved(gpu) for gpu in range(MACHINE.gpus)}
    return EventPanel("fabric.tables", start, events, _tables, height=480)


def access() -> EventPanel:
    """One buffer of GPU 1, used by GPU 0 and wanted by GPU 2: map, grant, store, revoke, flush."""
    start = addressing.export(addressing.Pod(), "weights", owner=1, pages=2)
    events = {
        "GPU 0 maps": lambda pod: addressing.map_buffer(pod, 0, "weights", 7),
        "GPU 1 lets GPU 0 in": lambda pod: addressing.grant(pod, 0, "weights"),
        "GPU 0 stores": lambda pod: addressing.access(pod, 0, 7),
        "GPU 2 stores": lambda pod: addressing.access(pod, 2, 7),
        "Revoke and flush": lambda pod: addressing.revoke(pod, 0, "weights"),
        "Revoke, no flush": lambda pod: addressing.revoke(pod, 0, "weights", flush=False),
        "Flush the link TLB": lambda pod: addressing.invalidate(pod, 1),
        "GPU 0 unmaps": lambda pod: addressing.unmap(pod, 0, "weights"),
    }
    return EventPanel(
        "fabric.access",
        start,
        events,
        lambda history: address_views.access_path(history[-1].state, "weights"),
        height=360,
    )


def source() -> str:
    """The check of one access, as it stands in the model."""
    return inspect.getsource(addressing.access).rstrip()


def specimens() -> Panel:
    """What goes wrong in a pod."""
    return Panel(
        "fabric.specimens",
        lambda specimen: SPECIMENS[specimen](),
        height=520,
        specimen=choice("Specimen", list(SPECIMENS)),
    )


def silicon() -> Picture:
    """Factors over A100 with HDR InfiniBand: announced or projected, and modelled. Nobody has measured them."""
    halved = cut(topology(NETWORK), split_of(topology(NETWORK), 128)).both_directions
    found = recommender.invert((2, 2.5), (9, 4))
    share, compute = found.communication_share, found.compute_speedup
    rows = [
        Evidence("bisection, 256 GPUs", quoted=9.0, modelled=halved / 6.4e12, source="lit-154.b"),
        Evidence("all-reduce, 256 GPUs", quoted=4.5, modelled=450 / 100, source="lit-154.c"),
        Evidence(
            "recommender, InfiniBand",
            quoted=2.5,
            modelled=round(recommender.step_speedup(share, compute, 2), 2),
            source="talk-055.a",
        ),
        Evidence(
            "recommender, NVLink Network",
            quoted=4.0,
            modelled=round(recommender.step_speedup(share, compute, 9), 2),
            source="talk-055.b",
            relation=">",
        ),
        Evidence("if all of a step were exchange", modelled=9.0),
    ]
    return evidence(
        rows,
        title="H100 over A100 with HDR InfiniBand",
        unit="times faster",
        note="Announced and projected; nothing here is measured. The recommender's rows were solved for, so they "
        "test nothing.",
    )


def simulated() -> Picture:
    """Published simulations of messages, and ours, in ns."""
    rows = [row for row in fabric_claims.answers(()) if row.claim and row.claim.startswith("lit-216")]
    claims = {row.claim: ledger.claim(row.claim) for row in rows}
    return evidence(
        [
            Evidence(
                claims[row.claim].statement.partition(",")[0],
                quoted=row.quoted,
                modelled=row.modelled,
                source=row.claim,
            )
            for row in rows[:4]
        ],
        title="ASTRA-sim's published cases, and ours",
        unit="ns",
        logarithmic=True,
        note="GiB, not GB: ASTRA-sim's GB/s are 2^30 bytes a second.",
        digits=6,
    )


LESSON.panels = {
    "pod": pod,
    "contention": contention,
    "recommender": recommender_step,
    "tables": tables,
    "access": access,
    "specimens": specimens,
}
