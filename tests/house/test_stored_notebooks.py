"""The notebooks in the repository keep to the rules; each rule finds the defect it is there for."""

import json
from collections.abc import Callable

import nbformat
import pytest
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from hopperlab.cli.notebooks import canonical
from tests.house.notebook_rules import FOLDER, NOT_COMPARED, RULES, Stored, problems


def test_every_stored_notebook_keeps_to_every_rule() -> None:
    paths = sorted(FOLDER.glob("*.ipynb"))
    assert paths, "there is no notebook to look at"
    assert [problem for path in paths for problem in problems(Stored.read(path))] == []


def test_every_exception_is_still_needed() -> None:
    for (name, cell_id), reason in NOT_COMPARED.items():
        cells = nbformat.read(FOLDER / name, as_version=4).cells
        assert reason
        assert any(
            cell.id == cell_id and "nbval-ignore-output" in cell.metadata.get("tags", []) for cell in cells
        )


def good() -> NotebookNode:
    """A notebook that keeps to every rule: a result, an error that is meant, a cell for a card."""
    result = new_output("execute_result", {"text/plain": "42"}, execution_count=1)
    error = new_output("error", ename="ValueError", evalue="17", traceback=["ValueError: 17"])
    cells = [
        new_markdown_cell(
            "# 06 Made\n\nSee [the next](07_more.ipynb) and https://example.org/work/main.", id="title"
        ),
        new_code_cell("6 * 7", execution_count=1, outputs=[result], id="product"),
        new_code_cell("raise ValueError(17)", execution_count=2, outputs=[error], id="failing"),
        new_code_cell("measure()", id="measuring"),
    ]
    cells[2].metadata.tags = ["raises-exception"]
    cells[3].metadata.tags = ["card", "nbval-skip"]
    return new_notebook(cells=cells)


def stored(notebook: NotebookNode) -> Stored:
    return Stored("06_made.ipynb", canonical(notebook))


def test_a_good_notebook_is_let_through() -> None:
    assert problems(stored(good())) == []


def swap_runs(notebook: NotebookNode) -> None:
    notebook.cells[1].execution_count, notebook.cells[2].execution_count = 2, 1


def run_twice(notebook: NotebookNode) -> None:
    notebook.cells[1].execution_count, notebook.cells[2].execution_count = 7, 8


def never_run(notebook: NotebookNode) -> None:
    for cell in notebook.cells[1:3]:
        cell.execution_count, cell.outputs = None, []


def strip_outputs(notebook: NotebookNode) -> None:
    for cell in notebook.cells[1:3]:
        cell.outputs = []
    notebook.cells[2].metadata = {}


def print_path(notebook: NotebookNode) -> None:
    notebook.cells[1].outputs = [new_output("stream", text="saved to /home/ada/figure.svg\n")]


def windows_path(notebook: NotebookNode) -> None:
    notebook.cells[1].source = "open(r'C:\\Users\\ada\\x')"


def load_script(notebook: NotebookNode) -> None:
    html = "<script src='https://cdn.plot.ly/plotly.min.js'></script>"
    notebook.cells[1].outputs = [new_output("display_data", {"text/html": html, "text/plain": "figure"})]


def fail_unmeant(notebook: NotebookNode) -> None:
    notebook.cells[2].metadata.tags = []


def warn(notebook: NotebookNode) -> None:
    notebook.cells[1].outputs += [new_output("stream", name="stderr", text="deprecated\n")]


def never_fail(notebook: NotebookNode) -> None:
    notebook.cells[1].metadata.tags = ["raises-exception"]


def ignore_output(notebook: NotebookNode) -> None:
    notebook.cells[1].metadata.tags = ["nbval-ignore-output"]


def skip_cell(notebook: NotebookNode) -> None:
    notebook.cells[1].metadata.tags = ["nbval-skip"]


def skip_by_comment(notebook: NotebookNode) -> None:
    notebook.cells[1].source = "# NBVAL_IGNORE_OUTPUT\n6 * 7"


def grow_long(notebook: NotebookNode) -> None:
    notebook.cells[:0] = [new_markdown_cell("more", id=f"more-{number}") for number in range(27)]


def grow_heavy(notebook: NotebookNode) -> None:
    notebook.cells[1].outputs = [new_output("stream", text="0" * 300_000)]


def leave_empty(notebook: NotebookNode) -> None:
    notebook.cells[0].source = " \n"


DEFECTS = {
    "executed_in_order": [swap_runs, run_twice, never_run],
    "has_outputs": [strip_outputs],
    "no_empty_cells": [leave_empty],
    "is_small": [grow_long, grow_heavy],
    "names_no_machine": [print_path, windows_path],
    "needs_no_network": [load_script],
    "fails_only_where_meant": [fail_unmeant, never_fail, warn],
    "hides_nothing_from_nbval": [ignore_output, skip_cell, skip_by_comment],
}


@pytest.mark.parametrize(
    ("rule", "defect"), [(rule, defect) for rule, defects in DEFECTS.items() for defect in defects]
)
def test_a_defect_of_a_cell_is_found(rule: str, defect: Callable[[NotebookNode], None]) -> None:
    notebook = good()
    defect(notebook)
    assert any(f": {rule}: " in problem for problem in problems(stored(notebook)))


def foreign_kernel(notebook: dict) -> None:
    notebook["metadata"]["kernelspec"]["name"] = "my-own"


def newer_python(notebook: dict) -> None:
    notebook["metadata"]["language_info"]["version"] = "3.12.1"


def widget_state(notebook: dict) -> None:
    notebook["metadata"]["widgets"] = {"application/vnd.jupyter.widget-state+json": {"state": {}}}


def widget_view(notebook: dict) -> None:
    notebook["cells"][1]["outputs"][0]["data"]["application/vnd.jupyter.widget-view+json"] = {
        "model_id": "a1"
    }


def timing(notebook: dict) -> None:
    notebook["cells"][1]["metadata"]["execution"] = {"iopub.status.busy": "2026-01-01T00:00:00Z"}


def same_ids(notebook: dict) -> None:
    notebook["cells"][1]["id"] = notebook["cells"][2]["id"]


def no_ids(notebook: dict) -> None:
    notebook["nbformat_minor"] = 4
    for cell in notebook["cells"]:
        del cell["id"]


DEFECTS_OF_THE_FILE = {
    "names_its_kernel": [foreign_kernel],
    "is_canonical": [newer_python, timing, widget_view],
    "keeps_no_widget_state": [widget_state, widget_view],
    "identifies_its_cells": [same_ids, no_ids],
}


@pytest.mark.filterwarnings(
    "ignore::nbformat.warnings.DuplicateCellId", "ignore::nbformat.warnings.MissingIDFieldWarning"
)
@pytest.mark.parametrize(
    ("rule", "defect"),
    [(rule, defect) for rule, defects in DEFECTS_OF_THE_FILE.items() for defect in defects],
)
def test_a_defect_of_the_file_is_found(rule: str, defect: Callable[[dict], None]) -> None:
    notebook = json.loads(stored(good()).text)
    defect(notebook)
    text = json.dumps(notebook, indent=1, sort_keys=True, ensure_ascii=False) + "\n"
    assert any(f": {rule}: " in problem for problem in problems(Stored("06_made.ipynb", text)))


def test_every_rule_has_a_defect_that_it_finds() -> None:
    assert {rule.__name__ for rule in RULES} == {*DEFECTS, *DEFECTS_OF_THE_FILE}
