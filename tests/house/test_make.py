"""`make` installs what is needed, once, and no more; the CI installs its Chromium and forbids the skip."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NO_MAKE = shutil.which("make") is None


def fake(path: Path, body: str = "") -> None:
    """A command that writes its name and arguments into calls.txt of the folder it is called in."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f'#!/bin/sh\necho "{path.name} $*" >> calls.txt\n{body}\n')
    path.chmod(0o755)


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A clone whose commands only note that they were called."""
    if NO_MAKE:
        pytest.skip("make is not installed")
    for name in ("Makefile", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)
    commands = "".join(
        f"printf '#!/bin/sh\\necho \"{name} $*\" >> calls.txt\\n' > .venv/bin/{name}; chmod +x .venv/bin/{name}; "
        for name in ("pip", "hopperlab", "python")
    )
    fake(tmp_path / "python3", f'[ "$1" = -m ] || exit 0; mkdir -p .venv/bin; {commands}')
    return tmp_path


def make(clone: Path, *arguments: str) -> list[str]:
    """Run make; the commands it called."""
    calls = clone / "calls.txt"
    calls.unlink(missing_ok=True)
    environment = {"PATH": f"{clone}:{os.environ['PATH']}"}
    result = subprocess.run(
        ["make", *arguments], cwd=clone, env=environment, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stdout + result.stderr
    return [call for call in calls.read_text().splitlines() if not call.startswith("python3 -c")]


def test_the_lab_needs_no_test_tools(clone: Path) -> None:
    assert make(clone, "lab") == ["python3 -m venv .venv", "pip install -e .", "hopperlab lab"]


def test_a_second_start_installs_nothing(clone: Path) -> None:
    make(clone, "lab")
    assert make(clone, "lab") == ["hopperlab lab"]


def test_options_go_to_the_lab(clone: Path) -> None:
    assert (
        make(clone, "lab", "OPTIONS=--no-browser --port 9000")[-1] == "hopperlab lab --no-browser --port 9000"
    )


def test_tests_bring_their_tools_and_serve_the_lab_too(clone: Path) -> None:
    assert make(clone, "test") == ["python3 -m venv .venv", "pip install -e .[test]", "python -m pytest"]
    assert make(clone, "test") == ["python -m pytest"]
    assert make(clone, "lab") == ["hopperlab lab"]


def test_a_changed_pyproject_installs_anew(clone: Path) -> None:
    make(clone, "lab")
    stamp = (clone / ".venv" / "installed-run").stat().st_mtime
    os.utime(clone / "pyproject.toml", (stamp + 5, stamp + 5))
    assert "pip install -e ." in make(clone, "lab")


@pytest.mark.parametrize(
    ("arguments", "last"),
    [
        (["test-all"], "python -m pytest -m not gpu and not bench"),
        (["bench"], "python -m pytest -m bench"),
        (["notebooks"], "hopperlab notebooks"),
        (["gpu"], "python -m pytest -m gpu"),
    ],
)
def test_each_target_runs_its_part(clone: Path, arguments: list[str], last: str) -> None:
    assert make(clone, *arguments)[-1] == last


@pytest.mark.parametrize(("arguments", "extra"), [([], "gpu"), (["CARD=gpu-cu12"], "gpu-cu12")])
def test_the_card_brings_its_toolkit(clone: Path, arguments: list[str], extra: str) -> None:
    assert f"pip install -e .[test,{extra}]" in make(clone, "gpu", *arguments)


def test_an_old_python_is_refused_in_words(clone: Path) -> None:
    fake(clone / "python3.9", "exit 1")
    result = subprocess.run(
        ["make", "lab", "PYTHON=./python3.9"], cwd=clone, capture_output=True, text=True, check=False
    )
    assert result.returncode != 0
    assert "Python 3.11 or newer is needed" in result.stdout
    assert not (clone / ".venv").exists()


def test_a_python_without_venv_is_told_what_to_install(clone: Path) -> None:
    fake(clone / "bare", '[ "$1" = -c ] && exit 0; mkdir -p .venv/bin; exit 1')
    result = subprocess.run(
        ["make", "lab", "PYTHON=./bare"], cwd=clone, capture_output=True, text=True, check=False
    )
    assert result.returncode != 0
    assert "apt-get install python3-venv" in result.stdout
    assert not (clone / ".venv").exists()


def test_the_ci_installs_what_it_needs_and_forbids_the_skip(tmp_path: Path) -> None:
    (tmp_path / ".ci").mkdir()
    shutil.copy(ROOT / ".ci" / "run", tmp_path / ".ci")
    fake(tmp_path / "bin" / "apt-get")
    fake(tmp_path / "bin" / "make", 'echo "HOPPERLAB_BROWSER=$HOPPERLAB_BROWSER" >> calls.txt')
    environment = {"PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}"}
    subprocess.run([str(tmp_path / ".ci" / "run")], cwd="/", env=environment, check=True)
    update, install, test, browser = (tmp_path / "calls.txt").read_text().splitlines()
    assert update == "apt-get update"
    assert {"chromium", "make", "python3-venv"} <= set(install.split())
    assert (test, browser) == ("make test", "HOPPERLAB_BROWSER=required")


def test_the_ci_fails_where_a_test_fails(tmp_path: Path) -> None:
    (tmp_path / ".ci").mkdir()
    shutil.copy(ROOT / ".ci" / "run", tmp_path / ".ci")
    fake(tmp_path / "bin" / "apt-get")
    fake(tmp_path / "bin" / "make", "exit 2")
    environment = {"PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}"}
    assert subprocess.run([str(tmp_path / ".ci" / "run")], env=environment, check=False).returncode == 2
