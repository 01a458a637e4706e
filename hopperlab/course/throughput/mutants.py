"""Wrong solutions of lesson 21, as somebody with the misconception would write them."""


def forgotten(a, b, rounds):
    """Time the additions, and never look at what they give."""
    total = b
    for _ in range(rounds):
        total, b = b, total + b
    return a


def added_up(a, b, rounds):
    """Add the same number again and again."""
    for _ in range(rounds):
        a = a + b
    return a


def half_kept(a, b, rounds):
    """Carry two chains, and give one of them."""
    c, d = b, a
    for _ in range(rounds // 2):
        a, b = b, a + b
        c, d = d, c + d
    return b


def doubled(a, b, rounds):
    """Add a number to itself."""
    for _ in range(rounds):
        b = b + b
    return b


def two_at_a_time(a, b, rounds):
    """Make two additions a round, in half of the rounds."""
    for _ in range(rounds // 2):
        a = a + b
        b = b + a
    return b


def lanes_one_by_one(lanes, results, flop, counted):
    """Let a warp take 32 clocks in each of four sub-partitions."""
    if counted == "warp instructions":
        return 4 / 32
    return 4 * results * (flop if counted == "FLOP" else 1)


def one_flop(lanes, results, flop, counted):
    """Count a multiply-add once."""
    return lanes / 32 if counted == "warp instructions" else lanes * results


def unpaired(lanes, results, flop, counted):
    """Count a pair as one result."""
    if counted == "warp instructions":
        return lanes / 32
    return lanes * (flop if counted == "FLOP" else 1)


def pairs_in_warps(lanes, results, flop, counted):
    """Count a warp instruction of pairs twice."""
    if counted == "warp instructions":
        return lanes * results / 32
    return lanes * results * (flop if counted == "FLOP" else 1)


def threads_for_warps(lanes, results, flop, counted):
    """Count every thread's part as a warp instruction."""
    return (
        lanes * results * flop if counted == "FLOP" else lanes * (results if counted == "lane results" else 1)
    )


def all_alike(here, there):
    """Take the ratio of SMs for that of chips."""
    ratio = here[0] / there[0]
    return ratio, ratio


def no_clock(here, there):
    """Forget the clock."""
    return here[0] / there[0], here[0] * here[1] / (there[0] * there[1])


def clock_in_both(here, there):
    """Put the clock into the rate of an SM, too."""
    of_an_sm = here[0] * here[2] / (there[0] * there[2])
    return of_an_sm, of_an_sm * here[1] / there[1]


def upside_down(here, there):
    """Divide the other way round."""
    of_an_sm = there[0] / here[0]
    return of_an_sm, of_an_sm * there[1] * there[2] / (here[1] * here[2])
