"""Steps an hour: what a job loses when its all-reduce falls back to a ring."""

from collections.abc import Iterable

from hopperlab.models.arguments import finite_number
from hopperlab.models.collectives.traffic import traffic
from hopperlab.models.sharp_tenancy.admission import Admission, Job

PORT_BYTES_PER_S = 50e9  # NDR, one direction (talk-056.b)


def step_seconds(answer: Admission, port_bytes_per_second: float = PORT_BYTES_PER_S) -> float:
    """One step of a job: compute, then an all-reduce that nothing hides.

    With a tree each host sends its gradients once and gets the sum once; with a ring both nearly twice.
    """
    finite_number("port_bytes_per_second", port_bytes_per_second, above=0)
    job = answer.placed.job
    if answer.reduces_in_switch:
        moved = job.gradient_bytes
    else:
        moved = traffic("all-reduce", "ring", job.hosts, job.gradient_bytes).busier
    return job.compute_seconds + moved / port_bytes_per_second


def steps_per_hour(answers: Iterable[Admission], port_bytes_per_second: float = PORT_BYTES_PER_S) -> float:
    """The score: steps of all jobs in an hour."""
    return sum(3600 / step_seconds(answer, port_bytes_per_second) for answer in answers)


GAME_JOBS = (
    Job("A", 6, gradient_bytes=8e9),
    Job("B", 4, gradient_bytes=2e9),
    Job("C", 6, gradient_bytes=16e9),
    Job("D", 6, gradient_bytes=4e9),
    Job("E", 4, gradient_bytes=2e9),
    Job("F", 4, gradient_bytes=8e9),
)
"""Six jobs for four leaves of eight ports: 30 of 32 ports."""

GAME_HOMES = (0, 0, 2, 2, 0, 0)
"""Where a careless scheduler puts them: several spill over to other leaves."""
