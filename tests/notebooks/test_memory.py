"""Binder gives 1 to 2 GB: JupyterLab with three notebooks open and run stays under 1 GB."""

import json
from itertools import cycle, islice
from pathlib import Path

import nbformat
import pytest

from hopperlab.cli.lab import original_notebooks
from tests.browser.laboratory import Laboratory, started

MOST_BYTES = 1_000_000_000
OPEN = 3
CELL_SECONDS = 120


def open_and_run(laboratory: Laboratory, notebook: Path, number: int) -> None:
    """Open a notebook as JupyterLab does, in a kernel of its own, and run its cells."""
    from jupyter_client import BlockingKernelClient

    session = {
        "path": f"{number}/{notebook.name}",
        "type": "notebook",
        "name": "",
        "kernel": {"name": "python3"},
    }
    kernel = json.loads(laboratory.ask("/api/sessions", "POST", body=session))["kernel"]["id"]
    connection = laboratory.folder.parent / "settings" / "jupyter_runtime" / f"kernel-{kernel}.json"
    client = BlockingKernelClient(connection_file=str(connection))
    client.load_connection_file()
    client.start_channels()
    try:
        client.kernel_info(reply=True, timeout=60)
        for cell in nbformat.read(laboratory.folder / notebook.name, as_version=4).cells:
            if cell.cell_type == "code":
                reply = client.execute_interactive(
                    cell.source, timeout=CELL_SECONDS, output_hook=lambda message: None
                )
                meant = "raises-exception" in cell.metadata.get("tags", [])
                assert reply["content"]["status"] == ("error" if meant else "ok"), cell.source
    finally:
        client.stop_channels()


def bytes_of_tree(process: int) -> list[tuple[str, int]]:
    """The proportional memory of a process and of all below it."""
    import psutil

    root = psutil.Process(process)
    return [(each.name(), each.memory_full_info().pss) for each in (root, *root.children(recursive=True))]


@pytest.mark.exhaustive
def test_three_open_notebooks_fit_binder(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    pytest.importorskip("psutil")
    with started(tmp_path) as laboratory:
        alone = sum(size for _, size in bytes_of_tree(laboratory.process))
        for number, notebook in enumerate(islice(cycle(original_notebooks()), OPEN)):
            open_and_run(laboratory, notebook, number)
        parts = bytes_of_tree(laboratory.process)
    total = sum(size for _, size in parts)
    with capsys.disabled():
        print(f"\nJupyterLab alone {alone / 1e6:.0f} MB, with {OPEN} notebooks run {total / 1e6:.0f} MB:")
        print(", ".join(f"{name} {size / 1e6:.0f} MB" for name, size in parts))
    assert len(parts) > OPEN
    assert total < MOST_BYTES
