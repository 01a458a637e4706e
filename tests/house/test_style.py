"""The code is as ruff wants it, in modules of one idea, with names that say something."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.arrows import modules

ROOT = Path(__file__).resolve().parents[2]
MOST_LINES = 500
SAYS_NOTHING = {"utils", "util", "helpers", "helper", "common", "misc", "manager", "tools", "stuff"}


@pytest.mark.parametrize("command", [["check"], ["format", "--check"]], ids=["check", "format"])
def test_ruff_has_nothing_to_say(command: list[str]) -> None:
    result = subprocess.run(
        [sys.executable, "-m", "ruff", *command, "."], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stdout + result.stderr


def test_ruff_bites(tmp_path: Path) -> None:
    (tmp_path / "module.py").write_text("import os\nx=1\n")
    configured = ["--config", str(ROOT / "pyproject.toml"), str(tmp_path)]
    for command in (["check"], ["format", "--check"]):
        ruff = [sys.executable, "-m", "ruff", *command, *configured]
        assert subprocess.run(ruff, capture_output=True, check=False).returncode == 1


def test_a_module_is_one_idea() -> None:
    lengths = {name: len(path.read_text(encoding="utf-8").splitlines()) for name, path in modules()}
    assert lengths
    assert {name: length for name, length in lengths.items() if length > MOST_LINES} == {}


def test_a_module_is_named_for_its_idea() -> None:
    assert [name for name, _ in modules() if set(name.split(".")) & SAYS_NOTHING] == []
