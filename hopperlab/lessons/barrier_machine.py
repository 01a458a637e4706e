"""One barrier worked by buttons, as lessons 08 and 09 give it to the learner."""

from collections.abc import Mapping
from functools import partial
from typing import NamedTuple

from hopperlab.lessons.panel import EventPanel, Step
from hopperlab.models.barriers import Mbarrier
from hopperlab.views import barriers as views
from hopperlab.views.picture import Picture

HEIGHT = 620


class Machine(NamedTuple):
    """A barrier and what was last said to it, with the answer if it was asked."""

    barrier: Mbarrier
    said: str


def _say(operation: str, number: int, state: Machine) -> Machine:
    said = {"arrive": "arrive", "complete_tx": f"{number} bytes land"}.get(
        operation, f"{operation}({number})"
    )
    if operation == "test_wait":
        answer = "returns" if state.barrier.test_wait(number) else "sleeps"
        return Machine(state.barrier, f"wait(parity {number}) {answer}")
    getattr(state.barrier, operation)(number)
    return Machine(state.barrier, said)


def _moment(step: Step) -> views.Moment:
    barrier = step.state.barrier
    return views.Moment(step.state.said, barrier.phase, barrier.pending_arrivals, barrier.pending_tx)


def _waiters(barrier: Mbarrier) -> list[views.Doing]:
    """Who would sleep and who would go on, one for each parity."""
    found = []
    for parity in (0, 1):
        passes = barrier.test_wait(parity)
        why = f"phase {barrier.phase} has parity {barrier.parity}: the phase of parity {parity} is over"
        if not passes:
            why = f"phase {barrier.phase} needs {barrier.missing()}"
        found.append(views.Doing(f"a wait for parity {parity}", "passes" if passes else "asleep", why))
    return found


def _machine_picture(steps: tuple[Step, ...]) -> Picture:
    return views.strip([_moment(step) for step in steps], doings=_waiters(steps[-1].state.barrier))


def barrier_machine(name: str, count: int, buttons: Mapping[str, tuple[str, int]]) -> EventPanel:
    """A fresh barrier of `count` arrivals, and for each button's label an operation of it with its number."""
    events = {label: partial(_say, *operation) for label, operation in buttons.items()}
    return EventPanel(
        name, Machine(Mbarrier(count), f"init({count})"), events, _machine_picture, height=HEIGHT
    )
