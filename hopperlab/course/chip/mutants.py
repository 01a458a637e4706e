"""Wrong solutions of lesson 01, as somebody with the misconception would write them."""


def all_to_everybody(uses_tensor_cores, fits_eight_bits, memory_is_the_limit):
    """Multiply all factors, whatever the program does."""
    return 1.22 * 2 * 1.3 * 2


def eight_bits_on_lanes(uses_tensor_cores, fits_eight_bits, memory_is_the_limit):
    """Spend eight bits without tensor cores."""
    if memory_is_the_limit:
        return 2.16
    return 1.22 * 2 * 1.3 * (2 if fits_eight_bits else 1)


def memory_on_top(uses_tensor_cores, fits_eight_bits, memory_is_the_limit):
    """Multiply the memory's step into everything."""
    return 1.22 * 2 * 1.3 * (2 if uses_tensor_cores and fits_eight_bits else 1) * 2.16


def nothing_for_memory(uses_tensor_cores, fits_eight_bits, memory_is_the_limit):
    """Leave a memory-bound program where it was."""
    if memory_is_the_limit:
        return 1.0
    return 1.22 * 2 * 1.3 * (2 if uses_tensor_cores and fits_eight_bits else 1)


def always_the_peak(peak, bandwidth, intensity):
    """Believe the peak."""
    return peak


def always_memory(peak, bandwidth, intensity):
    """Forget the ceiling."""
    return bandwidth * intensity


def upside_down(peak, bandwidth, intensity):
    """Divide by the intensity."""
    return min(peak, bandwidth / intensity)


def sparse_peak(peak, bandwidth, intensity):
    """Take the peak of sparse matrices."""
    return min(2 * peak, bandwidth * intensity)


def without_the_two(flop_per_s, sms, multiply_adds):
    """Count a multiply-add once."""
    return flop_per_s / (sms * multiply_adds) / 1e6


def whole_die(flop_per_s, sms, multiply_adds):
    """Take the die's SMs."""
    return flop_per_s / (144 * 2 * multiply_adds) / 1e6


def in_gigahertz(flop_per_s, sms, multiply_adds):
    """Answer in another unit."""
    return flop_per_s / (sms * 2 * multiply_adds) / 1e9
