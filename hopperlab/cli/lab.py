"""Open JupyterLab on your own copy of the notebooks.

The originals hold their outputs, and so the answers. Yours come without them, in a folder of your own.
A file that is already there is never overwritten.
"""

import argparse
import hashlib
import json
import os
from pathlib import Path
from typing import Any

# Further options go to `jupyter lab` as they are.
PASSES_ON = True

FIRST_NOTEBOOK = "00_start_here.ipynb"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of ``hopperlab lab``."""
    parser.epilog = "Every other option goes on to `jupyter lab`, for instance --no-browser or --port 9000."
    parser.add_argument(
        "--folder",
        type=Path,
        default=Path("my-notebooks"),
        help="where your copies live (default: %(default)s)",
    )
    parser.add_argument("--copies-only", action="store_true", help="lay out the copies and stop")


def run(arguments: argparse.Namespace) -> int:
    """Lay out the learner's copies and open JupyterLab on them."""
    folder = arguments.folder.expanduser()
    for line in lay_out(original_notebooks(), folder):
        print(line)
    if arguments.copies_only:
        return 0
    progress = os.environ.setdefault("HOPPERLAB_PROGRESS", str((folder / "progress.json").resolve()))
    print(f"Your progress is kept in {progress}", flush=True)

    from jupyterlab.labapp import LabApp

    LabApp.launch_instance(jupyter_options(folder.resolve()) + arguments.passed_on)
    return 0


def original_notebooks() -> list[Path]:
    """The notebooks of this installation, in their order.

    Raises
    ------
    FileNotFoundError
        If there are none: they are in a clone of the repository, beside the package.
    """
    folder = Path(__file__).resolve().parents[2] / "notebooks"
    originals = sorted(folder.glob("*.ipynb"))
    if not originals:
        raise FileNotFoundError(f"no notebooks in {folder}; install from a clone: pip install -e .")
    return originals


def without_answers(path: Path) -> tuple[str, str]:
    """A notebook as a learner gets it: no outputs, no execution counts.

    Returns
    -------
    tuple of str
        The text of the copy, and the digest that the copy carries in its metadata. The digest tells,
        later, whether the original has changed since.
    """
    import nbformat

    notebook = nbformat.read(path, as_version=4)
    notebook.metadata.pop("widgets", None)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = []
            cell.execution_count = None
            cell.metadata.pop("execution", None)
    digest = hashlib.sha256(nbformat.writes(notebook).encode()).hexdigest()
    notebook.metadata["hopperlab"] = {"original": digest}
    return nbformat.writes(notebook) + "\n", digest


def lay_out(originals: list[Path], folder: Path) -> list[str]:
    """Copy each notebook into ``folder`` unless a file of its name is there.

    Returns
    -------
    list of str
        What was done, in lines to print: the counts, then a line for each kept file whose original has
        changed since it was copied, or that is no copy.
    """
    folder.mkdir(parents=True, exist_ok=True)
    new, kept, notes = 0, 0, []
    for original in originals:
        text, digest = without_answers(original)
        target = folder / original.name
        if _write_new(target, text):
            new += 1
            continue
        kept += 1
        copied = _digest_of(target)
        if copied is None:
            notes.append(f"{target}: kept as it is; it is not a copy that hopperlab made.")
        elif copied != digest:
            notes.append(
                f"{target}: kept as it is, though the original has changed since. "
                "Rename yours and start again to get the new one."
            )
    return [f"Your notebooks are in {folder}: {new} new, {kept} kept as you left them", *notes]


def _write_new(path: Path, text: str) -> bool:
    """Write a file that must not exist yet; False if it does."""
    try:
        file = path.open("x", encoding="utf-8", newline="\n")
    except FileExistsError:
        return False
    try:
        with file:
            file.write(text)
    except OSError:  # a full disk: half a notebook would be kept for ever
        path.unlink()
        raise
    return True


def _digest_of(copy: Path) -> Any:
    """The digest that a learner's copy carries; None if it cannot be read or carries none."""
    try:
        return json.loads(copy.read_text(encoding="utf-8"))["metadata"]["hopperlab"]["original"]
    except (OSError, ValueError, KeyError, TypeError):
        return None


def jupyter_options(folder: Path) -> list[str]:
    """The options of ``jupyter lab`` that open it on a folder; the token stays on."""
    options = [f"--ServerApp.root_dir={folder}"]
    if (folder / FIRST_NOTEBOOK).exists():
        options.append(f"--LabApp.default_url=/lab/tree/{FIRST_NOTEBOOK}")
    if hasattr(os, "geteuid") and os.geteuid() == 0:  # the usual case in a container
        options.append("--allow-root")
    return options
