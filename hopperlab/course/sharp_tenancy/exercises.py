"""Two functions to write: who gets a tree, and the size of a SuperPOD."""

from hopperlab.course.draws import Draw
from hopperlab.course.exercises import Exercise
from hopperlab.course.misconceptions import Misconception
from hopperlab.course.sharp_tenancy import mutants
from hopperlab.models.fabric import superpod
from hopperlab.models.sharp_tenancy import Cluster, Job, Placed, admit

LEAVES = 6


def who_gets_trees(jobs):
    """Which jobs get a streaming tree under SHARPv2, where a leaf serves one tree at a time.

    jobs: for each job, in the order in which they ask, the list of leaves that it stands on.
    There are spines enough. Give a list of True and False, one for each job.
    """
    taken = set()
    answers = []
    for leaves in jobs:
        # your part: grant or refuse, and remember what is taken
        granted = taken.isdisjoint(leaves)
        if granted:
            taken.update(leaves)
        answers.append(granted)
        # end of your part
    return answers


def _right_trees(jobs) -> list[bool]:
    cluster = Cluster(leaves=LEAVES, ports=64, spines=64)
    placed = [
        Placed(Job(f"job {n}", 2 * len(leaves)), dict.fromkeys(leaves, 2)) for n, leaves in enumerate(jobs)
    ]
    return [one.reduces_in_switch for one in admit(cluster, placed, "v2")]


def _jobs(draw: Draw) -> tuple:
    def leaves() -> list[int]:
        return sorted(draw.shuffled(range(LEAVES))[: draw.integer(1, 3)])

    return ([leaves() for _ in range(draw.integer(1, 7))],)


TREES = Exercise(
    "trees",
    "Write SHARPv2's admission: which jobs reduce in the switches?",
    solution=who_gets_trees,
    inputs=_jobs,
    right=_right_trees,
    examples=[([[0], [0, 1], [1]],), ([[0, 1], [2, 3], [1, 2]],), ([[0, 1], [1]],)],
    hints=[
        "Keep a set of leaves that serve a tree already.",
        "A job is granted if none of its leaves is in that set.",
        "Only a job that is granted takes its leaves. One that falls back holds nothing.",
    ],
    misconceptions=[
        Misconception(
            "every job gets SHARP", mutants.everyone, "A leaf serves one streaming tree at a time."
        ),
        Misconception(
            "a job that fell back still holds its leaves",
            mutants.refused_hold_too,
            "It reduces by a ring in its hosts, and takes no switch.",
        ),
        Misconception(
            "one free leaf is enough",
            mutants.any_leaf,
            "The tree needs every leaf that the job stands on.",
        ),
        Misconception(
            "one job in the whole fabric",
            mutants.only_first,
            "The lock is on a switch. Jobs on other leaves are not touched.",
        ),
    ],
    because="The model is `hopperlab.models.sharp_tenancy.admit`, which also gives out spines.",
)


def pod_for(gpus):
    """The SuperPOD that holds so many GPUs: (units, servers, leaves, spines).

    gpus: 1 to 1016. A unit has 32 places for servers of 8 GPUs and 8 leaf switches of 64
    ports; one place in the whole pod is kept for the fabric manager. Half of a leaf's ports
    go up. Spines have 64 ports, and every leaf spreads its 32 cables evenly over them.
    Give the fewest units that will do, all of whose places are filled.
    """
    # your part: units first, then leaves, then the fewest spines
    units = 1
    while 8 * (32 * units - 1) < gpus:
        units += 1
    leaves = 8 * units
    spines = 1
    while spines * 64 < leaves * 32 or 32 % spines:
        spines += 1
    return units, 32 * units - 1, leaves, spines
    # end of your part


def _right_pod(gpus) -> tuple[int, int, int, int]:
    pod = next(superpod(units) for units in range(1, 5) if superpod(units).gpus >= gpus)
    return pod.units, pod.servers, pod.leaves, pod.spines


SIZE = Exercise(
    "size",
    "Size a SuperPOD for 760 GPUs, and for any other number.",
    solution=pod_for,
    inputs=lambda draw: (draw.integer(1, 1016),),
    right=_right_pod,
    examples=[(760,), (256,), (1016,), (248,)],
    hints=[
        "One unit: 31 servers of 8. Two: 63. The place that is missing is the manager's.",
        "8 leaves a unit, 32 cables up from each; a spine takes 64.",
        "The number of spines must also divide 32, or a leaf cannot spread its cables evenly.",
    ],
    misconceptions=[
        Misconception(
            "all places are servers",
            mutants.no_manager,
            "One place in the pod is the fabric manager's: 31, 63, 95 and 127 servers.",
        ),
        Misconception(
            "ports are enough",
            mutants.ports_only,
            "24 leaves fill 12 spines, but 32 cables do not spread evenly over 12.",
        ),
        Misconception(
            "a spine for each leaf",
            mutants.spine_a_leaf,
            "A spine has 64 ports and serves many leaves.",
        ),
        Misconception(
            "leaves give all their ports to servers",
            mutants.all_ports_down,
            "Half of them go up, or the fabric tapers: 32 servers fill 8 leaves, an adapter each.",
        ),
    ],
    because="A DGX H100 SuperPOD's reference architecture lists exactly these four sizes.",
)
