"""Which buffer an iteration of a ring uses, and which parity it waits for.

A barrier is used once a lap, so its phase index is the lap, and the parity to wait for changes once a lap:
not with every iteration, and not with every barrier.
"""


def ring_stage(iteration: int, stages: int) -> int:
    """The buffer that iteration `iteration` of a ring of `stages` uses, 0 to stages - 1."""
    return _ring_position(iteration, stages) % stages


def ring_parity(iteration: int, stages: int) -> int:
    """The parity that a *consumer* waits for on the full barrier at `iteration`: 0 on the first lap.

    A *producer* waits for the other one, ``1 - ring_parity(...)``, on the empty barrier. On the first lap
    that is 1, which a fresh barrier answers at once: an empty ring keeps no producer waiting.
    """
    return _ring_position(iteration, stages) // stages % 2


def _ring_position(iteration: int, stages: int) -> int:
    if stages < 1:
        raise ValueError(f"stages={stages}: at least 1 is needed")
    if iteration < 0:
        raise ValueError(f"iteration={iteration}: 0 or more is needed")
    return iteration
