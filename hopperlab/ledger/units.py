"""The units of the ledger: a closed list, each with its base unit and factor.

A unit with a K, M, G or T before the B counts in powers of ten, one with Ki, Mi or Gi in powers of two.
Whether a link's rate counts one direction or both is said by the claim's own field, not by its unit.
"""

from typing import NamedTuple


class Unit(NamedTuple):
    """What a unit is a multiple of, and how many of it."""

    base: str
    factor: float


_SCALED = {
    "KiB": Unit("B", 2**10),
    "MiB": Unit("B", 2**20),
    "GiB": Unit("B", 2**30),
    "KB": Unit("B", 10**3),
    "MB": Unit("B", 10**6),
    "GB": Unit("B", 10**9),
    "TB": Unit("B", 10**12),
    "KiB/SM": Unit("B/SM", 2**10),
    "KiB/block": Unit("B/block", 2**10),
    "GiB/s": Unit("B/s", 2**30),
    "GB/s": Unit("B/s", 10**9),
    "TB/s": Unit("B/s", 10**12),
    "Gb/s": Unit("B/s", 10**9 / 8),
    "Tb/s": Unit("B/s", 10**12 / 8),
    "MHz": Unit("Hz", 10**6),
    "ns": Unit("s", 1e-9),
    "us": Unit("s", 1e-6),
    "TFLOP/s": Unit("FLOP/s", 10**12),
    "EFLOP/s": Unit("FLOP/s", 10**18),
    "FMA/clk/TC": Unit("FLOP/clk/SM", 8),  # two operations each, four tensor cores an SM
    "ratio": Unit("x", 1),
    "%": Unit("x", 0.01),
}

_COUNTED = (
    *("B", "B/SM", "B/block", "B/s", "B/clk", "B/clk/SM", "Hz", "s", "FLOP/s", "FLOP/clk/SM", "OP/clk/SM"),
    *("x", "R2", "W", "bit", "mm2", "transistors", "cycles", "cycles/KiB", "inst/clk", "inst/clk/SM"),
    *("results/clk/SM", "tokens/s", "SM", "GPC", "TPC", "SM/GPC", "SM ids", "blocks", "blocks/SM"),
    *("blocks/cluster", "clusters", "threads", "threads/SM", "threads/block", "threads/warp", "warps"),
    *("warps/SM", "registers/SM", "registers/thread", "registers/warp", "lanes", "lanes/SM", "levels"),
    *("GPU", "DGX", "links", "ports", "chips", "tiers", "NVLink networks", "HBM sites", "memory controllers"),
    *("instances", "decoders", "formats", "accumulator types", "parameters", "hidden size", "elements"),
    *("columns", "dims", "count", "code", "value", "enum", "parity", "compute capability", "shards"),
    *("round trips", "instructions", "producers", "directions", "choices", "kinds", "guarantees", "changes"),
)

UNITS: dict[str, Unit] = {name: Unit(name, 1) for name in _COUNTED} | _SCALED
"""Every unit that a claim may have, by name."""


def in_base_units(value: float, unit: str) -> float:
    """The value counted in the base unit of ``unit``; ValueError for a unit that is not in ``UNITS``."""
    if unit not in UNITS:
        raise ValueError(f"unit={unit!r} is no unit of the ledger; there are {', '.join(UNITS)}")
    return value * UNITS[unit].factor
