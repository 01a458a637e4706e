"""Say what is installed, which card there is, and what to mend.

Having no Hopper card is not an ailment: everything but new measurements works without one.
"""

import argparse
import importlib.metadata
import json
import os
import platform
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

SHOWN = ("numpy", "numba", "numba-cuda", "jupyterlab", "ipywidgets", "plotly")
PIP_INSTALL = f"{sys.executable} -m pip install"


@dataclass(frozen=True)
class Line:
    """One line of the report; ``mend`` says what to do where something is wrong."""

    text: str
    mend: str = ""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of ``hopperlab doctor``: there are none."""


def run(arguments: argparse.Namespace) -> int:
    """Print the report; 1 if something is wrong."""
    lines = [*versions(), *packages(), *card_or_simulator(), *card_notebooks(), *progress()]
    for line in lines:
        print(line.text)
    wrong = [line for line in lines if line.mend]
    if not wrong:
        print("Nothing is wrong.")
        return 0
    print("\nTo mend:")
    for line in wrong:
        print(f"  {line.mend}")
    return 1


def versions() -> Iterator[Line]:
    """Python, hopperlab and the packages that a report of a problem should name."""
    from hopperlab import __version__

    yield Line(f"python {platform.python_version()} on {platform.system()} {platform.machine()}")
    yield Line(f"hopperlab {__version__}")
    yield Line(", ".join(f"{name} {installed(name) or 'missing'}" for name in SHOWN))


def installed(name: str) -> str | None:
    """The version of an installed package; None if it is not there."""
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def packages(requirements: list[str] | None = None) -> Iterator[Line]:
    """What hopperlab needs and does not find, or finds in a version that it was not made for.

    Parameters
    ----------
    requirements
        As in pyproject.toml; by default those of the installed hopperlab.
    """
    try:
        from packaging.requirements import Requirement
    except ImportError:
        yield Line("packaging is missing", f"{PIP_INSTALL} packaging, then ask again")
        return
    if requirements is None:
        if installed("hopperlab") is None:
            yield Line("hopperlab runs from its sources, not installed", f"{PIP_INSTALL} -e .")
            return
        requirements = importlib.metadata.requires("hopperlab") or []
    for requirement in map(Requirement, requirements):
        if requirement.marker and not requirement.marker.evaluate({"extra": ""}):
            continue
        wanted = f"{requirement.name}{requirement.specifier}"
        version = installed(requirement.name)
        if version is None:
            yield Line(f"{requirement.name} is missing", f"{PIP_INSTALL} '{wanted}'")
        elif not requirement.specifier.contains(version, prereleases=True):
            yield Line(
                f"{requirement.name} {version} is outside {requirement.specifier}",
                f"{PIP_INSTALL} '{wanted}'",
            )


def card_or_simulator() -> Iterator[Line]:
    """The Hopper card, or why kernels run in the simulator."""
    if os.environ.get("NUMBA_ENABLE_CUDASIM", "0") not in ("", "0"):
        yield Line(
            "NUMBA_ENABLE_CUDASIM is set, so numba hides every card",
            "unset NUMBA_ENABLE_CUDASIM: hopperlab has its own simulator and never uses numba's",
        )
        return
    machine = os.environ.get("HOPPERLAB_MACHINE", "auto")
    if machine not in ("auto", "silicon", "simulator"):
        yield Line(
            f"HOPPERLAB_MACHINE is {machine!r}",
            "set HOPPERLAB_MACHINE to auto, silicon or simulator, or unset it",
        )
        return
    try:
        from hopperlab.device.silicon.card import card

        found = card()
    except Exception as reason:  # whatever a driver does, the doctor goes on
        yield Line("no Hopper card: kernels run in the simulator; results of real cards are shipped")
        yield Line(f"  ({str(reason).removeprefix('no Hopper card: ')})")
        if machine == "silicon":
            yield Line("HOPPERLAB_MACHINE=silicon asks for a card", "unset HOPPERLAB_MACHINE")
        return
    yield Line(f"card: {found.name}, {found.sms} SMs")
    if machine == "simulator":
        yield Line("HOPPERLAB_MACHINE=simulator: kernels run in the simulator all the same")
    yield from compiler()


def compiler() -> Iterator[Line]:
    """Whether kernels can be compiled for the card."""
    try:
        from numba import cuda

        cuda.compile_ptx(lambda: None, (), cc=(9, 0))
    except Exception as error:  # missing parts show as many kinds of error
        reason = (str(error).strip() or type(error).__name__).splitlines()[0]
        yield Line(
            f"kernels cannot be compiled: {reason}",
            f"{PIP_INSTALL} -e '.[gpu]' (for a driver of CUDA 12: '.[gpu-cu12]')",
        )


def card_notebooks() -> Iterator[Line]:
    """Which notebooks hold cells that need a card."""
    from hopperlab.cli.lab import original_notebooks

    try:
        originals = original_notebooks()
    except FileNotFoundError as error:
        yield Line(str(error), f"clone the repository and, in it, {PIP_INSTALL} -e .")
        return
    needing = [path.name for path in originals if _needs_card(path)]
    if needing:
        yield Line(f"notebooks with cells that need a card: {', '.join(needing)}")
    else:
        yield Line("notebooks: none needs a card")


def _needs_card(notebook: Path) -> bool:
    from hopperlab.cli.notebooks import CARD_TAG

    # As JSON: the doctor works where Jupyter's own packages are missing.
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    return any(CARD_TAG in cell["metadata"].get("tags", []) for cell in cells)


def progress(folder: Path = Path("my-notebooks")) -> Iterator[Line]:
    """Whether the file of the learner's progress can be read and written."""
    named = os.environ.get("HOPPERLAB_PROGRESS")
    file = Path(named).expanduser() if named else folder / "progress.json"
    if not named and not file.exists():
        yield Line("progress: `hopperlab lab` will keep it in my-notebooks/progress.json")
        return
    yield Line(f"progress: {file}")
    try:
        _try_writing_beside(file)
    except OSError as error:
        mend = f"make {file.parent} writable, or set HOPPERLAB_PROGRESS to a file that is"
        yield Line(f"{file} cannot be written: {error.strerror}", mend)
        return
    yield from _unreadable(file)


def _try_writing_beside(file: Path) -> None:
    # By writing, not by asking: root may write anywhere, by its permissions, and yet cannot.
    folder = next(folder for folder in file.resolve().parents if folder.exists())
    with tempfile.TemporaryFile(dir=folder):
        pass


def _unreadable(file: Path) -> Iterator[Line]:
    from hopperlab.course.progress.file import load

    try:
        load(file)
    except FileNotFoundError:
        return
    except (OSError, ValueError) as error:
        yield Line(f"{file} cannot be read: {error}", f"rename {file}: a new one will be begun")
