"""Spinning and sleeping: how often a waiting warp looks at the barrier, each look an issue slot."""

from hopperlab.models.barriers import looks
from hopperlab.views import svg
from hopperlab.views.picture import Picture

WIDTH = 1010
LEFT = 170
ROOM = 800
TOP = 74
MOST_TICKS = 200  # more are drawn as one


def spin_and_sleep(waited: float, every: float, limit: float, warps: int) -> Picture:
    """Draw the looks of one spinning and one sleeping warp.

    Parameters
    ----------
    waited
        Cycles from the start of the wait to the end of the phase.
    every
        Cycles from one look of a spinning warp to the next.
    limit
        Cycles that a warp sleeps in one try_wait, at most.
    warps
        How many warps wait.
    """
    ways = {"spinning": (every, looks(waited, every)), "asleep": (limit, looks(waited, limit))}
    spun, slept = (count * warps for _, count in ways.values())
    title = (
        f"{waited:g} cycles of waiting: {spun:,} looks of {warps} spinning warps, {slept:,} of sleeping ones"
    )
    body = [svg.text(20, 34, title, size=18, bold=True)]
    for row, (name, (step, count)) in enumerate(ways.items()):
        y = TOP + 46 * row
        body.append(svg.text(20, y + 21, name, bold=True))
        body.append(svg.rect(LEFT, y, ROOM, 30, "f-waiting", 'fill-opacity="0.25" rx="3"'))
        if count > MOST_TICKS:
            body.append(svg.rect(LEFT, y, ROOM, 30, "f-compute", 'fill-opacity="0.75" rx="3"'))
        else:
            places = [min(number * step, waited) for number in range(count)]
            ticks = "".join(f"M{LEFT + ROOM * at / waited:g} {y}v30" for at in places)
            body.append(svg.path(ticks, "f-none s-compute", 'stroke-width="3"'))
    share = [
        100 * min(1, count / max(waited, 1)) for _, (_, count) in zip(range(2), ways.values(), strict=True)
    ]
    told = (
        f"Each look takes an issue slot that other warps could use. Of the slots of one scheduler, a spinning warp "
        f"takes {share[0]:.2g} %, a sleeping one {share[1]:.2g} %. Modelled: what a look costs besides is left out."
    )
    body += svg.lines(20, TOP + 124, told, 108, "f-quiet")
    text = (
        f"spinning: a look every {every:g} cycles, {ways['spinning'][1]} looks a warp\n"
        f"asleep: a look every {limit:g} cycles or when woken, {ways['asleep'][1]} looks a warp\n{told}"
    )
    return Picture(title, text, svg=svg.document(WIDTH, TOP + 160, title, told, body))
