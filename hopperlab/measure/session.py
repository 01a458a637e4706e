"""A session on a card: runs experiments one by one and writes their recordings."""

from __future__ import annotations

import json
import platform
from collections.abc import Iterable
from datetime import UTC, datetime
from functools import cached_property
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from hopperlab import __version__
from hopperlab.device import on_silicon
from hopperlab.device.silicon.card import Card, NoHopper, card, checked
from hopperlab.ledger import validate_recording
from hopperlab.measure import condition
from hopperlab.measure.experiment import Experiment, experiments
from hopperlab.measure.progress import Progress

SCHEMA = 1
MIB = 2**20

GROUPS = {
    "chip": ("chip", "sm", "roofline", "clusters", "dpx", "power", "memory", "atomics", "throughput"),
}
"""Themes that are measured together: what describes a card, in some minutes."""


class CardUnfit(RuntimeError):  # noqa: N818 - a condition, told in words
    """The card cannot run an experiment: busy, or too small; the message says which."""


class Session:
    """Measures on the Hopper card of this machine.

    Parameters
    ----------
    into
        The folder for recordings: `into/<card>/<experiment>.json`.
    even_if_busy
        Measure although others use the card.

    Raises
    ------
    NoHopper
        If there is no Hopper card.
    CardUnfit
        If others use it.
    """

    def __init__(self, into: Path, even_if_busy: bool = False) -> None:
        self.card: Card = card()
        self.folder = Path(into) / self.card.slug
        self.occupied = condition.busy(self.card)
        if self.occupied and not even_if_busy:
            raise CardUnfit(
                f"the {self.card.name} is busy: {self.occupied}. Wait, or measure with --even-if-busy"
            )

    def path(self, experiment: Experiment) -> Path:
        """Give the file of an experiment's recording."""
        return self.folder / f"{experiment.name}.json"

    def measure(self, experiment: Experiment) -> Path:
        """Run one experiment and write its recording; a run that was interrupted is taken up again.

        Raises
        ------
        CardUnfit
            If the card has too little memory free.
        """
        self._require_memory(experiment)
        progress = Progress(
            self.folder / f"{experiment.name}.partial", [self._uuid, dict(experiment.parameters)]
        )
        before = condition.clocks(self.card)
        with on_silicon():
            samples = experiment.run(self.card, progress)
        after = condition.clocks(self.card)
        recording = self._recording(experiment, samples, before, after)
        validate_recording(recording)
        path = self.path(experiment)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(as_text(recording), encoding="utf-8")
        progress.finish()
        return path

    @cached_property
    def gpc_map(self) -> list[list[int]]:
        """The SMs of this card by GPC, measured now: a recording of another day may be of another card."""
        experiment = experiments()["gpc_map"]
        with on_silicon():
            return experiment.results(experiment.run(self.card, Progress()))["groups"]

    @cached_property
    def _uuid(self) -> str:
        from cuda.bindings import driver

        return bytes(checked(driver.cuDeviceGetUuid(self.card.ordinal)).bytes).hex()

    def _require_memory(self, experiment: Experiment) -> None:
        if experiment.memory_bytes == 0:
            return
        from numba import cuda

        free, _ = cuda.current_context().get_memory_info()
        if free < experiment.memory_bytes:
            raise CardUnfit(
                f"{experiment.name} needs {experiment.memory_bytes / MIB:.0f} MiB of device memory; "
                f"the {self.card.name} has {free / MIB:.0f} MiB free"
            )

    def _recording(self, experiment: Experiment, samples: Any, before: dict, after: dict) -> dict[str, Any]:
        results = experiment.results(samples)
        if experiment.name == "gpc_map":
            self.gpc_map = results["groups"]
        return {
            "schema": SCHEMA,
            "experiment": experiment.name,
            "card": {
                "name": self.card.name,
                "slug": self.card.slug,
                "compute_capability": list(self.card.compute_capability),
                "sms": self.card.sms,
                "l2_bytes": self.card.l2_bytes,
                "memory_bytes": self.card.memory_bytes,
            },
            "gpc_map": self.gpc_map if experiment.wants_gpc_map else None,
            "software": software(),
            "clocks": {"before": before, "after": after},
            "date": datetime.now(UTC).isoformat(timespec="seconds"),
            "parameters": dict(experiment.parameters),
            "statistic": experiment.statistic,
            "samples": samples,
            "results": results,
        }


def software() -> dict[str, str]:
    """Give the versions of what a measurement rests on; "unknown" where one does not tell."""
    return {
        "driver": _driver(),
        "cuda": _cuda(),
        "python": platform.python_version(),
        "numba": _version("numba"),
        "numba_cuda": _version("numba-cuda"),
        "numpy": _version("numpy"),
        "hopperlab": __version__,
    }


def as_text(recording: dict[str, Any]) -> str:
    """Write a recording as JSON, one entry a line, so that it can be read and compared."""
    lines = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in recording.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def chosen(names: Iterable[str]) -> list[Experiment]:
    """Give the experiments of these names, or all of them; a theme or a group stands for its experiments.

    Raises
    ------
    ValueError
        If there is nothing of a name.
    """
    known = experiments()
    found: dict[str, Experiment] = {}
    unknown = []
    for name in names:
        themes = GROUPS.get(name, (name,))
        own = [known[name]] if name in known else [e for e in known.values() if e.theme in themes]
        found |= {experiment.name: experiment for experiment in own}
        unknown += [] if own else [name]
    if unknown:
        themes = sorted({*GROUPS, *(experiment.theme for experiment in known.values())})
        raise ValueError(
            f"no experiment {', '.join(unknown)}; there are {', '.join(known)}; "
            f"and these, of several each: {', '.join(themes)}"
        )
    return list(found.values()) or list(known.values())


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "unknown"


def _cuda() -> str:
    from cuda.bindings import driver

    number = checked(driver.cuDriverGetVersion())
    return f"{number // 1000}.{number % 1000 // 10}"


def _driver() -> str:
    try:
        from cuda.bindings import nvml

        nvml.init_v2()
        return str(nvml.system_get_driver_version())
    except Exception:
        return "unknown"


__all__ = ["GROUPS", "CardUnfit", "NoHopper", "Session", "as_text", "chosen", "software"]
