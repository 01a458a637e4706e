"""SHARP's admission: a streaming reduction wants a tree of switches, and a switch may be taken.

Quantum (SHARPv2) holds one active streaming tree a switch; Quantum-2 (SHARPv3) one a port, so that jobs share a
switch where their ports differ (lit-210). A job that gets no tree reduces in its GPUs, by a ring.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from hopperlab.models.arguments import whole_number

RULES = ("v2", "v3")
MOST_TREES = 32  # at once in one Quantum-2 switch, as the talk counts (talk-058)


@dataclass(frozen=True)
class Cluster:
    """Leaf switches under spines.

    Attributes
    ----------
    leaves
        How many.
    ports
        Host ports of each leaf.
    spines
        How many; a job on several leaves needs one of them as the root of its tree.
    """

    leaves: int = 4
    ports: int = 8
    spines: int = 2

    def __post_init__(self) -> None:
        """Refuse what is no cluster."""
        whole_number("leaves", self.leaves, 1, 64)
        whole_number("ports", self.ports, 1, 64)
        whole_number("spines", self.spines, 1, 64)


@dataclass(frozen=True)
class Job:
    """A training job.

    Attributes
    ----------
    name
        What to call it.
    hosts
        Ports that it wants; two or more.
    compute_seconds
        Of one step, besides its all-reduce.
    gradient_bytes
        All-reduced in each step, by each host.
    """

    name: str
    hosts: int
    compute_seconds: float = 0.05
    gradient_bytes: float = 4e9


@dataclass(frozen=True)
class Placed:
    """A job and its ports: how many on each leaf."""

    job: Job
    on: Mapping[int, int]

    @property
    def leaves(self) -> tuple[int, ...]:
        """Leaves that it stands on, in order."""
        return tuple(sorted(leaf for leaf, count in self.on.items() if count))


@dataclass(frozen=True)
class Admission:
    """The answer to one job.

    Attributes
    ----------
    placed
        The job and where it is.
    tree
        Its switches, such as ``("leaf 0", "leaf 1", "spine 0")``; empty if it fell back to a ring.
    why
        The reason in a sentence.
    """

    placed: Placed
    tree: tuple[str, ...]
    why: str

    @property
    def reduces_in_switch(self) -> bool:
        """Whether it got a tree."""
        return bool(self.tree)


def _refuse_misplaced(cluster: Cluster, jobs: Sequence[Placed]) -> None:
    used = [0] * cluster.leaves
    for placed in jobs:
        whole_number(f"hosts of {placed.job.name}", placed.job.hosts, 2, cluster.leaves * cluster.ports)
        if sum(placed.on.values()) != placed.job.hosts:
            raise ValueError(
                f"{placed.job.name} wants {placed.job.hosts} hosts and is placed on {sum(placed.on.values())}"
            )
        for leaf, count in placed.on.items():
            whole_number(f"leaf of {placed.job.name}", leaf, 0, cluster.leaves - 1)
            used[leaf] += whole_number(f"hosts of {placed.job.name} on leaf {leaf}", count, 0, cluster.ports)
    for leaf, count in enumerate(used):
        if count > cluster.ports:
            raise ValueError(f"leaf {leaf} has {cluster.ports} ports; {count} hosts are placed on it")


def admit(
    cluster: Cluster, jobs: Sequence[Placed], rule: str, most_trees: int = MOST_TREES
) -> list[Admission]:
    """Answer the jobs in the order in which they ask.

    Parameters
    ----------
    rule
        ``"v2"``: a switch serves one tree. ``"v3"``: a switch serves many, each of its ports one.
    most_trees
        Under v3, trees of one switch at once.

    Raises
    ------
    ValueError
        If a job is bigger than the machine or not placed whole, or a leaf is overfull.
    """
    if rule not in RULES:
        raise ValueError(f"rule={rule!r} must be one of {', '.join(RULES)}")
    whole_number("most_trees", most_trees, 1, 512)
    _refuse_misplaced(cluster, jobs)
    limit = 1 if rule == "v2" else most_trees
    serving: dict[str, list[str]] = {}
    answers = []
    for placed in jobs:
        answer = _answer(cluster, placed, serving, limit)
        for switch in answer.tree:
            serving.setdefault(switch, []).append(placed.job.name)
        answers.append(answer)
    return answers


def _answer(cluster: Cluster, placed: Placed, serving: dict[str, list[str]], limit: int) -> Admission:
    def full(switch: str) -> bool:
        return len(serving.get(switch, ())) >= limit

    leaves = [f"leaf {leaf}" for leaf in placed.leaves]
    taken = next((leaf for leaf in leaves if full(leaf)), None)
    if taken:
        return Admission(placed, (), f"{taken} serves {', '.join(serving[taken])}; falls back to a ring")
    if len(leaves) == 1:
        return Admission(placed, tuple(leaves), f"tree on {leaves[0]}")
    root = next((f"spine {n}" for n in range(cluster.spines) if not full(f"spine {n}")), None)
    if root is None:
        return Admission(placed, (), "every spine serves another tree; falls back to a ring")
    return Admission(placed, (*leaves, root), f"tree on {', '.join(leaves)} under {root}")


def pack(cluster: Cluster, jobs: Sequence[Job], homes: Sequence[int]) -> list[Placed]:
    """Put every job on its home leaf, in order; hosts that find no port there go to the next leaf with one.

    Parameters
    ----------
    homes
        A leaf for each job.

    Raises
    ------
    ValueError
        If all jobs together, or one, are bigger than the machine.
    """
    if len(homes) != len(jobs):
        raise ValueError(f"homes has {len(homes)} leaves for {len(jobs)} jobs")
    free = [cluster.ports] * cluster.leaves
    placed = []
    for job, home in zip(jobs, homes, strict=True):
        whole_number(f"home of {job.name}", home, 0, cluster.leaves - 1)
        if job.hosts > sum(free):
            raise ValueError(f"{job.name} wants {job.hosts} hosts; {sum(free)} ports are left")
        on: dict[int, int] = {}
        left = job.hosts
        for step in range(cluster.leaves):
            leaf = (home + step) % cluster.leaves
            count = min(left, free[leaf])
            if count:
                on[leaf] = count
                free[leaf] -= count
                left -= count
        placed.append(Placed(job, on))
    return placed


def best_packing(
    cluster: Cluster, jobs: Sequence[Job], rule: str, score: Callable
) -> tuple[tuple[int, ...], float]:
    """The homes with the highest score, by trying all of them, and that score.

    Parameters
    ----------
    score
        From admissions to a number, such as `steps_per_hour`.

    Raises
    ------
    ValueError
        If there are too many to try: more than 5,000.
    """
    whole_number("homes to try", cluster.leaves ** len(jobs), 1, 5_000)
    tried = product(range(cluster.leaves), repeat=len(jobs))
    scored = ((homes, score(admit(cluster, pack(cluster, jobs, homes), rule))) for homes in tried)
    return max(scored, key=lambda pair: pair[1])
