"""What an SM holds, read back from the driver's answers: the most that any kernel got of each resource.

The experiment `cluster_occupancy` asked how many blocks of a kernel an SM holds. What is most in all its answers is a
measured bound of the SM.
"""

from hopperlab.chip import chip
from hopperlab.ledger import Recording
from hopperlab.measure.sm.answered import answers

HOPPER = chip("H100 SXM5")


def most_threads_per_block(recording: Recording) -> int:
    """Threads of the largest block of which an SM holds one."""
    return max(one.threads for one in answers(recording) if one.blocks)


def most_on_an_sm(recording: Recording) -> dict[str, int]:
    """The most blocks, warps, threads, registers and bytes of shared memory that one SM held.

    Shared memory is counted with the 1 KiB that is kept for every block (chip-004).
    """
    held = [one for one in answers(recording) if one.blocks]
    kept = HOPPER.reserved_shared_bytes_per_block
    return {
        "blocks": max(one.blocks for one in held),
        "warps": max(one.blocks * -(-one.threads // HOPPER.threads_per_warp) for one in held),
        "threads": max(one.blocks * one.threads for one in held),
        "registers": max(one.blocks * one.threads * one.registers for one in held),
        "shared bytes": max(one.blocks * (one.shared_bytes + kept) for one in held),
    }


def kept_bytes_per_block(recording: Recording) -> float:
    """The most that can be kept of shared memory for every block, if each answer is to fit into an SM's."""
    whole = HOPPER.shared_bytes_per_sm
    return min(
        whole / one.blocks - one.shared_bytes for one in answers(recording) if one.blocks and one.shared_bytes
    )
