"""The text that the toy network learns, and the many runs that ship with the package.

The runs are modelled, on a CPU: no card had a part in them. `python -m hopperlab.measure.training` makes them
anew, in some minutes, and writes `data/training/runs.json`; a test trains one of them again and compares.
"""

import json
import platform
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from importlib.resources.abc import Traversable
from statistics import fmean, stdev
from typing import Any

from hopperlab.models.training import BATCH, RECIPES, STEPS, Run, Text, train

SCHEMA = 1
SEEDS = range(16)
DIGITS = 5  # decimals of a loss that are kept


def folder() -> Traversable:
    """Where text and runs lie."""
    return files("hopperlab") / "data" / "training"


@cache
def text() -> Text:
    """The text: reference pages of Python, lower case, 64 characters in all. Its license lies beside it."""
    return Text.of((folder() / "python_topics.txt").read_text(encoding="utf-8"))


@dataclass(frozen=True)
class Runs:
    """Runs of one recipe over the seeds.

    checkpoints
        Steps at which the held-out text was tried.
    losses
        For each seed, the losses there, in nats a character.
    """

    recipe: str
    checkpoints: tuple[int, ...]
    losses: dict[int, tuple[float, ...]]

    @property
    def final(self) -> dict[int, float]:
        """Loss at the end, by seed."""
        return {seed: losses[-1] for seed, losses in self.losses.items()}

    def gap(self, other: "Runs") -> tuple[float, float]:
        """Mean loss at the end above another recipe's, seed by seed, and the standard error of that mean."""
        seeds = [seed for seed in self.losses if seed in other.losses]
        gaps = [self.final[seed] - other.final[seed] for seed in seeds]
        return fmean(gaps), stdev(gaps) / len(gaps) ** 0.5


@cache
def shipped_runs() -> dict[str, Runs]:
    """The runs that ship with the package, by recipe."""
    kept = provenance()
    return {
        name: Runs(name, tuple(kept["checkpoints"]), {int(seed): tuple(x) for seed, x in losses.items()})
        for name, losses in kept["losses"].items()
    }


@cache
def provenance() -> dict[str, Any]:
    """The whole file of runs: how, with what and when they were made."""
    return json.loads((folder() / "runs.json").read_text(encoding="utf-8"))


def make_runs(seeds: Sequence[int] = SEEDS, tell: Callable[[Run], None] = lambda run: None) -> dict[str, Any]:
    """Train every recipe with every seed, and say with what.

    Parameters
    ----------
    seeds
        Each pairs one run of every recipe: same first weights, same batches.
    tell
        Called after each run.
    """
    losses: dict[str, dict[str, list[float]]] = {}
    for name, recipe in RECIPES.items():
        for seed in seeds:
            run = train(text(), recipe, seed)
            losses.setdefault(name, {})[str(seed)] = [round(loss, DIGITS) for loss in run.losses]
            tell(run)
    return {
        "schema": SCHEMA,
        "what": "modelled: validation losses of a toy network in nats a character, on a CPU",
        "made_by": "python -m hopperlab.measure.training",
        "text": "python_topics.txt",
        "steps": STEPS,
        "batch": BATCH,
        "checkpoints": list(run.checkpoints),
        "software": {
            "python": platform.python_version(),
            **{name: version(name) for name in ("hopperlab", "numpy", "numba", "ml_dtypes")},
        },
        "losses": losses,
    }


def main() -> None:
    """Make the runs and write them down."""
    made = make_runs(
        tell=lambda run: print(f"{run.recipe.name}, seed {run.seed}: {run.loss:.4f}", flush=True)
    )
    with open(str(folder() / "runs.json"), "w", encoding="utf-8", newline="\n") as file:
        json.dump(made, file, indent=1)
        file.write("\n")


if __name__ == "__main__":
    sys.exit(main())
