"""The ring of buffers at one moment, and the history that led there: a walk, or a counter-example."""

from collections.abc import Sequence

from hopperlab.models.barriers import Event, Mbarrier, Ring, Stage, State, ring_stage
from hopperlab.views import svg
from hopperlab.views.barriers.strip import counted
from hopperlab.views.picture import Picture

WIDTH = 1010
BOX = 232  # a stage, with its gap
TOP = 92
STAGE_HEIGHT = 150
LISTED = 9  # events shown at once


def ring_history(
    ring: Ring,
    path: Sequence[State],
    events: Sequence[Event],
    step: int,
    *,
    verdict: str = "",
    why: str = "",
    proved: bool = False,
) -> Picture:
    """Draw the ring after `step` of the events, with the events around it.

    Parameters
    ----------
    ring
        The ring.
    path
        Its states: the first, and the one after each event; a fault's event has none after it.
    events
        What happened.
    step
        How many of the events have happened.
    verdict, why
        How it ends, and the reason: told at the last step.
    proved
        Whether that is no trouble but a proof.

    Raises
    ------
    ValueError
        If `step` is none of the history's, or there are more than four stages.
    """
    if not 0 <= step <= len(events):
        raise ValueError(f"step={step}: the history has steps 0 to {len(events)}")
    if ring.stages > 4:
        raise ValueError(f"stages={ring.stages}: up to 4 can be drawn")
    state = path[min(step, len(path) - 1)]
    at_end = bool(verdict) and step == len(events)
    happened = events[step - 1].text if step else "all barriers fresh, nothing sent"
    title = verdict if at_end else f"Step {step} of {len(events)}: {happened}"
    stuck = at_end and not proved and len(path) > len(events)
    loud = "f-finding" if at_end and not proved else "f-ink"
    agents = _agents(ring, state)
    body = [svg.text(20, 36, title, loud, size=18, bold=True)]
    for where, stage in enumerate(state.stages):
        body += _stage(20 + BOX * where, where, stage)
    y = TOP + STAGE_HEIGHT + 40.0
    for agent in agents:
        written = svg.lines(20, y, agent, 112, loud if stuck else "f-ink")
        body += written
        y += svg.LINE_HEIGHT * len(written) + 4
    why = why if at_end and not stuck else ""  # who is stuck tells why
    if why:
        written = svg.lines(20, y, why, 108, loud, bold=True)
        body += written
        y += svg.LINE_HEIGHT * len(written) + 4
    body.append(svg.path(f"M20 {y - 8:g}H{WIDTH - 20}", "f-none s-line", 'stroke-width="2"'))
    listed, y = _listed(events, step, y + 18)
    body += listed
    text = _twin(state, agents, events, step, why)
    return Picture(title, text, svg=svg.document(WIDTH, y, title, happened, body))


def _agents(ring: Ring, state: State) -> list[str]:
    waiting = ring.waiting(state)
    told = []
    for side, agents, steps in (
        ("producer", state.producers, ring.producer_steps),
        ("consumer", state.consumers, ring.consumer_steps),
    ):
        for who, agent in enumerate(agents):
            name = f"{side} {who}"
            stuck = next((sentence for sentence in waiting if sentence.startswith(f"{name} ")), "")
            if agent.iteration == ring.items:
                told.append(f"{name}: done.")
            else:
                where = ring_stage(agent.iteration, ring.stages)
                told.append(stuck or f"{name}: next is {steps[agent.step]}, stage {where}.")
    return told


def _stage(x: float, where: int, stage: Stage) -> list[str]:
    landing = [left for left in stage.pieces_to_land if left > 0]
    sent = [left for left in stage.pieces_to_land if left >= 0]
    content, look = ("free", "f-none") if not sent else ("bytes are there", "f-compute")
    if landing:
        content, look = f"{len(landing)} cop{'y' if len(landing) == 1 else 'ies'} landing", "f-engine"
    elif sent and len(sent) < len(stage.pieces_to_land):
        content, look = f"{len(sent)} of {len(stage.pieces_to_land)} landed", "f-engine"
    ink = {"f-none": "f-ink", "f-compute": "on-hue0", "f-engine": "on-hue2"}[look]
    drawn = [
        svg.text(x, TOP - 14, f"stage {where}", bold=True),
        svg.rect(x, TOP, BOX - 22, 44, f"{look} s-quiet", 'rx="5" stroke-width="2"'),
        svg.text(x + (BOX - 22) / 2, TOP + 28, content, ink, anchor="middle"),
    ]
    for row, (name, snapshot) in enumerate((("full", stage.full), ("empty", stage.empty))):
        barrier = Mbarrier.restore(snapshot)
        y = TOP + 58 + 46 * row
        drawn.append(svg.rect(x, y, 30, 38, "f-barrier", 'rx="4"'))
        drawn.append(svg.text(x + 15, y + 25, str(barrier.parity), "on-hue4", anchor="middle", bold=True))
        drawn.append(svg.text(x + 38, y + 15, f"{name}[{where}] lacks", size=14))
        needs = f"{counted(barrier.pending_arrivals, 'arrival')}, {counted(barrier.pending_tx, 'byte')}"
        drawn.append(svg.text(x + 38, y + 34, needs, "f-quiet", size=14))
    return drawn


def _listed(events: Sequence[Event], step: int, y: float) -> tuple[list[str], float]:
    first = max(0, min(step - LISTED // 2 - 1, len(events) - LISTED))
    drawn = []
    for number, event in list(enumerate(events, 1))[first : first + LISTED]:
        now = number == step
        if now:
            drawn.append(svg.rect(14, y - 17, WIDTH - 28, 24, "f-waiting", 'fill-opacity="0.2" rx="4"'))
        look = "f-ink" if number <= step else "f-quiet"
        drawn.append(svg.text(20, y, f"{number}. {event.text}", look, bold=now))
        y += 26
    return drawn, y + 6


def _twin(state: State, agents: list[str], events: Sequence[Event], step: int, why: str) -> str:
    rows = []
    for where, stage in enumerate(state.stages):
        full, empty = Mbarrier.restore(stage.full), Mbarrier.restore(stage.empty)
        rows.append(f"stage {where}: full has parity {full.parity} and lacks {full.missing()}; empty has parity "
                    f"{empty.parity} and lacks {empty.missing()}")  # fmt: skip
    rows += agents
    rows += [
        f"{'>' if number == step else ' '} {number}. {event.text}" for number, event in enumerate(events, 1)
    ]
    return "\n".join([*rows, why] if why else rows)
