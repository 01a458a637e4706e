"""The command itself: it finds its subcommands, imports only the chosen one, and explains every failure."""

import subprocess
import sys
from pathlib import Path

import pytest

from hopperlab.cli import main, subcommands, summary

HEAVY = ("numba", "numpy", "plotly", "ipywidgets", "networkx", "jupyterlab", "nbformat")


@pytest.mark.parametrize("name", subcommands())
def test_every_subcommand_says_in_one_line_what_it_does(name: str) -> None:
    line = summary(name)
    assert line.endswith((".", ")."))
    assert 10 < len(line) < 80


def test_overview_lists_every_subcommand(capsys: pytest.CaptureFixture) -> None:
    assert main([]) == 0
    shown = capsys.readouterr().out
    assert {"lab", "doctor", "notebooks"} <= set(subcommands())
    for name in subcommands():
        assert f"  {name} " in shown
        assert summary(name) in shown


@pytest.mark.parametrize("name", subcommands())
def test_every_subcommand_has_help(name: str, capsys: pytest.CaptureFixture) -> None:
    with pytest.raises(SystemExit) as stop:
        main([name, "--help"])
    assert stop.value.code == 0
    assert f"usage: hopperlab {name}" in capsys.readouterr().out


def test_unknown_subcommand_names_the_known_ones(capsys: pytest.CaptureFixture) -> None:
    assert main(["laboratory"]) == 2
    message = capsys.readouterr().err
    assert "'laboratory'" in message
    assert "doctor, lab" in message


def test_unknown_option_is_refused_where_nothing_is_passed_on(capsys: pytest.CaptureFixture) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["doctor", "--no-browser"])
    assert stop.value.code == 2
    assert "--no-browser" in capsys.readouterr().err


def test_a_file_error_is_one_line_and_no_traceback(
    tmp_path: Path, capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_the_way = tmp_path / "in_the_way"
    in_the_way.write_text("a file, not a folder")
    monkeypatch.setattr("hopperlab.cli.lab.original_notebooks", list)
    assert main(["lab", "--folder", str(in_the_way), "--copies-only"]) == 1
    assert capsys.readouterr().err == f"hopperlab lab: {in_the_way}: File exists\n"


def test_the_overview_imports_nothing_heavy() -> None:
    script = (
        "import sys; from hopperlab.cli import main; main([]); "
        f"print([name for name in {HEAVY} if name in sys.modules])"
    )
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert result.stdout.splitlines()[-1] == "[]"


def test_version_and_module_form() -> None:
    import hopperlab

    result = subprocess.run(
        [sys.executable, "-m", "hopperlab", "--version"], capture_output=True, text=True, check=True
    )
    assert result.stdout == f"hopperlab {hopperlab.__version__}\n"
