"""Imports only go down the house."""

from pathlib import Path

import pytest

from tests.house.arrows import arrows, modules, violations, why_forbidden


def test_no_import_climbs() -> None:
    found, looked_at = violations()
    assert found == []
    assert looked_at > 50


def test_every_module_is_looked_at() -> None:
    names = [name for name, _ in modules()]
    assert {"hopperlab", "hopperlab.cli", "hopperlab.cli.lab", "hopperlab.chip"} <= set(names)
    assert len(names) == len(set(names))


CLIMBING = {
    "a plain import": ("hopperlab.models.clusters", "import hopperlab.views.clusters", "climb to views"),
    "from a package": ("hopperlab.models.clusters", "from hopperlab import views", "climb to views"),
    "lazily": (
        "hopperlab.views.board",
        "def draw():\n    if True:\n        from hopperlab.lessons import panel",
        "climb to lessons",
    ),
    "for its types only": (
        "hopperlab.kernels.clusters",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from hopperlab.measure import experiment",
        "climb to measure",
    ),
    "relatively": ("hopperlab.device.launch", "from ..kernels import clusters", "climb to kernels"),
    "by name": (
        "hopperlab.measure.run",
        "import importlib\nimportlib.import_module('hopperlab.cli.lab')",
        "climb to cli",
    ),
    "by a composed name": (
        "hopperlab.measure.run",
        "import importlib\nx = 'lab'\nimportlib.import_module(f'hopperlab.cli.{x}')",
        "climb to cli",
    ),
    "models to the ledger": ("hopperlab.models.roofline", "from hopperlab.ledger import claim", "ledger"),
    "device to the ledger": ("hopperlab.device.timing", "import hopperlab.ledger", "ledger"),
    "the ledger to models": ("hopperlab.ledger", "from hopperlab.models import clusters", "on chip alone"),
    "the ledger to the cli": ("hopperlab.ledger", "from hopperlab.cli import lab", "on chip alone"),
    "chip to the ledger": ("hopperlab.chip", "from hopperlab.ledger import claim", "ledger"),
    "the package itself": ("hopperlab", "from hopperlab.chip import chip", "imports nothing"),
    "silicon to the simulator": (
        "hopperlab.device.silicon.launching",
        "from hopperlab.device import simulator",
        "may not know",
    ),
    "the simulator to silicon": (
        "hopperlab.device.simulator",
        "def f():\n    from ..silicon.card import card",
        "may not know",
    ),
    "the simulator to the launch": (
        "hopperlab.device.simulator.scheduler",
        "from hopperlab.device.launch import kernel",
        "may not know",
    ),
    "to no floor": ("hopperlab.cli.lab", "from hopperlab.helpers import nothing", "no floor"),
}


@pytest.mark.parametrize(("module", "source", "why"), CLIMBING.values(), ids=CLIMBING)
def test_a_climbing_import_is_found(module: str, source: str, why: str) -> None:
    is_package = module == "hopperlab.device.simulator"
    reasons = [why_forbidden(arrow) for arrow in arrows(source, module, is_package)]
    assert any(why in reason for reason in reasons), reasons


ALLOWED = {
    "down": ("hopperlab.lessons.clusters", "from hopperlab.views import clusters"),
    "far down": ("hopperlab.cli.audit", "from hopperlab.chip import chip"),
    "along the floor": ("hopperlab.models.dpx", "from hopperlab.models.clusters import occupancy"),
    "relatively along the floor": ("hopperlab.models.clusters", "from .occupancy import blocks_per_sm"),
    "the ledger to chip": ("hopperlab.ledger", "from hopperlab.chip import NAMES"),
    "measure to the ledger": ("hopperlab.measure.audit", "from hopperlab.ledger import claims"),
    "the version": ("hopperlab.measure.session", "from hopperlab import __version__"),
    "the launch to both machines": (
        "hopperlab.device.launch",
        "from hopperlab.device.silicon import card\nfrom hopperlab.device.simulator import run",
    ),
    "others": ("hopperlab.models.mig", "import networkx\nfrom numpy import array"),
}


@pytest.mark.parametrize(("module", "source"), ALLOWED.values(), ids=ALLOWED)
def test_an_import_that_goes_down_is_allowed(module: str, source: str) -> None:
    found = list(arrows(source, module))
    assert found
    assert [why_forbidden(arrow) for arrow in found] == [""] * len(found)


def test_a_climbing_file_is_named_with_its_line(tmp_path: Path) -> None:
    package = tmp_path / "hopperlab"
    (package / "models").mkdir(parents=True)
    (package / "models" / "clusters.py").write_text("import math\n\nfrom hopperlab.views import picture\n")
    found, looked_at = violations(package)
    assert found == [
        "hopperlab.models.clusters:3 imports hopperlab.views.picture: models may not climb to views"
    ]
    assert looked_at == 2
