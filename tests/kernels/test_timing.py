"""The kernels that take their own time: the machine code has what is timed, between two readings of the clock."""

import re

import pytest

from hopperlab.device import Kernel
from hopperlab.kernels.timing import copies, memory, messages, points, words
from tests.kernels.machine_code import assert_has, assert_lacks, code_without_spill

KERNELS = [
    kernel
    for module in (copies, memory, messages, points, words)
    for kernel in vars(module).values()
    if isinstance(kernel, Kernel) and kernel.function.__module__ == module.__name__
] + [
    messages.exchange_pieces(True),
    messages.exchange_pieces(False),
    messages.relay_pieces(True),
    messages.relay_pieces(False),
    points.pipeline(1),
    points.pipeline(6),
]
CLOCK = r"SR_CLOCKLO"


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.name)
def test_every_kernel_reads_the_clock_before_and_after(kernel):
    assert len(re.findall(CLOCK, code_without_spill(kernel))) >= 2


def timed(kernel):
    """Give what stands between the first and the last reading of the clock."""
    code = code_without_spill(kernel)
    readings = [match.start() for match in re.finditer(CLOCK, code)]
    return code[readings[0] : readings[-1]]


def test_what_is_timed_is_there():
    assert timed(words.fma_chain).count("FFMA") >= words.FOLLOWING
    assert_has(timed(memory.chase_shared), "LDS")
    assert_has(timed(memory.chase_remote), r"LD\.E")
    assert_has(timed(memory.chase_global), r"LDG\.E\.STRONG|LDG\.E")
    assert_has(timed(memory.add_atomically), "ATOMS", "ATOM", "ATOMG")
    assert_has(timed(words.sync_cluster), "UCGABAR_ARV", "UCGABAR_WAIT")
    assert_has(timed(words.fences), r"MEMBAR\.\w+\.GPU", r"MEMBAR\.\w+\.SYS", r"FENCE\.VIEW\.ASYNC")
    assert_has(timed(messages.relay), "STAS", r"SYNCS\.PHASECHK")
    assert_has(timed(messages.exchange_pieces(True)), r"UBLKRED\.S\.S\.ADD")
    assert_has(timed(messages.exchange_pieces(False)), r"UBLKCP\.S\.S")
    assert_has(timed(messages.relay_by_flag), r"LDG\.E\.STRONG\.GPU", r"STG\.E\.STRONG\.GPU")
    assert_has(timed(copies.load_boxes), "UTMALDG")
    assert_has(timed(copies.store_bytes), r"UBLKCP\.G\.S")


def test_the_work_of_a_tile_is_unrolled_and_its_loads_are_the_engines():
    code = code_without_spill(points.pipeline(4))
    assert code.count("FFMA") % points.WORK == 0
    assert_has(code, "UTMALDG", r"SYNCS\.PHASECHK")
    assert_lacks(timed(points.halo), "LDG", "STG", "ATOM", "MEMBAR", "UCGABAR")
