"""`@kernel`: one Python function, to be launched, shown and taken apart."""

from __future__ import annotations

import functools
import inspect
import os
import textwrap
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from hopperlab.chip import Chip, chip
from hopperlab.models.clusters import Hierarchy

if TYPE_CHECKING:
    from hopperlab.device.silicon.compilation import Resources
    from hopperlab.device.silicon.launching import CompiledKernel
    from hopperlab.device.simulator.explore import Exploration
    from hopperlab.device.simulator.run import Run

MACHINES = ("auto", "silicon", "simulator")
_insisted: ContextVar[str | None] = ContextVar("machine", default=None)
HOPPER = chip("H100 SXM5")

Dimensions = int | tuple[int, ...]


class LaunchError(RuntimeError):
    """A launch that the driver refused: it names the kernel and what to look at."""


def machine() -> str:
    """Give the machine that launches run on: "silicon" or "simulator".

    `HOPPERLAB_MACHINE` decides; "auto", or nothing, is silicon where there is a Hopper card.

    Raises
    ------
    ValueError
        If the variable holds anything else.
    """
    if insisted := _insisted.get():
        return insisted
    wanted = os.environ.get("HOPPERLAB_MACHINE") or "auto"
    if wanted not in MACHINES:
        raise ValueError(f"HOPPERLAB_MACHINE is {wanted!r}; allowed are {', '.join(MACHINES)}")
    if wanted != "auto":
        return wanted
    from hopperlab.device.silicon.card import have_hopper

    return "silicon" if have_hopper() else "simulator"


@contextmanager
def on_silicon() -> Iterator[None]:
    """Insist on the card, whatever `HOPPERLAB_MACHINE` says: measurements are of nothing else."""
    token = _insisted.set("silicon")
    try:
        yield
    finally:
        _insisted.reset(token)


_launched: dict[str, None] = {}  # kernels launched on the card since the last synchronize(), in order


def synchronize() -> None:
    """Wait until the card has done all that was launched; in the simulator there is nothing to wait for.

    Raises
    ------
    LaunchError
        If a kernel faulted: the message names those that were launched since the last synchronize().
    """
    if machine() == "simulator":
        return
    from hopperlab.device.silicon.card import synchronize as wait_for_the_card

    try:
        wait_for_the_card()
    except RuntimeError as error:
        raise LaunchError(f"{_suspects()}: {error}. {_what_to_look_at(str(error))}") from error
    _launched.clear()


def _suspects() -> str:
    return f"one of {', '.join(_launched)}" if _launched else "a kernel that this session did not launch"


class Kernel:
    """A function that is launched on a Hopper.

    `kernel[grid, block, stream, shared_bytes, cluster](*arguments)` launches it: `grid` in blocks,
    `block` in threads and `cluster` in blocks, each a number or up to three (x, y, z); `shared_bytes` of
    dynamic shared memory. All after `block` may be left out.

    `source()`, `ptx()`, `sass()` and `resources()` need no card.
    """

    def __init__(self, function: Callable, signature: Any, options: Mapping[str, Any]) -> None:
        self.function = function
        self.signature = signature
        self.options = MappingProxyType(dict(options))
        functools.update_wrapper(self, function)

    @property
    def name(self) -> str:
        """The function's name."""
        return self.function.__name__

    def __repr__(self) -> str:
        """Show the kernel's name and arguments."""
        return f"<kernel {self.name}{inspect.signature(self.function)}>"

    def __call__(self, *arguments: Any) -> None:
        """Refuse: a kernel is launched on a grid."""
        raise TypeError(
            f"{self.name} is a kernel: launch it as {self.name}[grid, block](...), "
            f"or {self.name}[grid, block, stream, shared_bytes, cluster](...)"
        )

    def __getitem__(self, shape: tuple) -> Launch:
        """Give the kernel with a launch shape: `kernel[grid, block, stream, shared_bytes, cluster]`."""
        if not isinstance(shape, tuple) or not 2 <= len(shape) <= 5:
            raise ValueError(
                f"{self.name}[{shape!r}]: give grid and block; stream, shared_bytes and cluster may follow"
            )
        return Launch(self, *shape)

    @functools.cached_property
    def silicon(self) -> CompiledKernel:
        """The kernel's variants on the card of this machine."""
        from hopperlab.device.silicon.card import card
        from hopperlab.device.silicon.launching import CompiledKernel

        card()
        return CompiledKernel(self.function, self.options)

    def simulate(
        self,
        grid: Dimensions,
        block: Dimensions,
        arguments: tuple = (),
        shared_bytes: int = 0,
        cluster: Dimensions = 1,
        chip: str = "H100 SXM5",
        **options: Any,
    ) -> Run:
        """Run in the simulator, whatever the machine; the arrays given are copied, not changed.

        Parameters
        ----------
        grid, block, shared_bytes, cluster
            As for a launch.
        arguments
            The kernel's: numpy arrays, numbers, tensor maps.
        chip
            Whose places and limits hold.
        options
            `seed`, `timing`, `checks`, `trace`, `patience`: see `simulator.run.simulate`.
        """
        from hopperlab.device.simulator.run import simulate

        launch = Launch(self, grid, block, 0, shared_bytes, cluster)
        launch.check_arguments(arguments)
        return simulate(
            self.function,
            launch.shape,
            tuple(arguments),
            shared_bytes=launch.shared_bytes,
            chip=chip,
            **options,
        )

    def explore(
        self, grid: Dimensions, block: Dimensions, arguments: tuple = (), **options: Any
    ) -> Exploration:
        """Run a small kernel in the simulator in every legal order, up to `limit` runs; options as `simulate`."""
        from hopperlab.device.simulator.explore import LIMIT, explore

        limit = options.pop("limit", LIMIT)
        return explore(functools.partial(self.simulate, grid, block, arguments, **options), limit)

    def source(self) -> str:
        """Give the kernel's Python source."""
        return textwrap.dedent(inspect.getsource(self.function)).rstrip()

    def ptx(self, signature: Any = None) -> str:
        """Give the PTX for sm_90a.

        Parameters
        ----------
        signature
            Argument types: a tuple of numba types, or a string as "void(float32[::1], int32)". By default
            the signature that the kernel was declared with.
        """
        return self._ptx(self.argument_types(signature))

    def sass(self, signature: Any = None) -> str:
        """Give the machine code for sm_90a, one instruction a line. Wants the `sass` extra."""
        from hopperlab.device.silicon import compilation

        return compilation.sass(self.ptx(signature), self.options.get("max_registers"))

    def resources(self, signature: Any = None) -> Resources:
        """Give registers, spills, stack and shared memory on sm_90a. Wants the `sass` extra."""
        from hopperlab.device.silicon import compilation

        return compilation.resources(self.ptx(signature), self.options.get("max_registers"))

    def argument_types(self, signature: Any = None) -> tuple:
        """Give the numba types of a signature, or of the one that the kernel was declared with.

        Raises
        ------
        ValueError
            If there is none, or if it is for another number of arguments.
        """
        from hopperlab.device.silicon import compilation

        if signature is None:
            signature = self.signature
        if signature is None:
            raise ValueError(
                f"{self.name}: which argument types? Give a signature such as 'void(float32[::1], int32)'"
            )
        types = compilation.argument_types(signature)
        wanted = len(inspect.signature(self.function).parameters)
        if len(types) != wanted:
            raise ValueError(f"{self.name}: the signature has {len(types)} arguments, the kernel {wanted}")
        return types

    @functools.cached_property
    def _ptx(self) -> Callable[[tuple], str]:
        from hopperlab.device.silicon import compilation

        return functools.cache(lambda types: compilation.ptx(self.function, types, self.options))


class Launch:
    """A kernel with its launch shape, ready to be called; shapes that CUDA refuses are refused here.

    Raises
    ------
    ValueError
        If a dimension, the cluster, the grid or the shared memory is out of the Hopper's range.
    """

    def __init__(
        self,
        kernel: Kernel,
        grid: Dimensions,
        block: Dimensions,
        stream: Any = 0,
        shared_bytes: int = 0,
        cluster: Dimensions = 1,
    ) -> None:
        self.kernel = kernel
        self.stream = stream
        limits = _limits()
        self.shared_bytes = _check_shared_bytes(kernel.name, shared_bytes, limits.max_shared_bytes_per_block)
        try:
            # Launches opt in to clusters of more than 8 by themselves.
            self.shape = Hierarchy(grid, block, cluster, non_portable=True, chip=limits)
        except ValueError as error:
            raise ValueError(f"{kernel.name}: {error}") from None

    def __repr__(self) -> str:
        """Show the kernel's name and the launch shape."""
        shape = self.shape
        return (
            f"<{self.kernel.name} on {shape.grid} blocks of {shape.block} threads, "
            f"clusters of {shape.cluster}, {self.shared_bytes} bytes of shared memory>"
        )

    def __call__(self, *arguments: Any) -> None:
        """Launch on the machine of this session.

        Raises
        ------
        TypeError
            If the number of arguments is not the kernel's.
        LaunchError
            If the driver refuses.
        """
        self.check_arguments(arguments)
        if machine() == "simulator":
            from hopperlab.device.simulator.launching import launch

            launch(self.kernel.function, self.shape, self.shared_bytes, arguments)
        else:
            self._launch_on_silicon(arguments)

    def prepared(self, *arguments: Any) -> Callable[[], None]:
        """Give what launches with these arguments again and again; on the card all is laid out once.

        A launch from Python looks at each argument anew, which takes longer than many a kernel does.

        Raises
        ------
        TypeError
            If the number of arguments is not the kernel's, or an array is in host memory and would have to be
            copied for each launch.
        LaunchError
            If the driver refuses, now or at a launch.
        """
        self.check_arguments(arguments)
        if machine() == "simulator":
            return functools.partial(self, *arguments)
        shape, compiled = self.shape, self.kernel.silicon
        with self._explained():
            start, write_back = compiled.prepared(
                arguments, shape.grid, shape.block, self.stream, self.shared_bytes, shape.cluster
            )
        if write_back:
            raise TypeError(
                f"{self.kernel.name}: a prepared launch takes arrays of the card (numba.cuda.to_device), but "
                "an array is in host memory"
            )

        def launch() -> None:
            with self._explained():
                start()
            _launched[self.kernel.name] = None

        return launch

    def check_arguments(self, arguments: tuple) -> None:
        """Refuse another number of arguments than the kernel's, with TypeError."""
        wanted = inspect.signature(self.kernel.function).parameters
        if not isinstance(arguments, tuple | list):
            raise TypeError(
                f"{self.kernel.name} takes its arguments as a tuple, as (a, b), not as {type(arguments).__name__}"
            )
        if len(arguments) != len(wanted):
            raise TypeError(
                f"{self.kernel.name} takes {len(wanted)} arguments ({', '.join(wanted)}), "
                f"but {len(arguments)} were given"
            )

    def _launch_on_silicon(self, arguments: tuple) -> None:
        shape, compiled = self.shape, self.kernel.silicon
        with self._explained():
            compiled.launch(arguments, shape.grid, shape.block, self.stream, self.shared_bytes, shape.cluster)
        _launched[self.kernel.name] = None

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Tell a refusal of the driver with the launch, what to look at, and what was launched before it."""
        try:
            yield
        except RuntimeError as error:
            earlier = f" Launched before it: {', '.join(_launched)}." if _launched else ""
            advice = _what_to_look_at(str(error))
            raise LaunchError(f"{self!r}: {error}. {advice}{earlier}") from error


def kernel(function: Callable | None = None, /, signature: Any = None, **options: Any) -> Any:
    """Make a kernel of a function.

    Parameters
    ----------
    function
        A function of plain numba.cuda and words of the vocabulary, which returns nothing.
    signature
        The argument types that `ptx()`, `sass()` and `resources()` assume when none are given. Launches
        take any types.
    options
        Of numba.cuda.jit: `launch_bounds`, `max_registers`, `fastmath`, `lineinfo`.
    """
    unknown = options.keys() - {"launch_bounds", "max_registers", "fastmath", "lineinfo"}
    if unknown:
        raise TypeError(f"kernel has no option {', '.join(sorted(unknown))}")
    if function is None:
        return lambda decorated: Kernel(decorated, signature, options)
    return Kernel(function, signature, options)


def _limits() -> Chip:
    """Give the chip whose limits hold for launches: the present card's on silicon, else the data sheet's."""
    if machine() == "simulator":
        return HOPPER
    from hopperlab.device.silicon.card import have_hopper, limits

    return limits() if have_hopper() else HOPPER


def _check_shared_bytes(name: str, shared_bytes: int, most: int) -> int:
    if isinstance(shared_bytes, bool) or not hasattr(shared_bytes, "__index__"):
        raise TypeError(f"{name}: shared_bytes is {shared_bytes!r}; give a whole number of bytes")
    if not 0 <= shared_bytes <= most:
        raise ValueError(
            f"{name}: shared_bytes is {shared_bytes}; a block gets 0 to {most} bytes ({most // 1024} KiB), "
            "less what the kernel declares itself"
        )
    return int(shared_bytes)


def _what_to_look_at(error: str) -> str:
    for code, advice in _ADVICE.items():
        if code in error:
            return advice
    return "Look at the launch shape and at resources()."


_ADVICE = {
    "INVALID_CLUSTER_SIZE": "Look at the cluster: does one fit a GPC with this block and shared memory?",
    "OUT_OF_RESOURCES": "Look at resources(): too many registers times threads, or too much shared memory.",
    "INVALID_VALUE": "Look at shared_bytes plus the shared memory that the kernel declares: at most 227 KiB.",
    "ILLEGAL_ADDRESS": "An earlier kernel read or wrote outside its arrays; restart Python and simulate it.",
    "MISALIGNED_ADDRESS": "A tile or an element does not start where its instruction wants it: see alignment.",
    "ILLEGAL_INSTRUCTION": "An instruction was refused as it ran: simulate the kernel, look at its operands.",
    "LAUNCH_TIMEOUT": "A kernel ran too long: does every barrier that is waited for complete?",
    "LAUNCH_FAILED": "An earlier kernel faulted; restart Python and simulate it.",
}
