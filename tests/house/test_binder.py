"""Binder builds what pyproject.toml asks for. A binder folder hides the root's environment.yml, silently."""

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
ENVIRONMENT = ROOT / "environment.yml"
BINDER = ROOT / "binder"


@pytest.fixture(scope="module")
def project() -> dict:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


@pytest.fixture(scope="module")
def dependencies() -> list:
    return yaml.safe_load(ENVIRONMENT.read_text(encoding="utf-8"))["dependencies"]


def test_the_two_environments_are_equal_byte_for_byte() -> None:
    assert (BINDER / "environment.yml").read_bytes() == ENVIRONMENT.read_bytes()


def test_conda_brings_python_and_pip_only(dependencies: list) -> None:
    assert dependencies[:-1] == ["python=3.11", "pip"]


def test_pip_brings_what_the_package_needs_with_its_bounds(dependencies: list, project: dict) -> None:
    assert dependencies[-1] == {"pip": project["dependencies"]}


def test_the_python_is_one_that_the_package_takes(dependencies: list, project: dict) -> None:
    from packaging.specifiers import SpecifierSet

    python = dependencies[0].removeprefix("python=")
    assert SpecifierSet(project["requires-python"]).contains(python)


def test_numpy_is_one_that_numba_cuda_takes(project: dict) -> None:
    from packaging.requirements import Requirement

    bounds = {
        requirement.name: requirement.specifier for requirement in map(Requirement, project["dependencies"])
    }
    assert bounds["numpy"].contains("2.4.6")
    assert not bounds["numpy"].contains("2.5.0")
    assert bounds["numba-cuda"].contains("0.30.4")


@pytest.mark.parametrize("name", ["postBuild", "start"])
def test_the_scripts_can_be_run(name: str) -> None:
    script = BINDER / name
    assert os.access(script, os.X_OK)
    assert script.read_text(encoding="utf-8").startswith("#!/usr/bin/env bash\n")
    assert b"\r" not in script.read_bytes()
    subprocess.run(["bash", "-n", str(script)], check=True)


def test_post_build_installs_the_package_alone() -> None:
    script = (BINDER / "postBuild").read_text(encoding="utf-8")
    assert "pip install --no-cache-dir --no-deps -e ." in script
    assert "set -euo pipefail" in script


def test_start_hands_over_and_keeps_progress(tmp_path: Path) -> None:
    command = [str(BINDER / "start"), "printenv", "HOPPERLAB_PROGRESS"]
    result = subprocess.run(
        command, env=os.environ | {"REPO_DIR": str(tmp_path)}, capture_output=True, text=True, check=True
    )
    assert result.stdout == f"{tmp_path}/my-notebooks/progress.json\n"


@pytest.fixture(scope="module")
def repo2docker_says(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What repo2docker makes of this repository; nothing is built."""
    copy = tmp_path_factory.mktemp("repository")
    shutil.copytree(BINDER, copy / "binder")
    for name in ("environment.yml", "pyproject.toml", "README.md", "Makefile"):
        shutil.copy(ROOT / name, copy)
    # The command beside this Python: it has no module form that works.
    command = [str(Path(sys.executable).with_name("jupyter-repo2docker")), "--no-build", "--debug", str(copy)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    return result.stdout + result.stderr


def test_repo2docker_finds_the_python(repo2docker_says: str) -> None:
    assert "Building conda environment for python=3.11" in repo2docker_says
    assert "unspecified" not in repo2docker_says


def test_repo2docker_finds_the_environment_of_the_binder_folder(repo2docker_says: str) -> None:
    assert 'env update -p ${NB_PYTHON_PREFIX} --file "binder/environment.yml"' in repo2docker_says


def test_repo2docker_solves_the_environment_before_it_copies_the_notebooks(repo2docker_says: str) -> None:
    solve = repo2docker_says.index('--file "binder/environment.yml"')
    copy_all = repo2docker_says.index("COPY --chown=", solve)
    assert "src/ ${REPO_DIR}" in repo2docker_says[copy_all : copy_all + 200]


def test_repo2docker_runs_both_scripts(repo2docker_says: str) -> None:
    assert "RUN ./binder/postBuild" in repo2docker_says
    assert 'ENV R2D_ENTRYPOINT="${REPO_DIR}/binder/start"' in repo2docker_says
