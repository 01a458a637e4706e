"""A learner's copies: no answers in them, and never a learner's work lost."""

import json
import os
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output

from hopperlab.cli.lab import jupyter_options, lay_out, original_notebooks, without_answers


def stored_notebook(path: Path, source: str = "6 * 7", answer: str = "42") -> Path:
    """An executed notebook of one cell, as the repository stores them."""
    output = new_output("execute_result", {"text/plain": answer}, execution_count=1)
    cell = new_code_cell(source, execution_count=1, outputs=[output], id="only-cell")
    cell.metadata = {"tags": ["exercise"], "execution": {"iopub.status.busy": "2026-01-01"}}
    nbformat.write(new_notebook(cells=[cell], metadata={"widgets": {"state": {}}}), path)
    return path


@pytest.fixture
def original(tmp_path: Path) -> Path:
    (tmp_path / "originals").mkdir()
    return stored_notebook(tmp_path / "originals" / "06_clusters.ipynb")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "my-notebooks"


def test_a_copy_holds_no_answers_and_keeps_its_cells(original: Path, folder: Path) -> None:
    lines = lay_out([original], folder)
    copy = nbformat.read(folder / original.name, as_version=4)
    nbformat.validate(copy)
    (cell,) = copy.cells
    assert (cell.source, cell.outputs, cell.execution_count) == ("6 * 7", [], None)
    assert cell.metadata == {"tags": ["exercise"]}
    assert "42" not in (folder / original.name).read_text()
    assert "widgets" not in copy.metadata
    assert lines == [f"Your notebooks are in {folder}: 1 new, 0 kept as you left them"]


def test_a_second_start_changes_nothing(original: Path, folder: Path) -> None:
    lay_out([original], folder)
    before = (folder / original.name).read_bytes()
    assert lay_out([original], folder) == [f"Your notebooks are in {folder}: 0 new, 1 kept as you left them"]
    assert (folder / original.name).read_bytes() == before


def test_an_edited_copy_is_kept(original: Path, folder: Path) -> None:
    lay_out([original], folder)
    copy = folder / original.name
    edited = nbformat.read(copy, as_version=4)
    edited.cells[0].source = "mine"
    nbformat.write(edited, copy)
    before = copy.read_bytes()
    assert len(lay_out([original], folder)) == 1  # the original is as it was: nothing to tell
    assert copy.read_bytes() == before


def test_a_copy_of_a_changed_original_is_kept_and_told(original: Path, folder: Path) -> None:
    lay_out([original], folder)
    before = (folder / original.name).read_bytes()
    stored_notebook(original, source="6 * 8", answer="48")
    _, note = lay_out([original], folder)
    assert original.name in note
    assert "the original has changed" in note
    assert (folder / original.name).read_bytes() == before


def test_an_original_whose_outputs_alone_changed_has_not_changed(original: Path, folder: Path) -> None:
    lay_out([original], folder)
    stored_notebook(original, answer="forty-two")
    assert len(lay_out([original], folder)) == 1


@pytest.mark.parametrize("content", ["", "not a notebook", "[]", '{"metadata": null}', "{}"])
def test_whatever_stands_in_the_place_of_a_copy_is_kept(original: Path, folder: Path, content: str) -> None:
    folder.mkdir()
    (folder / original.name).write_text(content)
    _, note = lay_out([original], folder)
    assert "not a copy" in note
    assert (folder / original.name).read_text() == content


def test_a_dangling_link_is_kept(original: Path, folder: Path) -> None:
    folder.mkdir()
    (folder / original.name).symlink_to(folder / "nowhere")
    lay_out([original], folder)
    assert (folder / original.name).is_symlink()
    assert not (folder / "nowhere").exists()


def test_a_new_original_joins_old_copies(original: Path, folder: Path) -> None:
    lay_out([original], folder)
    second = stored_notebook(original.with_name("07_more.ipynb"))
    (line,) = lay_out([original, second], folder)
    assert "1 new, 1 kept" in line
    assert (folder / second.name).exists()


def test_half_a_copy_does_not_stay(original: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain_open = Path.open

    def open_on_a_full_disk(path: Path, mode: str = "r", **options: str):
        file = plain_open(path, mode, **options)
        if mode == "x":
            file.write = lambda text: (_ for _ in ()).throw(OSError(28, "No space left on device"))
        return file

    folder.mkdir()
    (folder / "yours.txt").write_text("safe")
    monkeypatch.setattr(Path, "open", open_on_a_full_disk)
    with pytest.raises(OSError, match="No space left"):
        lay_out([original], folder)
    assert [path.name for path in folder.iterdir()] == ["yours.txt"]


def test_no_stored_output_of_this_installation_reaches_a_copy() -> None:
    for path in original_notebooks():
        text, digest = without_answers(path)
        copy = json.loads(text)
        assert copy["metadata"]["hopperlab"]["original"] == digest
        code = [cell for cell in copy["cells"] if cell["cell_type"] == "code"]
        assert code
        assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in code)


def test_the_token_stays_on_and_the_first_notebook_opens(tmp_path: Path) -> None:
    (tmp_path / "00_start_here.ipynb").write_text("{}")
    options = jupyter_options(tmp_path)
    assert f"--ServerApp.root_dir={tmp_path}" in options
    assert "--LabApp.default_url=/lab/tree/00_start_here.ipynb" in options
    names = [option.partition("=")[0].lower() for option in options]
    assert not any("token" in name or "password" in name for name in names)
    assert ("--allow-root" in options) == (os.geteuid() == 0)


def test_without_a_first_notebook_the_launcher_opens(tmp_path: Path) -> None:
    assert not any("default_url" in option for option in jupyter_options(tmp_path))
