"""What each chip is: one sheet a chip, every constant with its unit and the claim it rests on.

``chip("H100 SXM5").sms`` is a plain number; ``.unit("sms")``, ``.claim("sms")`` and ``.why("sms")`` say
what it is counted in, which row of ``data/claims.csv`` it comes from, and what a reader should know about
it. A constant that nobody publishes, or that differs from card to card, is ``None`` and ``why`` says so.

Units: bytes, hertz, watts and seconds throughout. 1 KiB = 2**10, 1 MiB = 2**20, 1 GiB = 2**30; 1 GB =
10**9 bytes. What vendors print as "50 MB" of cache or "80 GB" of HBM counts in powers of two; bandwidths
count in powers of ten. Link rates are for both directions together, as the field's name says.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple

KIB, MIB, GIB = 2**10, 2**20, 2**30
MHZ = 10**6
GB_PER_S = 10**9


class Sourced(NamedTuple):
    """A value, the claim it rests on, and a remark; the value is ``None`` where there is none to quote."""

    value: Any
    claim: str | None
    why: str = ""


def constant(unit: str) -> Any:
    """Declare a field of a chip's sheet, counted in ``unit``."""
    return field(metadata={"unit": unit})


def unknown(why: str) -> Sourced:
    """A constant that has no one value, and the reason."""
    return Sourced(None, None, why)


@dataclass(frozen=True)
class Chip:
    """One chip's data sheet.

    Every field but the name is a constant with a unit, a claim and, where needed, a remark: see ``unit``,
    ``claim`` and ``why``. A field is ``None`` where the constant is unknown or differs by card.
    """

    name: str
    compute_capability: tuple[int, int] = constant("version")

    # Structure
    sms: int = constant("SM")
    gpcs: int | None = constant("GPC")
    max_sms_per_gpc: int = constant("SM/GPC")
    gpc_sm_counts: tuple[int, ...] | None = constant("SM/GPC")

    # What fits on one SM
    threads_per_warp: int = constant("threads/warp")
    max_threads_per_sm: int = constant("threads/SM")
    max_warps_per_sm: int = constant("warps/SM")
    max_blocks_per_sm: int = constant("blocks/SM")
    max_threads_per_block: int = constant("threads/block")
    registers_per_sm: int = constant("registers/SM")
    max_registers_per_thread: int = constant("registers/thread")
    register_allocation_unit: int = constant("registers/warp")
    warp_allocation_granularity: int = constant("warps")
    shared_allocation_unit: int = constant("B")
    shared_bytes_per_sm: int = constant("B/SM")
    max_shared_bytes_per_block: int = constant("B/block")
    reserved_shared_bytes_per_block: int = constant("B/block")
    max_cluster_size: int = constant("blocks/cluster")
    max_portable_cluster_size: int = constant("blocks/cluster")

    # Clocks
    boost_clock_hz: int | None = constant("Hz")
    tensor_clock_hz: int | None = constant("Hz")

    # Memory
    l1_bytes_per_sm: int = constant("B/SM")
    l2_bytes: int = constant("B")
    memory_sites: int = constant("HBM sites")
    memory_bus_bits: int = constant("bit")
    memory_clock_hz: int | None = constant("Hz")
    memory_bytes: int | None = constant("B")
    memory_bandwidth_bytes_per_s: float | None = constant("B/s")

    # Links, both directions together
    nvlink_links: int | None = constant("links")
    nvlink_bytes_per_s: int | None = constant("B/s, both directions")
    pcie_bytes_per_s: int | None = constant("B/s, both directions")

    # Rates of one SM. A fused multiply-add is two FLOP; tensor rates are dense.
    fp32_lanes_per_sm: int = constant("lanes/SM")
    fp64_lanes_per_sm: int = constant("lanes/SM")
    int32_lanes_per_sm: int = constant("lanes/SM")
    tensor_fp64_flop_per_clock_per_sm: int = constant("FLOP/clk/SM")
    tensor_tf32_flop_per_clock_per_sm: int = constant("FLOP/clk/SM")
    tensor_fp16_flop_per_clock_per_sm: int = constant("FLOP/clk/SM")
    tensor_bf16_flop_per_clock_per_sm: int = constant("FLOP/clk/SM")
    tensor_fp8_flop_per_clock_per_sm: int | None = constant("FLOP/clk/SM")
    tensor_int8_flop_per_clock_per_sm: int = constant("OP/clk/SM")

    power_limit_watts: int | None = constant("W")

    _sources: Mapping[str, Sourced] = field(default_factory=dict, repr=False, compare=False)

    def unit(self, constant_name: str) -> str:
        """What the constant is counted in; ValueError for a name that is no constant."""
        return self._declared(constant_name).metadata["unit"]

    def claim(self, constant_name: str) -> str | None:
        """The id of the claim the constant rests on; ``None`` where it has no value."""
        self._declared(constant_name)
        return self._sources[constant_name].claim

    def why(self, constant_name: str) -> str:
        """The remark on the constant: how it follows, or why it has no value; often empty."""
        self._declared(constant_name)
        return self._sources[constant_name].why

    def tensor_flop_per_clock_per_sm(self, data_type: str) -> int:
        """Dense tensor rate of one SM for ``fp64``, ``tf32``, ``fp16``, ``bf16``, ``fp8`` or ``int8``.

        Raises
        ------
        ValueError
            For another data type, or one that this chip's tensor cores do not have.
        """
        rate = getattr(self, f"tensor_{data_type}_flop_per_clock_per_sm", None)
        if rate is None:
            allowed = [name for name in TENSOR_DATA_TYPES if self._tensor_rate(name) is not None]
            raise ValueError(f"data_type={data_type!r}: the {self.name} has {', '.join(allowed)}")
        return rate

    def _tensor_rate(self, data_type: str) -> int | None:
        return getattr(self, f"tensor_{data_type}_flop_per_clock_per_sm")

    @staticmethod
    def _declared(constant_name: str) -> Any:
        if constant_name not in _DECLARED:
            raise ValueError(f"{constant_name!r} is no constant of a chip; there are {', '.join(CONSTANTS)}")
        return _DECLARED[constant_name]


_DECLARED = {f.name: f for f in fields(Chip) if "unit" in f.metadata}

CONSTANTS = tuple(_DECLARED)
"""The names of every constant of a sheet, in its order."""

TENSOR_DATA_TYPES = ("fp64", "tf32", "fp16", "bf16", "fp8", "int8")
"""The data types whose dense tensor rates a sheet lists."""


def chip(name: str) -> Chip:
    """The sheet of the chip of that name.

    Raises
    ------
    ValueError
        If there is no such chip; the message lists the names.
    """
    if name not in _CHIPS:
        raise ValueError(f"name={name!r} is no chip of this workbook; there are {', '.join(NAMES)}")
    return _CHIPS[name]


def chip_of_card(driver_name: str) -> Chip | None:
    """The sheet of the card that a driver calls by that name; None where the workbook has none."""
    return _CHIPS.get(DRIVER_NAMES.get(driver_name, ""))


def bandwidth(memory_clock_hz: int, bus_bits: int) -> float:
    """Bytes a second of a memory that moves two bits per clock on each of its ``bus_bits`` wires."""
    return 2 * memory_clock_hz * bus_bits / 8


# --- What every SM of an architecture has -------------------------------------------------------------

BOTH_ARCHITECTURES = {
    "threads_per_warp": Sourced(32, "chip-001"),
    "max_threads_per_sm": Sourced(2048, "lit-021.c"),
    "max_warps_per_sm": Sourced(64, "lit-021.b"),
    "max_blocks_per_sm": Sourced(32, "lit-021.a"),
    "max_threads_per_block": Sourced(1024, "chip-002"),
    "registers_per_sm": Sourced(65536, "lit-021.d"),
    "max_registers_per_thread": Sourced(255, "lit-021.e"),
    "register_allocation_unit": Sourced(256, "lit-021.f", "registers are handed out by the warp in 256s"),
    "warp_allocation_granularity": Sourced(4, "chip-003", "one warp for each of the four sub-partitions"),
    "shared_allocation_unit": Sourced(128, "chip-046"),
    "reserved_shared_bytes_per_block": Sourced(1 * KIB, "chip-004", "the system's share of every block"),
}

HOPPER = BOTH_ARCHITECTURES | {
    "compute_capability": Sourced((9, 0), "chip-005"),
    "max_sms_per_gpc": Sourced(18, "chip-006", "9 TPCs of 2 SMs"),
    "shared_bytes_per_sm": Sourced(228 * KIB, "lit-020.a"),
    "max_shared_bytes_per_block": Sourced(227 * KIB, "lit-020.b"),
    "max_cluster_size": Sourced(16, "talk-030", "above 8 the kernel must opt in"),
    "max_portable_cluster_size": Sourced(8, "lit-012"),
    "l1_bytes_per_sm": Sourced(256 * KIB, "talk-012.a", "L1 cache and shared memory together"),
    "fp32_lanes_per_sm": Sourced(128, "lit-157.b"),
    "fp64_lanes_per_sm": Sourced(64, "lit-157.c"),
    "int32_lanes_per_sm": Sourced(64, "lit-157.d"),
    "tensor_fp64_flop_per_clock_per_sm": Sourced(256, "chip-007"),
    "tensor_tf32_flop_per_clock_per_sm": Sourced(2048, "chip-008"),
    "tensor_fp16_flop_per_clock_per_sm": Sourced(4096, "lit-051.b", "4 tensor cores of 512 FMA a clock"),
    "tensor_bf16_flop_per_clock_per_sm": Sourced(4096, "lit-051.b", "as FP16"),
    "tensor_fp8_flop_per_clock_per_sm": Sourced(8192, "lit-051.a", "4 tensor cores of 1024 FMA a clock"),
    "tensor_int8_flop_per_clock_per_sm": Sourced(8192, "lit-051.a", "operations, not floating point"),
}

AMPERE = BOTH_ARCHITECTURES | {
    "compute_capability": Sourced((8, 0), "chip-009"),
    "max_sms_per_gpc": Sourced(16, "chip-010", "8 TPCs of 2 SMs"),
    "shared_bytes_per_sm": Sourced(164 * KIB, "chip-011"),
    "max_shared_bytes_per_block": Sourced(163 * KIB, "chip-012"),
    "max_cluster_size": Sourced(1, "chip-013", "the A100 has no clusters: every block stands alone"),
    "max_portable_cluster_size": Sourced(1, "chip-013", "the A100 has no clusters"),
    "l1_bytes_per_sm": Sourced(192 * KIB, "article-008.c", "L1 cache and shared memory together"),
    "fp32_lanes_per_sm": Sourced(64, "lit-157.e"),
    "fp64_lanes_per_sm": Sourced(32, "lit-157.f"),
    "int32_lanes_per_sm": Sourced(64, "lit-157.g"),
    "tensor_fp64_flop_per_clock_per_sm": Sourced(128, "chip-014"),
    "tensor_tf32_flop_per_clock_per_sm": Sourced(1024, "chip-015"),
    "tensor_fp16_flop_per_clock_per_sm": Sourced(2048, "chip-016", "4 tensor cores of 256 FMA a clock"),
    "tensor_bf16_flop_per_clock_per_sm": Sourced(2048, "chip-016", "as FP16"),
    "tensor_fp8_flop_per_clock_per_sm": unknown("the A100's tensor cores have no FP8"),
    "tensor_int8_flop_per_clock_per_sm": Sourced(4096, "chip-017", "operations, not floating point"),
}

PER_CARD_GPCS = unknown("differs from card to card: the experiment gpc_map finds it")

A100 = AMPERE | {
    "sms": Sourced(108, "chip-018"),
    "gpcs": Sourced(7, "chip-019"),
    "gpc_sm_counts": PER_CARD_GPCS,
    "boost_clock_hz": Sourced(1410 * MHZ, "chip-020"),
    "tensor_clock_hz": Sourced(1410 * MHZ, "chip-020", "the A100's peaks assume its boost clock"),
    "l2_bytes": Sourced(40 * MIB, "article-013.b"),
    "memory_sites": Sourced(5, "chip-021"),
    "memory_bus_bits": Sourced(5120, "chip-022"),
    "nvlink_links": Sourced(12, "talk-045.a"),
    "nvlink_bytes_per_s": Sourced(600 * GB_PER_S, "chip-023", "12 links of 50 GB/s, both directions"),
    "pcie_bytes_per_s": Sourced(64 * GB_PER_S, "chip-024", "Gen4 x16, both directions"),
}

# --- The seven chips ------------------------------------------------------------------------------------

SHEETS = {
    "H100 SXM5": HOPPER
    | {
        "sms": Sourced(132, "talk-007"),
        "gpcs": Sourced(8, "lit-002.a"),
        "gpc_sm_counts": PER_CARD_GPCS,
        "boost_clock_hz": Sourced(1980 * MHZ, "lit-052.b"),
        "tensor_clock_hz": Sourced(1830 * MHZ, "lit-052.a", "the clock that the tensor peaks assume"),
        "l2_bytes": Sourced(50 * MIB, "article-013.a"),
        "memory_sites": Sourced(5, "talk-009.b"),
        "memory_bus_bits": Sourced(5120, "chip-025"),
        "memory_clock_hz": Sourced(2619 * MHZ, "recalled-008.b"),
        "memory_bytes": Sourced(80 * GIB, "chip-026", "sold as 80 GB; five stacks of 16 GiB"),
        "memory_bandwidth_bytes_per_s": Sourced(bandwidth(2619 * MHZ, 5120), "lit-055.a"),
        "nvlink_links": Sourced(18, "talk-045.b"),
        "nvlink_bytes_per_s": Sourced(900 * GB_PER_S, "talk-046.a", "18 links of 50 GB/s, both directions"),
        "pcie_bytes_per_s": Sourced(128 * GB_PER_S, "lit-155", "Gen5 x16, both directions"),
        "power_limit_watts": Sourced(700, "article-004.a"),
    },
    "H100 PCIe": HOPPER
    | {
        "sms": Sourced(114, "article-003.a"),
        "gpcs": unknown("7 or 8, by card (lit-003.a)"),
        "gpc_sm_counts": PER_CARD_GPCS,
        "boost_clock_hz": Sourced(1755 * MHZ, "article-005.a"),
        "tensor_clock_hz": Sourced(1620 * MHZ, "chip-027", "what the 756.5 TFLOPS of its sheet imply"),
        "l2_bytes": Sourced(50 * MIB, "article-003.b"),
        "memory_sites": Sourced(5, "article-030.a"),
        "memory_bus_bits": Sourced(5120, "chip-025"),
        "memory_clock_hz": Sourced(1593 * MHZ, "article-007.c"),
        "memory_bytes": Sourced(80 * GIB, "chip-026", "sold as 80 GB; five stacks of 16 GiB"),
        "memory_bandwidth_bytes_per_s": Sourced(bandwidth(1593 * MHZ, 5120), "lit-055.b"),
        "nvlink_links": Sourced(12, "chip-028", "three bridges to one other card"),
        "nvlink_bytes_per_s": Sourced(600 * GB_PER_S, "chip-029", "through bridges, both directions"),
        "pcie_bytes_per_s": Sourced(128 * GB_PER_S, "lit-155", "Gen5 x16, both directions"),
        "power_limit_watts": Sourced(350, "article-003.d"),
    },
    "H200 SXM": HOPPER
    | {
        "sms": Sourced(132, "chip-030"),
        "gpcs": unknown("published for the H100 SXM5 only; the experiment gpc_map shows what a card has"),
        "gpc_sm_counts": PER_CARD_GPCS,
        "boost_clock_hz": Sourced(1980 * MHZ, "lit-053"),
        "tensor_clock_hz": Sourced(1830 * MHZ, "chip-031", "its sheet repeats the H100 SXM5's tensor peaks"),
        "l2_bytes": Sourced(60 * MIB, "chip-032", "all that a GH100 has, 10 MiB more than an H100"),
        "memory_sites": Sourced(6, "chip-033"),
        "memory_bus_bits": Sourced(6144, "chip-034"),
        "memory_clock_hz": Sourced(3201 * MHZ, "chip-035"),
        "memory_bytes": Sourced(141 * GIB, "recalled-001.a", "sold as 141 GB, counted in powers of two"),
        "memory_bandwidth_bytes_per_s": Sourced(
            4.8e12, "recalled-001.b", "the sheet's figure; clock and width would give 4.917e12"
        ),
        "nvlink_links": Sourced(18, "chip-036"),
        "nvlink_bytes_per_s": Sourced(900 * GB_PER_S, "chip-037", "18 links of 50 GB/s, both directions"),
        "pcie_bytes_per_s": Sourced(128 * GB_PER_S, "lit-155", "Gen5 x16, both directions"),
        "power_limit_watts": Sourced(700, "chip-038"),
    },
    "A100 SXM4 40GB": A100
    | {
        "memory_clock_hz": Sourced(1215 * MHZ, "article-007.d"),
        "memory_bytes": Sourced(40 * GIB, "chip-039", "sold as 40 GB; five stacks of 8 GiB"),
        "memory_bandwidth_bytes_per_s": Sourced(bandwidth(1215 * MHZ, 5120), "lit-055.c"),
        "power_limit_watts": Sourced(400, "article-006.b"),
    },
    "A100 SXM4 80GB": A100
    | {
        "memory_clock_hz": Sourced(1593 * MHZ, "chip-040"),
        "memory_bytes": Sourced(80 * GIB, "chip-041", "sold as 80 GB; five stacks of 16 GiB"),
        "memory_bandwidth_bytes_per_s": Sourced(bandwidth(1593 * MHZ, 5120), "chip-042"),
        "power_limit_watts": Sourced(400, "chip-043"),
    },
    "A100 PCIe 40GB": A100
    | {
        "memory_clock_hz": Sourced(1215 * MHZ, "chip-044"),
        "memory_bytes": Sourced(40 * GIB, "chip-039", "sold as 40 GB; five stacks of 8 GiB"),
        "memory_bandwidth_bytes_per_s": Sourced(bandwidth(1215 * MHZ, 5120), "lit-055.c"),
        "power_limit_watts": Sourced(250, "chip-045"),
    },
    "GH100": HOPPER
    | {
        "sms": Sourced(144, "lit-001.c"),
        "gpcs": Sourced(8, "lit-001.a"),
        "gpc_sm_counts": Sourced((18,) * 8, "lit-001.c", "the die as designed; no card sells it whole"),
        "boost_clock_hz": unknown("no card carries the full die"),
        "tensor_clock_hz": unknown("no card carries the full die"),
        "l2_bytes": Sourced(60 * MIB, "article-002.b"),
        "memory_sites": Sourced(6, "talk-009.a"),
        "memory_bus_bits": Sourced(6144, "chip-047", "12 controllers of 512 bits"),
        "memory_clock_hz": unknown("no card carries the full die"),
        "memory_bytes": unknown("no card carries the full die"),
        "memory_bandwidth_bytes_per_s": unknown("no card carries the full die"),
        "nvlink_links": Sourced(18, "talk-045.b"),
        "nvlink_bytes_per_s": Sourced(900 * GB_PER_S, "talk-046.a", "18 links of 50 GB/s, both directions"),
        "pcie_bytes_per_s": Sourced(128 * GB_PER_S, "lit-155", "Gen5 x16, both directions"),
        "power_limit_watts": unknown("no card carries the full die"),
    },
}


def _from_sheet(name: str, sheet: Mapping[str, Sourced]) -> Chip:
    values = {constant_name: sourced.value for constant_name, sourced in sheet.items()}
    return Chip(name=name, **values, _sources=sheet)


_CHIPS = {name: _from_sheet(name, sheet) for name, sheet in SHEETS.items()}

NAMES = tuple(_CHIPS)
"""The names of the chips, exactly as ``chip`` takes them."""

DRIVER_NAMES = {
    "NVIDIA H100 80GB HBM3": "H100 SXM5",
    "NVIDIA H100 PCIe": "H100 PCIe",
    "NVIDIA H200": "H200 SXM",
    "NVIDIA A100-SXM4-40GB": "A100 SXM4 40GB",
    "NVIDIA A100-SXM4-80GB": "A100 SXM4 80GB",
    "NVIDIA A100-PCIE-40GB": "A100 PCIe 40GB",
}
"""What drivers call the cards that carry these chips."""
