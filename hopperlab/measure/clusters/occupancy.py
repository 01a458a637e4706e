"""How many clusters the card holds, by the driver's own count, over size, shape, block and resources."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any

from hopperlab.chip import chip
from hopperlab.measure.experiment import Experiment
from hopperlab.models.clusters import POLICIES, max_active_clusters

if TYPE_CHECKING:
    from hopperlab.device.silicon.card import Card
    from hopperlab.ledger import Recording
    from hopperlab.measure.audit import Comparison
    from hopperlab.measure.progress import Progress

KIB = 1024
LARGEST = chip("H100 SXM5").max_cluster_size
SIZES = range(1, LARGEST + 1)
LINES = [(size, 1, 1) for size in SIZES]
SHAPES = [s for s in product(SIZES, repeat=3) if s[0] * s[1] * s[2] <= LARGEST]

REGISTER_PAIRS = (4, 8, 16, 30, 60)
THREADS = (32, 128, 256, 512, 1024)
SHARED_KIB = (0, 8, 16, 24, 32, 44, 56, 75, 100, 113, 160, 226)
DEFAULT, SPREAD, LOAD_BALANCING = 0, 1, 2

COLUMNS = ("kernel", "x", "y", "z", "threads", "shared_bytes", "policy", "blocks_per_sm", "clusters")


def configurations() -> Iterator[list[int]]:
    """Give every configuration asked about: the columns up to `policy`, `kernel` by its number."""
    lines = product(range(len(REGISTER_PAIRS)), LINES, THREADS, SHARED_KIB, (DEFAULT,))
    shapes = product((1,), SHAPES, (128, 768), (0, 100), (DEFAULT,))
    policies = product((1,), LINES, (256,), (0, 200), (SPREAD, LOAD_BALANCING))
    for kernel, shape, threads, shared_kib, policy in (*lines, *shapes, *policies):
        yield [kernel, *shape, threads, shared_kib * KIB, policy]


def run(card: Card, progress: Progress) -> dict[str, Any]:
    """Ask the driver about every configuration.

    `clusters` is null where no block fits on an SM, and the name of the error where the driver refuses.
    """
    from hopperlab.kernels.clusters import register_user

    kernels = [register_user(pairs) for pairs in REGISTER_PAIRS]
    registers = [k.silicon.resources(k.argument_types()).registers for k in kernels]
    most_shared = max(SHARED_KIB) * KIB
    functions = [k.silicon.allow(k.argument_types(), LARGEST, most_shared) for k in kernels]
    # One configuration can be in two sweeps: it is asked about once.
    asked = list(dict.fromkeys(map(tuple, configurations())))
    answers = progress.map("configurations", asked, lambda c: _ask(functions[c[0]], *c[1:]))
    return {
        "registers": registers,
        "rows": [[*case, *answer] for case, answer in zip(asked, answers, strict=True)],
    }


def _ask(function: Any, x: int, y: int, z: int, threads: int, shared_bytes: int, policy: int) -> list:
    from hopperlab.device.silicon import occupancy

    blocks = occupancy.max_active_blocks_per_sm(function, threads, shared_bytes)
    if blocks == 0:
        return [0, None]
    try:
        return [blocks, occupancy.max_active_clusters(function, (x, y, z), threads, shared_bytes, policy)]
    except RuntimeError as refusal:
        return [blocks, str(refusal).partition(":")[0]]


def results(samples: dict[str, Any]) -> dict[str, Any]:
    """Gather the answers by policy, size and blocks per SM: they should depend on nothing else."""
    answers: dict[tuple[int, int, int], Counter[int]] = defaultdict(Counter)
    refusals: Counter[tuple[int, int, int, str]] = Counter()
    for row in samples["rows"]:
        _, x, y, z, _, _, policy, blocks, clusters = row
        if isinstance(clusters, str):
            refusals[policy, x * y * z, blocks, clusters] += 1
        elif clusters is not None:
            answers[policy, x * y * z, blocks][clusters] += 1
    counted = sorted(answers.items())
    return {
        "columns": ["policy", "size", "blocks_per_sm", "clusters", "configurations"],
        "answers": [[*key, *answer] for key, counts in counted for answer in sorted(counts.items())],
        "refusals": [[*key, times] for key, times in sorted(refusals.items())],
        "configurations": sum(counts.total() for counts in answers.values()),
        "pairs": len({(size, blocks) for _, size, blocks in answers}),
        "more_than_one_answer": [list(key) for key, counts in counted if len(counts) > 1],
    }


def compare(recordings: Sequence[Recording]) -> Comparison:
    """Set the model beside every answer, with the GPCs of the map that was measured in the same session.

    A configuration is a mismatch where the two differ at all.
    """
    from hopperlab.measure.audit import Comparison, Row

    rows, notes = [], []
    compared = mismatches = 0
    for recording in recordings:
        sizes = [len(group) for group in recording.gpc_map]
        for policy, size, blocks, clusters, configurations in recording.results["answers"]:
            modelled = max_active_clusters(sizes, size, blocks, POLICIES[policy])
            compared += configurations
            mismatches += configurations * (modelled != clusters)
            rows.append(
                Row(
                    theme="clusters",
                    subject=f"clusters of {size} at once, {blocks} blocks an SM{_POLICY_WORDS[policy]}",
                    modelled=modelled,
                    measured=clusters,
                    unit="clusters",
                    card=recording.card_name,
                    tolerance=0,
                )
            )
        notes += [
            f"refused with {error}: clusters of {size}, {blocks} blocks an SM{_POLICY_WORDS[policy]}"
            for policy, size, blocks, error, _ in recording.results["refusals"]
        ]
        notes.append(f"{recording.card_name}: {recording.results['pairs']} pairs of size and blocks per SM")
    cards = ", ".join(sorted({r.card_name for r in recordings}))
    return Comparison("cluster_occupancy", cards, compared, mismatches, tuple(rows), tuple(notes))


_POLICY_WORDS = {DEFAULT: "", SPREAD: ", spread", LOAD_BALANCING: ", load balancing"}

CLUSTER_OCCUPANCY = Experiment(
    name="cluster_occupancy",
    theme="clusters",
    question="How many clusters of each size and shape does the driver say that this card holds at once?",
    statistic="answers of cuOccupancyMaxActiveClusters, counted by policy, size and blocks per SM",
    parameters={
        "columns": list(COLUMNS),
        "kernels": [f"register_user({pairs})" for pairs in REGISTER_PAIRS],
        "threads": list(THREADS),
        "shared_kib": list(SHARED_KIB),
        "policies": {"default": DEFAULT, "spread": SPREAD, "load balancing": LOAD_BALANCING},
    },
    claims=("talk-030", "lit-013", "lit-014", "lit-017", "lit-018"),
    run=run,
    results=results,
    compare=compare,
    seconds=10,
    wants_gpc_map=True,
)
