"""What a product wants from shared memory, what it costs to deliver, and what registers can spare of it."""

from collections.abc import Mapping, Sequence

from hopperlab.models.sm import SHARED_BYTES_PER_CLOCK, Operands, RegisterTile
from hopperlab.views.axes import plain_layout
from hopperlab.views.line_chart import Axis, line_chart
from hopperlab.views.palette import LIGHT
from hopperlab.views.picture import Picture

WIDTHS = tuple(range(8, 257, 8))


def feeding(chosen: Operands) -> Picture:
    """Bytes a clock that a wgmma wants from shared memory by its width, beside what there is.

    Parameters
    ----------
    chosen
        The instruction that is pointed out.
    """
    busy = chosen.bytes_per_clock <= SHARED_BYTES_PER_CLOCK
    verdict = "busy in every clock" if busy else f"busy {chosen.math_cycles / chosen.cycles:.0%} of the time"
    title = (
        f"{chosen.name}: {chosen.bytes_per_clock:.0f} of {SHARED_BYTES_PER_CLOCK} bytes a clock (modelled), "
        f"tensor cores {verdict}"
    )
    wanted = {
        name: [(n, Operands(n, where, chosen.data_type).bytes_per_clock) for n in WIDTHS]
        for name, where in (("A in shared memory", False), ("A in registers", True))
    }
    lines = {**wanted, "supplied": [(n, SHARED_BYTES_PER_CLOCK) for n in (WIDTHS[0], WIDTHS[-1])]}
    text = "\n".join(
        [
            f"arithmetic: {chosen.flop:,} FLOP in {chosen.math_cycles:g} cycles (modelled)",
            f"shared memory: {chosen.shared_bytes:,} bytes in {chosen.shared_cycles:g} cycles (modelled)",
            f"one after another: a product in {chosen.cycles:g} cycles, {chosen.flop_per_clock:,.0f} FLOP a clock",
        ]
    )
    across = Axis("columns of B (N)", 0, 256, {n: str(n) for n in range(0, 257, 32)})
    up = Axis("bytes a clock and SM", 0, 600, {n: str(n) for n in range(0, 601, 100)})
    return line_chart(title, text, across, up, lines, [(chosen.columns, chosen.bytes_per_clock)])


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
