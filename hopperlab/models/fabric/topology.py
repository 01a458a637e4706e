"""Fabrics as graphs: GPUs and switches are nodes, bundles of links are edges with a capacity in one direction.

Every edge has ``links`` and ``capacity``, bytes a second in one direction; every node a ``kind`` and, where it
stands in a server, the number of that ``server``. networkx is imported where it is used.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

from hopperlab.models.arguments import whole_number
from hopperlab.models.fabric.clos import superpod

if TYPE_CHECKING:
    import networkx as nx

GB = 10**9
NVLINK_BYTES_PER_S = 25 * GB  # one NVLink 3 or 4 link, one direction (talk-045)
NDR_BYTES_PER_S = 50 * GB  # one NDR port of 400 Gb/s, one direction (talk-056.b)
HDR_BYTES_PER_S = 25 * GB  # one HDR port of 200 Gb/s, one direction (lit-206.a)

GPUS_PER_SERVER = 8
HGX_LINKS = (5, 4, 4, 5)  # links from each GPU to the four NVSwitches of an HGX H100 (lit-206.b)
NETWORK_PORTS = (20, 16, 16, 20)  # links from each of them to the NVLink Network: 72 a server (lit-206.c)
SPINE_BOXES = 18  # NVLink switch boxes of 128 ports (lit-206.d)
MOST_SERVERS = 32


def _graph(name: str) -> nx.Graph:
    import networkx as nx

    return nx.Graph(name=name)


def _join(graph: nx.Graph, one: str, other: str, links: int, bytes_per_second: int) -> None:
    graph.add_edge(one, other, links=links, capacity=links * bytes_per_second)


def _add_hgx(graph: nx.Graph, server: int) -> None:
    """Eight GPUs and four NVSwitches; every GPU has 18 links, spread 5, 4, 4 and 5."""
    for switch in range(len(HGX_LINKS)):
        graph.add_node(f"nvswitch {server}.{switch}", kind="nvswitch", server=server)
    for gpu in range(GPUS_PER_SERVER):
        graph.add_node(f"gpu {server}.{gpu}", kind="gpu", server=server)
        for switch, links in enumerate(HGX_LINKS):
            _join(graph, f"gpu {server}.{gpu}", f"nvswitch {server}.{switch}", links, NVLINK_BYTES_PER_S)


def hgx_h100() -> nx.Graph:
    """One HGX H100: 8 GPUs, 4 NVSwitches."""
    graph = _graph("HGX H100")
    _add_hgx(graph, 0)
    return graph


def dgx_a100() -> nx.Graph:
    """One DGX A100: 8 GPUs with 2 links to each of 6 NVSwitches (lit-206.e)."""
    graph = _graph("DGX A100")
    for switch in range(6):
        graph.add_node(f"nvswitch 0.{switch}", kind="nvswitch", server=0)
    for gpu in range(GPUS_PER_SERVER):
        graph.add_node(f"gpu 0.{gpu}", kind="gpu", server=0)
        for switch in range(6):
            _join(graph, f"gpu 0.{gpu}", f"nvswitch 0.{switch}", 2, NVLINK_BYTES_PER_S)
    return graph


def nvlink_network(servers: int = MOST_SERVERS) -> nx.Graph:
    """The NVLink Network as announced: servers of 8 GPUs under 18 switch boxes, a taper of 2 to 1.

    Each server brings 72 links, four to each box. It was announced with DGX H100; what shipped joins servers by
    InfiniBand (lit-207).

    Parameters
    ----------
    servers
        1 to 32.
    """
    whole_number("servers", servers, 1, MOST_SERVERS)
    graph = _graph(f"NVLink Network of {servers} servers")
    for box in range(SPINE_BOXES):
        graph.add_node(f"box {box}", kind="box")
    for server in range(servers):
        _add_hgx(graph, server)
        ports = [switch for switch, count in enumerate(NETWORK_PORTS) for _ in range(count)]
        for place, switch in enumerate(ports):
            _add_links(graph, f"nvswitch {server}.{switch}", f"box {place * SPINE_BOXES // len(ports)}", 1)
    return graph


def _add_links(graph: nx.Graph, one: str, other: str, links: int) -> None:
    before = graph.edges[one, other]["links"] if graph.has_edge(one, other) else 0
    _join(graph, one, other, before + links, NVLINK_BYTES_PER_S)


def leaf_spine(
    servers: int, leaves: int, spines: int, port_bytes_per_second: int = NDR_BYTES_PER_S, uplinks: int = 32
) -> nx.Graph:
    """Servers of eight adapters under leaf and spine switches, one adapter a GPU.

    Adapters of one number, of 32 servers, share a leaf ("rails"), as in a DGX SuperPOD: GPU g of server s goes
    to leaf g of its unit.

    Parameters
    ----------
    servers
        At most 4 for each leaf: 32 ports down.
    leaves
        A multiple of 8.
    spines, uplinks
        Each leaf's uplinks are spread evenly over the spines; spines must divide them.

    Raises
    ------
    ValueError
        If servers, leaves and spines do not fit each other.
    """
    whole_number("leaves", leaves, 8, 512)
    whole_number("servers", servers, 1, 4 * leaves)
    whole_number("spines", spines, 1, 512)
    if leaves % 8:
        raise ValueError(f"leaves={leaves} must be a multiple of 8: one for each adapter of a server")
    if uplinks % spines:
        raise ValueError(f"spines={spines} must divide the {uplinks} uplinks of a leaf")
    graph = _graph(f"{servers} servers, {leaves} leaves, {spines} spines")
    for leaf in range(leaves):
        graph.add_node(f"leaf {leaf}", kind="leaf")
        for spine in range(spines):
            graph.add_node(f"spine {spine}", kind="spine")
            _join(graph, f"leaf {leaf}", f"spine {spine}", uplinks // spines, port_bytes_per_second)
    for server in range(servers):
        unit = server // 32
        for gpu in range(GPUS_PER_SERVER):
            graph.add_node(f"gpu {server}.{gpu}", kind="gpu", server=server)
            _join(graph, f"gpu {server}.{gpu}", f"leaf {8 * unit + gpu}", 1, port_bytes_per_second)
    return graph


def superpod_graph(units: int = 4) -> nx.Graph:
    """The InfiniBand compute fabric of a DGX H100 SuperPOD of 1 to 4 scalable units."""
    sized = superpod(units)
    graph = leaf_spine(sized.servers, sized.leaves, sized.spines)
    graph.graph["name"] = f"DGX H100 SuperPOD, {units} unit{'s' if units > 1 else ''}"
    return graph


TOPOLOGIES: dict[str, Callable[[], nx.Graph]] = {
    "HGX H100": hgx_h100,
    "DGX A100": dgx_a100,
    "NVLink Network, 32 servers (announced)": nvlink_network,
    "DGX H100 SuperPOD, 1 unit": lambda: superpod_graph(1),
    "DGX H100 SuperPOD, 4 units": lambda: superpod_graph(4),
}
"""The fabrics that the workbook cuts, by name."""


@cache
def topology(name: str) -> nx.Graph:
    """One of ``TOPOLOGIES``, made once; do not change it.

    Raises
    ------
    ValueError
        If there is none of that name.
    """
    if name not in TOPOLOGIES:
        raise ValueError(f"topology={name!r} is none of {', '.join(TOPOLOGIES)}")
    return TOPOLOGIES[name]()


def of_kind(graph: nx.Graph, kind: str) -> list[str]:
    """The nodes of a kind, in order."""
    return [name for name, found in graph.nodes(data="kind") if found == kind]


def endpoints(graph: nx.Graph) -> list[str]:
    """Its GPUs, in order."""
    return of_kind(graph, "gpu")
