"""Wrong solutions of lesson 09, one for each misconception: each answers as someone with that idea would."""

WORD = 4


# --- the barrier ----------------------------------------------------------------------------------


def clamped(count, events):
    """Let the bytes missing stop at zero."""
    return _phases(count, events, landed=lambda tx, number: max(0, tx - number))


def at_most_zero(count, events):
    """End the phase when no more bytes are missing than zero."""
    return _phases(count, events, complete=lambda pending, tx: pending == 0 and tx <= 0)


def arrivals_only(count, events):
    """End the phase with the last arrival."""
    return _phases(count, events, complete=lambda pending, tx: pending == 0)


def expecting_arrives(count, events):
    """Count expect_tx as an arrival too."""
    return _phases(count, events, also_arrive=("expect_tx",))


def bytes_arrive(count, events):
    """Count each message as an arrival too."""
    return _phases(count, events, also_arrive=("bytes",))


def never_again(count, events):
    """Forget that the next phase needs its arrivals anew."""
    return _phases(count, events, rearm=False)


def _phases(count, events, *, landed=None, complete=None, also_arrive=(), rearm=True):
    landed = landed or (lambda tx, number: tx - number)
    complete = complete or (lambda pending, tx: pending == 0 and tx == 0)
    pending, tx, phases = count, 0, 0
    for kind, number in events:
        if kind == "arrive":
            pending -= number
        elif kind == "expect_tx":
            tx += number
        else:
            tx = landed(tx, number)
        if kind in also_arrive:
            pending -= 1
        if complete(pending, tx):
            phases += 1
            pending = count if rearm else 0
    return phases


# --- edges ----------------------------------------------------------------------------------------


def messages(block, edges):
    """Count messages."""
    return sum(1 for sender, receiver, _ in edges if receiver == block != sender)


def words(block, edges):
    """Count words, not bytes."""
    return sum(size for sender, receiver, size in edges if receiver == block != sender)


def sent(block, edges):
    """Expect what the block sends."""
    return sum(WORD * size for sender, receiver, size in edges if sender == block != receiver)


def equal_edges(block, edges):
    """Take the first edge's size for all."""
    mine = [size for sender, receiver, size in edges if receiver == block != sender]
    return WORD * mine[0] * len(mine) if mine else 0


def own_too(block, edges):
    """Expect also what the block keeps to itself."""
    return sum(WORD * size for _, receiver, size in edges if receiver == block)


# --- the ring -------------------------------------------------------------------------------------


def never_flips(tiles, stages):
    """Wait for the first lap's parities for ever."""
    return [(tile % stages, 1, 0) for tile in range(tiles)]


def flips_each_tile(tiles, stages):
    """Change the parity with every tile."""
    return [(tile % stages, 1 - tile % 2, tile % 2) for tile in range(tiles)]


def same_for_both(tiles, stages):
    """Start the producer with parity 0 as well."""
    return [(tile % stages, tile // stages % 2, tile // stages % 2) for tile in range(tiles)]


def lap_for_parity(tiles, stages):
    """Take the lap itself: right for two laps."""
    return [(tile % stages, abs(1 - tile // stages), tile // stages) for tile in range(tiles)]
