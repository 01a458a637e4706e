"""An addition in three steps, load, add and store, that other threads come between."""

from numba import cuda, uint32

from hopperlab.device import kernel

THREADS, ROUNDS = 64, 4


@kernel(signature="void(uint32[::1], int32)")
def count_without_atomic(words, rounds):
    """Let every thread raise words[0] `rounds` times, and nobody make sure that it counts."""
    for _ in range(rounds):
        seen = words[0]
        cuda.nanosleep(20)  # as long as an addition takes elsewhere: others load meanwhile
        words[0] = uint32(seen + uint32(1))


@kernel(signature="void(uint32[::1], int32)")
def count_with_atomic(words, rounds):
    """Let every thread raise words[0] `rounds` times by an atomic addition."""
    for _ in range(rounds):
        cuda.nanosleep(20)
        cuda.atomic.add(words, 0, uint32(1))
