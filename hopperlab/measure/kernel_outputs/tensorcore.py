"""Cases of the tensor cores: products of every pair of formats, by a warpgroup and by a warp."""

import numpy as np

from hopperlab.device import tma
from hopperlab.kernels import power
from hopperlab.kernels.tensorcore import rates, warp, warpgroup
from hopperlab.measure.kernel_outputs.case import CLOCK, Case, case, enter, words
from hopperlab.measure.tensorcore.card import STEP_BYTES, WARP, WARPGROUP
from hopperlab.measure.tensorcore.inputs import operands
from hopperlab.models.tensorcore import UNITS, Unit
from hopperlab.models.tensorcore.formats import FLOAT16

SPREADS = ("normal", "uniform", "one giant", "sparse", "cancelling pairs")  # of measure.tensorcore.inputs


def _drawn(unit: Unit, seed: int, rows: int, columns: int) -> list[np.ndarray]:
    """Give A and B, of STEP_BYTES a row, and C."""
    k = STEP_BYTES // unit.a.dtype.itemsize
    a, b, c = operands(SPREADS[seed % 5], unit.a.name, unit.b.name, (rows, columns, k), [seed, 7])
    return [a, b, np.clip(c, -1000, 1000).astype(unit.output.dtype)]


def _of_a_warpgroup(unit: Unit) -> None:
    def make(seed: int) -> Case:
        a, b, c = _drawn(unit, seed, 64, 64)
        maps = [tma.tensor_map(x.view(np.uint8), (64, STEP_BYTES), swizzle=128) for x in (a, b)]
        kernel = warpgroup.tile_product(unit.a.name, unit.b.name, 64, unit.output.name)
        return Case(kernel, 1, 128, (*maps, c, np.zeros_like(c), np.int32(STEP_BYTES)))

    enter(f"tile_product {unit.name}", make)


def _of_a_warp(unit: Unit) -> None:
    def make(seed: int) -> Case:
        a, b, c = _drawn(unit, seed, 16, 8)
        c = c.view(np.uint32) if unit.output is FLOAT16 else c
        kernel = warp.warp_product(unit.a.name, unit.b.name, unit.output.name)
        return Case(kernel, 1, 32, (a.view(np.uint32), b.view(np.uint32), c, np.zeros_like(c)))

    enter(f"warp_product {unit.name}", make)


for _unit in UNITS.values():
    if _unit.name.startswith(f"{WARPGROUP}."):
        _of_a_warpgroup(_unit)
    elif _unit.name.startswith(f"{WARP}."):
        _of_a_warp(_unit)


@case
def timed_products(seed: int) -> Case:
    """Products of zeros."""
    fmt, columns, accumulators = (("e4m3", 8, "f32"), ("f16", 16, "f32"), ("f16", 8, "f16"))[seed % 3]
    d = np.ones((64, columns), np.float32 if accumulators == "f32" else np.float16)
    kernel = rates.timed_products(fmt, columns, accumulators)
    return Case(kernel, 1, 128, (d, np.zeros((1, 2), np.uint64)), undetermined={"clocks": CLOCK})


@case
def multiply_for_power(seed: int) -> Case:
    """Zeros, and two mixes; one block after the other has a tile."""
    scramble = np.uint32((0, 0x9E3779B1, 0x85EBCA6B, 3, 1)[seed % 5])
    blocks = 1
    d = np.ones((power.ROWS * blocks, power.COLUMNS), np.float32)
    return Case(power.multiply, blocks, 128, (scramble, np.int32(1 + seed % 2), d))


@case
def multiply_given_for_power(seed: int) -> Case:
    """Small whole numbers, whose sums are exact."""
    numbers = np.array([0, 0x38, 0x40, 0xB8, 0xC0], np.uint8)  # 0, 1, 2, -1, -2
    rows, columns = (
        numbers[words(seed, count * power.STEP, i) % 5].reshape(count, power.STEP)
        for i, count in enumerate((power.ROWS, power.COLUMNS))
    )
    d = np.ones((power.ROWS, power.COLUMNS), np.float32)
    return Case(power.multiply_given, 1, 128, (rows, columns, np.int32(1 + seed % 2), d))
