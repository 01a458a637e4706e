"""Three functions to write: the occupancy rule, a map of GPCs from observations, a cluster for a stencil."""

from hopperlab.course.clusters import mutants
from hopperlab.course.draws import Draw
from hopperlab.course.exercises import Exercise
from hopperlab.course.misconceptions import Misconception
from hopperlab.models.clusters import map_from_clusters, max_active_clusters


def clusters_at_once(gpc_sm_counts, cluster_size, blocks_per_sm):
    """Clusters of `cluster_size` blocks that run at once.

    gpc_sm_counts: SMs of each GPC, such as [18, 16, 8].
    blocks_per_sm: blocks that fit on one SM, 1 to 4.
    """
    # your part: add up the clusters of every GPC
    total = 0
    for sms in gpc_sm_counts:
        if sms >= cluster_size:
            total += sms * blocks_per_sm // cluster_size
    return total
    # end of your part


def _occupancy_inputs(draw: Draw) -> tuple:
    counts = draw.several(lambda: draw.integer(1, 18), 1, 9)
    return counts, draw.integer(1, 16), draw.integer(1, 4)


OCCUPANCY = Exercise(
    "occupancy",
    "Write the rule: how many clusters run at once on a card with these GPCs?",
    solution=clusters_at_once,
    inputs=_occupancy_inputs,
    right=max_active_clusters,
    examples=[([18, 18, 16, 16, 16, 16, 16, 8, 2, 2, 2, 2], 5, 1), ([16, 8], 16, 2)],
    hints=[
        "Take one GPC by itself: how many places for blocks has it, and how many clusters fit into them?",
        "Round down in each GPC before you add; a rest in one GPC is of no use to another.",
        "One condition is left: a GPC with fewer SMs than the cluster has blocks runs none of it, however many "
        "blocks fit on an SM.",
    ],
    misconceptions=[
        Misconception(
            "SMs divided by size",
            mutants.pooled,
            "Adding SMs of all GPCs before dividing pools what cannot be pooled: a cluster lives in one GPC.",
        ),
        Misconception(
            "a small GPC lends its second places",
            mutants.places_only,
            "Places are counted rightly, but a cluster larger than its GPC never runs there, however many "
            "blocks fit on an SM.",
        ),
        Misconception(
            "one block an SM always",
            mutants.one_block_an_sm,
            "blocks_per_sm is not used. Where two blocks fit on an SM, a GPC has twice the places.",
        ),
        Misconception(
            "powers of two only",
            mutants.powers_of_two,
            "A cluster may have any size from 1 to 16.",
        ),
        Misconception(
            "every GPC is whole",
            mutants.whole_gpcs,
            "Every GPC is counted as if it had 18 SMs. Use the number that stands in the list.",
        ),
    ],
    because="The model is `hopperlab.models.clusters.max_active_clusters`; `hopperlab audit clusters` holds it "
    "against the card.",
)


def groups_of_sms(observed, sms):
    """The SMs that share a GPC, as far as these observations prove it.

    observed: for every cluster seen, the list of SMs on which its blocks ran.
    sms: SMs of the card, numbered from 0.
    Give a list of groups, each a sorted list of SMs, sorted by first SM; an SM never
    seen is alone.
    """
    # your part: unite the SMs of each cluster, and groups that have an SM in common
    groups = [{sm} for sm in range(sms)]
    for cluster in observed:
        touched = [group for group in groups if group & set(cluster)]
        groups = [group for group in groups if not group & set(cluster)]
        groups.append(set().union(*touched))
    return sorted(sorted(group) for group in groups)
    # end of your part


def _right_groups(observed, sms):
    return sorted(list(group) for group in map_from_clusters(observed, sms).groups)


def _map_inputs(draw: Draw) -> tuple:
    """Clusters that landed in GPCs of at most 8 SMs, whose numbers go round the GPCs as a card's do."""
    gpcs = draw.integer(1, 4)
    sms = gpcs * draw.integer(1, 8)
    homes = [[sm for sm in range(sms) if sm % gpcs == gpc] for gpc in range(gpcs)]

    def cluster() -> list[int]:
        home = draw.choice(homes)
        size = draw.integer(1, min(4, len(home)))
        return draw.shuffled(home)[:size]

    return draw.several(cluster, 0, 10), sms


GPC_MAP = Exercise(
    "gpc-map",
    "Clusters were launched, and every block wrote down its SM. Recover which SMs share a GPC.",
    solution=groups_of_sms,
    inputs=_map_inputs,
    right=_right_groups,
    examples=[([[0, 2], [4, 6], [2, 4]], 8), ([[3, 1]], 4), ([], 3)],
    hints=[
        "Start with every SM alone. What does one cluster prove about its SMs?",
        "A cluster may touch several groups found so far: then all of them are one group.",
        "For each cluster, collect the groups that share an SM with it, take them out, and put their union back. "
        "SMs that were never seen stay alone; nothing proves that two groups are apart.",
    ],
    misconceptions=[
        Misconception(
            "a cluster is a GPC",
            mutants.clusters_as_groups,
            "Two clusters that share an SM are in one GPC; their groups must be united.",
        ),
        Misconception(
            "only the first match",
            mutants.first_match,
            "A cluster that touches two groups joins them both. Uniting it with the first one leaves the other.",
        ),
        Misconception(
            "what was not seen is not there",
            mutants.only_seen,
            "An SM that no cluster used is still on the card. It is a group of its own.",
        ),
        Misconception(
            "SM numbers run through a GPC",
            mutants.neighbors,
            "SM numbers go round the GPCs, so neighbors in number need not be neighbors on the chip.",
        ),
    ],
)


def best_cluster_shape(gpc_sm_counts, tiles, fewest_blocks):
    """The cluster shape (width, height) for a stencil, one block an SM.

    tiles: (columns, rows) of blocks. Neighbors in one cluster exchange halos through
    distributed shared memory. Of the shapes that CUDA takes (at most 16 blocks,
    dividing the tiles both ways) and that keep at least `fewest_blocks` blocks running
    at once, give one with the most inner edges for each block; (1, 1) always will do.
    """
    best, most = (1, 1), 0.0
    columns, rows = tiles
    for width in range(1, 17):
        for height in range(1, 16 // width + 1):
            # your part: skip shapes that are refused or run too few blocks; keep the best
            size = width * height
            if columns % width or rows % height:
                continue
            at_once = sum(sms // size for sms in gpc_sm_counts)
            if at_once * size < fewest_blocks:
                continue
            inner = ((width - 1) * height + width * (height - 1)) / size
            if inner > most:
                best, most = (width, height), inner
            # end of your part
    return best


def _stencil_inputs(draw: Draw) -> tuple:
    counts = draw.several(lambda: draw.integer(2, 18), 1, 8)
    tiles = (draw.integer(1, 48), draw.integer(1, 48))
    return counts, tiles, draw.integer(0, sum(counts))


def _inner_edges(shape: tuple[int, int]) -> float:
    width, height = shape
    return ((width - 1) * height + width * (height - 1)) / (width * height)


def _judge_shape(result, gpc_sm_counts, tiles, fewest_blocks) -> str | None:
    """What is wrong with a shape; several may be equally good."""
    try:
        width, height = (int(part) for part in result)
    except (TypeError, ValueError):
        return "it is not a pair (width, height)"
    size = width * height
    if width < 1 or height < 1 or size > 16:
        return f"a cluster of {width} x {height} has {size} blocks; allowed are 1 to 16"
    if tiles[0] % width or tiles[1] % height:
        return (
            f"a cluster of {width} x {height} does not divide {tiles[0]} x {tiles[1]} tiles; CUDA refuses it"
        )
    running = max_active_clusters(gpc_sm_counts, size) * size
    if running < fewest_blocks and size > 1:
        return f"{width} x {height} keeps {running} blocks running; at least {fewest_blocks} were wanted"
    best = best_cluster_shape(gpc_sm_counts, tiles, fewest_blocks)
    if _inner_edges((width, height)) < _inner_edges(best) - 1e-12:
        return (
            f"{width} x {height} has {_inner_edges((width, height)):.3g} inner edges a block; "
            f"{best[0]} x {best[1]} has {_inner_edges(best):.3g} and is allowed too"
        )
    return None


STENCIL = Exercise(
    "stencil",
    "Choose the cluster for a stencil: many neighbors inside, and still enough blocks running.",
    solution=best_cluster_shape,
    inputs=_stencil_inputs,
    judge=_judge_shape,
    examples=[([18, 18, 16, 16, 16, 16, 16, 8, 2, 2, 2, 2], (48, 48), 100), ([16, 16], (12, 6), 30)],
    hints=[
        "Count the edges between neighbors inside a cluster of width x height: across and down.",
        "Divide them by the number of blocks: 4 x 4 and 1 x 16 both have 16 blocks, but not the same edges.",
        "Before you compare, skip what does not divide the tiles in both directions, and what runs fewer than "
        "`fewest_blocks` blocks at once: the clusters of each GPC, rounded down, times the size.",
    ],
    misconceptions=[
        Misconception(
            "bigger clusters are always better",
            mutants.largest_shape,
            "The largest cluster strands SMs: too few blocks run. Count what runs at once before choosing.",
        ),
        Misconception(
            "the grid need not be a multiple",
            mutants.any_shape,
            "The cluster must divide the grid in every direction, or CUDA refuses the launch.",
        ),
        Misconception(
            "only the number of blocks counts",
            mutants.flat_shape,
            "Shapes of one size differ: a row of 16 has 15 inner edges, a square of 4 x 4 has 24.",
        ),
        Misconception(
            "SMs divided by size",
            mutants.pooled_shape,
            "Blocks that run at once must be counted GPC by GPC; a cluster lives in one.",
        ),
    ],
)
