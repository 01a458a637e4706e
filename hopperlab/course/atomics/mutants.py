"""Wrong solutions of lesson 19, as somebody with the misconception would write them."""


def says_whether(word, expected, new):
    """Tell whether it was swapped."""
    return word == expected, new if word == expected else word


def always_writes(word, expected, new):
    """Forget to compare."""
    return word, new


def gives_what_is_left(word, expected, new):
    """Give the word as it is afterwards."""
    left = new if word == expected else word
    return left, left


def swaps_when_different(word, expected, new):
    """Compare the wrong way around."""
    return word, word if word == expected else new


def nearer_decides(first, second, clock_mhz):
    """Let the nearer player set the pace."""
    return 1000 * (min(first, second) + 100) / 2 / clock_mhz


def mean_decides(first, second, clock_mhz):
    """Share the trips."""
    return 1000 * ((first + second) / 2 + 100) / 2 / clock_mhz


def whole_round(first, second, clock_mhz):
    """Give there and back."""
    return 1000 * (max(first, second) + 100) / clock_mhz


def no_pause(first, second, clock_mhz):
    """Forget what lies between answer and next try."""
    return 1000 * max(first, second) / 2 / clock_mhz


def in_cycles(first, second, clock_mhz):
    """Take cycles for time."""
    return (max(first, second) + 100) / 2


def clock_multiplies(first, second, clock_mhz):
    """Let a faster clock wait longer."""
    return (max(first, second) + 100) / 2 * clock_mhz / 1000


def contention_is_free(hot, spread, sms):
    """Let all words be added to alike."""
    return (hot + spread) / min(5.9 * sms, 241)


def slow_everywhere(hot, spread, sms):
    """Let every addition wait as on one word."""
    return (hot + spread) / 0.69


def one_after_the_other(hot, spread, sms):
    """Add the two times."""
    return hot / 0.69 + spread / min(5.9 * sms, 241)


def more_sms_help(hot, spread, sms):
    """Let every SM add to the one word."""
    return max(hot / (0.69 * sms), spread / min(5.9 * sms, 241))


def no_limit(hot, spread, sms):
    """Forget what the card makes at most."""
    return max(hot / 0.69, spread / (5.9 * sms))
