"""Three generations of tensor cores: data types, rates, and the product that one instruction makes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from hopperlab.chip import TENSOR_DATA_TYPES, chip

SUB_PARTITIONS = 4
"""Sub-partitions of an SM, in all three; each has as many tensor cores as the others."""

BYTES = {"fp64": 8, "tf32": 4, "fp16": 2, "bf16": 2, "fp8": 1, "int8": 1}
"""Bytes of an element in memory."""

SHAPE = re.compile(r"m(\d+)n(\d+)k(\d+)")


@dataclass(frozen=True)
class Product:
    """The product of one instruction.

    Attributes
    ----------
    instruction
        "mma.sync", of one warp, or "wgmma", of four: one on each sub-partition.
    shape
        Rows, columns and depth, as PTX writes them.
    claim
        The claim that it is from.
    times
        How many products of that shape the instruction makes.
    """

    instruction: str
    shape: str
    claim: str
    times: int = 1

    @property
    def warps(self) -> int:
        """Warps that take part in one instruction."""
        return 4 if self.instruction == "wgmma" else 1

    @property
    def flop(self) -> int:
        """FLOP of one instruction."""
        rows, columns, depth = self.sides
        return 2 * rows * columns * depth * self.times

    @property
    def sides(self) -> tuple[int, int, int]:
        """Rows, columns and depth."""
        rows, columns, depth = map(int, SHAPE.fullmatch(self.shape).groups())
        return rows, columns, depth

    def operand_bytes(self, data_type: str) -> int:
        """Bytes of A and of B that one instruction reads."""
        rows, columns, depth = self.sides
        return (rows + columns) * depth * BYTES[data_type] * self.times


@dataclass(frozen=True)
class Generation:
    """The tensor cores of one generation.

    Attributes
    ----------
    name
        The chip's short name.
    cores
        Tensor cores of an SM.
    rates
        Dense FLOP of an SM in a clock, by data type; for INT8, operations.
    sources
        By data type, the claim that the rate is from.
    products
        By data type, the largest product of one instruction.
    operands
        Where one instruction finds A and B.
    new
        What it had that the one before had not, each with its claim.
    """

    name: str
    cores: int
    rates: Mapping[str, int]
    sources: Mapping[str, str]
    products: Mapping[str, Product]
    operands: str
    new: tuple[str, ...]

    def cycles(self, data_type: str) -> float:
        """Clocks for which one instruction keeps the tensor cores busy that it goes to.

        Raises
        ------
        ValueError
            For a data type that its tensor cores do not have.
        """
        product = self.products[self.checked(data_type)]
        return product.flop / (self.rates[data_type] * product.warps / SUB_PARTITIONS)

    def bytes_per_flop(self, data_type: str) -> float:
        """Bytes of operands that are read for a FLOP; see ``cycles`` for errors."""
        product = self.products[self.checked(data_type)]
        return product.operand_bytes(data_type) / product.flop

    def checked(self, data_type: str) -> str:
        """The data type, if these tensor cores have it; else a ValueError that names those they have."""
        if data_type not in self.rates:
            raise ValueError(
                f"data_type={data_type!r}: the {self.name}'s tensor cores have {', '.join(self.rates)}"
            )
        return data_type


def _of_sheet(chip_name: str) -> tuple[dict[str, int], dict[str, str]]:
    sheet = chip(chip_name)
    fields = {kind: f"tensor_{kind}_flop_per_clock_per_sm" for kind in TENSOR_DATA_TYPES}
    rates = {kind: rate for kind, field in fields.items() if (rate := getattr(sheet, field)) is not None}
    return rates, {kind: sheet.claim(fields[kind]) for kind in rates}


_A100, _H100 = _of_sheet("A100 SXM4 40GB"), _of_sheet("H100 SXM5")
_WIDE = Product("wgmma", "m64n256k16", "chip-056.h")
_NARROW = Product("wgmma", "m64n256k32", "chip-056.i")
_WARP = Product("mma.sync", "m16n8k16", "chip-056.b")

GENERATIONS = (
    Generation(
        "V100",
        8,
        {"fp16": 1024},
        {"fp16": "chip-053.b"},
        {"fp16": Product("mma.sync", "m8n8k4", "chip-056.a", times=4)},
        "both in a warp's registers",
        ("tensor cores, 8 an SM: FP16 products, sums in FP16 or FP32 [chip-053.a]",),
    ),
    Generation(
        "A100",
        4,
        *_A100,
        {
            "fp64": Product("mma.sync", "m8n8k4", "chip-056.d"),
            "tf32": Product("mma.sync", "m16n8k8", "chip-056.c"),
            "fp16": _WARP,
            "bf16": _WARP,
            "int8": Product("mma.sync", "m16n8k32", "chip-056.e"),
        },
        "both in a warp's registers",
        (
            "FP64, TF32, BF16 and INT8 [chip-014, chip-015, chip-016, chip-017]",
            "twice the FP16 rate of an SM, from half as many tensor cores [chip-016]",
            "structured sparsity: two of four, at twice the peak [chip-054.e]",
        ),
    ),
    Generation(
        "H100",
        4,
        *_H100,
        {
            "fp64": Product("mma.sync", "m16n8k16", "chip-056.f"),
            "tf32": Product("wgmma", "m64n256k8", "chip-056.g"),
            "fp16": _WIDE,
            "bf16": _WIDE,
            "fp8": _NARROW,
            "int8": _NARROW,
        },
        "B in shared memory, A there or in registers",
        (
            "FP8, at twice the rate of FP16 [talk-014, talk-017]",
            "twice an A100's rate per clock in every type [talk-013]",
            "wgmma: four warps share a product, and go on while it runs [chip-056.h]",
        ),
    ),
)
"""V100, A100 and H100."""
