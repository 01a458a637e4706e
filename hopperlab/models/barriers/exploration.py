"""Every order in which a ring's events can fall, tried: a proof, or the shortest way into trouble.

A breadth-first walk over the states of ``Ring``. It visits each state once, nearest first, so the first
fault that it meets, or the first hang, has no shorter history.
"""

from collections import deque
from dataclasses import dataclass

from hopperlab.models.barriers.ring import Event, Fault, Ring, State

DEFAULT_LIMIT = 300_000  # states; about ten seconds on one core


@dataclass(frozen=True)
class Exploration:
    """What the walk found.

    Attributes
    ----------
    verdict
        ``"proved"``; or ``"deadlock"``, ``"overwrite"``, ``"early read"``, ``"misuse"``; or ``"unfinished"``
        when the limit stopped the walk before it knew.
    states
        How many different states were reached.
    events
        The shortest history that leads into the trouble; empty when there is none.
    path
        The states before each event, and the last one: where a deadlock stands, or the fault's eve.
    explanation
        The finding in words: what is proved, who waits for what, or what went wrong.
    """

    verdict: str
    states: int
    events: tuple[Event, ...]
    path: tuple[State, ...]
    explanation: str

    @property
    def proved(self) -> bool:
        """Whether no order of events deadlocks, overwrites, reads early or misuses a barrier."""
        return self.verdict == "proved"


def explore(ring: Ring, limit: int = DEFAULT_LIMIT) -> Exploration:
    """Walk all reachable states of `ring`, nearest first, and stop at the first trouble.

    Parameters
    ----------
    ring
        The ring, right or wrong.
    limit
        States to visit at most; beyond that the verdict is ``"unfinished"``.
    """
    if limit < 1:
        raise ValueError(f"limit={limit}: at least 1 state is needed")
    start = ring.start()
    came_by: dict[State, tuple[State, Event] | None] = {start: None}
    queue = deque([start])
    while queue:
        state = queue.popleft()
        stuck = not ring.finished(state)
        for event, outcome in ring.successors(state):
            stuck = False
            if isinstance(outcome, Fault):
                events, path = _history(came_by, state)
                return Exploration(outcome.kind, len(came_by), (*events, event), path, f"{outcome.text}.")
            if outcome not in came_by:
                came_by[outcome] = (state, event)
                queue.append(outcome)
        if stuck:
            events, path = _history(came_by, state)
            return Exploration("deadlock", len(came_by), events, path, " ".join(ring.waiting(state)))
        if len(came_by) > limit:
            text = f"Stopped after {len(came_by)} states: no fault among them, and more to visit."
            return Exploration("unfinished", len(came_by), (), (), text)
    length = "any number of items" if ring.items is None else f"{ring.items} items"
    text = (
        f"No order of events hangs, overwrites or reads early, for {length}: {len(came_by)} states visited."
    )
    return Exploration("proved", len(came_by), (), (), text)


def _history(came_by: dict[State, tuple[State, Event] | None], state: State) -> tuple[tuple, tuple]:
    events, path = [], [state]
    while came_by[state]:
        state, event = came_by[state]
        events.append(event)
        path.append(state)
    return tuple(reversed(events)), tuple(reversed(path))
