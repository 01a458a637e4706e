"""Execute every notebook from top to bottom and store it (for maintainers).

Every run writes the same bytes: no widget state, no times, no random ids, no paths of this machine.
A cell tagged ``card`` needs a Hopper card; it is stored without being run.
"""

import argparse
import os
import subprocess
import time
from pathlib import Path
from typing import TYPE_CHECKING

from hopperlab.cli.lab import original_notebooks

if TYPE_CHECKING:
    from nbformat import NotebookNode

CELL_TIMEOUT = 120  # s
MOST_SECONDS = 30  # for a notebook
KERNELSPEC = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
CARD_TAG = "card"
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of ``hopperlab notebooks``."""
    parser.add_argument("notebooks", nargs="*", type=Path, help="only these (default: all)")
    parser.add_argument("--check", action="store_true", help="store nothing; fail where a fresh run differs")


def run(arguments: argparse.Namespace) -> int:
    """Execute the notebooks; store them, or compare them with what is stored."""
    stale = []
    for path in arguments.notebooks or original_notebooks():
        print(f"{path.name} ...", end=" ", flush=True)
        start = time.perf_counter()
        fresh = executed(path)
        seconds = time.perf_counter() - start
        changed = fresh != path.read_text(encoding="utf-8")
        if changed and not arguments.check:
            path.write_text(fresh, encoding="utf-8", newline="\n")
        if changed:
            stale.append(path.name)
        slow = f"; more than {MOST_SECONDS} s is too slow for a lesson" if seconds > MOST_SECONDS else ""
        print(f"{seconds:.1f} s, {'changed' if changed else 'unchanged'}{slow}", flush=True)
    if arguments.check and stale:
        print(f"stored outputs differ from a fresh run: {', '.join(stale)}; run `make notebooks`")
        return 1
    return 0


def executed(path: Path) -> str:
    """The text of a notebook after one clean run in a fresh kernel, in canonical form.

    Raises
    ------
    ValueError
        If a cell fails that is not tagged ``raises-exception``, or runs for longer than ``CELL_TIMEOUT``.
    """
    import nbformat
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(
        notebook,
        timeout=CELL_TIMEOUT,
        kernel_name="python3",
        resources={"metadata": {"path": str(path.parent)}},
        skip_cells_with_tag=CARD_TAG,
        store_widget_state=False,
        record_timing=False,
        coalesce_streams=True,
    )
    environment = {key: value for key, value in os.environ.items() if key != "HOPPERLAB_PROGRESS"}
    try:
        # Errors arrive as messages; the kernel's own stderr only talks about its transport.
        client.execute(env=environment | {"HOPPERLAB_MACHINE": "simulator"}, stderr=subprocess.DEVNULL)
    except (CellExecutionError, CellTimeoutError, DeadKernelError) as error:
        raise ValueError(f"{path.name}: {error}") from error
    return canonical(notebook)


def canonical(notebook: "NotebookNode") -> str:
    """A notebook's text without what differs from run to run or from machine to machine."""
    import nbformat

    notebook.metadata = {"kernelspec": KERNELSPEC, "language_info": {"name": "python"}}
    for cell in notebook.cells:
        tags = cell.metadata.get("tags", [])
        cell.metadata = {"tags": sorted(tags)} if tags else {}
        if CARD_TAG in tags:
            cell.outputs, cell.execution_count = [], None
        for output in cell.get("outputs", []):
            _settle(output)
    return nbformat.writes(notebook) + "\n"


def _settle(output: "NotebookNode") -> None:
    if output.output_type == "error":
        output.traceback = [f"{output.ename}: {output.evalue}"]  # the rest holds paths and colors
    # The id of a live widget means nothing to another kernel; a trusted file would show an error for it.
    output.get("data", {}).pop(WIDGET_VIEW, None)
