"""What fits on an SM, and which of its warps issues when."""

from hopperlab.models.clusters.resources import BlockLimits
from hopperlab.models.sm import Schedule
from hopperlab.models.sm.scheduler import ISSUES, READY, SUB_PARTITIONS
from hopperlab.views import svg
from hopperlab.views.picture import Picture

WIDTH = 1010
MARGIN = 20


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
