"""Twins of numba.cuda's words among the lanes of a warp: shuffles, votes, matches."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import cuda

from hopperlab.device.simulator import numbers
from hopperlab.device.simulator.meetings import Meeting, meet_in_warp
from hopperlab.device.simulator.threads import WARP
from hopperlab.device.simulator.twins import twin

FULL = 0xFFFFFFFF


@twin(cuda.syncwarp, waits=True)
def syncwarp(world: Any, mask: int = FULL) -> None:
    """Wait for the lanes of the mask."""
    meet_in_warp(world, "syncwarp", mask)


def _shuffle(word: str, source_of: Callable[[int, int], int]) -> Callable:
    def shuffle(world: Any, mask: int, value: Any, operand: int) -> Any:
        lane = world.thread.lane
        meeting = meet_in_warp(world, word, mask, value)
        source = source_of(lane, int(operand))
        if not 0 <= source < WARP:
            return value
        return _from_lane(world, meeting, source, word)

    shuffle.__name__ = word
    shuffle.__doc__ = f"Give the value of another lane, as {word} picks it."
    return shuffle


def _from_lane(world: Any, meeting: Meeting, source: int, word: str) -> Any:
    for thread, value in meeting.values.items():
        if thread.lane == source:
            return value
    return world.misuse(
        "shuffle from an absent lane",
        f"{world.thread!r} takes the value of lane {source} by {word}, but that lane does not take part",
        "Let every lane that is read from say the same shuffle, with a mask that has it.",
    )


twin(cuda.shfl_sync, waits=True)(_shuffle("shfl_sync", lambda lane, source: source % WARP))
twin(cuda.shfl_up_sync, waits=True)(_shuffle("shfl_up_sync", lambda lane, delta: lane - delta))
twin(cuda.shfl_down_sync, waits=True)(_shuffle("shfl_down_sync", lambda lane, delta: lane + delta))
twin(cuda.shfl_xor_sync, waits=True)(_shuffle("shfl_xor_sync", lambda lane, mask: lane ^ mask))


@twin(cuda.all_sync, waits=True)
def all_sync(world: Any, mask: int, predicate: Any) -> bool:
    """Whether all lanes of the mask brought something true."""
    return all(meet_in_warp(world, "all_sync", mask, predicate).values.values())


@twin(cuda.any_sync, waits=True)
def any_sync(world: Any, mask: int, predicate: Any) -> bool:
    """Whether any lane of the mask brought something true."""
    return any(meet_in_warp(world, "any_sync", mask, predicate).values.values())


@twin(cuda.eq_sync, waits=True)
def eq_sync(world: Any, mask: int, predicate: Any) -> bool:
    """Whether all lanes of the mask brought the same truth."""
    return len(set(map(bool, meet_in_warp(world, "eq_sync", mask, predicate).values.values()))) == 1


@twin(cuda.ballot_sync, waits=True)
def ballot_sync(world: Any, mask: int, predicate: Any) -> int:
    """Give a bit for each lane that brought something true."""
    values = meet_in_warp(world, "ballot_sync", mask, predicate).values
    return numbers.int32(sum(1 << thread.lane for thread, value in values.items() if value))


@twin(cuda.match_any_sync, waits=True)
def match_any_sync(world: Any, mask: int, value: Any) -> int:
    """Give a bit for each lane that brought the same value as this one."""
    values = meet_in_warp(world, "match_any_sync", mask, value).values
    return numbers.int32(sum(1 << thread.lane for thread, other in values.items() if other == value))


@twin(cuda.match_all_sync, waits=True)
def match_all_sync(world: Any, mask: int, value: Any) -> tuple[int, bool]:
    """Give the mask and True if all lanes brought the same value, else 0 and False."""
    values = meet_in_warp(world, "match_all_sync", mask, value).values
    same = all(other == value for other in values.values())
    return numbers.int32(mask if same else 0), same


@twin(cuda.activemask)
def activemask(world: Any) -> int:
    """Give the lanes that have not ended; on a card, those that happen to run together."""
    return numbers.uint32(world.thread.warp.live)


@twin(cuda.lanemask_lt)
def lanemask_lt(world: Any) -> int:
    """Give the lanes below this one."""
    return numbers.uint32((1 << world.thread.lane) - 1)
