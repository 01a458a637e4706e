"""One rank of the measurement: a process of its own, on a GPU of its own (or on the CPU, by gloo, for tests).

Started by `hopperlab.measure.collectives.launching` as ``python -m hopperlab.measure.collectives.rank FOLDER``;
its number and their count come from ``RANK`` and ``WORLD_SIZE``. It writes ``FOLDER/rank-<n>.json``. PyTorch is
imported here only, and only when a rank runs.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import Any, Protocol

from hopperlab.measure.collectives.plan import ELEMENT_BYTES, GROUPS, SIZES, WARM_UPS, buffer_bytes, calls


class Communicator(Protocol):
    """What a rank is timed through."""

    ranks: int

    def call(self, operation: str, size: int) -> Any:
        """A function without arguments that starts one call."""

    def seconds(self, call: Any, repetitions: int) -> float:
        """The time of so many calls, one after another."""

    def check(self, operation: str) -> None:
        """Raise RuntimeError if the operation gives a wrong result."""

    def describe(self) -> dict[str, str]:
        """Versions of what the measurement rests on."""


class TorchCommunicator:
    """Through torch.distributed: NCCL on GPUs, gloo on CPUs."""

    def __init__(
        self, rank: int, ranks: int, store: Path, backend: str, most_bytes: int = max(SIZES)
    ) -> None:
        import torch
        import torch.distributed as dist

        self.torch, self.dist, self.rank, self.ranks, self.backend = torch, dist, rank, ranks, backend
        self.device = torch.device("cuda", rank) if backend == "nccl" else torch.device("cpu")
        if backend == "nccl":
            torch.cuda.set_device(self.device)
        bound = {"device_id": self.device} if backend == "nccl" else {}
        dist.init_process_group(backend, init_method=f"file://{store}", rank=rank, world_size=ranks, **bound)
        elements = most_bytes // ELEMENT_BYTES
        self.sent = torch.zeros(elements, device=self.device)
        self.received = torch.zeros(elements, device=self.device)

    def call(self, operation: str, size: int) -> Any:
        """One call of an operation on buffers of this size."""
        sent, received = buffer_bytes(operation, size, self.ranks)
        source = self.sent[: sent // ELEMENT_BYTES]
        target = self.received[: received // ELEMENT_BYTES]
        return {
            "all-reduce": lambda: self.dist.all_reduce(source),
            "all-gather": lambda: self.dist.all_gather_into_tensor(target, source),
            "reduce-scatter": lambda: self.dist.reduce_scatter_tensor(target, source),
            "all-to-all": lambda: self.dist.all_to_all_single(target, source),
        }[operation]

    def seconds(self, call: Any, repetitions: int) -> float:
        """By CUDA events around the calls; by the clock on a CPU."""
        self.dist.barrier()
        if self.backend != "nccl":
            began = time.perf_counter()
            for _ in range(repetitions):
                call()
            return time.perf_counter() - began
        begin, end = (self.torch.cuda.Event(enable_timing=True) for _ in range(2))
        self.torch.cuda.synchronize()
        begin.record()
        for _ in range(repetitions):
            call()
        end.record()
        self.torch.cuda.synchronize()
        return begin.elapsed_time(end) * 1e-3

    def check(self, operation: str) -> None:
        """Every rank sends its number plus one; small whole numbers add exactly."""
        size = 4096 * self.ranks
        sent, received = (part // ELEMENT_BYTES for part in buffer_bytes(operation, size, self.ranks))
        self.sent[:sent] = self.rank + 1
        self.call(operation, size)()
        if operation == "all-reduce":
            found, wanted = self.sent[:sent], self.ranks * (self.ranks + 1) / 2
            wrong = bool((found != wanted).any())
        elif operation == "reduce-scatter":
            wrong = bool((self.received[:received] != self.ranks * (self.ranks + 1) / 2).any())
        else:  # a share of every rank, in order
            shares = self.received[:received].reshape(self.ranks, -1)
            expected = self.torch.arange(1, self.ranks + 1, device=self.device).reshape(-1, 1)
            wrong = bool((shares != expected).any())
        self.sent.zero_()
        if wrong:
            raise RuntimeError(
                f"{operation} over {self.ranks} ranks gave a wrong result; nothing is recorded"
            )

    def describe(self) -> dict[str, str]:
        """PyTorch's and NCCL's versions."""
        versions = {"torch": str(self.torch.__version__), "backend": self.backend}
        if self.backend == "nccl":
            versions["nccl"] = ".".join(map(str, self.torch.cuda.nccl.version()))
            versions["gpu"] = self.torch.cuda.get_device_name(self.device)
        return versions


def measure(communicator: Communicator, variant: str, most_bytes: int = max(SIZES)) -> list[list]:
    """[operation, size, repetitions, [seconds of one call, in each group]] for every call of the plan."""
    planned = [call for call in calls(variant, communicator.ranks) if call[1] <= most_bytes]
    for operation in dict.fromkeys(operation for operation, _, _ in planned):
        communicator.check(operation)
    taken = []
    for operation, size, repetitions in planned:
        call = communicator.call(operation, size)
        communicator.seconds(call, WARM_UPS)
        groups = [communicator.seconds(call, repetitions) / repetitions for _ in range(GROUPS)]
        taken.append([operation, size, repetitions, groups])
    return taken


def main(folder: Path) -> None:
    """Measure as the environment says, and write what this rank saw."""
    rank, ranks = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
    most_bytes = int(os.environ.get("HOPPERLAB_MOST_BYTES", max(SIZES)))
    backend = os.environ["HOPPERLAB_BACKEND"]
    communicator = TorchCommunicator(rank, ranks, folder / "store", backend, most_bytes)
    taken = measure(communicator, os.environ["HOPPERLAB_VARIANT"], most_bytes)
    seen = {"versions": communicator.describe(), "taken": taken}
    (folder / f"rank-{rank}.json").write_text(json.dumps(seen), encoding="utf-8")
    communicator.dist.destroy_process_group()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
