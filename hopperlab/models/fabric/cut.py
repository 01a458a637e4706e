"""What crosses a cut: the maximum flow between two groups of GPUs, and the links that bound it."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from hopperlab.models.arguments import whole_number
from hopperlab.models.fabric.topology import endpoints

if TYPE_CHECKING:
    import networkx as nx

SOURCE, SINK = "all of the left", "all of the right"


@dataclass(frozen=True)
class Cut:
    """The flow between two groups of GPUs.

    Attributes
    ----------
    left, right
        GPUs on each side.
    bytes_per_second
        The most that the left can send to the right, in one direction.
    bottleneck
        A smallest set of links whose capacities add up to it, as pairs of nodes.
    """

    left: int
    right: int
    bytes_per_second: float
    bottleneck: tuple[tuple[str, str], ...]

    @property
    def both_directions(self) -> float:
        """Bytes a second, both directions added, as vendors quote it."""
        return 2 * self.bytes_per_second

    @property
    def per_gpu(self) -> float:
        """Bytes a second in one direction for each GPU of the smaller side."""
        return self.bytes_per_second / min(self.left, self.right)


def split_of(graph: nx.Graph, left: int) -> list[str]:
    """The first ``left`` GPUs in order of server; a cut that leaves a side empty separates nothing."""
    gpus = endpoints(graph)
    whole_number("left", left, 1, len(gpus) - 1)
    return gpus[:left]


def cut(graph: nx.Graph, left: Collection[str]) -> Cut:
    """The maximum flow from some GPUs to all others.

    Parameters
    ----------
    graph
        A fabric of `hopperlab.models.fabric.topology`.
    left
        Names of GPUs on one side.

    Raises
    ------
    ValueError
        If a name is no GPU of the fabric, or one side is empty.
    """
    import networkx as nx
    from networkx.algorithms.flow import preflow_push

    gpus = endpoints(graph)
    near = set(left)
    unknown = sorted(near - set(gpus))
    if unknown:
        raise ValueError(f"left: {unknown[0]!r} is no GPU of {graph.graph['name']}")
    if not near or len(near) == len(gpus):
        raise ValueError(f"left has {len(near)} of {len(gpus)} GPUs; a cut needs some on both sides")
    sides = _sides(graph, near)
    flowing = nx.DiGraph()
    flowing.add_weighted_edges_from(_capacities(graph, sides), weight="capacity")
    value, (reached, _) = nx.minimum_cut(flowing, SOURCE, SINK, flow_func=preflow_push)
    parted = {node: side in reached for node, side in sides.items()}
    bottleneck = tuple(sorted(link for link in graph.edges if parted[link[0]] != parted[link[1]]))
    return Cut(len(near), len(gpus) - len(near), value, bottleneck)


def _sides(graph: nx.Graph, near: set[str]) -> dict[str, str]:
    """What each node stands for: a switch for itself, a GPU for its side; GPUs pass nothing on."""
    return {
        node: node if kind != "gpu" else SOURCE if node in near else SINK
        for node, kind in graph.nodes(data="kind")
    }


def _capacities(graph: nx.Graph, sides: dict[str, str]) -> list[tuple[str, str, float]]:
    """Directed capacities between what the nodes stand for, added up."""
    total: dict[tuple[str, str], float] = {}
    for one, other, capacity in graph.edges(data="capacity"):
        a, b = sides[one], sides[other]
        for pair in ((a, b), (b, a)):
            if pair[0] != SINK and pair[1] != SOURCE:
                total[pair] = total.get(pair, 0) + capacity
    return [(one, other, capacity) for (one, other), capacity in total.items()]


def injection(graph: nx.Graph, gpus: Iterable[str] | None = None) -> float:
    """Bytes a second that GPUs can put into the fabric, one direction."""
    chosen = endpoints(graph) if gpus is None else gpus
    return sum(capacity for _, capacity in graph.degree(chosen, weight="capacity"))


def taper(graph: nx.Graph, found: Cut) -> float:
    """How many times more the smaller side can inject than the cut carries; 1 blocks nothing."""
    share = min(found.left, found.right) / (found.left + found.right)
    return injection(graph) * share / found.bytes_per_second


def without_links(graph: nx.Graph, broken: Iterable[tuple[str, str]], links: int | None = None) -> nx.Graph:
    """A copy of the fabric with links gone.

    Parameters
    ----------
    broken
        Pairs of nodes.
    links
        How many of each bundle; all of it if not given.

    Raises
    ------
    ValueError
        If two nodes are not joined, or have fewer links.
    """
    left = graph.copy()
    for one, other in broken:
        if not left.has_edge(one, other):
            raise ValueError(f"broken: no links join {one!r} and {other!r}")
        edge = left.edges[one, other]
        gone = edge["links"] if links is None else whole_number("links", links, 1, edge["links"])
        if gone == edge["links"]:
            left.remove_edge(one, other)
        else:
            edge["capacity"] = edge["capacity"] // edge["links"] * (edge["links"] - gone)
            edge["links"] -= gone
    return left


def worst_cut(graph: nx.Graph, groups: Collection[Collection[str]]) -> tuple[tuple[int, ...], Cut]:
    """The balanced cut of some groups of GPUs that carries least, by trying all of them.

    Parameters
    ----------
    groups
        An even number of groups, such as the GPUs of each server; at most 12.

    Returns
    -------
    tuple
        The numbers of the groups on one side, and the cut.
    """
    parts = [list(group) for group in groups]
    whole_number("groups", len(parts), 2, 12)
    if len(parts) % 2:
        raise ValueError(f"groups: {len(parts)} groups cannot be halved")
    halves = combinations(range(1, len(parts)), len(parts) // 2 - 1)
    sides = [(0, *half) for half in halves]
    cuts = {side: cut(graph, [gpu for number in side for gpu in parts[number]]) for side in sides}
    worst = min(cuts, key=lambda side: cuts[side].bytes_per_second)
    return worst, cuts[worst]
