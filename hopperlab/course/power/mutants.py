"""Wrong solutions of lesson 17, as somebody with the misconception would write them."""

from itertools import pairwise


def at_boost(cycles, busy, limit, celsius):
    """Take the boost clock for the clock."""
    return 1000 * cycles / 1980


def by_temperature(cycles, busy, limit, celsius):
    """Hold the clock back by how warm the die is."""
    return 1000 * cycles / (1980 if celsius < 60 else 1980 * 60 / celsius)


def in_cycles(cycles, busy, limit, celsius):
    """Take a cycle for a nanosecond."""
    return cycles


def by_clock_alone(cycles, busy, limit, celsius):
    """Forget the voltage."""
    return 1000 * cycles / (1980 * min(1, (limit - 124) / busy))


def all_by_clock(cycles, busy, limit, celsius):
    """Forget what the card draws at rest."""
    return 1000 * cycles / (1980 * min(1, limit / (124 + busy)) ** (1 / 3))


def always_at_the_limit(cycles, busy, limit, celsius):
    """Let a light kernel run above the boost clock."""
    return 1000 * cycles / (1980 * ((limit - 124) / busy) ** (1 / 3))


def same_on_zeros(numbers):
    """Draw as much whatever the numbers."""
    return 149 + 1353 * 0.5


def by_set_bits(numbers):
    """Count bits that are set, not bits that change."""
    return 149 + 1353 * sum(number.bit_count() for number in numbers) / (8 * len(numbers))


def by_different_numbers(numbers):
    """Count numbers that change, not their bits."""
    changed = sum(one != other for one, other in pairwise(numbers))
    return 149 + 1353 * changed / (len(numbers) - 1)


def quiet_is_free(numbers):
    """Forget what is drawn though nothing changes."""
    changed = sum((one ^ other).bit_count() for one, other in pairwise(numbers))
    return 1353 * changed / (8 * (len(numbers) - 1))


def of_now(rest, busy, seconds):
    """Tell what is drawn now."""
    return busy if seconds > 0 else rest


def from_nothing(rest, busy, seconds):
    """Let a card at rest draw nothing."""
    return busy * min(seconds, 1)


def without_end(rest, busy, seconds):
    """Let the reading rise and rise."""
    return rest + (busy - rest) * seconds


def as_it_warms(rest, busy, seconds):
    """Let power come slowly, as temperature does."""
    return busy - (busy - rest) * 2.718281828459045 ** (-seconds)
