"""The kernels of atomics: the instructions that are measured, and words that end where they must."""

import numpy as np
import pytest

from hopperlab.device import on_silicon
from hopperlab.kernels import atomics
from tests.kernels.machine_code import assert_has, assert_lacks, code_without_spill

CYCLES = np.zeros(1, np.uint32)


@pytest.mark.parametrize(
    ("kernel", "instruction"),
    [
        (atomics.hand_off_in_shared, r"ATOMS\.CAS"),
        (atomics.hand_off_in_cluster, r"ATOM\.E\.CAS"),
        (atomics.hand_off_in_global, r"ATOMG\.E\.CAS"),
        pytest.param(atomics.alone_in_shared, r"ATOMS\.CAS", marks=pytest.mark.exhaustive),
        pytest.param(atomics.alone_in_cluster, r"ATOM\.E\.CAS", marks=pytest.mark.exhaustive),
        pytest.param(atomics.alone_in_global, r"ATOMG\.E\.CAS", marks=pytest.mark.exhaustive),
        pytest.param(atomics.contend, r"ATOMG\.E\.CAS", marks=pytest.mark.exhaustive),
    ],
    ids=lambda value: getattr(value, "name", None),
)
def test_a_word_is_raised_by_compare_and_swap(kernel, instruction):
    assert_has(code_without_spill(kernel), instruction)


def test_additions_are_not_summed_up_beforehand():
    code = code_without_spill(atomics.add)
    assert_has(code, r"ATOMG\.E\.ADD|REDG?\.E\.ADD")
    assert_lacks(code, "REDUX", "VOTE")  # CUDA C++ would let one lane add for all


def test_two_threads_of_a_block_hand_over_in_the_simulator():
    rounds = 3
    run = atomics.hand_off_in_shared.simulate(1, 64, (rounds, CYCLES, np.zeros(1, np.uint32)))
    assert run["ends"][0] == 2 * (atomics.WARM_UP + rounds)


def test_two_blocks_of_a_cluster_hand_over_in_the_simulator():
    rounds = 2
    arguments = (np.uint32(2), rounds, CYCLES, np.zeros(1, np.uint32), np.zeros(4, np.uint32))
    run = atomics.hand_off_in_cluster.simulate(4, 32, arguments, cluster=4)
    assert run["ends"][0] == 2 * (atomics.WARM_UP + rounds)


def test_additions_lose_nothing_in_the_simulator():
    arguments = (np.zeros(8, np.uint32), np.uint32(1), np.uint32(3), 4, np.zeros(2, np.uint64))
    run = atomics.add.simulate(2, 32, arguments)
    assert run["words"].tolist() == [3 * 4 * 64 // 8] * 8


@pytest.mark.gpu
def test_a_missing_opponent_hangs_nobody():
    from numba import cuda

    with on_silicon():
        words, cycles = cuda.to_device(np.zeros(32, np.uint32)), cuda.to_device(CYCLES)
        nobody = np.uint32(10_000)
        atomics.hand_off_in_global[132, 32, 0, 120 * 1024](
            np.uint32(0), nobody, np.int32(1), words, np.int32(0), np.uint32(0), cycles
        )
        assert words.copy_to_host()[0] == 1  # one move, and nobody answered
