"""A step of a recommender on three machines: compute and communication, as shares of the first one's time."""

from hopperlab.models.recommender import communication_speedups, step_speedup
from hopperlab.views import svg
from hopperlab.views.picture import Picture

WIDTH, LEFT, ROOM = 1010, 235, 620
TOP, ROW, BAR = 104, 58, 40
NARROWEST_NUMBER = 52  # pixels of a bar that holds its number
LOOKS = {"compute": "hue0", "all-to-all": "hue1"}
ROUNDED = 5e-4  # of a step: less is no bar


def step_times(communication_share: float, compute_speedup: float) -> Picture:
    """Bars for A100 with HDR, H100 with NDR, H100 with the NVLink Network; the first one's step is 1."""
    fabrics = communication_speedups()
    faster = {name: 1 if name.startswith("A100") else compute_speedup for name in fabrics}
    parts = {
        name: ((1 - communication_share) / faster[name], communication_share / factor)
        for name, factor in fabrics.items()
    }
    speedups = {
        name: step_speedup(communication_share, faster[name], factor) for name, factor in fabrics.items()
    }
    slow, fast = list(speedups.values())[1:]
    title = (
        f"{100 * communication_share:.3g} % exchange: {slow:.2f} times faster on NDR, {fast:.2f} on NVLink"
    )
    body = [svg.text(20, 34, title, bold=True, size=17), *_legend()]
    for place, name in enumerate(fabrics):
        body += _machine(name, TOP + ROW * place, parts[name], speedups[name])
    bottom = TOP + ROW * len(fabrics)
    body += _axis(bottom)
    drawing = svg.document(WIDTH, bottom + 62, title, _note(compute_speedup), body)
    return Picture(title, _twin(parts, speedups, compute_speedup), svg=drawing)


def _machine(name: str, y: float, parts: tuple[float, float], speedup: float) -> list[str]:
    """One machine's bar in two parts, each with its share, and how many times faster the step is."""
    drawn, x = [svg.text(20, y + 26, name)], float(LEFT)
    for (kind, hue), share in zip(LOOKS.items(), parts, strict=True):
        if share < ROUNDED:
            continue
        width = share * ROOM
        bar = [svg.rect(x, y, width, BAR, f"f-{hue}")]
        if kind == "all-to-all":
            bar.append(svg.path(svg.hatching(x, y, width, BAR), "f-none s-paper", 'stroke-width="2"'))
        if width > NARROWEST_NUMBER:
            middle = x + width / 2
            bar.append(svg.rect(middle - 24, y + 10, 48, 20, f"f-{hue}"))
            bar.append(svg.text(middle, y + 26, f"{share:.3f}", f"on-{hue}", anchor="middle"))
        drawn.append(svg.group(bar, "part", f"{name}, {kind}: {share:.3f}"))
        x += width
    return [*drawn, svg.text(x + 12, y + 26, f"{speedup:.2f} x", bold=True)]


def _legend() -> list[str]:
    drawn = []
    for place, (kind, hue) in enumerate(LOOKS.items()):
        x = LEFT + 150 * place
        drawn.append(svg.rect(x, 62, 22, 18, f"f-{hue}"))
        if kind == "all-to-all":
            drawn.append(svg.path(svg.hatching(x, 62, 22, 18), "f-none s-paper", 'stroke-width="2"'))
        drawn.append(svg.text(x + 32, 76, kind, "f-quiet"))
    return drawn


def _axis(y: float) -> list[str]:
    drawn = [svg.path(f"M{LEFT} {y:g}h{ROOM}", "f-none s-quiet", 'stroke-width="2"')]
    for tick in (0.0, 0.25, 0.5, 0.75, 1.0):
        x = LEFT + ROOM * tick
        drawn.append(svg.path(f"M{x:g} {y:g}v6", "f-none s-quiet", 'stroke-width="2"'))
        drawn.append(svg.text(x, y + 24, f"{tick:g}", "f-quiet", anchor="middle"))
    label = "time of one step (A100 with HDR = 1, modelled)"
    return [*drawn, svg.text(LEFT + ROOM / 2, y + 48, label, "f-quiet", anchor="middle")]


def _note(compute_speedup: float) -> str:
    return f"Modelled: all-to-all gets 1, 2 and 9 times faster, compute {compute_speedup:.3g} times on H100."


def _twin(parts: dict[str, tuple[float, float]], speedups: dict[str, float], compute_speedup: float) -> str:
    rows = [f"{'machine':24} {'compute':>8} {'all-to-all':>10} {'step':>6} {'speed-up':>9}"]
    for name, (compute, exchange) in parts.items():
        total = compute + exchange
        rows.append(f"{name:24} {compute:8.3f} {exchange:10.3f} {total:6.3f} {speedups[name]:9.2f}")
    return "\n".join([*rows, _note(compute_speedup)])
