"""The simulator's costs, from a recording: those at which it takes as long as the card did.

Costs are set in `STEPS`, one after the other: each step knows the costs of those before, and sets a few such that the
simulator's cycles of some calibration cases are as near to the recorded ones as they can be, in the sense of least
squares of the relative error.
"""

from __future__ import annotations

from collections.abc import Mapping
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, NamedTuple

from hopperlab.measure.cycles import calibration

if TYPE_CHECKING:
    import numpy as np

    from hopperlab.measure.cycles.case import Case

ROUNDS = 3
"""How often a step improves its costs, at most."""

SETTLED = 2e-4
"""A step is over when no cost changes by a larger share."""


class Step(NamedTuple):
    """Costs that are set together.

    Attributes
    ----------
    costs
        Their names in the simulator's table.
    names
        Patterns of the names that the calibration cases tell times of.
    """

    costs: tuple[str, ...]
    names: tuple[str, ...]

    def fits(self, name: str) -> bool:
        """Whether what a name tells of sets these costs."""
        return any(fnmatchcase(name, pattern) for pattern in self.names)


def _one(cost: str, *names: str) -> Step:
    return Step((cost,), names)


STEPS = (
    _one("turn", "syncwarp of 32 threads"),
    _one("turn per warp", "syncwarp of 1024 threads"),
    _one("operation", "counting"),
    _one("fma", "fma"),
    _one("load shared", "load, shared"),
    _one("load remote", "load, remote", "load of a mapped rank"),
    _one("load global", "load, global"),
    _one("store shared", "store, shared"),
    _one("store global", "store, global"),
    _one("atomic shared", "atomic: shared"),
    _one("atomic remote", "atomic: remote"),
    _one("atomic global", "atomic: global"),
    _one("shuffle", "shfl_xor_sync"),
    Step(("syncthreads", "syncthreads per warp"), ("syncthreads of *",)),
    Step(("cluster.sync", "cluster.sync of many", "cluster.sync per warp"), ("cluster.sync of *",)),
    _one("threadfence_block", "store and: threadfence_block"),
    _one("threadfence", "store and: threadfence"),
    _one("threadfence_system", "store and: threadfence_system"),
    _one("fence.acq_rel_cluster", "store and: fence.acq_rel_cluster"),
    _one("fence.proxy_async_shared", "store and: fence.proxy_async_shared"),
    _one("mbarrier.wait", "barrier*: wait for what has passed"),
    _one("wake", "hand over by barriers"),
    Step(("bulk.load latency", "bulk.load per byte"), ("bulk.load of *",)),
    Step(("tma.load latency", "tma.load per byte", "tma.load between"), ("tma.load of *",)),
    Step(("bulk.store latency", "bulk.store read", "bulk.store per byte"), ("bulk.store of *",)),
    Step(("bulk.send latency", "bulk.send per byte"), ("* bytes by bulk.send in *",)),
    Step(("bulk.send_reduce latency", "bulk.send_reduce per byte"), ("* bytes by bulk.send_reduce in *",)),
    _one("atomic_ref.store_release", "flag: store, then store_release"),
    _one("atomic_ref.load_acquire", "flag: load_acquire"),
    Step(
        ("dsmem.st_async", "dsmem.st_async_v4", "words latency", "words per byte", "words backlog"),
        (
            "relay in a cluster of *",
            "exchange of * x 16 bytes with 1 of a cluster of 2",
            "exchange of [1368]* x 16 bytes with 2 of a cluster of 4",  # of 512 threads it takes long to simulate
        ),
    ),
)


def derived(recorded: Mapping[str, float]) -> dict[str, float]:
    """Give the simulator's table of costs that a recording's results lead to, in cycles.

    Parameters
    ----------
    recorded
        Of the experiment `timing_costs`: cycles by name.
    """
    from hopperlab.device.simulator.timing import TABLE

    table = dict(TABLE)
    for step in STEPS:
        table |= settled(step, table, recorded)
    return table


def settled(step: Step, table: Mapping[str, float], recorded: Mapping[str, float]) -> dict[str, float]:
    """Give the costs of a step, where all others are as in a table."""
    import numpy as np

    cases = [case for case in calibration.cases() if any(map(step.fits, case.names))]
    wanted = np.array([recorded[name] for case in cases for name in case.names if step.fits(name)])
    known = {name: table[name] for name in step.costs}
    for _ in range(ROUNDS):
        now = _simulated(step, cases, {**table, **known})
        slopes = np.empty((len(now), len(known)))
        for column, (name, cycles) in enumerate(known.items()):
            step_by = _step_by(name, cycles)
            moved = _simulated(step, cases, {**table, **known, name: cycles + step_by})
            slopes[:, column] = (moved - now) / step_by
        before = known
        found = _nearest(slopes / wanted[:, None], (wanted - now) / wanted, np.array([*known.values()]))
        known = dict(zip(step.costs, map(float, found), strict=True))
        if all(abs(known[name] - before[name]) <= SETTLED * max(before[name], 0.01) for name in known):
            break
    return {name: float(f"{cycles:.4g}") for name, cycles in known.items()}


def _nearest(slopes: np.ndarray, missing: np.ndarray, known: np.ndarray) -> np.ndarray:
    """Give the costs that leave least of what is missing; those that would be negative are nothing."""
    import numpy as np

    free = np.full(len(known), True)
    while True:
        change = np.where(free, 0.0, -known)
        change[free], *_ = np.linalg.lstsq(slopes[:, free], missing - slopes @ change, rcond=1e-6)
        if (known + change >= 0).all():
            return known + change
        free &= known + change >= 0


def _step_by(name: str, cycles: float) -> float:
    """Give by how much a cost is moved to see what it does: so far that whole cycles tell of it."""
    return max(0.05 * cycles, 0.002 if name.endswith("per byte") else 0.5)


def misfit(step: Step, table: Mapping[str, float], recorded: Mapping[str, float]) -> float:
    """Give the relative error that a table leaves in the cases of a step, root of the mean square."""
    import numpy as np

    cases = [case for case in calibration.cases() if any(map(step.fits, case.names))]
    wanted = np.array([recorded[name] for case in cases for name in case.names if step.fits(name)])
    return float(np.sqrt(np.mean((_simulated(step, cases, table) / wanted - 1) ** 2)))


def _simulated(step: Step, cases: list[Case], table: Mapping[str, float]) -> np.ndarray:
    import numpy as np

    from hopperlab.device.simulator.timing import Costs

    costs = Costs(table)
    return np.array(
        [
            cycles
            for case in cases
            for name, cycles in zip(case.names, case.simulated(costs), strict=True)
            if step.fits(name)
        ]
    )
