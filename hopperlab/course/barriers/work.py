"""The block of four threads that lesson 08 asks about: units of work before, beside and after the barrier."""

from hopperlab.models.barriers import Schedule, arrive_then_wait, syncthreads

NEEDED = (8, 2, 5, 3)
OWN = (2, 4, 6, 4)
AFTER = (2, 2, 2, 2)


def apart() -> Schedule:
    """The four threads with arriving and waiting apart."""
    return arrive_then_wait(NEEDED, OWN, AFTER)


def at_once() -> Schedule:
    """The four threads with `syncthreads`."""
    return syncthreads(NEEDED, OWN, AFTER)
