"""Wrong solutions of lesson 02, as somebody with the misconception would write them."""


def registers_free(threads, registers, shared_kib):
    """Forget registers."""
    return min(32, 64 // (threads // 32), 228 // (shared_kib + 1))


def nothing_kept(threads, registers, shared_kib):
    """Forget the 1 KiB of every block."""
    warps = threads // 32
    by_shared = 228 // shared_kib if shared_kib else 32
    return min(32, 64 // warps, 65536 // (threads * registers), by_shared)


def all_shared(threads, registers, shared_kib):
    """Take all 256 KB for shared memory."""
    return min(32, 64 // (threads // 32), 65536 // (threads * registers), 256 // (shared_kib + 1))


def counts_warps(threads, registers, shared_kib):
    """Give warps for blocks."""
    warps = threads // 32
    return warps * min(32, 64 // warps, 65536 // (threads * registers), 228 // (shared_kib + 1))


def b_for_each_warp(columns, a_in_registers):
    """Read B four times."""
    return max(columns / 2, ((0 if a_in_registers else 64) + 4 * columns) * 32 / 128)


def only_arithmetic(columns, a_in_registers):
    """Let both operands lie in registers."""
    return columns / 2


def from_the_l2(columns, a_in_registers):
    """Read at the rate at which an SM is fed from the L2."""
    rows = columns if a_in_registers else columns + 64
    return max(columns / 2, rows * 32 / 38)


def a_is_always_read(columns, a_in_registers):
    """Read A from shared memory always."""
    return max(columns / 2, (64 + columns) * 32 / 128)


def one_after_the_other(columns, a_in_registers):
    """Wait for the bytes, then compute."""
    return columns / 2 + ((0 if a_in_registers else 64) + columns) * 32 / 128


def registers_hold_anything(tiles, stages):
    """Forget the sums."""
    fitting = [(m, n) for m, n in tiles if stages * (m + n) * 128 <= 227 * 1024]
    return max(fitting, key=lambda tile: tile[0] * tile[1] / sum(tile), default=None)


def whole_256(tiles, stages):
    """Fill all 256 KB with stages."""
    fitting = [(m, n) for m, n in tiles if stages * (m + n) * 128 <= 256 * 1024 and m * n <= 256 * 192]
    return max(fitting, key=lambda tile: tile[0] * tile[1] / sum(tile), default=None)


def largest(tiles, stages):
    """Take the tile with the most sums."""
    fitting = [(m, n) for m, n in tiles if stages * (m + n) * 128 <= 227 * 1024 and m * n <= 256 * 192]
    return max(fitting, key=lambda tile: tile[0] * tile[1], default=None)


def smallest(tiles, stages):
    """Take the tile with the fewest bytes, for more blocks on an SM."""
    fitting = [(m, n) for m, n in tiles if stages * (m + n) * 128 <= 227 * 1024 and m * n <= 256 * 192]
    return min(fitting, key=sum, default=None)


def one_stage(tiles, stages):
    """Count one stage only."""
    fitting = [(m, n) for m, n in tiles if (m + n) * 128 <= 227 * 1024 and m * n <= 256 * 192]
    return max(fitting, key=lambda tile: tile[0] * tile[1] / sum(tile), default=None)
