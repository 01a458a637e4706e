"""Wrong solutions of lesson 20, as somebody with the misconception would write them."""


def memory_alone(blocks, threads, width, loads, latency_ns, peak_gb):
    """Let memory give its peak to whoever asks."""
    return peak_gb


def full_grid(blocks, threads, width, loads, latency_ns, peak_gb):
    """Let occupancy decide: the peak once there is a block on every SM."""
    return peak_gb * min(1, blocks / 132)


def half_is_half(blocks, threads, width, loads, latency_ns, peak_gb):
    """Let each SM own its part of the bandwidth, full with two blocks."""
    return peak_gb * min(1, blocks / 264)


def any_width(blocks, threads, width, loads, latency_ns, peak_gb):
    """Count loads, as if all were of 4 bytes."""
    return min(blocks * threads * loads * 4 / latency_ns, peak_gb)


def one_load(blocks, threads, width, loads, latency_ns, peak_gb):
    """Let a thread wait for each of its loads."""
    return min(blocks * threads * width / latency_ns, peak_gb)


def no_ceiling(blocks, threads, width, loads, latency_ns, peak_gb):
    """Believe that more in flight is always more."""
    return blocks * threads * width * loads / latency_ns


def counted_once(elements, element_bytes, reads, writes, seconds):
    """Count each element once, though it is read and written."""
    return elements * element_bytes / seconds / 1e9


def only_read(elements, element_bytes, reads, writes, seconds):
    """Leave out what is written."""
    return elements * element_bytes * reads / seconds / 1e9


def in_gib(elements, element_bytes, reads, writes, seconds):
    """Count powers of two, and call them GB."""
    return elements * element_bytes * (reads + writes) / seconds / 2**30


def in_bits(elements, element_bytes, reads, writes, seconds):
    """Count bits."""
    return 8 * elements * element_bytes * (reads + writes) / seconds / 1e9


def one_number(footprint_mb, l2_mb, l2_gb, hbm_gb):
    """Let the L2 cache give its rate at any footprint."""
    return l2_gb


def all_or_nothing(footprint_mb, l2_mb, l2_gb, hbm_gb):
    """Lose everything as soon as something does not fit."""
    return l2_gb if footprint_mb <= l2_mb else hbm_gb


def mean_of_rates(footprint_mb, l2_mb, l2_gb, hbm_gb):
    """Mix the rates instead of the times."""
    hit = min(1, l2_mb / footprint_mb)
    return hit * l2_gb + (1 - hit) * hbm_gb


def always_memory(footprint_mb, l2_mb, l2_gb, hbm_gb):
    """Call every read a read of device memory."""
    return hbm_gb
