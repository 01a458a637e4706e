"""Run a kernel in the simulator, and tell what came of it."""

from __future__ import annotations

import gc
import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from hopperlab.chip import Chip
from hopperlab.device.chrome_trace import write_chrome_trace
from hopperlab.device.simulator.accepted import accepted_chip, check_array, check_options
from hopperlab.device.simulator.arguments import Misuse
from hopperlab.device.simulator.findings import Finding, Stop
from hopperlab.device.simulator.hang import explain
from hopperlab.device.simulator.memory import ATTRIBUTES, Array, Region
from hopperlab.device.simulator.mixing import keeps_float32_apart, kind_of
from hopperlab.device.simulator.numbers import register_of
from hopperlab.device.simulator.placement import NoPlace
from hopperlab.device.simulator.rebinding import UnknownWord, refuse_a_result
from hopperlab.device.simulator.scheduler import KernelFailure, Scheduler, Stuck
from hopperlab.device.simulator.sites import Site
from hopperlab.device.simulator.watchdog import PATIENCE, Runaway, watch_over
from hopperlab.device.simulator.world import World
from hopperlab.device.tensor_map import TensorMap
from hopperlab.device.trace import Trace
from hopperlab.models.clusters import Hierarchy


@dataclass(frozen=True, repr=False)
class Run:
    """What came of a run.

    Attributes
    ----------
    kernel
        Its name.
    outputs
        By the kernel's parameter, every array that it was given as the kernel left it.
    cycles
        Clock cycles from the launch to the end of the last thread, or to where it had come when the run was
        stopped, modelled; None without timing.
    findings
        What the checks found, the one that stopped the run last.
    trace
        What happened; None if it was not asked for.
    stopped
        Whether the run was stopped before its threads had ended.
    launch
        The launch's shape and the chip, in words.
    seed, checked
        Which of the legal orders it was, and whether races and misuses were looked for.
    """

    kernel: str
    outputs: Mapping[str, np.ndarray]
    cycles: float | None
    findings: tuple[Finding, ...]
    trace: Trace | None = None
    stopped: bool = False
    launch: str = ""
    seed: int = 0
    checked: bool = True

    def __getitem__(self, parameter: str) -> np.ndarray:
        """Give the array that the kernel knows by that name.

        Raises
        ------
        KeyError
            If the kernel was given no array of that name.
        """
        if parameter not in self.outputs:
            raise KeyError(
                f"{self.kernel} has no array {parameter!r}; it has {', '.join(self.outputs) or 'none'}"
            )
        return self.outputs[parameter]

    @property
    def headline(self) -> str:
        """What ran, on what, and how it ended, in a sentence."""
        ended = "was stopped" if self.stopped else "ended"
        if self.cycles is not None and self.stopped:  # its copies may land later than that
            ended += f" when its threads had come to cycle {self.cycles:,.0f} (modelled)"
        elif self.cycles is not None:
            ended += f" after about {self.cycles:,.0f} cycles (modelled)"
        return f"{self.kernel}, simulated {self.launch}, {ended}."

    def __str__(self) -> str:
        """Tell the run in a few lines: how it ended, what it left, what was found and what to do about it."""
        lines = [self.headline, *self._arrays(), *self._leaves_out()]
        if not self.findings:
            looked = f"No finding with seed {self.seed}."
            return "\n".join(
                [*lines, looked if self.checked else "The checks were off: nothing was looked for."]
            )
        lines.append("1 finding:" if len(self.findings) == 1 else f"{len(self.findings)} findings:")
        return "\n\n".join(["\n".join(lines), *map(str, self.findings)])

    __repr__ = __str__

    def _arrays(self) -> list[str]:
        """How to look at what the kernel left."""
        if not self.outputs:
            return []
        names, last = ", ".join(self.outputs), list(self.outputs)[-1]
        when = "when it was stopped" if self.stopped else "as the kernel left them"
        return [f'Its arrays {when}: {names}; look at one by run["{last}"].']

    def _leaves_out(self) -> list[str]:
        """What its cycles do not tell, in short; `timing.LEFT_OUT` has all of it."""
        if self.cycles is None:
            return []
        return [
            "Its cycles add up costs measured on an H200; they leave out caches, bank conflicts and the launch."
        ]

    def write_trace(self, path: Path | str) -> Path:
        """Write the trace as a file that Perfetto opens, and give its path.

        Raises
        ------
        ValueError
            If no trace was kept.
        """
        if self.trace is None:
            raise ValueError(f"{self.kernel} was simulated without a trace: simulate it with trace=True")
        return write_chrome_trace(self.trace, path)


@contextmanager
def uncollected() -> Iterator[None]:
    """Look for no garbage: a run has many small objects, which are garbage only once it is over."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


@uncollected()
def simulate(
    function: Callable,
    shape: Hierarchy,
    arguments: tuple,
    *,
    shared_bytes: int = 0,
    chip: Chip | str = "H100 SXM5",
    seed: int = 0,
    timing: Any = None,
    checks: bool = True,
    trace: Any = True,
    patience: float = PATIENCE,
    script: Any = None,
) -> Run:
    """Run a kernel's function on arguments.

    Parameters
    ----------
    function
        The Python function of a kernel.
    shape
        Grid, block and cluster.
    arguments
        Numpy arrays, numbers, tensor maps. Arrays are copied; `Run.outputs` has them as the kernel left them.
    shared_bytes
        Dynamic shared memory of a block, in bytes.
    chip
        Whose places and limits hold.
    seed
        Decides what happens first where the order is open; 0 is the plain order.
    timing
        Costs, see `timing.Costs`; None for the shipped ones, False for no timing.
    checks
        Whether to look for races and misuses.
    trace
        Whether to keep a trace; "accesses" keeps every access of memory as well.
    patience
        Seconds of the processor that one thread may run without saying a word before it is called a runaway.
    script
        Makes the choices instead of the seed: see `explore`.

    Raises
    ------
    TypeError, ValueError
        For an argument that a kernel cannot take, or an option that means nothing.
    """
    on = accepted_chip(chip)
    check_options(seed, timing, checks, trace, patience)
    names = list(inspect.signature(function).parameters)
    try:
        world = _world(function.__name__, shape, on, shared_bytes, seed, timing, checks, trace)
    except NoPlace as reason:
        finding = Finding(
            "cluster that cannot be placed" if shape.blocks_per_cluster > 1 else "block that cannot be placed",
            function.__name__, None, "", (), "", str(reason),
            "Take a smaller cluster, fewer threads or less shared memory.",
        )  # fmt: skip
        return Run(function.__name__, {}, None, (finding,), None, True, _launch(shape, on), seed)
    hosts = _arrays(names, arguments)
    world.memory.place(hosts)
    world.plain_float32 = keeps_float32_apart(function, tuple(map(kind_of, arguments)))
    try:
        refuse_a_result(function.__code__)
        bound = world.rebinding.bind(function)
    except UnknownWord as unknown:
        name, cure = _NAMES[UnknownWord]
        stop = world.finding(name, str(unknown), cure, site=unknown.site)
    else:
        registers = [_register(world, name, value) for name, value in zip(names, arguments, strict=True)]
        stop = _run(world, world.rebinding.call_of(bound, registers), patience, script)
    if stop is not None:
        world.tell(stop)
    world.decide()
    findings = list(dict.fromkeys([*world.findings.values(), *([stop] if stop else [])]))
    outputs = {name: world.memory.twin(array).copy() for name, array in hosts}
    run = Run(
        function.__name__, outputs, world.cycles(), tuple(findings), world.trace(function), bool(stop),
        _launch(shape, on), seed, checks,
    )  # fmt: skip
    world.let_go()
    return run


def _world(
    name: str, shape: Hierarchy, on: Chip, shared_bytes: int, seed: int, timing: Any, checks: bool, trace: Any
) -> World:
    if checks or trace or timing not in (None, False):
        from hopperlab.device.simulator.watched import WatchedWorld

        return WatchedWorld(name, shape, on, shared_bytes, seed, timing=timing, checks=checks, tracing=trace)
    return World(name, shape, on, shared_bytes, seed)


def _launch(shape: Hierarchy, on: Chip) -> str:
    cluster = f" in clusters of {shape.blocks_per_cluster}" if shape.blocks_per_cluster > 1 else ""
    blocks, threads = _counted(shape.blocks, "block"), _counted(shape.threads_per_block, "thread")
    return f"as on the {on.name} with {blocks} of {threads}{cluster}"


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")


def _arrays(names: list[str], arguments: tuple) -> list[tuple[str, np.ndarray]]:
    found = []
    for name, value in zip(names, arguments, strict=True):
        if isinstance(value, tuple):
            found += _arrays([f"{name}[{n}]" for n in range(len(value))], value)
        elif isinstance(value, TensorMap):
            if not isinstance(value.array, np.ndarray):
                raise TypeError(f"{name}: the simulator copies numpy arrays; make the tensor map of one")
            found.append((name, value.array))
        elif isinstance(value, np.ndarray):
            check_array(name, value)
            found.append((name, value))
    return found


def _register(world: World, name: str, value: Any) -> Any:
    """Give what a kernel's parameter holds."""
    if isinstance(value, np.ndarray):
        values = world.memory.twin(value)
        values.flags.writeable = value.flags.writeable
        region = world.memory.region_of(value)[0] if value.size else Region("global", 0, 0, None, name)
        return world.array(values, region)
    if isinstance(value, tuple):
        return tuple(_register(world, f"{name}[{n}]", part) for n, part in enumerate(value))
    if isinstance(value, np.float32) and world.plain_float32:
        return value
    if isinstance(value, int) and not -(2**63) <= value < 2**64:
        raise ValueError(f"{name} is {value}; a whole number has 64 bits: from -2**63 to 2**64 - 1")
    if value is None or isinstance(value, TensorMap | bool | int | float | complex | np.generic):
        return register_of(value)
    raise TypeError(f"{name} is a {type(value).__name__}; a kernel takes arrays, numbers and tensor maps")


def _run(world: World, call: Callable[[], None], patience: float, script: Any) -> Finding | None:
    """Run all threads; give the finding that stopped them, if one did."""
    scheduler = world.scheduler = Scheduler(world, call, world.seed, world.next_cluster, script)
    waits = world.rebinding.waits
    world.spins = waits
    try:
        with watch_over(scheduler, patience), np.errstate(all="ignore"):
            scheduler.run() if waits else scheduler.run_plain()
    except Stuck as stuck:
        return explain(world, stuck)
    except KernelFailure as failure:
        return _finding_of(world, failure)
    except Stop as stop:
        return stop.finding
    except Runaway as late:  # it was raised between two threads
        name, cure = _NAMES[Runaway]
        return world.finding(name, f"{world.thread!r}: {late}", cure)
    return world.at_end()


def _finding_of(world: World, failure: KernelFailure) -> Finding:
    """Make a finding of what a thread raised; what the kernel is not to blame for goes on."""
    error = failure.error
    world.thread = failure.thread
    if isinstance(error, Stop):
        return error.finding
    site = _site_of(world, error)
    if isinstance(error, KeyboardInterrupt) or site is None:
        raise error
    name, cure = _NAMES.get(type(error), ("exception in the kernel", "Correct the line."))
    seen = (
        str(error)
        if name != "exception in the kernel"
        else f"{type(error).__name__}: {_in_kernels_words(error)}"
    )
    if isinstance(error, Misuse):
        name = error.name
    return world.finding(name, f"{failure.thread!r}: {seen}", cure, site=site)


def _in_kernels_words(error: BaseException) -> str:
    """Give Python's message with the types that the kernel knows: an array, a float32."""
    if isinstance(error, AttributeError) and isinstance(error.obj, Array):
        return f"an array has no {error.name} in a kernel; it has {', '.join(ATTRIBUTES)}"
    told = re.sub(r"'(?:Checked|Timed|Plain|)(?:Remote)?Array'", "'array'", str(error))
    return re.sub(r"'(U?Int(?:8|16|32|64)|Float32)'", lambda found: found[0].lower(), told)


_NAMES: dict[type, tuple[str, str]] = {
    ZeroDivisionError: (
        "division by zero",
        "Guard the divisor: a card gives an infinity, NaN, or 0 for whole numbers, and goes on without a word.",
    ),
    IndexError: (
        "out of bounds",
        "Guard the access with the array's size, or launch as many threads as it has elements.",
    ),
    Misuse: ("misuse of a word", "Give the word what its definition takes."),
    UnknownWord: (
        "unknown word",
        "Say it in words of numba.cuda and of hopperlab.device that the simulator has.",
    ),
    Runaway: (
        "loop that never ends",
        "Make sure that the loop's condition changes, or wait on a barrier instead; if it is only long, give "
        "simulate more patience.",
    ),
}


def _site_of(world: World, error: BaseException) -> Site | None:
    """Give the innermost place in the kernel that an exception passed."""
    found, trace = None, error.__traceback__
    while trace is not None:
        if id(trace.tb_frame.f_code) in world.rebinding.codes:
            found = Site(trace.tb_frame.f_code, trace.tb_lasti)
        trace = trace.tb_next
    return found


__all__ = ["Run", "simulate"]
