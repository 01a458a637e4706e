"""Pictures of lesson 02: what feeds the tensor cores, what fits on an SM, and which warp issues when."""

from collections.abc import Mapping, Sequence

from hopperlab.models.clusters.resources import BlockLimits
from hopperlab.models.sm import SHARED_BYTES_PER_CLOCK, Operands, RegisterTile, Schedule
from hopperlab.models.sm.scheduler import ISSUES, READY, SUB_PARTITIONS
from hopperlab.views import svg
from hopperlab.views.axes import plain_layout
from hopperlab.views.palette import LIGHT
from hopperlab.views.picture import Picture

WIDTH = 1010
MARGIN = 20
WIDTHS = tuple(range(8, 257, 8))


def feeding(chosen: Operands) -> Picture:
    """Bytes a clock that a wgmma wants from shared memory by its width, beside what there is.

    Parameters
    ----------
    chosen
        The instruction that is pointed out.
    """
    import plotly.graph_objects as go

    busy = chosen.bytes_per_clock <= SHARED_BYTES_PER_CLOCK
    verdict = "busy in every clock" if busy else f"busy {chosen.math_cycles / chosen.cycles:.0%} of the time"
    title = (
        f"{chosen.name}: {chosen.bytes_per_clock:.0f} of {SHARED_BYTES_PER_CLOCK} bytes a clock (modelled), "
        f"tensor cores {verdict}"
    )
    figure = go.Figure()
    for where, name, role, dash in (
        (False, "A in shared memory", "compute", "solid"),
        (True, "A in registers", "engine", "dash"),
    ):
        wanted = [Operands(n, where, chosen.data_type).bytes_per_clock for n in WIDTHS]
        figure.add_scatter(
            x=WIDTHS, y=wanted, mode="lines", name=name, line={"color": LIGHT[role], "dash": dash, "width": 3}
        )
    figure.add_scatter(
        x=[WIDTHS[0], WIDTHS[-1]],
        y=[SHARED_BYTES_PER_CLOCK] * 2,
        mode="lines",
        name="supplied",
        line={"color": LIGHT["waiting"], "dash": "dot", "width": 3},
    )
    figure.add_scatter(
        x=[chosen.columns],
        y=[chosen.bytes_per_clock],
        mode="markers",
        name="chosen",
        marker={"symbol": "diamond", "size": 14, "color": LIGHT["finding"]},
    )
    figure.update_layout(**plain_layout(title, x="columns of B (N)", y="bytes a clock and SM"))
    figure.update_yaxes(range=[0, 600])
    text = "\n".join(
        [
            f"arithmetic: {chosen.flop:,} FLOP in {chosen.math_cycles:g} cycles (modelled)",
            f"shared memory: {chosen.shared_bytes:,} bytes in {chosen.shared_cycles:g} cycles (modelled)",
            f"one after another: a product in {chosen.cycles:g} cycles, {chosen.flop_per_clock:,.0f} FLOP a clock",
        ]
    )
    return Picture(title, text, figure=figure)


def occupancy(limits: BlockLimits, warps_of_block: int, most_warps: int, clusters: str) -> Picture:
    """Blocks that fit on an SM by each of the things that can run out, and the share of its warps.

    Parameters
    ----------
    limits
        As ``models.clusters.block_limits`` gives them.
    warps_of_block, most_warps
        Warps of a block, and of an SM at most.
    clusters
        What the card holds of clusters, in words.
    """
    warps = limits.blocks * warps_of_block
    title = (
        f"{limits.blocks} block{'s' * (limits.blocks != 1)} an SM, {warps} of {most_warps} warps: "
        f"{warps / most_warps:.0%} occupancy (modelled); limited by {' and '.join(limits.limiters)}"
    )
    counts = {
        "blocks": limits.by_blocks,
        "warps": limits.by_warps,
        "registers": limits.by_registers,
        "shared memory": limits.by_shared_memory,
    }
    body = [svg.text(MARGIN, 34, title, bold=True, size=17)]
    scale = 600 / max(32, limits.by_blocks)
    for place, (name, count) in enumerate(counts.items()):
        y = 66.0 + 42 * place
        least = name in limits.limiters
        body.append(svg.text(MARGIN, y + 20, name))
        body.append(svg.rect(170, y, 600, 28, "f-none s-line"))
        shown = min(count, 32) * scale
        body.append(svg.rect(170, y, shown, 28, "f-waiting" if least else "f-memory"))
        words = f"{count} block{'s' * (count != 1)}{', the limit' if least else ''}"
        body.append(svg.text(784, y + 20, words, bold=least))
    slots = 264.0
    body.append(svg.text(MARGIN, slots - 6, "warp slots"))
    taken = [(170 + 9.375 * slot, slots - 20, 8, 18) for slot in range(warps)]
    free = [(170 + 9.375 * slot, slots - 20, 8, 18) for slot in range(warps, most_warps)]
    body += [svg.path(svg.boxes(taken), "f-compute"), svg.path(svg.boxes(free), "f-line")]
    body.append(svg.text(784, slots - 6, f"{warps} of {most_warps}"))
    body.append(svg.text(MARGIN, slots + 30, clusters, "f-quiet"))
    text = "\n".join(
        [*(f"by {name}: {count} block{'s' * (count != 1)}" for name, count in counts.items()), clusters]
    )
    return Picture(title, text, svg=svg.document(WIDTH, slots + 48, title, text, body))


def scheduling(shown: Schedule, per_clock: int, rate: float) -> Picture:
    """Warps down, clocks across: which issues, which could, and which waits.

    Parameters
    ----------
    shown
        As ``models.sm.schedule`` gives it.
    per_clock
        Instructions that the unit takes in a clock.
    rate
        Instructions a clock in the long run, by Little's law.
    """
    warps, clocks = len(shown.states), len(shown.issued)
    title = (
        f"{warps} warps, {shown.latency} cycles: {rate:.3g} of {per_clock} instructions a clock (modelled)"
    )
    high = min(16.0, 380 / warps)
    wide = 820 / clocks
    body = [svg.text(MARGIN, 34, title, bold=True, size=17)]
    legend = "Blue: issues. Orange, half high: ready, another was chosen. Gray line: waits. Clocks run to the right."
    body.append(svg.text(MARGIN, 60, legend, "f-quiet"))
    issues, ready, waits = [], [], []
    y = 78.0
    for sub_partition in range(min(SUB_PARTITIONS, warps)):
        body.append(svg.text(MARGIN, y + 14, f"sub-partition {sub_partition}", "f-quiet", size=14))
        for warp in range(sub_partition, warps, SUB_PARTITIONS):
            for clock, state in enumerate(shown.states[warp]):
                x = 160 + wide * clock
                if state == ISSUES:
                    issues.append((x, y, wide - 1, high - 1))
                elif state == READY:
                    ready.append((x, y + high / 4, wide - 1, high / 2))
                else:
                    waits.append((x, y + high / 2, wide, 1))
            y += high
        y += 16
    body += [svg.path(svg.boxes(waits), "f-line"), svg.path(svg.boxes(ready), "f-waiting")]
    body.append(svg.path(svg.boxes(issues), "f-compute"))
    told = [
        f"issued in the {clocks} clocks shown: {sum(shown.issued)}",
        f"clocks in which nothing is issued: {shown.issued.count(0)}",
    ]
    body.append(svg.text(MARGIN, y + 14, "; ".join(told)))
    return Picture(title, "\n".join(told), svg=svg.document(WIDTH, y + 30, title, "\n".join(told), body))


def register_tiles(tiles: Sequence[RegisterTile]) -> Picture:
    """Occupancy against multiply-adds a clock, for sums that a thread keeps in registers."""
    import plotly.graph_objects as go

    title = "The fastest kernel here holds a quarter of the warps (modelled)"
    figure = go.Figure()
    figure.add_scatter(
        x=[100 * tile.occupancy for tile in tiles],
        y=[tile.multiply_adds_per_clock for tile in tiles],
        mode="markers+text",
        text=[f"{tile.side} x {tile.side}" for tile in tiles],
        textposition="bottom center",
        name="sums of a thread",
        marker={"size": 12, "color": LIGHT["modelled"]},
    )
    figure.update_layout(**plain_layout(title, x="occupancy (%)", y="multiply-adds a clock and SM"))
    figure.update_xaxes(range=[0, 108])
    figure.update_yaxes(range=[0, 140])
    text = "\n".join(
        f"{tile.side} x {tile.side} sums: {tile.registers} registers, {tile.occupancy:.1%} occupancy, "
        f"{tile.multiply_adds_per_clock:g} multiply-adds a clock"
        for tile in tiles
    )
    return Picture(title, text, figure=figure)


def delivery(costs: Mapping[float, Mapping[str, float]]) -> Picture:
    """The model of operand delivery: bytes for a FLOP, by what a byte of shared memory costs."""
    import plotly.graph_objects as go

    savings = [1 - both["wgmma"] / both["mma.sync"] for both in costs.values()]
    title = f"Fewer bytes for each FLOP: {min(savings):.0%} to {max(savings):.0%} less (modelled)"
    figure = go.Figure()
    for name, role, pattern in (("mma.sync", "waiting", "/"), ("wgmma", "compute", "")):
        figure.add_bar(
            x=[f"{cost:g}" for cost in costs],
            y=[round(both[name], 3) for both in costs.values()],
            name=name,
            marker={"color": LIGHT[role], "pattern": {"shape": pattern}},
        )
    x = "cost of a byte from shared memory, where one from registers is 1 (assumed)"
    figure.update_layout(**plain_layout(title, x=x, y="cost of a FLOP (register bytes)"), barmode="group")
    text = "\n".join(
        f"a shared byte at {cost:g}: mma.sync {both['mma.sync']:.3f}, wgmma {both['wgmma']:.3f} (modelled)"
        for cost, both in costs.items()
    )
    return Picture(title, text, figure=figure)
