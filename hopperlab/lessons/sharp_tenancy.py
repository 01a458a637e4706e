"""Lesson 14, InfiniBand and SuperPOD: its panels and figures.

from hopperlab.lessons import sharp_tenancy as lesson
"""

import inspect
from functools import cache

from hopperlab import ledger
from hopperlab.course.sharp_tenancy import LESSON
from hopperlab.course.sharp_tenancy.specimens import SPECIMENS
from hopperlab.lessons.controls import choice, slider
from hopperlab.lessons.panel import Panel
from hopperlab.models.fabric import cut, endpoints, growth, split_of, superpod, superpod_graph
from hopperlab.models.sharp_tenancy import (
    GAME_HOMES,
    GAME_JOBS,
    Cluster,
    admission,
    admit,
    best_packing,
    pack,
    steps_per_hour,
)
from hopperlab.views import fabric as fabric_views
from hopperlab.views import sharp_tenancy as views
from hopperlab.views.evidence import Evidence, evidence
from hopperlab.views.picture import Picture

predict, commit, reveal = LESSON.predict, LESSON.commit, LESSON.reveal
panel, quiz, summary = LESSON.panel, LESSON.quiz, LESSON.summary
exercise, check, hint, solution = LESSON.exercise, LESSON.check, LESSON.hint, LESSON.solution

CLUSTER = Cluster()
LEAVES = {f"leaf {leaf}": leaf for leaf in range(CLUSTER.leaves)}


@cache
def _best(rule: str) -> float:
    return best_packing(CLUSTER, GAME_JOBS, rule, steps_per_hour)[1]


def _game(rule: str, **homes: int) -> Picture:
    answers = admit(CLUSTER, pack(CLUSTER, GAME_JOBS, tuple(homes.values())), rule)
    share = 100 * steps_per_hour(answers) / _best(rule)
    note = f"That is {share:.1f} % of the best placement."
    return views.tenants(CLUSTER, answers, rule, note)


def game() -> Panel:
    """Steal the tree: six jobs, four leaves, the rule of the switches, and a score in steps an hour."""
    homes = {
        job.name.lower(): choice(f"{job.name}, {job.hosts} hosts, begins on", LEAVES, home)
        for job, home in zip(GAME_JOBS, GAME_HOMES, strict=True)
    }
    return Panel(
        "sharp_tenancy.game",
        _game,
        height=500,
        rule=choice("Switches", {"Quantum, SHARPv2": "v2", "Quantum-2, SHARPv3": "v3"}),
        **homes,
    )


def careless() -> Picture:
    """The careless placement under SHARPv2."""
    return views.tenants(CLUSTER, admit(CLUSTER, pack(CLUSTER, GAME_JOBS, GAME_HOMES), "v2"), "v2")


def generations() -> Panel:
    """1,000 GPUs, A100 against H100: bisection and tiers by number of GPUs."""
    return Panel(
        "sharp_tenancy.generations",
        lambda power: fabric_views.two_generations(2**power),
        height=450,
        power=slider("GPUs, as a power of two", 5, 12, 10),
    )


@cache
def _superpod(units: int, percent: int) -> Picture:
    graph = superpod_graph(units)
    gpus = len(endpoints(graph))
    left = min(max(1, round(gpus * percent / 100)), gpus - 1)
    sized = superpod(units)
    note = f"{sized.cables_down} cables down, {sized.cables_up} up."
    return fabric_views.pod(graph, cut(graph, split_of(graph, left)), note)


def pod() -> Panel:
    """A SuperPOD of one to four units, with a cut."""
    return Panel(
        "sharp_tenancy.pod",
        _superpod,
        height=460,
        units=slider("Scalable units", 1, 4, 3),
        percent=slider("GPUs on the left", 1, 99, 50, unit="%"),
    )


def source() -> str:
    """SHARP's admission of one job, as it stands in the model."""
    return inspect.getsource(admission._answer).rstrip()


def specimens() -> Panel:
    """What goes wrong among tenants."""
    return Panel(
        "sharp_tenancy.specimens",
        lambda specimen: SPECIMENS[specimen](),
        height=540,
        specimen=choice("Specimen", list(SPECIMENS)),
    )


def silicon() -> Picture:
    """The talk's factors at 1,000 GPUs, and what link, radix and reduction give; nothing is measured."""
    found = growth()
    names = {
        "bisection": ("talk-060.c", found["bisection"]),
        "all-to-all": ("talk-060.d", found["all-to-all by the link alone"]),
        "reductions of many tenants": ("talk-060.e", found["reductions of a second tenant"]),
        "SHARP's resources of a switch": ("talk-058", 32.0),
    }
    rows = [
        Evidence(
            name,
            quoted=ledger.claim(claim).number,
            modelled=modelled,
            source=claim,
            relation=ledger.claim(claim).relation,
        )
        for name, (claim, modelled) in names.items()
    ]
    return evidence(
        rows,
        title="1,024 GPUs, H100 on NDR over A100 on HDR",
        unit="times",
        logarithmic=True,
        note="Nothing here is measured: it takes a thousand GPUs. All-to-all beyond 2 is ConnectX-7's engine for "
        "small messages, only quoted (talk-057).",
    )


LESSON.panels = {"game": game, "generations": generations, "pod": pod, "specimens": specimens}
