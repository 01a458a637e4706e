"""Wrong solutions of lesson 18, as somebody with the misconception would write them."""

from itertools import pairwise


def in_order(order):
    """Lead from each line to its neighbor."""
    return [(line + 1) % len(order) for line in range(len(order))]


def any_shuffle(order):
    """Take a shuffle for a ring."""
    return list(order)


def open_end(order):
    """Let the last line lead to itself."""
    following = list(range(len(order)))
    for before, after in pairwise(order):
        following[before] = after
    return following


def by_position(order):
    """Write the successor at the place in the order."""
    return [order[(place + 1) % len(order)] for place in range(len(order))]


def equally_near(footprint_mib, l2_mib):
    """Let all of the L2 answer alike."""
    return 281


def half_is_far(footprint_mib, l2_mib):
    """Let each load be near or far by chance."""
    return (281 + 570) / 2


def all_or_nothing(footprint_mib, l2_mib):
    """Lose everything as soon as something does not fit."""
    return 281 if footprint_mib <= l2_mib / 2 else 570


def near_and_far(footprint_mib, l2_mib):
    """Charge a miss for near and far in full."""
    missing = max(0, 1 - l2_mib / 2 / footprint_mib)
    return 281 + missing * 570


def whole_sm(shared_kib, cycles, clock_mhz):
    """Take the SM's memory for the L1."""
    return 256, 1000 * cycles / clock_mhz


def nothing_asked(shared_kib, cycles, clock_mhz):
    """Believe that shared memory that nobody asked for is none."""
    return 256 - shared_kib - 7, 1000 * cycles / clock_mhz


def nothing_kept(shared_kib, cycles, clock_mhz):
    """Forget what the SM keeps."""
    return 256 - max(8, shared_kib), 1000 * cycles / clock_mhz


def in_cycles(shared_kib, cycles, clock_mhz):
    """Take cycles for time."""
    return 256 - max(8, shared_kib) - 7, cycles


def clock_multiplies(shared_kib, cycles, clock_mhz):
    """Let a faster clock wait longer."""
    return 256 - max(8, shared_kib) - 7, cycles * clock_mhz / 1000
