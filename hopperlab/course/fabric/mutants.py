"""Wrong solutions of lesson 13's exercises, each written as someone with that misconception would."""


def first_half(working_links):
    """Cut through the middle."""
    return list(range(len(working_links) // 2))


def every_other(working_links):
    """Take every other server."""
    return list(range(0, len(working_links), 2))


def worst_and_best(working_links):
    """Take the worst server, and the best ones with it."""
    order = sorted(range(len(working_links)), key=lambda server: working_links[server])
    half = len(order) // 2
    return [order[0], *order[len(order) - half + 1 :]]


def lost_share(fabric_1, step_1, fabric_2, step_2):
    """Compare the two new machines."""
    return (step_2 - step_1) / step_2


def free_exchange(fabric_1, step_1, fabric_2, step_2):
    """Let the faster fabric cost nothing."""
    return (1 / step_1 - 1 / step_2) * fabric_1


def subtracted(fabric_1, step_1, fabric_2, step_2):
    """Subtract speed-ups."""
    return (step_2 - step_1) / (fabric_2 - fabric_1)


def _handed_out(tables, gpus, room, order, by):
    bearing, used = [0.0] * gpus, [0.0] * gpus
    where = [0] * len(tables)
    for number in order:
        fits = [gpu for gpu in range(gpus) if used[gpu] + tables[number][0] <= room]
        gpu = min(fits or range(gpus), key=lambda gpu: bearing[gpu])
        bearing[gpu] += tables[number][by]
        used[gpu] += tables[number][0]
        where[number] = gpu
    return where


def balanced_bytes(tables, gpus, room):
    """Largest first, to the emptiest GPU."""
    order = sorted(range(len(tables)), key=lambda n: -tables[n][0])
    return _handed_out(tables, gpus, room, order, by=0)


def in_turn(tables, gpus, room):
    """Deal the tables out."""
    return [number % gpus for number in range(len(tables))]


def as_they_come(tables, gpus, room):
    """The least busy GPU, but in the order given."""
    return _handed_out(tables, gpus, room, range(len(tables)), by=1)


def first_that_fits(tables, gpus, room):
    """The first GPU with room."""
    used = [0.0] * gpus
    where = []
    for gigabytes, _ in tables:
        gpu = next((gpu for gpu in range(gpus) if used[gpu] + gigabytes <= room), gpus - 1)
        used[gpu] += gigabytes
        where.append(gpu)
    return where
