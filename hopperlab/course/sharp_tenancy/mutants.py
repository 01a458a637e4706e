"""Wrong solutions of lesson 14's exercises, each written as someone with that misconception would."""


def everyone(jobs):
    """Grant all."""
    return [True] * len(jobs)


def refused_hold_too(jobs):
    """Let those that fell back hold their leaves."""
    taken, answers = set(), []
    for leaves in jobs:
        answers.append(taken.isdisjoint(leaves))
        taken.update(leaves)
    return answers


def any_leaf(jobs):
    """Grant if one leaf is free."""
    taken, answers = set(), []
    for leaves in jobs:
        granted = not taken.issuperset(leaves)
        answers.append(granted)
        if granted:
            taken.update(leaves)
    return answers


def only_first(jobs):
    """Grant the first job only."""
    return [number == 0 for number in range(len(jobs))]


def _pod(gpus, servers_of, spines_of, leaves_of=lambda units: 8 * units):
    units = 1
    while 8 * servers_of(units) < gpus:
        units += 1
    leaves = leaves_of(units)
    return units, servers_of(units), leaves, spines_of(leaves)


def _spines(leaves):
    return next(n for n in range(1, 65) if 32 % n == 0 and (n * 64 >= leaves * 32 or n == 32))


def no_manager(gpus):
    """Fill every place with a server."""
    return _pod(gpus, lambda units: 32 * units, _spines)


def ports_only(gpus):
    """Count ports, and not how cables spread."""
    return _pod(gpus, lambda units: 32 * units - 1, lambda leaves: leaves * 32 // 64)


def spine_a_leaf(gpus):
    """A spine for each leaf."""
    return _pod(gpus, lambda units: 32 * units - 1, lambda leaves: leaves)


def all_ports_down(gpus):
    """Half as many leaves, with all ports down."""
    return _pod(gpus, lambda units: 32 * units - 1, _spines, lambda units: 4 * units)
