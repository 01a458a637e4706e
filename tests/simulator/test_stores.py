"""Stores of tensor boxes: what they write past the end of a row is theirs, and a race with whoever writes it too."""

import numpy as np
import pytest
from numba import cuda, float32

from hopperlab.device import fence, kernel, tma
from hopperlab.models.tma import store

ROWS, COLUMNS, WIDE = 4, 18, 20  # rows of 72 bytes: the last 16 that are written reach two elements further


@kernel
def store_rows(box, whole, meddles):
    tile = cuda.shared.array((ROWS, WIDE), float32, alignment=128)
    thread = cuda.threadIdx.x
    for row in range(ROWS):
        tile[row, thread] = row * 100 + thread
    fence.proxy_async_shared()
    cuda.syncthreads()
    if thread == 0:
        tma.store(box, (0, 0), tile)
        tma.commit_group()
        tma.wait_group(0)
    if thread == 1 and meddles:
        whole[2, WIDE - 1] = -1


def run(meddles):
    whole = np.zeros((ROWS, WIDE), np.float32)
    box = tma.tensor_map(whole[:, :COLUMNS], (ROWS, WIDE))
    return box, store_rows.simulate(1, WIDE, (box, whole, meddles))


def test_a_store_goes_on_to_the_end_of_16_bytes_as_the_model_says():
    box, found = run(False)
    tile = (np.arange(ROWS)[:, None] * 100 + np.arange(WIDE)).astype(np.float32)
    assert found.findings == ()
    expected = store(box.descriptor, np.zeros((ROWS, WIDE), np.float32), (0, 0), tile.view(np.uint8).ravel())
    assert np.array_equal(found["whole"], expected)
    assert found["whole"][2, WIDE - 1] == 219


def test_who_writes_there_too_races_with_the_store():
    _, found = run(True)
    assert [finding.name for finding in found.findings] == ["write under a copy in flight"]


@pytest.mark.parametrize("seed", range(1, 6))
def test_the_race_is_found_in_other_orders(seed):
    whole = np.zeros((ROWS, WIDE), np.float32)
    box = tma.tensor_map(whole[:, :COLUMNS], (ROWS, WIDE))
    assert store_rows.simulate(1, WIDE, (box, whole, True), seed=seed).findings
