"""Four ways to go wrong with one word: lost counts, a wait in vain, a hand-off in one warp, a sum by swaps."""

from functools import cache
from typing import Any

import numpy as np

from hopperlab.course.atomics import recorded
from hopperlab.course.atomics.lost import ROUNDS, THREADS, count_with_atomic, count_without_atomic
from hopperlab.course.broken_kernels import BrokenKernel
from hopperlab.course.specimens import Specimen
from hopperlab.views.picture import Picture
from hopperlab.views.side_by_side import side_by_side

SPIN = BrokenKernel("A wait that never looks again", "spin_that_never_yields")


@cache
def counted(atomic: bool) -> Any:
    """The count of all threads, run in the simulator, with or without an atomic."""
    kernel = count_with_atomic if atomic else count_without_atomic
    return kernel.simulate(1, THREADS, (np.zeros(1, np.uint32), ROUNDS))


def _found(run: Any) -> str:
    finding = run.findings[0]
    return f"{finding.name.capitalize()}: {finding.seen}. Line {finding.line}: {finding.text}"


def _lost() -> str:
    return (
        f"{int(counted(False)['words'][0])} of {THREADS * ROUNDS} counts are left. {_found(counted(False))}."
    )


def _lost_table() -> Picture:
    rows = []
    for name, atomic in (("load, add, store", False), ("atomic addition", True)):
        run = counted(atomic)
        lost = THREADS * ROUNDS - int(run["words"][0])
        findings = run.findings[0].name if run.findings else "none"
        rows.append([name, str(THREADS * ROUNDS), str(int(run["words"][0])), str(lost), findings])
    heads = ["each thread", "additions", "counted", "lost", "finding"]
    return side_by_side(f"{THREADS} threads count to {ROUNDS} (simulated)", heads, rows, [0])


def _spin() -> str:
    return f"{_found(SPIN.run)}."


def _spin_table() -> Picture:
    rows = [
        ["while flag[0] == 0", "once: the compiler may keep it", "never ends"],
        ["while atomic.cas(flag, 0, 0, 0) == 0", "at every try, where the word is", "ends"],
    ]
    return side_by_side("What a wait looks at", ["the wait", "reads the word", "and then"], rows, [0])


def _in_one_warp() -> str:
    one, two = recorded.cycles(recorded.ONE_WARP), recorded.cycles(recorded.TWO_WARPS)
    return (
        f"{one:.0f} cycles in one warp, {two:.0f} between two (measured): threads of a warp share one stream of "
        "instructions. This is no hand-off between two that run on their own."
    )


def _in_one_warp_table() -> Picture:
    near = min(recorded.by_sides().values())
    rows = [
        ["two threads of a warp", f"{recorded.cycles(recorded.ONE_WARP):.1f}", "two lanes of a warp"],
        ["two warps of a block", f"{recorded.cycles(recorded.TWO_WARPS):.1f}", "a hand-off in an SM"],
        ["two blocks of a cluster", f"{recorded.cycles(recorded.CLUSTER):.1f}", "between two SMs"],
        ["two SMs near the word, L2", f"{near:.1f}", "through the L2"],
    ]
    heads = ["who plays", "cycles a hand-off (measured)", "what that is"]
    return side_by_side(f"One test, four distances, {recorded.CARD}", heads, rows, [0])


def _rates() -> tuple[float, float, float]:
    """Cycles a success by compare-and-swap, of one SM and of all, and by addition of all, at one word."""
    sms, rate = recorded.additions()["one word"][-1]
    return recorded.contended_swap(1), recorded.contended_swap(sms), 1 / rate


def _by_swaps() -> str:
    alone, swap, add = _rates()
    return (
        f"{swap:.0f} cycles from one success to the next, where an addition takes {add:.2f} (measured): "
        f"{swap / add:.0f} times as long. One SM alone takes {alone:.0f}: one success a trip, whoever tries."
    )


def _by_swaps_table() -> Picture:
    alone, swap, add = _rates()
    rows = [
        ["compare-and-swap, 1 SM", f"{alone:.0f}", "needed for the next try"],
        ["compare-and-swap, 132 SMs", f"{swap:.0f}", "needed, and often in vain"],
        ["addition, 132 SMs", f"{add:.2f}", "not asked for"],
    ]
    heads = ["one word is raised by", "cycles a success (measured)", "the answer"]
    return side_by_side("A sum with everyone at it", heads, rows, [1])


SPECIMENS = (
    Specimen(
        "Counts that are lost",
        f"{THREADS} threads of a block raise one word {ROUNDS} times each: load, add, store.",
        _lost,
        "Use an atomic: cuda.atomic.add(words, 0, 1). It is done where the word is, in one.",
        _lost_table,
    ),
    Specimen(
        SPIN.name,
        "One block waits in a plain loop for a flag of the other.",
        _spin,
        "Wait on a barrier, or read by an atomic, which looks where the word is.",
        _spin_table,
    ),
    Specimen(
        "A hand-off in one warp",
        "Two threads of one warp play, and their time is called the cost of a hand-off.",
        _in_one_warp,
        "Let different warps play, or different SMs, and say which.",
        _in_one_warp_table,
    ),
    Specimen(
        "A sum by compare-and-swap",
        "Every SM adds to one word by a loop of compare-and-swap, because that works for everything.",
        _by_swaps,
        "Use the atomic that does what you mean; keep compare-and-swap for what no other atomic can do.",
        _by_swaps_table,
    ),
)
