"""A kernel that takes its own time, with all that it needs to run on a card and in the simulator alike."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

    from hopperlab.device import Kernel
    from hopperlab.device.simulator.timing import Costs

ROUNDS, CYCLES = "rounds", "cycles"
"""Stand among a case's arguments for the number of rounds and for the array that gets the cycles."""


@dataclass(frozen=True)
class Boxes:
    """An argument: a map of an array, with a box of so many of its rows. It stays on the card between launches."""

    array: np.ndarray
    rows: int


@dataclass(frozen=True)
class Kept:
    """An argument: an array that stays on the card between launches, so that its L2 has it."""

    array: np.ndarray


@dataclass(frozen=True)
class Case:
    """One launch whose time is asked for.

    Attributes
    ----------
    name
        What is timed, in words.
    kernel
        Gives the kernel.
    arguments
        Its arguments: arrays, which start anew with each launch, `Boxes`, `Kept`, numbers, `ROUNDS` and `CYCLES`.
    block, grid, cluster, shared_bytes
        The launch.
    rounds, simulated_rounds
        How often what is timed is repeated within a launch, on a card and in the simulator.
    parts
        Names of what the kernel times one after the other; empty if each block takes the time of one thing, of
        which the longest counts.
    per
        Into how many equal pieces a round falls, such as the hops of a relay.
    """

    name: str
    kernel: Callable[[], Kernel]
    arguments: tuple
    block: int = 1
    grid: int = 1
    cluster: int = 1
    shared_bytes: int = 0
    rounds: int = 1000
    simulated_rounds: int = 16
    parts: tuple[str, ...] = ()
    per: int = 1

    @property
    def names(self) -> tuple[str, ...]:
        """What the case tells the times of: its own name, with that of a part where it has several."""
        return tuple(f"{self.name}: {part}" for part in self.parts) or (self.name,)

    def measured(self, repeats: int) -> list[list[float]]:
        """Launch on the card; give, for each name, the cycles of a round in each of `repeats` launches."""
        import numpy as np
        from numba import cuda

        kept = [_kept_on_card(argument) for argument in self.arguments]
        taken = []
        for _ in range(repeats + 1):
            cycles = cuda.to_device(np.zeros(self._size, np.uint32))
            given = [
                cycles if argument is CYCLES else _on_card(argument, stays, self.rounds)
                for argument, stays in zip(self.arguments, kept, strict=True)
            ]
            self.kernel()[self.grid, self.block, 0, self.shared_bytes, self.cluster](*given)
            taken.append(self._by_name(cycles.copy_to_host(), self.rounds))
        return np.array(taken[1:]).T.round(3).tolist()

    def simulated(self, costs: Costs | None = None, chip: str = "H200 SXM") -> list[float]:
        """Run in the simulator; give, for each name, the cycles of a round."""
        import numpy as np

        cycles = np.zeros(self._size, np.uint32)
        given = [
            cycles if argument is CYCLES else _in_simulator(argument, self.simulated_rounds)
            for argument in self.arguments
        ]
        run = self.kernel().simulate(
            self.grid, self.block, tuple(given), self.shared_bytes, self.cluster, chip,
            checks=False, trace=False, timing=True if costs is None else costs, patience=60.0,
        )  # fmt: skip
        if run.findings:
            raise RuntimeError(f"{self.name}: {run}")
        return self._by_name(run["cycles"], self.simulated_rounds)

    @property
    def _size(self) -> int:
        return max(self.grid, len(self.parts))

    def _by_name(self, cycles: np.ndarray, rounds: int) -> list[float]:
        found = cycles[: len(self.parts)] if self.parts else [cycles.max()]
        return [float(number) / rounds / self.per for number in found]


def _kept_on_card(argument: Any) -> Any:
    from numba import cuda

    from hopperlab.device import tma

    if isinstance(argument, Boxes):
        return tma.tensor_map(cuda.to_device(argument.array), (argument.rows, argument.array.shape[1]))
    return cuda.to_device(argument.array) if isinstance(argument, Kept) else None


def _on_card(argument: Any, kept: Any, rounds: int) -> Any:
    import numpy as np
    from numba import cuda

    if kept is not None:
        return kept
    if argument is ROUNDS:
        return np.uint32(rounds)
    return cuda.to_device(argument) if isinstance(argument, np.ndarray) else argument


def _in_simulator(argument: Any, rounds: int) -> Any:
    import numpy as np

    from hopperlab.device import tma

    if isinstance(argument, Boxes):
        return tma.tensor_map(argument.array, (argument.rows, argument.array.shape[1]))
    if argument is ROUNDS:
        return np.uint32(rounds)
    return argument.array if isinstance(argument, Kept) else argument
