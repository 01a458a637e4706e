"""The doctor: calm without a card, never failing, and a remedy for each ailment."""

import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from hopperlab.cli import doctor
from hopperlab.cli.doctor import card_notebooks, card_or_simulator, packages, progress, versions


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for variable in ("HOPPERLAB_MACHINE", "HOPPERLAB_PROGRESS", "NUMBA_ENABLE_CUDASIM"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.chdir(tmp_path)


def no_card() -> None:
    raise RuntimeError("no CUDA driver answers here")


def test_versions_name_what_a_report_needs() -> None:
    text = "\n".join(line.text for line in versions())
    for name in ("python", "hopperlab", "numpy", "numba", "numba-cuda", "jupyterlab", "ipywidgets", "plotly"):
        assert f"{name} " in text
    assert "missing" not in text
    assert not any(line.mend for line in versions())


def test_this_installation_has_all_that_it_needs() -> None:
    assert list(packages()) == []


def test_a_wrong_version_and_a_missing_package_are_told_with_their_remedy() -> None:
    wrong, missing = packages(["numpy>=1,<2", "no-such-package>=3", "jupyterlab>=4", "torch; extra == 'x'"])
    assert wrong.text.startswith("numpy 2.")
    assert "is outside <2,>=1" in wrong.text
    assert wrong.mend == f"{sys.executable} -m pip install 'numpy<2,>=1'"
    assert missing.text == "no-such-package is missing"
    assert missing.mend.endswith("pip install 'no-such-package>=3'")


def test_no_card_is_no_ailment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hopperlab.device.silicon.card.card", no_card)
    lines = list(card_or_simulator())
    assert "no Hopper card: kernels run in the simulator" in lines[0].text
    assert "no CUDA driver answers here" in lines[1].text
    assert not any(line.mend for line in lines)


def test_asking_for_silicon_without_a_card_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hopperlab.device.silicon.card.card", no_card)
    monkeypatch.setenv("HOPPERLAB_MACHINE", "silicon")
    assert list(card_or_simulator())[-1].mend == "unset HOPPERLAB_MACHINE"


def test_a_card_is_named_and_its_compiler_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing_compiles(*_: object, **__: object) -> None:
        raise ImportError("libNVVM cannot be found\nand much more")

    monkeypatch.setattr(
        "hopperlab.device.silicon.card.card", lambda: SimpleNamespace(name="NVIDIA H200", sms=132)
    )
    monkeypatch.setattr("numba.cuda.compile_ptx", nothing_compiles)
    named, broken = card_or_simulator()
    assert named.text == "card: NVIDIA H200, 132 SMs"
    assert broken.text == "kernels cannot be compiled: libNVVM cannot be found"
    assert "'.[gpu]'" in broken.mend


def test_a_compiler_that_works_is_not_mentioned() -> None:
    pytest.importorskip("cuda.bindings.nvvm", reason="no CUDA compiler is installed")
    assert list(doctor.compiler()) == []


@pytest.mark.parametrize(
    ("variable", "value", "remedy"),
    [
        ("NUMBA_ENABLE_CUDASIM", "1", "unset NUMBA_ENABLE_CUDASIM"),
        ("HOPPERLAB_MACHINE", "gpu", "auto, silicon or simulator"),
    ],
)
def test_a_wrong_variable_is_told(
    monkeypatch: pytest.MonkeyPatch, variable: str, value: str, remedy: str
) -> None:
    monkeypatch.setenv(variable, value)
    (line,) = card_or_simulator()
    assert remedy in line.mend


def test_notebooks_that_want_a_card_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain, needing = tmp_path / "01_plain.ipynb", tmp_path / "02_needing.ipynb"
    nbformat.write(new_notebook(cells=[new_code_cell("1")]), plain)
    nbformat.write(
        new_notebook(cells=[new_code_cell("2", metadata={"tags": ["card", "nbval-skip"]})]), needing
    )
    monkeypatch.setattr("hopperlab.cli.lab.original_notebooks", lambda: [plain, needing])
    (line,) = card_notebooks()
    assert line.text == "notebooks with cells that need a card: 02_needing.ipynb"
    monkeypatch.setattr("hopperlab.cli.lab.original_notebooks", lambda: [plain])
    (line,) = card_notebooks()
    assert line.text == "notebooks: none needs a card"


def test_progress_that_can_be_kept_is_no_ailment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not any(line.mend for line in progress())
    monkeypatch.setenv("HOPPERLAB_PROGRESS", str(tmp_path / "new" / "progress.json"))
    assert not any(line.mend for line in progress())
    assert not (tmp_path / "new").exists()


def test_progress_that_cannot_be_kept_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOPPERLAB_PROGRESS", "/proc/progress.json")
    _, line = progress()
    assert "cannot be written" in line.text
    assert "HOPPERLAB_PROGRESS" in line.mend


@pytest.mark.parametrize("content", ["not json", "[]", json.dumps({"schema": 999, "lessons": {}})])
def test_progress_that_cannot_be_read_is_one(tmp_path: Path, content: str) -> None:
    file = tmp_path / "my-notebooks" / "progress.json"
    file.parent.mkdir()
    file.write_text(content)
    _, line = progress()
    assert "cannot be read" in line.text
    assert "rename" in line.mend
    assert file.read_text() == content


def test_the_doctor_comes_even_where_packages_are_missing() -> None:
    missing = ("nbformat", "ipywidgets", "jupyterlab", "numba", "numpy", "plotly", "cuda", "packaging")
    script = (
        "import sys\n"
        f"sys.modules.update(dict.fromkeys({missing}))\n"
        "from hopperlab.cli import main\n"
        "sys.exit(main(['doctor']))"
    )
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert result.returncode == 1, result.stderr
    assert "packaging is missing" in result.stdout
    assert "no Hopper card" in result.stdout
    assert "notebooks: " in result.stdout
    assert "progress: " in result.stdout


def test_the_exit_status_says_whether_something_is_wrong(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    well = doctor.Line("all is well")
    for part in ("versions", "packages", "card_or_simulator", "card_notebooks"):
        monkeypatch.setattr(doctor, part, lambda: [well])
    monkeypatch.setattr(doctor, "progress", lambda: [well])
    assert doctor.run(None) == 0
    assert capsys.readouterr().out.endswith("Nothing is wrong.\n")
    monkeypatch.setattr(doctor, "progress", lambda: [doctor.Line("a thing is wrong", "do this")])
    assert doctor.run(None) == 1
    assert capsys.readouterr().out.endswith("a thing is wrong\n\nTo mend:\n  do this\n")
