"""What each floor may touch: models are pure, views draw without widgets, nothing reaches the network."""

import ast
import sys
from collections.abc import Iterator

import pytest

from tests.house.arrows import arrows, floor, modules

# What a floor may import besides Python's own library and hopperlab. A floor that is not named here may
# import whatever pyproject.toml installs.
PACKAGES = {
    "chip": set(),
    "ledger": set(),
    "models": {"numpy", "numba", "ml_dtypes", "networkx", "simpy", "cryptography"},
    "kernels": {"numpy", "numba", "cuda", "ml_dtypes"},
    "measure": {"numpy", "numba", "cuda", "ml_dtypes", "torch"},  # torch: a peer on a card, never required
    "views": {"numpy", "plotly", "networkx"},
}

# A model's values come in as arguments and go out as results.
NOT_IN_MODELS = {
    *("io", "os", "pathlib", "shutil", "tempfile", "glob", "json", "csv", "sqlite3", "logging", "time"),
    *("threading", "asyncio", "importlib"),
}

EXCEPTIONS = {
    ("hopperlab.models.fp8.compiled", "os"): "asks how many cores this process may use",
    ("hopperlab.models.fp8.compiled", "importlib"): "asks whether numba is there, without importing it",
}

# Nothing that is installed for a learner talks to the network, or runs what a file says.
NOWHERE = {
    *("socket", "http", "urllib", "ftplib", "smtplib", "requests", "httpx", "aiohttp", "websocket"),
    *("pickle", "shelve", "marshal", "dill"),
}
NOT_CALLED = {"eval", "exec", "compile", "__import__", "input", "breakpoint"}
PLOTLY_EXPRESS = ("plotly.express", "plotly.io")  # they want pandas, or a browser
WIDGETS_THAT_LEAK = {"FigureWidget", "interact", "interactive"}


def problems(module: str, source: str) -> Iterator[str]:
    """What a module touches that its floor may not."""
    place = floor(module)
    for arrow in arrows(source, module):
        top = arrow.imported.split(".")[0]
        if top in NOWHERE:
            yield f"{arrow}: not in hopperlab"
        if place == "models" and top in NOT_IN_MODELS and (module, top) not in EXCEPTIONS:
            yield f"{arrow}: a model is pure"
        outside = top not in sys.stdlib_module_names and top != "hopperlab"
        if outside and place in PACKAGES and top not in PACKAGES[place]:
            yield f"{arrow}: not for {place}"
        if arrow.imported.startswith(PLOTLY_EXPRESS):
            yield f"{arrow}: draw with plotly.graph_objects"
        if arrow.imported.split(".")[-1] in WIDGETS_THAT_LEAK:
            yield f"{arrow}: it leaks, and nbval cannot compare it"
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, "id", "")
        if name in NOT_CALLED:
            yield f"{module}:{node.lineno} calls {name}"
        if name in ("open", "print") and place in ("models", "views", "chip"):
            yield f"{module}:{node.lineno} calls {name}: {place} neither read nor write"
        if getattr(node.func, "attr", "") in WIDGETS_THAT_LEAK:
            yield f"{module}:{node.lineno} makes a {node.func.attr}: it leaks, and nbval cannot compare it"


def test_every_floor_keeps_to_what_it_may_touch() -> None:
    sources = {name: path.read_text(encoding="utf-8") for name, path in modules()}
    assert {floor(name) for name in sources} >= set(PACKAGES) - {"ledger"}
    assert [problem for name, source in sources.items() for problem in problems(name, source)] == []


def test_every_exception_is_still_needed() -> None:
    sources = {name: path.read_text(encoding="utf-8") for name, path in modules()}
    for (module, package), reason in EXCEPTIONS.items():
        assert reason
        assert package in {arrow.imported.split(".")[0] for arrow in arrows(sources[module], module)}


IMPURE = {
    "a model that draws": ("hopperlab.models.mig", "import plotly.graph_objects as go", "not for models"),
    "a model with a widget": ("hopperlab.models.mig", "def f():\n    import ipywidgets", "not for models"),
    "a model that reads": ("hopperlab.models.mig", "x = open('data.csv')", "calls open"),
    "a model that finds files": ("hopperlab.models.mig", "from pathlib import Path", "a model is pure"),
    "a model that asks the time": ("hopperlab.models.mig", "import time", "a model is pure"),
    "a view with a widget": ("hopperlab.views.board", "import ipywidgets as widgets", "not for views"),
    "a view that prints": ("hopperlab.views.board", "print('done')", "calls print"),
    "a kernel with pandas": ("hopperlab.kernels.dpx", "import pandas", "not for kernels"),
    "a measurement with plotly": ("hopperlab.measure.run", "import plotly", "not for measure"),
    "a chip with numpy": ("hopperlab.chip", "import numpy", "not for chip"),
    "the network": ("hopperlab.cli.lab", "from urllib.request import urlopen", "not in hopperlab"),
    "a pickle": ("hopperlab.course.progress", "import pickle", "not in hopperlab"),
    "eval": ("hopperlab.course.checking", "eval('1 + 1')", "calls eval"),
    "express": ("hopperlab.views.axes", "from plotly import express", "graph_objects"),
    "a FigureWidget": ("hopperlab.lessons.panel", "go.FigureWidget()", "leaks"),
    "interact": ("hopperlab.lessons.panel", "from ipywidgets import interact", "leaks"),
}


@pytest.mark.parametrize(("module", "source", "why"), IMPURE.values(), ids=IMPURE)
def test_what_a_floor_may_not_touch_is_found(module: str, source: str, why: str) -> None:
    assert any(why in problem for problem in problems(module, source))


def test_what_a_floor_may_touch_is_let_through() -> None:
    assert (
        list(
            problems("hopperlab.models.mig", "import math\nimport networkx\nfrom hopperlab.chip import chip")
        )
        == []
    )
    assert list(problems("hopperlab.views.board", "import plotly.graph_objects as go\nimport json")) == []
    assert list(problems("hopperlab.kernels.dpx", "from numba import cuda\nimport re\nre.compile('a')")) == []
