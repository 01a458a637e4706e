"""Wrong solutions of lesson 07, one for each misconception: each answers as someone with that idea would."""

SIZES = (1, 2, 4, 8, 16)


# --- crossings ------------------------------------------------------------------------------------


def stores_in_turn(steps):
    """Let every store wait for the one before."""
    return _count(steps, in_turn=True)


def free_fence(steps):
    """Let a fence take no time."""
    return _count([step for step in steps if step != "fence"])


def lucky_polls(steps):
    """Let no poll ever come too early."""
    fewest, _ = _count(steps)
    return fewest, fewest


def free_loads(steps):
    """Have the word as soon as the flag is seen."""
    return _count([step for step in steps if step != "load"])


def wait_asks(steps):
    """Let a wait go to the other side and back."""
    return _count(steps, wait=2)


def round_trips(steps):
    """Count a landing as a round trip."""
    return _count(steps, landing=2)


def _count(steps, *, in_turn=False, wait=0, landing=1):
    fewest = most = flying = 0
    for step in steps:
        if step == "store":
            flying = flying + landing if in_turn else landing
            continue
        back = 1 if step == "fence" and flying else 0
        extra = flying + {"fence": back, "poll": 1, "wait": wait, "load": 2}[step]
        fewest += extra
        most += extra + (2 if step == "poll" else 0)
        flying = 0
    return fewest, most


# --- the ring -------------------------------------------------------------------------------------


def own_chunk(rank, blocks, chunk_bytes):
    """Send the own chunk in every step."""
    return [(rank, chunk_bytes, (rank - 1) % blocks) for _ in range(blocks - 1)]


def same_chunk(rank, blocks, chunk_bytes):
    """Let all blocks send the chunk of the step's number."""
    return [(step, chunk_bytes, step) for step in range(blocks - 1)]


def same_comes(rank, blocks, chunk_bytes):
    """Take what comes for what was sent."""
    return [((rank - step) % blocks, chunk_bytes, (rank - step) % blocks) for step in range(blocks - 1)]


def other_way(rank, blocks, chunk_bytes):
    """Let chunks move to the left."""
    return [((rank + step) % blocks, chunk_bytes, (rank + step + 1) % blocks) for step in range(blocks - 1)]


def one_step_more(rank, blocks, chunk_bytes):
    """Go all around."""
    return [((rank - step) % blocks, chunk_bytes, (rank - step - 1) % blocks) for step in range(blocks)]


def messages(rank, blocks, chunk_bytes):
    """Expect one message."""
    return [((rank - step) % blocks, 1, (rank - step - 1) % blocks) for step in range(blocks - 1)]


def all_bytes(rank, blocks, chunk_bytes):
    """Expect the bytes of all steps in each."""
    expected = chunk_bytes * (blocks - 1)
    return [((rank - step) % blocks, expected, (rank - step - 1) % blocks) for step in range(blocks - 1)]


# --- bins -----------------------------------------------------------------------------------------


def all_bins(bins, block_bytes):
    """Keep all bins in every block."""
    return (1, bins) if 4 * bins <= block_bytes else (0, 0)


def byte_bins(bins, block_bytes):
    """Take a bin for a byte."""
    return _first(bins, lambda blocks, share: share <= block_bytes)


def growing_blocks(bins, block_bytes):
    """Let each block have as much as the whole cluster."""
    return _first(bins, lambda blocks, share: 4 * share <= blocks * block_bytes)


def rounded_down(bins, block_bytes):
    """Leave out what cannot be divided evenly."""
    return next(((n, bins // n) for n in SIZES if 4 * (bins // n) <= block_bytes), (0, 0))


def largest(bins, block_bytes):
    """Take 16 blocks in any case."""
    share = -(-bins // 16)
    return (16, share) if 4 * share <= block_bytes else (0, 0)


def _first(bins, fits):
    shares = ((blocks, -(-bins // blocks)) for blocks in SIZES)
    return next((case for case in shares if fits(*case)), (0, 0))
