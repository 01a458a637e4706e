"""The sheets: seven chips, every constant with unit and claim, and each equal to what its claim says."""

import subprocess
import sys
from dataclasses import FrozenInstanceError, fields

import pytest

from hopperlab.chip import (
    CONSTANTS,
    DRIVER_NAMES,
    NAMES,
    TENSOR_DATA_TYPES,
    Chip,
    bandwidth,
    chip,
    chip_of_card,
)
from hopperlab.ledger import UNITS, claim, in_base_units

HOPPERS = ("H100 SXM5", "H100 PCIe", "H200 SXM", "GH100")
A100S = ("A100 SXM4 40GB", "A100 SXM4 80GB", "A100 PCIe 40GB")

VERSION, LIST = "compute_capability", "gpc_sm_counts"  # constants that are no single number


def test_the_seven_chips_are_named_exactly_so() -> None:
    assert set(NAMES) == {*HOPPERS, *A100S}
    assert all(chip(name).name == name for name in NAMES)


@pytest.mark.parametrize("name", ["H100", "h100 sxm5", "", "H100 SXM5 "])
def test_an_unknown_chip_is_refused_with_the_names(name: str) -> None:
    with pytest.raises(ValueError, match="there are H100 SXM5") as refusal:
        chip(name)
    assert repr(name) in str(refusal.value)
    assert all(known in str(refusal.value) for known in NAMES)


def test_every_field_but_the_name_is_a_constant() -> None:
    assert set(CONSTANTS) == {f.name for f in fields(Chip)} - {"name", "_sources"}


def known_constants(name: str) -> dict[str, object]:
    """Every constant of a sheet that has a value."""
    sheet = chip(name)
    return {
        constant: getattr(sheet, constant) for constant in CONSTANTS if getattr(sheet, constant) is not None
    }


@pytest.mark.parametrize("name", NAMES)
def test_every_constant_has_a_unit_and_either_a_claim_or_a_reason_for_none(name: str) -> None:
    sheet = chip(name)
    assert len(known_constants(name)) > 30
    for constant in CONSTANTS:
        assert sheet.unit(constant), constant
        if constant in known_constants(name):
            assert claim(sheet.claim(constant)).id == sheet.claim(constant), constant
        else:
            assert sheet.claim(constant) is None, constant
            assert len(sheet.why(constant)) > 10, constant


@pytest.mark.parametrize("name", NAMES)
def test_every_constant_equals_what_its_claim_says(name: str) -> None:
    for constant, value in known_constants(name).items():
        source = claim(chip(name).claim(constant))
        if constant == VERSION:
            assert source.value == "{}.{}".format(*value)
            continue
        number = sum(value) if constant == LIST else value
        assert number == pytest.approx(in_base_units(source.number, source.unit), rel=0.005), constant


@pytest.mark.parametrize("name", NAMES)
def test_every_constant_is_counted_in_the_base_unit_of_its_claim(name: str) -> None:
    operations = {"OP/clk/SM": "FLOP/clk/SM"}  # one claim quotes the INT8 and the FP8 rate together
    for constant in known_constants(name).keys() - {LIST, VERSION}:
        unit = chip(name).unit(constant).removesuffix(", both directions")
        base = UNITS[claim(chip(name).claim(constant)).unit].base
        assert base in (unit, operations.get(unit)), constant


@pytest.mark.parametrize("name", NAMES)
def test_every_claim_is_about_the_chip_or_about_one_of_the_same_silicon(name: str) -> None:
    twin = {"GH100": "H100 SXM5", "H200 SXM": "H100 SXM5", "A100 PCIe 40GB": "A100 SXM4 40GB"}.get(name, name)
    for constant in known_constants(name):
        source = claim(chip(name).claim(constant))
        assert source.covers(name) or source.covers(twin), (constant, source.device)


@pytest.mark.parametrize("name", NAMES)
def test_links_say_that_they_count_both_directions(name: str) -> None:
    sheet = chip(name)
    for constant in ("nvlink_bytes_per_s", "pcie_bytes_per_s"):
        assert sheet.unit(constant).endswith("both directions")
        assert claim(sheet.claim(constant)).direction == "both"


def test_bandwidth_follows_from_clock_and_width_but_for_the_h200() -> None:
    for name in set(NAMES) - {"GH100", "H200 SXM"}:
        sheet = chip(name)
        assert sheet.memory_bandwidth_bytes_per_s == bandwidth(sheet.memory_clock_hz, sheet.memory_bus_bits)
    h200 = chip("H200 SXM")
    assert h200.memory_bandwidth_bytes_per_s == 4.8e12
    assert bandwidth(h200.memory_clock_hz, h200.memory_bus_bits) == pytest.approx(4.917e12, rel=1e-3)
    assert "4.917" in h200.why("memory_bandwidth_bytes_per_s")


def test_caches_and_memory_count_in_powers_of_two() -> None:
    assert chip("H100 SXM5").l2_bytes == 50 * 2**20
    assert chip("H200 SXM").l2_bytes == chip("GH100").l2_bytes == 60 * 2**20
    assert {chip(name).l2_bytes for name in A100S} == {40 * 2**20}
    assert chip("H100 SXM5").memory_bytes == 80 * 2**30


def test_only_the_full_die_has_gpcs_of_known_size() -> None:
    for name in NAMES:
        counts = chip(name).gpc_sm_counts
        if name == "GH100":
            assert counts == (18,) * 8
            assert sum(counts) == chip(name).sms
        else:
            assert counts is None


def test_no_chip_has_more_sms_than_its_gpcs_could_hold() -> None:
    for name in NAMES:
        sheet = chip(name)
        assert sheet.sms % 2 == 0  # SMs come in TPCs of two
        assert sheet.gpcs is None or sheet.sms <= sheet.gpcs * sheet.max_sms_per_gpc


@pytest.mark.parametrize("name", HOPPERS)
def test_hopper_has_clusters_and_fp8(name: str) -> None:
    sheet = chip(name)
    assert (sheet.max_cluster_size, sheet.max_portable_cluster_size) == (16, 8)
    assert sheet.tensor_flop_per_clock_per_sm("fp8") == 2 * sheet.tensor_flop_per_clock_per_sm("fp16")


@pytest.mark.parametrize("name", A100S)
def test_the_a100_has_neither(name: str) -> None:
    sheet = chip(name)
    assert sheet.max_cluster_size == 1
    with pytest.raises(ValueError, match=f"data_type='fp8': the {name} has fp64, tf32, fp16, bf16, int8"):
        sheet.tensor_flop_per_clock_per_sm("fp8")


def test_peaks_on_the_data_sheets_follow_from_sms_rates_and_clocks() -> None:
    def peak(name: str, data_type: str) -> float:
        sheet = chip(name)
        return sheet.sms * sheet.tensor_flop_per_clock_per_sm(data_type) * sheet.tensor_clock_hz / 1e12

    assert peak("H100 SXM5", "fp16") == pytest.approx(claim("lit-054.a").number, rel=1e-3)
    assert peak("H100 SXM5", "fp8") == pytest.approx(claim("lit-054.b").number, rel=1e-3)
    assert peak("H100 PCIe", "fp16") == pytest.approx(claim("recalled-002.a").number, rel=1e-3)
    assert peak("A100 SXM4 40GB", "fp16") == pytest.approx(claim("lit-156.a").number, rel=1e-3)
    for name, claims_of_peaks in (
        ("H100 SXM5", ("recalled-003.a", "recalled-003.b")),
        ("A100 SXM4 40GB", ("lit-156.d", "lit-156.f")),
    ):
        sheet = chip(name)
        for lanes, id in zip(
            (sheet.fp32_lanes_per_sm, sheet.fp64_lanes_per_sm), claims_of_peaks, strict=True
        ):
            vector_peak = sheet.sms * lanes * 2 * sheet.boost_clock_hz / 1e12
            assert vector_peak == pytest.approx(claim(id).number, rel=0.02)


def test_the_vectors_and_the_block_limits_agree_with_one_another() -> None:
    for name in NAMES:
        sheet = chip(name)
        assert sheet.max_warps_per_sm * sheet.threads_per_warp == sheet.max_threads_per_sm
        assert (
            sheet.max_shared_bytes_per_block + sheet.reserved_shared_bytes_per_block
            == sheet.shared_bytes_per_sm
        )
        assert sheet.shared_bytes_per_sm < sheet.l1_bytes_per_sm
        if sheet.nvlink_links:
            assert sheet.nvlink_bytes_per_s == sheet.nvlink_links * 50 * 10**9


@pytest.mark.parametrize("ask", ["unit", "claim", "why"])
@pytest.mark.parametrize("constant", ["name", "clock", "_sources", ""])
def test_what_is_no_constant_is_refused(ask: str, constant: str) -> None:
    with pytest.raises(ValueError, match="is no constant of a chip; there are compute_capability, sms"):
        getattr(chip("GH100"), ask)(constant)


def test_an_unknown_data_type_is_refused_with_those_there_are() -> None:
    with pytest.raises(ValueError, match=f"data_type='fp4': the GH100 has {', '.join(TENSOR_DATA_TYPES)}"):
        chip("GH100").tensor_flop_per_clock_per_sm("fp4")


def test_a_sheet_cannot_be_changed_and_can_be_a_key() -> None:
    with pytest.raises(FrozenInstanceError):
        chip("GH100").sms = 132
    assert {chip(name): name for name in NAMES}[chip("H200 SXM")] == "H200 SXM"


def test_a_card_is_known_by_its_drivers_name() -> None:
    assert chip_of_card("NVIDIA H200") is chip("H200 SXM")
    assert set(DRIVER_NAMES.values()) == set(NAMES) - {"GH100"}
    assert chip_of_card("NVIDIA H200 NVL") is None


def test_the_sheets_import_nothing_but_the_standard_library() -> None:
    script = "import sys, hopperlab.chip; print([m for m in ('numpy', 'numba', 'csv') if m in sys.modules])"
    shown = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert shown.strip() == "[]"
