"""nbval, with this project's flags and its comparison, lets a fresh run through and catches each kind of lie.

Each case is one cell of a made notebook: run, then its stored output falsified. One pytest in a subprocess
judges them all.
"""

import base64
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import nbformat
import numpy as np
import pytest
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_notebook, new_output

from hopperlab.cli.notebooks import executed

ROOT = Path(__file__).resolve().parents[2]
PLOTLY = "application/vnd.plotly.v1+json"

FIGURE = """import plotly.graph_objects as go

from hopperlab.views.picture import Picture

heatmap = go.Heatmap(x=[0.1, 0.2, 0.3], z=[[1.0, 2.0, 3.0], [4.0, 5.0, float("nan")]])
Picture("A map", "Six squares, one empty.", figure=go.Figure(heatmap, {"template": "none"}))"""
PRINTED = 'print(f"{132 / 8:.1f} SMs a GPC")'
WARNED = 'import warnings\n\nwarnings.warn("an old name", DeprecationWarning, stacklevel=1)\nprint("done")'
PANEL = """from hopperlab.lessons.controls import slider
from hopperlab.lessons.panel import Panel
from hopperlab.views.picture import Picture


def draw(size):
    return Picture(f"Clusters of {size}", f"{132 // size} by division", svg="<svg></svg>")


board = Panel("board", draw, size=slider("Cluster size", 1, 16, 8))
board"""
MOVED = 'board.controls["size"].value = 10\nboard'


def data_of(cell: NotebookNode) -> dict:
    return cell.outputs[0].data[PLOTLY]["data"][0]


def as_it_was(cell: NotebookNode) -> None:
    pass


def last_bit(cell: NotebookNode) -> None:
    data_of(cell)["x"][0] *= 1 + 2**-50


def encoded(cell: NotebookNode, factor: float = 1) -> None:
    values = np.array([[1, 2, 3], [4, 5, np.nan]], "f8") * factor
    bdata = base64.b64encode(values.tobytes()).decode()
    data_of(cell)["z"] = {"dtype": "f8", "bdata": bdata, "shape": "2, 3"}


def encoded_otherwise(cell: NotebookNode) -> None:
    encoded(cell, factor=1.001)


def encoded_in_another_shape(cell: NotebookNode) -> None:
    encoded(cell)
    data_of(cell)["z"]["shape"] = "3, 2"


def template(cell: NotebookNode) -> None:
    cell.outputs[0].data[PLOTLY]["layout"]["template"] = {"layout": {"font": {"size": 20}}}


def figure_number(cell: NotebookNode) -> None:
    data_of(cell)["x"][1] = 0.2001


def figure_text(cell: NotebookNode) -> None:
    data_of(cell)["type"] = "contour"


def printed_number(cell: NotebookNode) -> None:
    cell.outputs[0].text = "16.6 SMs a GPC\n"


def warning(cell: NotebookNode) -> None:
    cell.outputs = [new_output("stream", text="done\n")]


def stripped(cell: NotebookNode) -> None:
    cell.execution_count, cell.outputs = None, []


def emptied(cell: NotebookNode) -> None:
    cell.outputs = []


def callback_error(cell: NotebookNode) -> None:
    cell.source = cell.source.replace("return", "1 / (10 - size)\n    return")


def callback_refusal(cell: NotebookNode) -> None:
    cell.source = cell.source.replace("return", 'if size == 10:\n        raise ValueError("no")\n    return')


def callback_result(cell: NotebookNode) -> None:
    cell.source = cell.source.replace("132 // size", "132 // min(size, 8)")


# Each case: the cell's source, and what is done to it after it has run.
PASSES = {
    "a figure": (FIGURE, as_it_was),
    "a float's last bit": (FIGURE, last_bit),
    "an array encoded": (FIGURE, encoded),
    "a figure's template": (FIGURE, template),
    "a printed number": (PRINTED, as_it_was),
    "a warning more": (WARNED, warning),
}
CAUGHT = {
    "a figure's number": (FIGURE, figure_number),
    "a figure's kind": (FIGURE, figure_text),
    "an encoded number": (FIGURE, encoded_otherwise),
    "an encoded shape": (FIGURE, encoded_in_another_shape),
    "a printed number changed": (PRINTED, printed_number),
    "a cell stripped": (PRINTED, stripped),
    "an output emptied": (PRINTED, emptied),
}
# The panel's code is falsified; the stored output of the cell after it, which moves a slider, tells.
CALLBACKS = {
    "a callback": as_it_was,
    "an error in a callback": callback_error,
    "a refusal in a callback": callback_refusal,
    "a wrong callback": callback_result,
}


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """For each case, what nbval said: "passed" or its complaint."""
    path = tmp_path_factory.mktemp("notebooks") / "cases.ipynb"
    cells = PASSES | CAUGHT
    falsified = [falsify for _, falsify in cells.values()]
    for falsify in CALLBACKS.values():
        falsified += [falsify, as_it_was]
    sources = [source for source, _ in cells.values()] + [PANEL, MOVED] * len(CALLBACKS)

    nbformat.write(new_notebook(cells=[new_code_cell(source) for source in sources]), path)
    notebook = nbformat.reads(executed(path), as_version=4)
    for cell, falsify in zip(notebook.cells, falsified, strict=True):
        falsify(cell)
    nbformat.write(notebook, path)

    said = judge(path)
    made, moved = said[len(cells) :: 2], said[len(cells) + 1 :: 2]
    assert made == ["passed"] * len(CALLBACKS)
    return dict(zip(cells, said, strict=False)) | dict(zip(CALLBACKS, moved, strict=True))


def judge(notebook: Path) -> list[str]:
    """Run pytest, as this project does, over a notebook; what it said of each cell."""
    shutil.copy(ROOT / "notebooks" / "conftest.py", notebook.parent)
    report = notebook.with_name("report.xml")
    command = [sys.executable, "-m", "pytest", "-c", str(ROOT / "pyproject.toml"), "-p", "no:cacheprovider"]
    result = subprocess.run(
        [*command, "--color=no", f"--junitxml={report}", str(notebook)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert report.exists(), result.stdout + result.stderr
    cases = ElementTree.parse(report).iter("testcase")
    return ["".join(part.text or "" for part in case) or "passed" for case in cases]


@pytest.mark.parametrize("name", [*PASSES, "a callback"])
def test_a_fresh_run_passes(verdicts: dict[str, str], name: str) -> None:
    assert verdicts[name] == "passed"


@pytest.mark.parametrize("name", CAUGHT)
def test_a_falsified_output_is_caught(verdicts: dict[str, str], name: str) -> None:
    expected = "Stored without being run" if name == "a cell stripped" else "Cell outputs differ"
    assert expected in verdicts[name]


@pytest.mark.parametrize("name", [name for name in CALLBACKS if name != "a callback"])
def test_a_callback_gone_wrong_is_caught(verdicts: dict[str, str], name: str) -> None:
    assert "Cell outputs differ" in verdicts[name]


def test_the_error_of_a_callback_is_named(verdicts: dict[str, str]) -> None:
    assert "ZeroDivisionError" in verdicts["an error in a callback"]
