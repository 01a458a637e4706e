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


GAME_JOBS = tuple(
    Job(name, hosts) for name, hosts in (("A", 6), ("B", 4), ("C", 6), ("D", 6), ("E", 4), ("F", 4))
)
"""Six jobs for four leaves of eight ports: 30 of 32 ports."""

GAME_HOMES = (0, 0, 1, 2, 2, 3)
"""Where a careless scheduler puts them: several spill over to a second leaf."""
