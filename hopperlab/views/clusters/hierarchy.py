"""Grid, cluster, block, thread: one launch in three panels, each a look into the one before."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from hopperlab.models.clusters import Hierarchy
from hopperlab.views import svg
from hopperlab.views.clusters.plan import Box
from hopperlab.views.picture import Picture
from hopperlab.views.svg import SMALLEST_MARK, boxes, path, rect, text

WIDTH, TOP, TALLEST = 980, 92, 236
GRID, CLUSTER, BLOCK = Box(20, TOP, 290, TALLEST), Box(360, TOP, 330, TALLEST), Box(736, TOP, 224, TALLEST)
"""The three panels: as much room as each may take."""

SMALLEST_BLOCK = 8  # px of a block in the grid; a grid that would need smaller ones is shown in part


@dataclass(frozen=True)
class Panel:
    """What one panel draws: its elements, their lower edge, and the box of the detail that the next one shows."""

    elements: list[str]
    bottom: float
    detail: Box


def hierarchy(
    launch: Hierarchy, block: Sequence[int] = (0, 0, 0), thread: Sequence[int] = (0, 0, 0)
) -> Picture:
    """One launch with one of its blocks and one of its threads picked out.

    Parameters
    ----------
    launch
        The dimensions.
    block
        The block's index in the grid.
    thread
        The thread's index in the block.

    Returns
    -------
    Picture
        An SVG: the layer of the grid in which the block lies, its clusters framed; the block's cluster with the
        rank of each block; the block's threads, a warp a row. Of a grid too large to draw, the clusters around
        the block are shown, and the picture says so.

    Raises
    ------
    ValueError
        For an index outside the grid or the block.
    """
    cluster, rank = launch.cluster_index(block), launch.rank_in_cluster(block)
    title = f"Block {_index(block)} is block {rank} of cluster {_index(cluster)}"
    words = _words(launch, block, thread)
    panels = _grid(launch, block), _cluster(launch, block), _block(launch, thread)
    bottom = max(panel.bottom for panel in panels)
    body = [
        text(20, 34, title, size=20, bold=True),
        _look(panels[0].detail, CLUSTER.x, panels[1].bottom),
        _look(panels[1].detail, BLOCK.x, panels[2].bottom),
        *(element for panel in panels for element in panel.elements),
        *_captions(launch, block, thread, bottom),
    ]
    return Picture(title, words, svg=svg.document(WIDTH, bottom + 70, title, words.splitlines()[0], body))


def _grid(launch: Hierarchy, block: Sequence[int]) -> Panel:
    """The clusters of the block's layer of the grid, their blocks in them."""
    columns, rows = _clusters_shown(launch, block)
    nx, ny, _ = launch.cluster
    side = min(GRID.width / (len(columns) * (nx + 0.5)), TALLEST / (len(rows) * (ny + 0.5)), 26)
    frames, cells, here, detail = [], [], None, None
    for row, column in product(rows, columns):
        x = GRID.x + (column - columns[0]) * (nx + 0.5) * side
        y = TOP + (row - rows[0]) * (ny + 0.5) * side
        frames.append(Box(x, y, (nx + 0.25) * side, (ny + 0.25) * side))
        for by, bx in product(range(ny), range(nx)):
            cell = Box(x + (bx + 0.125) * side + 1, y + (by + 0.125) * side + 1, side - 2, side - 2)
            if (column * nx + bx, row * ny + by) == tuple(block[:2]):
                here, detail = cell, frames[-1]
            else:
                cells.append(cell)
    elements = [
        path(boxes(frames), "clusters f-none s-line", 'stroke-width="1.5"'),
        path(boxes(cells), "blocks f-none s-quiet"),
        rect(*detail, "here f-none s-compute", 'stroke-width="3" rx="2"'),
        rect(*here, "here f-compute"),
    ]
    return Panel(elements, frames[-1].y + frames[-1].height, detail)


def _clusters_shown(launch: Hierarchy, block: Sequence[int]) -> tuple[range, range]:
    """The columns and rows of clusters that are drawn: all, or those around the block's that fit."""
    shown = []
    for axis, room in ((0, GRID.width), (1, TALLEST)):
        most = max(1, int(room / (SMALLEST_BLOCK * (launch.cluster[axis] + 0.5))))
        length, position = launch.cluster_grid[axis], launch.cluster_index(block)[axis]
        first = min(max(position - most // 2, 0), max(length - most, 0))
        shown.append(range(first, min(first + most, length)))
    return shown[0], shown[1]


def _cluster(launch: Hierarchy, block: Sequence[int]) -> Panel:
    """The block's cluster: every block with its rank, the layers along z side by side."""
    nx, ny, nz = launch.cluster
    side = min(CLUSTER.width / (nx * nz + (nz - 1) / 2), TALLEST / ny, 64)
    mine = launch.rank_in_cluster(block)
    size = SMALLEST_MARK if side < 30 else 18
    elements, detail = [], None
    for rank in range(launch.blocks_per_cluster):
        bx, by, bz = rank % nx, rank // nx % ny, rank // (nx * ny)
        box = Box(CLUSTER.x + (bx + bz * (nx + 0.5)) * side + 1, TOP + by * side + 1, side - 3, side - 3)
        if rank == mine:
            detail = box
        looks = "here f-hue0 s-ink" if rank == mine else "f-none s-quiet"
        elements.append(rect(*box, f"block {looks}", 'rx="3" stroke-width="1.5"'))
        middle = (box.x + box.width / 2, box.y + box.height / 2 + 0.36 * size)
        ink = "on-hue0" if rank == mine else "f-ink"
        elements.append(
            text(*middle, str(rank), f"rank {ink}", size=size, anchor="middle", bold=rank == mine)
        )
    return Panel(elements, TOP + ny * side, detail)


def _block(launch: Hierarchy, thread: Sequence[int]) -> Panel:
    """The block's threads: a row a warp, a column a lane."""
    lanes = launch.chip.threads_per_warp
    side = BLOCK.width / lanes
    tall = min(2 * side, TALLEST / launch.warps_per_block)
    cells = [
        Box(
            BLOCK.x + rank % lanes * side,
            round(TOP + rank // lanes * tall, 2),
            side - 1.5,
            round(tall - 1.5, 2),
        )
        for rank in range(launch.threads_per_block)
    ]
    here = cells.pop(launch.thread_rank(thread))
    around = Box(here.x - 1, here.y - 1, here.width + 2, here.height + 2)
    elements = [path(boxes(cells), "threads f-idle"), rect(*around, "here f-finding s-ink")]
    return Panel(elements, TOP + launch.warps_per_block * tall, around)


def _look(detail: Box, x: float, bottom: float) -> str:
    """Two thin lines that open from a detail to the panel at ``x`` that shows it large."""
    edge = detail.x + detail.width
    ends = (
        f"M{edge:g} {detail.y:g}L{x - 8:g} {TOP}",
        f"M{edge:g} {detail.y + detail.height:g}L{x - 8:g} {bottom:g}",
    )
    return path("".join(ends), "look f-none s-idle", 'stroke-dasharray="3 3"')


def _captions(launch: Hierarchy, block: Sequence[int], thread: Sequence[int], bottom: float) -> Iterator[str]:
    """A name above each panel, and below it what is picked out."""
    columns, rows = _clusters_shown(launch, block)
    whole = (len(columns), len(rows)) == launch.cluster_grid[:2]
    layers = launch.grid[2]
    layer = f"layer z = {block[2]} of {layers}; " if layers > 1 else ""
    place = launch.thread_rank(thread)
    panels = (
        (GRID, f"grid of {_dims(launch.grid)} blocks", f"{layer}a frame is a cluster"),
        (CLUSTER, f"cluster of {_dims(launch.cluster)} blocks", f"{_rank_of(launch, block)} in its cluster"),
        (BLOCK, f"threads: {_dims(launch.block)}", f"rank {place}: warp {place // 32}, lane {place % 32}"),
    )
    seconds = (
        "" if whole else "only clusters around it are drawn",
        f"block number {launch.block_rank(block)} of the grid",
        "a row is a warp",
    )
    for (panel, above, below), second in zip(panels, seconds, strict=True):
        yield text(panel.x, TOP - 16, above, bold=True)
        yield text(panel.x, bottom + 28, below, "f-quiet")
        if second:
            yield text(panel.x, bottom + 50, second, "f-quiet")


def _index(index: Sequence[int]) -> str:
    return f"({', '.join(map(str, index))})"


def _dims(dims: Sequence[int]) -> str:
    return " x ".join(map(str, dims))


def _rank_of(launch: Hierarchy, block: Sequence[int]) -> str:
    return f"rank {launch.rank_in_cluster(block)} of 0 to {launch.blocks_per_cluster - 1}"


def _words(launch: Hierarchy, block: Sequence[int], thread: Sequence[int]) -> str:
    cluster, place = launch.cluster_id(block), launch.thread_rank(thread)
    ranks = range(launch.blocks_per_cluster)
    members = "; ".join(f"{rank} {_index(launch.block_of(cluster, rank))}" for rank in ranks)
    return "\n".join(
        [
            f"Grid of {_dims(launch.grid)} blocks, or {_dims(launch.cluster_grid)} clusters; cluster of "
            f"{_dims(launch.cluster)} blocks; block of {_dims(launch.block)} threads.",
            f"In all: clusters {launch.clusters}, blocks {launch.blocks}, threads {launch.threads}.",
            f"Block {_index(block)} (%ctaid): number {launch.block_rank(block)} of the grid, in cluster "
            f"{_index(launch.cluster_index(block))} (%clusterid), number {cluster}.",
            f"In its cluster: {_index(launch.index_in_cluster(block))} (%cluster_ctaid), "
            f"{_rank_of(launch, block)} (%cluster_ctarank).",
            f"Ranks of its cluster, with each block's index: {members}.",
            f"Thread {_index(thread)} (%tid): rank {place} in its block, warp {place // 32}, lane {place % 32}.",
        ]
    )
