"""Pictures of lesson 19: a word handed to and fro, hand-offs between all SMs, and additions a clock."""

from collections.abc import Mapping, Sequence

from hopperlab.models.atomics import Try, additions_per_clock
from hopperlab.views import svg
from hopperlab.views.axes import plain_layout
from hopperlab.views.palette import LIGHT
from hopperlab.views.picture import Picture

WIDTH = 1010
LANES = (210.0, 800.0)
WORD = 505.0
TOP, TALL = 118.0, 460.0
SYMBOLS = ("circle", "square", "triangle-up", "diamond")
ROLES = ("measured", "waiting", "engine", "barrier")


def ladder(tries: Sequence[Try], players: Sequence[str], word: str, *, until: float, title: str) -> Picture:
    """Two players' tries on their way to a word and back, time running down.

    Parameters
    ----------
    tries
        As `models.atomics.game` gives them.
    players, word
        Who plays and how far each is; where the word is.
    until
        The time in cycles at the lower edge.
    title
        The statement on top.
    """
    scale = TALL / until
    body = [svg.text(20, 34, title, bold=True, size=17)]
    body.append(
        svg.text(20, 60, "Thick: a try that raises the word. Thin: one in vain. Time runs down.", "f-quiet")
    )
    for x, name in zip((LANES[0], WORD, LANES[1]), (players[0], word, players[1]), strict=True):
        body.append(svg.text(x, TOP - 22, name, anchor="middle", bold=x == WORD))
        body.append(svg.path(f"M{x:g} {TOP - 12:g}V{TOP + TALL:g}", "f-none s-quiet"))
    for mark in range(0, int(until) + 1, 200):
        y = TOP + scale * mark
        body.append(svg.text(20, y + 5, f"{mark} cycles", "f-quiet", size=14))
        body.append(svg.path(f"M100 {y:g}H120", "f-none s-line"))
    for one in tries:
        body += _try(one, scale)
    drawing = svg.document(WIDTH, TOP + TALL + 16, title, _told(tries, players), body)
    return Picture(title, _told(tries, players), svg=drawing)


def _try(one: Try, scale: float) -> list[str]:
    x = LANES[one.player]
    arrived = TOP + scale * one.arrived
    commands = f"M{x:g} {TOP + scale * one.sent:.1f}L{WORD:g} {arrived:.1f}"
    if one.answered * scale <= TALL:
        commands += f"L{x:g} {TOP + scale * one.answered:.1f}"
    role, width = ("s-compute", 3) if one.raised else ("s-waiting", 1.5)
    drawn = [svg.path(commands, f"f-none {role}", f'stroke-width="{width}"')]
    if one.raised:
        drawn.append(svg.rect(WORD - 5, arrived - 5, 10, 10, "f-compute"))
        beyond, anchor = (14, "start") if one.player == 0 else (-14, "end")
        drawn.append(svg.text(WORD + beyond, arrived + 5, str(one.value), size=14, anchor=anchor))
    return drawn


def _told(tries: Sequence[Try], players: Sequence[str]) -> str:
    raised = [f"{one.arrived:.0f} to {one.value}" for one in tries if one.raised]
    lines = [f"raised (modelled), cycle and value: {', '.join(raised)}"]
    for number, name in enumerate(players):
        own = [one for one in tries if one.player == number]
        lines.append(f"{name}: {len(own)} tries, {sum(not one.raised for one in own)} in vain")
    return "\n".join(lines)


def additions(
    measured: Mapping[str, Sequence[tuple[int, float]]],
    shared: Mapping[str, float],
    *,
    spread: str,
    sms: int,
    card: str,
) -> Picture:
    """Additions a clock by SMs at work, for each way of choosing words; lines are modelled.

    Parameters
    ----------
    measured
        For each spread, pairs of SMs and additions a clock of all of them.
    shared
        Additions a clock of one SM in its shared memory.
    spread, sms
        What is pointed out; one of the measured.
    card
        The card that was measured.
    """
    import plotly.graph_objects as go

    rate = dict(measured[spread])[sms]
    model = additions_per_clock(spread, sms)
    title = f"{sms} SM{'s' * (sms > 1)}, {spread}: {rate:.3g} additions a clock (measured), {model:.3g} (modelled)"
    figure = go.Figure()
    for number, (name, rows) in enumerate(measured.items()):
        color, chosen = LIGHT[ROLES[number]], name == spread
        figure.add_scatter(
            x=[count for count, _ in rows],
            y=[value for _, value in rows],
            mode="markers",
            name=name,
            marker={
                "symbol": SYMBOLS[number],
                "size": [16 if chosen and count == sms else 9 for count, _ in rows],
                "color": color,
            },
        )
        figure.add_scatter(
            x=[count for count, _ in rows],
            y=[round(additions_per_clock(name, count), 4) for count, _ in rows],
            mode="lines",
            showlegend=False,
            hoverinfo="skip",
            line={"color": color, "width": 3 if chosen else 1, "dash": "solid" if chosen else "dot"},
        )
    figure.add_scatter(
        x=[1] * len(shared),
        y=list(shared.values()),
        mode="markers",
        name="shared memory of one SM",
        text=list(shared),
        marker={"symbol": "x", "size": 10, "color": LIGHT["finding"]},
    )
    layout = plain_layout(title, x="SMs, 1,024 threads each", y="additions a clock, all together", height=520)
    counts = [count for count, _ in measured[spread]]
    layout["xaxis"] |= {"type": "log", "tickvals": counts}
    layout["yaxis"] |= {"type": "log", "tickvals": [0.5, 1, 2, 5, 10, 20, 50, 100, 200]}
    layout["legend"] |= {"y": -0.2, "yanchor": "top"}
    layout["margin"] |= {"t": 60, "b": 130}
    figure.update_layout(layout)
    lines = [f"additions a clock by SMs, measured, {card} (and modelled):"]
    for name, rows in measured.items():
        told = ", ".join(f"{n}: {value:.3g} ({additions_per_clock(name, n):.3g})" for n, value in rows)
        lines.append(f"{name}: {told}")
    lines.append("shared memory of one SM (measured): " + ", ".join(f"{k}: {v:g}" for k, v in shared.items()))
    return Picture(title, "\n".join(lines), figure=figure)


def pairs(groups: Mapping[str, Sequence[float]], modelled: Mapping[str, float], *, card: str) -> Picture:
    """How many pairs of SMs take how long for a hand-off, by how far they are from the word.

    Parameters
    ----------
    groups
        For each kind of pair, the cycles of each pair.
    modelled
        Cycles of the kind, by the model.
    card
        The card that was measured.
    """
    import plotly.graph_objects as go

    width = 5
    figure, lines = go.Figure(), []
    for number, (name, cycles) in enumerate(groups.items()):
        bins = sorted({int(value // width) * width for value in cycles})
        counts = [sum(start <= value < start + width for value in cycles) for start in bins]
        figure.add_bar(
            x=[start + width / 2 for start in bins],
            y=counts,
            width=width,
            name=f"{name} (measured, {card})",
            marker={"color": LIGHT[ROLES[number]], "pattern": {"shape": ("", "/", "x")[number]}},
        )
        middle = sorted(cycles)[len(cycles) // 2]
        lines.append(
            f"{name}: {len(cycles)} pairs, median {middle:.0f} cycles (measured, {card}), "
            f"{modelled[name]:.0f} (modelled)"
        )
    figure.add_scatter(
        x=list(modelled.values()),
        y=[0] * len(modelled),
        mode="markers",
        name="modelled",
        marker={
            "symbol": "line-ns-open",
            "size": 24,
            "color": LIGHT["modelled"],
            "line": {"width": 4, "color": LIGHT["modelled"]},
        },
    )
    title = "The player farther from the word sets the pace"
    layout = plain_layout(title, x="cycles a hand-off, one way", y="pairs of SMs", height=460)
    layout["legend"] |= {"y": -0.25, "yanchor": "top"}
    layout["margin"] |= {"t": 60, "b": 150}
    layout["barmode"] = "stack"
    figure.update_layout(layout)
    return Picture(title, "\n".join(lines), figure=figure)
