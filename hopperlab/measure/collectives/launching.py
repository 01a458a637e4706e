"""Start the ranks of one measurement, gather what they saw, and note how the GPUs are joined."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

SECONDS = 240  # for one variant; a collective that hangs is stopped

# Multicast through the NVSwitch stays off unless the user says otherwise: it is the host's to allow.
QUIET = {"NCCL_NVLS_ENABLE": "0"}
NOTED = re.compile(r"^(NCCL_|TORCH_NCCL_|TORCH_SYMM_MEM_|CUDA_VISIBLE_DEVICES$)")
TOLD = re.compile(
    r"NVL\[|NVLS multicast|Channel 00/\d+ :|[Cc]onnected all (?:rings|trees)|nChannels|coll channels"
)


def run_variant(
    variant: str, settings: dict[str, str], ranks: int, backend: str = "nccl", **more: str
) -> dict:
    """Run every rank of one variant and give what they saw.

    Parameters
    ----------
    variant, settings
        A name of the plan, and the environment that makes it so.
    ranks
        Processes, one a GPU.
    more
        Further variables of the environment.

    Raises
    ------
    RuntimeError
        If a rank fails or hangs; the message has the end of what it said.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        environment = {
            **QUIET,
            **os.environ,
            **settings,
            **more,
            "WORLD_SIZE": str(ranks),
            "HOPPERLAB_VARIANT": variant,
            "HOPPERLAB_BACKEND": backend,
            "NCCL_DEBUG": "INFO",
            "NCCL_DEBUG_SUBSYS": "INIT,GRAPH",
            "NCCL_DEBUG_FILE": str(folder / "nccl.%p.log"),
        }
        _run_all(folder, ranks, environment)
        seen = [json.loads((folder / f"rank-{rank}.json").read_text()) for rank in range(ranks)]
        return {
            "variant": variant,
            "versions": seen[0]["versions"],
            "environment": {key: environment[key] for key in sorted(environment) if NOTED.match(key)}
            | {"NCCL_DEBUG_FILE": "a file for each rank"},
            "told": _told(folder),
            "taken": _together([one["taken"] for one in seen]),
        }


def _run_all(folder: Path, ranks: int, environment: dict[str, str]) -> None:
    command = [sys.executable, "-m", "hopperlab.measure.collectives.rank", str(folder)]
    logs = [folder / f"rank-{rank}.log" for rank in range(ranks)]
    running = []
    try:
        for rank, log in enumerate(logs):
            with log.open("w") as said:
                own = environment | {"RANK": str(rank)}
                running.append(subprocess.Popen(command, env=own, stdout=said, stderr=subprocess.STDOUT))
        for rank, process in enumerate(running):
            if process.wait(SECONDS):
                raise RuntimeError(f"rank {rank} failed: {logs[rank].read_text()[-800:].strip()}")
    except subprocess.TimeoutExpired:
        raise RuntimeError(f"a rank did not finish within {SECONDS} s; the collective hangs") from None
    finally:
        for process in running:
            if process.poll() is None:
                process.kill()
                process.wait()


def _together(seen: list[list[list]]) -> list[list]:
    """[operation, size, repetitions, [[seconds of each group] of each rank]] from what each rank saw."""
    return [
        [operation, size, repetitions, [one[place][3] for one in seen]]
        for place, (operation, size, repetitions, _) in enumerate(seen[0])
    ]


def _told(folder: Path) -> list[str]:
    """The lines in which NCCL says how it sees the links and what it builds; those of one rank."""
    logs = sorted(folder.glob("nccl.*.log"))
    lines = logs[0].read_text(errors="replace").splitlines() if logs else []
    return [line.partition("NCCL INFO ")[2].strip() for line in lines if TOLD.search(line)][:24]


def joined() -> dict[str, Any]:
    """How nvidia-smi says the GPUs are joined: its matrix, and the NVLinks of the first GPU."""
    return {
        "topology": _asked("topo", "-m"),
        "links_of_gpu_0": _asked("nvlink", "-s", "-i", "0"),
    }


def _asked(*arguments: str) -> list[str]:
    try:
        answer = subprocess.run(
            ["nvidia-smi", *arguments], capture_output=True, text=True, timeout=30, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return ["nvidia-smi does not tell"]
    plain = re.sub(r"\x1b\[[0-9;]*m", "", answer.stdout)
    without_ids = re.sub(r" \(UUID: [^)]*\)", "", plain)
    return [line.rstrip() for line in without_ids.splitlines() if line.strip()]
