"""What the simulator's costs answer to published cycles of the same things."""

from collections.abc import Iterator, Sequence

from hopperlab.device.simulator.timing import Costs
from hopperlab.ledger import Recording, claim
from hopperlab.measure.audit import Row

SAME_SM = "cycles of the same SM: the H200's processor is the H100 SXM5's, and the H800's"
QUOTED = {"load, shared": ("lit-061.a", "load shared"), "load, remote": ("lit-095.a", "load remote")}
"""By the name of a recorded time, the claim that quotes it and the simulator's cost."""


def answers(recorded: Sequence[Recording]) -> Iterator[Row]:
    """Rows for costs that others published as well; the recording sets them, and tests nothing."""
    costs = Costs()
    for recording in recorded:
        if recording.experiment != "timing_costs":
            continue
        for name, (id, cost) in QUOTED.items():
            yield Row(
                "timing",
                claim(id).statement,
                id,
                modelled=costs[cost],
                measured=recording.results[name],
                card=recording.card_name,
                scaling=SAME_SM,
                no_test="the measured cycles set the simulator's cost",
            )
