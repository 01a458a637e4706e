"""The condition of the card while it is measured: clocks, heat, power, and who else is on it."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from typing import Any

from hopperlab.device.silicon.card import Card, checked

MILLIWATTS = 1000
BUSY_PERCENT = 10

# nvmlClockType_t and nvmlTemperatureSensors_t of nvml.h
SM_CLOCK, MEMORY_CLOCK, GPU_SENSOR = 1, 2, 0

# Reasons for a lower clock that say nothing about a measurement: nothing runs, or nothing is wrong.
HARMLESS = frozenset({"gpu_idle", "none"})


def clocks(card: Card) -> dict[str, Any]:
    """Read clocks, temperature, power and reasons for lowered clocks; None where NVML does not answer.

    Returns
    -------
    dict
        sm_mhz, memory_mhz, temperature_c, power_w, throttle_reasons (names; [] where there are none).
    """
    return {
        "sm_mhz": _ask(card, lambda nvml, device: int(nvml.device_get_clock_info(device, SM_CLOCK))),
        "memory_mhz": _ask(card, lambda nvml, device: int(nvml.device_get_clock_info(device, MEMORY_CLOCK))),
        "temperature_c": _ask(card, _temperature),
        "power_w": _ask(card, lambda nvml, device: nvml.device_get_power_usage(device) / MILLIWATTS),
        "throttle_reasons": _ask(card, _reasons),
    }


def throttled(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    """Give the reasons, if any, for which the card held its clocks back before or after."""
    seen = {reason for reading in (before, after) for reason in reading["throttle_reasons"] or ()}
    return sorted(seen - HARMLESS)


def busy(card: Card) -> str | None:
    """Say who else is on the card, or give None: nobody, or NVML does not tell."""
    others = _ask(card, _other_processes)
    if others:
        return f"{len(others)} other process(es) compute on it"
    load = _ask(card, lambda nvml, device: int(nvml.device_get_utilization_rates(device).gpu))
    return f"it is {load} % loaded" if load is not None and load > BUSY_PERCENT else None


def _ask(card: Card, question: Callable[[Any, Any], Any]) -> Any:
    """Ask NVML; None where it is missing, or does not support the question on this card or system."""
    try:
        return question(*nvml_of(card))
    except Exception:
        return None


@cache
def nvml_of(card: Card) -> tuple[Any, Any]:
    """Give NVML and its handle of the card; whatever NVML raises where it is missing."""
    from cuda.bindings import driver, nvml

    nvml.init_v2()
    device = checked(driver.cuDeviceGet(card.ordinal))
    bus = checked(driver.cuDeviceGetPCIBusId(32, device)).decode().rstrip("\0")
    return nvml, nvml.device_get_handle_by_pci_bus_id_v2(bus)


def _temperature(nvml: Any, device: Any) -> int:
    reading = nvml.device_get_temperature_v(device, GPU_SENSOR)
    return int(getattr(reading, "temperature", reading))


def _reasons(nvml: Any, device: Any) -> list[str]:
    bits = int(nvml.device_get_current_clocks_event_reasons(device))
    return [r.name.partition("REASON_")[2].lower() for r in nvml.ClocksEventReasons if int(r) & bits]


def _other_processes(nvml: Any, device: Any) -> list[int]:
    running = nvml.device_get_compute_running_processes_v3(device)
    return [int(process.pid) for process in running if int(process.pid) != os.getpid()]
