"""From the trace of a simulated run to the steps of its pipeline."""

from collections.abc import Iterable

from hopperlab.device.trace import Event, Trace
from hopperlab.models.gemm import Step, Timeline

PRODUCT = "wgmma.mma_async"
PRODUCTS = 4
"""Of a step: four instructions for 128 bytes along K."""

WARPGROUP = 128


def traced(trace: Trace, block: int = 0) -> Timeline:
    """Read when each step's copies were asked for and landed, and when its first product began and its last ended.

    Parameters
    ----------
    trace
        Of a timed run of a rung with tensor cores: it announces each stage on a barrier full[i], and each of its
        warpgroups starts four products for it.
    block
        The block that is meant.

    Raises
    ------
    ValueError
        If the trace has no whole step of that block.
    """
    own = [event for event in trace.events if event.block == block]
    asked = [event for event in own if event.verb == "expect"]
    landed, worked = _landings(own), _products(own)
    if not asked or not len(asked) == len(landed) == len(worked):
        raise ValueError(f"block={block}: {len(asked)} stages were asked for, {len(worked)} were multiplied")
    steps: list[Step] = []
    for number, event in enumerate(asked):
        begun, done = worked[number]
        after = steps[-1].done if steps else 0.0  # the tensor cores take one step after the other
        stage = int(event.what.partition("[")[2].rstrip("]"))
        steps.append(Step(number, stage, event.cycle, landed[number], max(begun, after), max(done, after)))
    return Timeline(tuple(steps))


def _landings(events: Iterable[Event]) -> list[float]:
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


def _products(events: list[Event]) -> list[tuple[float, float]]:
    """When each step's first product began and its last one ended, over all warpgroups."""
    landed = {event.data["copy"]: event.cycle for event in events if event.verb == "land"}
    by_warpgroup: dict[int, list[Event]] = {}
    for event in events:
        if event.verb == "issue" and event.what == PRODUCT:
            by_warpgroup.setdefault(event.thread // WARPGROUP, []).append(event)
    steps = min((len(found) for found in by_warpgroup.values()), default=0) // PRODUCTS
    found = []
    for step in range(steps):
        started = [
            event for mine in by_warpgroup.values() for event in mine[PRODUCTS * step : PRODUCTS * (step + 1)]
        ]
        found.append((min(event.cycle for event in started), max(landed[e.data["copy"]] for e in started)))
    return found
