"""Storing notebooks: one clean run each, the same bytes every time, and nothing of this machine in them."""

import json
import os
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from hopperlab.cli import main

CELLS = {
    "machine": "import os\nprint(os.environ['HOPPERLAB_MACHINE'], os.environ.get('HOPPERLAB_PROGRESS'))",
    "widget": "import ipywidgets\nipywidgets.IntSlider(3)",
    "stream": "for part in 'abc':\n    print(part, flush=True)",
    "error": "def inner():\n    raise ValueError('a size of 17')\n\n\ninner()",
    "card": "raise RuntimeError('this needs a card')",
}
TAGS = {"error": ["raises-exception"], "card": ["nbval-skip", "card"]}


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A notebook as an author leaves it in JupyterLab, then stored by `hopperlab notebooks`."""
    path = tmp_path_factory.mktemp("notebooks") / "06_made.ipynb"
    cells = [
        new_code_cell(
            source,
            id=name,
            execution_count=40,
            metadata={"tags": TAGS.get(name, []), "execution": {"iopub.status.idle": "2026-01-01"}},
        )
        for name, source in CELLS.items()
    ]
    metadata = {
        "kernelspec": {"name": "my-own", "display_name": "mine"},
        "language_info": {"name": "python", "version": "3.11.7"},
        "widgets": {"application/vnd.jupyter.widget-state+json": {"state": {}}},
    }
    nbformat.write(
        new_notebook(cells=[new_markdown_cell("# 06 Made", id="title"), *cells], metadata=metadata), path
    )
    os.environ["HOPPERLAB_PROGRESS"] = str(path.with_name("progress.json"))
    try:
        assert main(["notebooks", str(path)]) == 0
    finally:
        del os.environ["HOPPERLAB_PROGRESS"]
    return path


def cell(stored: Path, name: str) -> dict:
    (found,) = [cell for cell in json.loads(stored.read_text())["cells"] if cell["id"] == name]
    return found


def test_it_runs_on_the_simulator_with_no_progress_file(stored: Path) -> None:
    assert cell(stored, "machine")["outputs"][0]["text"] == ["simulator None\n"]


def test_the_run_is_counted_from_one(stored: Path) -> None:
    counts = [cell(stored, name)["execution_count"] for name in CELLS if name != "card"]
    assert counts == [1, 2, 3, 4]


def test_a_widget_leaves_its_text_and_no_id(stored: Path) -> None:
    (output,) = cell(stored, "widget")["outputs"]
    assert output["data"] == {"text/plain": ["IntSlider(value=3)"]}


def test_a_stream_is_one_output(stored: Path) -> None:
    (output,) = cell(stored, "stream")["outputs"]
    assert output["text"] == ["a\n", "b\n", "c\n"]


def test_an_error_keeps_its_words_and_no_path(stored: Path) -> None:
    (output,) = cell(stored, "error")["outputs"]
    assert output["traceback"] == ["ValueError: a size of 17"]


def test_a_card_cell_is_stored_as_not_run(stored: Path) -> None:
    assert cell(stored, "card")["outputs"] == []
    assert cell(stored, "card")["execution_count"] is None


def test_the_metadata_is_of_no_machine(stored: Path) -> None:
    assert json.loads(stored.read_text())["metadata"] == {
        "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    assert cell(stored, "card")["metadata"] == {"tags": ["card", "nbval-skip"]}
    assert cell(stored, "stream")["metadata"] == {}


def test_a_second_run_writes_the_same_bytes(stored: Path, capsys: pytest.CaptureFixture) -> None:
    before = stored.read_bytes()
    assert main(["notebooks", str(stored)]) == 0
    assert stored.read_bytes() == before
    assert "unchanged" in capsys.readouterr().out


def test_check_finds_a_stale_output_and_stores_nothing(
    stored: Path, tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    stale = tmp_path / "07_stale.ipynb"
    stale.write_text(stored.read_text().replace("simulator None", "silicon None"))
    before = stale.read_bytes()
    assert main(["notebooks", "--check", str(stale)]) == 1
    assert "07_stale.ipynb" in capsys.readouterr().out.splitlines()[-1]
    assert stale.read_bytes() == before


def test_a_failing_cell_is_told_and_nothing_is_stored(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    path = tmp_path / "08_failing.ipynb"
    nbformat.write(new_notebook(cells=[new_code_cell("print('before')"), new_code_cell("1 / 0")]), path)
    before = path.read_bytes()
    assert main(["notebooks", str(path)]) == 1
    message = capsys.readouterr().err
    assert "08_failing.ipynb" in message
    assert "ZeroDivisionError" in message
    assert path.read_bytes() == before
