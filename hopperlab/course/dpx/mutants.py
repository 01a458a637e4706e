"""Wrong solutions of lesson 03, as somebody with the misconception would write them."""

from numba import int32


def widened(diagonal, above, left, score, gap):
    """Leave the sums as numba types them."""
    return max(max(diagonal + score, above - gap), left - gap)


def gap_once(diagonal, above, left, score, gap):
    """Subtract the gap once, from the better of two neighbors."""
    return max(int32(diagonal + score), int32(max(above, left) - gap))


def one_condition(diagonal, above, left, score, gap):
    """Ask of the first whether it is above both others."""
    first, second, third = int32(diagonal + score), int32(above - gap), int32(left - gap)
    if first >= second and first >= third:
        return first
    return second if second >= third else third


def local(diagonal, above, left, score, gap):
    """Align locally, as Smith and Waterman do."""
    best = max(int32(diagonal + score), int32(above - gap))
    return max(max(best, int32(left - gap)), int32(0))


def free_gaps(diagonal, above, left, score, gap):
    """Let gaps cost nothing."""
    return max(max(int32(diagonal + score), above), left)


def gap_on_every_way(diagonal, above, left, score, gap):
    """Charge the gap on the diagonal, too."""
    best = max(int32(diagonal + score - gap), int32(above - gap))
    return max(best, int32(left - gap))


def maximum_first(diagonal, above, left, score, gap):
    """Take the best neighbor, then add the score."""
    return int32(max(max(diagonal, int32(above - gap)), int32(left - gap)) + score)


def row_by_row(rows, columns, step):
    """Fill a row in a step."""
    return [(step, j) for j in range(columns)] if step < rows else []


def past_the_edge(rows, columns, step):
    """Forget where the table ends."""
    return [(i, step - i) for i in range(step + 1)]


def one_a_step(rows, columns, step):
    """Fill a cell in a step, as one thread would."""
    return [divmod(step, columns)] if step < rows * columns else []


def unsigned(query, target, match):
    """Count up to 65,535."""
    return min(query, target) * match <= 65535


def below_the_last(query, target, match):
    """Stop one short of the largest number."""
    return min(query, target) * match < 32767


def longer_decides(query, target, match):
    """Take the longer sequence's letters."""
    return max(query, target) * match <= 32767


def both_lengths(query, target, match):
    """Add the letters of both."""
    return (query + target) * match <= 32767


def letters_alone(query, target, match):
    """Forget what a match earns."""
    return min(query, target) <= 32767
