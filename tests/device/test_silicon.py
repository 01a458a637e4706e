"""Words on silicon: each becomes its PTX, is assembled for sm_90a, and refuses what it cannot take."""

import re

import numpy as np
import pytest
from numba import cuda, float32, int32, types
from numba.core.errors import TypingError

from hopperlab.device import cluster, kernel, nanosleep, smid
from hopperlab.device.silicon.intrinsics import Slots, function_type

VALUES = "void(float32[::1])"


@kernel(signature=VALUES)
def neighbor(values):
    mine = cuda.shared.array(32, float32)
    thread = cuda.threadIdx.x
    mine[thread] = values[thread]
    cluster.sync()
    right = cluster.map_shared_rank(mine, (cluster.block_rank() + 1) % cluster.num_blocks())
    values[thread] = right[thread] + float32(cluster.query_shared_rank(right))
    cluster.sync()


def test_a_remote_array_is_read_through_the_mapped_address():
    ptx = neighbor.ptx()
    for instruction in ("mapa.u64", "getctarank.u64", "barrier.cluster.arrive", "%cluster_ctarank"):
        assert instruction in ptx
    assert ".target sm_90a" in ptx


def test_the_machine_code_has_the_cluster_barrier_and_no_spill():
    sass = neighbor.sass()
    # sm_90 has no MAPA: a byte permutation puts the rank into the top byte of the 32-bit shared address.
    for instruction in (r"UCGABAR_ARV", r"UCGABAR_WAIT", r"PRMT R\d+, R\d+, 0x654", r"LD\.E R"):
        assert re.search(instruction, sass), instruction
    resources = neighbor.resources()
    assert (resources.spill_store_bytes, resources.stack_bytes, resources.shared_bytes) == (0, 0, 128)


def test_three_results_come_as_a_tuple():
    @kernel(signature="void(uint32[::1])")
    def place(out):
        x, y, z = cluster.cluster_index()
        out[0] = x + 2 * y + 4 * z

    assert all(f"%clusterid.{axis}" in place.ptx() for axis in "xyz")


def test_placeholders_are_numbered_results_first():
    array = types.Array(types.float32, 1, "C")
    mapped = Slots(cluster.map_shared_rank, {"array": array, "rank": types.uint32})
    assert mapped.assembly() == "mapa.u64 $0, $1, $2;"
    assert mapped.constraints() == "=l,l,r"
    assert Slots(cluster.sync, {}).constraints() == "~{memory}"


def test_the_numba_type_of_a_word_is_made_once():
    assert function_type(smid) is function_type(smid)


def test_a_rank_out_of_range_is_refused_while_compiling():
    @kernel(signature=VALUES)
    def far(values):
        mine = cuda.shared.array(32, float32)
        values[0] = cluster.map_shared_rank(mine, 16)[0]

    with pytest.raises(ValueError, match=r"cluster.map_shared_rank: rank is 16; .*0 to 15"):
        far.ptx()


def test_what_is_no_array_is_refused_in_the_words_of_the_vocabulary():
    @kernel(signature=VALUES)
    def confused(values):
        values[0] = cluster.map_shared_rank(cuda.threadIdx.x, 1)[0]

    with pytest.raises(TypingError, match=r"cluster.map_shared_rank: array is int32"):
        confused.ptx()


def test_a_fraction_is_no_rank_and_an_integer_of_any_width_is():
    @kernel(signature=VALUES)
    def half(values):
        nanosleep(values[0])

    @kernel(signature="void(int64, uint8)")
    def widths(long, short):
        nanosleep(long)
        nanosleep(short)

    with pytest.raises(TypingError, match="nanosleep: duration is float32"):
        half.ptx()
    assert widths.ptx().count("nanosleep.u32") == 2


def test_device_functions_compile_without_a_card():
    @cuda.jit(device=True)
    def twice(value):
        return value * int32(2)

    @kernel(signature="void(int32[::1])")
    def doubled(values):
        values[cuda.threadIdx.x] = twice(values[cuda.threadIdx.x])

    assert "st.global" in doubled.ptx()


def test_several_argument_types_give_several_variants():
    @kernel
    def copy(target, source):
        target[cuda.threadIdx.x] = source[cuda.threadIdx.x]

    for name in ("float32", "int64", "uint16"):
        bits = np.dtype(name).itemsize * 8
        assert f"ld.global.u{bits}" in copy.ptx(f"void({name}[::1], {name}[::1])").replace(".f32", ".u32")
