"""`import hopperlab` opens at once: what is heavy comes in where it is used."""

import re
import subprocess
import sys

import pytest

MOST_SECONDS = 0.3
HEAVY = ("numba", "plotly", "ipywidgets", "networkx", "numpy", "jupyterlab", "simpy", "cryptography")
# What a learner imports before anything is drawn or run on a card.
LIGHT_MODULES = ("hopperlab", "hopperlab.chip", "hopperlab.cli")


def seconds_to_import(module: str) -> float:
    """The cumulative time of an import, as ``python -X importtime`` tells it."""
    command = [sys.executable, "-X", "importtime", "-c", f"import {module}"]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    times = re.findall(r"^import time: +\d+ \| +(\d+) \| *(\S+)$", result.stderr, re.MULTILINE)
    (microseconds,) = [int(cumulative) for cumulative, name in times if name == module]
    return microseconds / 1e6


@pytest.mark.parametrize("module", LIGHT_MODULES)
def test_importing_is_quick(module: str) -> None:
    best = min(seconds_to_import(module) for _ in range(3))
    print(f"import {module}: {best * 1e3:.1f} ms")
    assert 0 < best < MOST_SECONDS


@pytest.mark.parametrize("module", LIGHT_MODULES)
def test_importing_brings_in_nothing_heavy(module: str) -> None:
    script = f"import sys, {module}; print([name for name in {HEAVY} if name in sys.modules])"
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"


def test_the_measure_of_seconds_measures() -> None:
    assert seconds_to_import("numba") > 0.05
