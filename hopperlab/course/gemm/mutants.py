"""Wrong solutions of lesson 11, one for each misconception: each answers as someone with that idea would."""

ROOM = 226 * 1024


# --- the ring's time ------------------------------------------------------------------------------


def two_stages(stages, steps, latency, compute):
    """Wait for the step two before, whatever the stages."""
    return _ring(steps, compute, lambda step, done: (done[step - 2] if step >= 2 else 0) + latency)


def never_waits(stages, steps, latency, compute):
    """See only the first landing."""
    return latency + steps * compute


def free_when_landed(stages, steps, latency, compute):
    """Ask for a stage again as soon as it has landed."""
    landed = []

    def landing(step, done):
        landed.append((landed[step - stages] if step >= stages else 0) + latency)
        return landed[-1]

    return _ring(steps, compute, landing)


def one_copy_at_a_time(stages, steps, latency, compute):
    """Ask for a stage when the copy before has landed."""
    landed = []

    def landing(step, done):
        free = done[step - stages] if step >= stages else 0
        landed.append(max(free, landed[-1] if landed else 0) + latency)
        return landed[-1]

    return _ring(steps, compute, landing)


def work_overlaps(stages, steps, latency, compute):
    """Begin as soon as tiles land, whatever is still worked on."""
    done = []
    for step in range(steps):
        done.append((done[step - stages] if step >= stages else 0) + latency + compute)
    return done[-1]


def _ring(steps, compute, landing):
    done = []
    for step in range(steps):
        done.append(max(landing(step, done), done[-1] if done else 0) + compute)
    return done[-1]


# --- the longest bubble ---------------------------------------------------------------------------


def counts_the_fill(landed, done):
    """Count the wait for the first landing as well."""
    waits = [landed[0], *(landed[k] - done[k - 1] for k in range(1, len(landed)))]
    return _worst(waits)


def between_landings(landed, done):
    """Take the time between landings."""
    return _worst([0, *(landed[k] - landed[k - 1] for k in range(1, len(landed)))])


def longest_work(landed, done):
    """Take the time between ends of work."""
    return _worst([0, *(done[k] - done[k - 1] for k in range(1, len(landed)))])


def last_of_equals(landed, done):
    """Give the last of equal bubbles."""
    waits = [0, *(landed[k] - done[k - 1] for k in range(1, len(landed)))]
    longest = max(waits)
    return (len(waits) - 1 - waits[::-1].index(longest), longest) if longest > 0 else (0, 0)


def _worst(waits):
    longest = max(waits)
    return (waits.index(longest), longest) if longest > 0 else (0, 0)


# --- a tile's stages ------------------------------------------------------------------------------


def all_of_it(rows, columns, step, operand_bytes):
    """Take 256 KiB."""
    return 255 * 1024 // ((rows + columns) * step * operand_bytes)


def sums_too(rows, columns, step, operand_bytes):
    """Keep the sums in shared memory as well."""
    return max(0, ROOM - rows * columns * 4) // ((rows + columns) * step * operand_bytes)


def only_b(rows, columns, step, operand_bytes):
    """Count the tile of B alone."""
    return ROOM // (columns * step * operand_bytes)


def no_barriers(rows, columns, step, operand_bytes):
    """Fill all that a block gets with tiles."""
    return 227 * 1024 // ((rows + columns) * step * operand_bytes)


def elements(rows, columns, step, operand_bytes):
    """Take an element for a byte."""
    return ROOM // ((rows + columns) * step)


def decimal(rows, columns, step, operand_bytes):
    """Take 227,000 bytes."""
    return (227_000 - 1024) // ((rows + columns) * step * operand_bytes)
