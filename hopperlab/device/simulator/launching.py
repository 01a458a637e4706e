"""Launches with HOPPERLAB_MACHINE=simulator: run, then write back into the arrays given, as numba does."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from hopperlab.device.simulator.run import simulate
from hopperlab.device.tensor_map import TensorMap
from hopperlab.models.clusters import Hierarchy


class SimulationError(RuntimeError):
    """The simulated kernel was stopped; the message is the finding."""


class Simulated(UserWarning):
    """The simulated kernel ended, but the checks found something."""


def launch(function: Callable, shape: Hierarchy, shared_bytes: int, arguments: tuple) -> None:
    """Run a kernel on the arrays given, host or device ones, and change them as the kernel does.

    Raises
    ------
    SimulationError
        If the kernel was stopped. What does not stop it is a warning of the class `Simulated`.
    """
    hosts = tuple(_on_host(value) for value in arguments)
    run = simulate(function, shape, hosts, shared_bytes=shared_bytes, trace=False)
    if run.stopped:
        raise SimulationError(str(run))
    names = function.__code__.co_varnames
    for name, given, host in zip(names, arguments, hosts, strict=False):
        if name in run.outputs:
            _write_back(given, host, run.outputs[name])
    if run.findings:
        warnings.warn(str(run), Simulated, stacklevel=3)


def _on_host(value: Any) -> Any:
    if isinstance(value, TensorMap) and not isinstance(value.array, np.ndarray):
        return replace(value, array=_on_host(value.array))
    return value.copy_to_host() if hasattr(value, "copy_to_host") else value


def _write_back(given: Any, host: Any, result: np.ndarray) -> None:
    if isinstance(given, TensorMap):
        given, host = given.array, host.array
    if isinstance(given, np.ndarray):
        if given.flags.writeable:
            given[...] = result
    elif hasattr(given, "copy_to_device"):
        given.copy_to_device(np.ascontiguousarray(result))
