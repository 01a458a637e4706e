"""What an experiment is, and where the experiments are."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import hopperlab.measure

if TYPE_CHECKING:
    from hopperlab.device.silicon.card import Card
    from hopperlab.ledger import Recording
    from hopperlab.measure.audit import Comparison
    from hopperlab.measure.progress import Progress


@dataclass(frozen=True)
class Experiment:
    """A question to a card, and how the answer is measured and compared.

    Attributes
    ----------
    name
        The name of its recordings.
    theme
        The theme that owns it.
    question
        What it answers, in a sentence.
    statistic
        How the results are made of the samples, in words.
    parameters
        What was varied and how far, and what was kept fixed; of JSON's types.
    claims
        Ids of the claims that it tests.
    run
        From a card and a progress to raw samples, of JSON's types.
    results
        From the samples to results, of JSON's types: pure, so that a recording can be checked.
    compare
        From recordings to quoted, modelled and measured, side by side.
    seconds
        About how long it runs on a card.
    memory_bytes
        The device memory it needs.
    wants_gpc_map
        Whether its recording is read together with the card's map of GPCs.
    """

    name: str
    theme: str
    question: str
    statistic: str
    parameters: Mapping[str, Any]
    run: Callable[[Card, Progress], Any]
    results: Callable[[Any], Any]
    compare: Callable[[Sequence[Recording]], Comparison]
    claims: tuple[str, ...] = ()
    seconds: float = field(default=10.0, compare=False)
    memory_bytes: int = 0
    wants_gpc_map: bool = False


def experiments() -> dict[str, Experiment]:
    """Give every experiment by name.

    A module of this package that holds a tuple `EXPERIMENTS` offers them; nothing lists them twice.

    Raises
    ------
    ValueError
        If two have one name.
    """
    found: dict[str, Experiment] = {}
    for module in sorted(pkgutil.iter_modules(hopperlab.measure.__path__), key=lambda m: m.name):
        offered = getattr(importlib.import_module(f"hopperlab.measure.{module.name}"), "EXPERIMENTS", ())
        for experiment in offered:
            if experiment.name in found:
                raise ValueError(f"two experiments are called {experiment.name!r}")
            found[experiment.name] = experiment
    return found
