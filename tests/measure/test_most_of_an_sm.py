"""What an SM holds, read back from answers about kernels: of answers that follow the rule, its limits come back."""

from dataclasses import replace

import pytest

from hopperlab.chip import chip
from hopperlab.ledger import Recording, recordings
from hopperlab.measure.sm.most_of_an_sm import (
    kept_bytes_per_block,
    most_on_an_sm,
    most_threads_per_block,
)
from hopperlab.models.clusters.resources import blocks_per_sm

HOPPER = chip("H100 SXM5")
KIB = 1024


@pytest.fixture(scope="module")
def asked() -> Recording:
    """The recording that is shipped."""
    (found,) = recordings("cluster_occupancy", card="H200 SXM")
    return found


def answering(asked: Recording, kernels: list[tuple[int, int, int]]) -> Recording:
    """The recording with what the calculator says of kernels (registers, threads, shared bytes) instead."""
    rows = [
        [at, 1, 1, 1, threads, shared, 0, blocks_per_sm(HOPPER, threads, registers, shared), 0]
        for at, (registers, threads, shared) in enumerate(kernels)
    ]
    return replace(asked, samples={"registers": [registers for registers, _, _ in kernels], "rows": rows})


def test_the_limits_of_the_rule_come_back(asked: Recording) -> None:
    kernels = [(32, 32, 0), (32, 64, 0), (64, 1024, 0), (16, 32, 113 * KIB), (16, 32, 8 * KIB)]
    rule = answering(asked, kernels)
    assert most_on_an_sm(rule) == {
        "blocks": HOPPER.max_blocks_per_sm,
        "warps": HOPPER.max_warps_per_sm,
        "threads": HOPPER.max_threads_per_sm,
        "registers": HOPPER.registers_per_sm,
        "shared bytes": HOPPER.shared_bytes_per_sm,
    }
    assert most_threads_per_block(rule) == HOPPER.max_threads_per_block
    assert kept_bytes_per_block(rule) == HOPPER.reserved_shared_bytes_per_block


def test_kernels_that_do_not_fit_say_nothing(asked: Recording) -> None:
    rule = answering(asked, [(32, 128, 0), (255, 1024, 0), (32, 64, 56 * KIB)])
    assert most_threads_per_block(rule) == 128
    assert most_on_an_sm(rule)["blocks"] == HOPPER.max_warps_per_sm // 4


def test_the_driver_was_asked_about_kernels_that_reach_every_limit(asked: Recording) -> None:
    assert most_on_an_sm(asked)["registers"] == HOPPER.registers_per_sm
    assert kept_bytes_per_block(asked) == KIB
