"""From the trace of a simulated run to the steps of its pipeline."""

from collections.abc import Iterator
from itertools import groupby

from hopperlab.device.trace import Event, Trace
from hopperlab.models.gemm import Step, Timeline

PRODUCT = "wgmma.mma_async"


def traced(trace: Trace, consumer: int = 0, block: int = 0) -> Timeline:
    """Read when each step's copies were asked for and landed, and when its products began and ended.

    Parameters
    ----------
    trace
        Of a timed run of a rung with tensor cores: barriers full[i], and one wait for each step.
    consumer
        A thread of the warpgroup whose products are meant.
    block
        Its block.

    Raises
    ------
    ValueError
        If the trace has no step.
    """
    own = [event for event in trace.events if event.block == block]
    asked = [event for event in own if event.verb == "expect"]
    landed = _landings(own)
    worked = list(_products(own, consumer))
    if not asked or len(worked) < len(asked):
        raise ValueError(f"block={block}: {len(asked)} stages were asked for, {len(worked)} were multiplied")
    steps: list[Step] = []
    for number, (event, (begun, done)) in enumerate(zip(asked, worked, strict=False)):
        after = steps[-1].done if steps else 0.0
        stage = int(event.what.partition("[")[2].rstrip("]") or 0)
        steps.append(Step(number, stage, event.cycle, landed[number], max(begun, after), max(done, after)))
    return Timeline(tuple(steps))


def _landings(events: list[Event]) -> list[float]:
    """When each step's last bytes were counted: the copies between one announcement and the next are its own."""
    copies: list[list[int]] = []
    counted: dict[int, float] = {}
    for event in events:
        if event.verb == "expect":
            copies.append([])
        elif event.verb == "issue" and event.what != PRODUCT and copies:
            copies[-1].append(event.data["copy"])
        elif event.verb == "count":
            counted[event.data["copy"]] = event.cycle
    return [max(counted[copy] for copy in step) for step in copies]


def _products(events: list[Event], consumer: int) -> Iterator[tuple[float, float]]:
    """When each step's products began and ended, of the warpgroup of a thread."""
    group = consumer // 128
    issued = [event for event in events if event.verb == "issue" and event.what == PRODUCT]
    mine = [event for event in issued if event.thread // 128 == group]
    landed = {event.data["copy"]: event.cycle for event in events if event.verb == "land"}
    for _, each in groupby(enumerate(mine), key=lambda pair: pair[0] // 4):
        step = [event for _, event in each]
        yield step[0].cycle, max(landed[event.data["copy"]] for event in step)
