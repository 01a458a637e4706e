"""A fabric with a cut through it: GPUs below, their switches, the top tier, and the links that bound the flow."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from hopperlab.models.fabric import Cut, endpoints, of_kind, taper
from hopperlab.views import svg
from hopperlab.views.picture import Picture
from hopperlab.views.svg import SMALLEST_TEXT, group, path, rect, text

WIDTH, MARGIN = 1010, 20
TOP_Y, MIDDLE_Y, GPU_Y = 130, 240, 330
TIERS = {"box": "switch boxes", "spine": "spine switches", "leaf": "leaf switches", "nvswitch": "NVSwitches"}


def pod(graph: Any, found: Cut, note: str = "") -> Picture:
    """A fabric of `hopperlab.models.fabric` and a cut of its GPUs in order: the first ones are the left side.

    Links of the bottleneck are drawn thick; a tier is drawn as one bar where it has more than eight switches.
    """
    gpus = endpoints(graph)
    narrowing = taper(graph, found)
    title = (
        f"{found.left} | {found.right} GPUs: {found.both_directions / 1e9:,.0f} GB/s, both directions; "
        f"taper {narrowing:.3g} to 1"
    )
    body = [text(MARGIN, 34, title, size=20, bold=True)]
    body.append(text(MARGIN, 60, f"{graph.graph['name']}. {note}".strip(), "f-quiet"))
    if len(gpus) <= 16:
        body += _few(graph, gpus, found)
    else:
        body += _many(graph, gpus, found)
    said = _said(graph, found)
    height = GPU_Y + 110
    body.append(text(MARGIN, height - 18, said, "f-ink"))
    twin = [
        f"{graph.graph['name']}: {len(gpus)} GPUs, cut into {found.left} and {found.right}.",
        f"One direction: {found.bytes_per_second / 1e9:,.0f} GB/s, {found.per_gpu / 1e9:,.4g} GB/s for each GPU of "
        "the smaller side. Both directions: "
        f"{found.both_directions / 1e9:,.0f} GB/s. Taper {narrowing:.3g} to 1.",
        said,
        *([note] if note else []),
        "Modelled: the maximum flow between the two sides.",
    ]
    return Picture(title, "\n".join(twin), svg=svg.document(WIDTH, height, title, said, body))


def _said(graph: Any, found: Cut) -> str:
    kinds = dict(graph.nodes(data="kind"))
    links: Counter = Counter()
    for one, other in found.bottleneck:
        links[tuple(sorted((kinds[one], kinds[other])))] += graph[one][other]["links"]
    parts = [f"{count} links between {_name(a)} and {_name(b)}" for (a, b), count in links.items()]
    return f"Bottleneck: {', '.join(parts)}."


def _name(kind: str) -> str:
    return "GPUs" if kind == "gpu" else TIERS[kind]


def _few(graph: Any, gpus: list[str], found: Cut) -> Iterator[str]:
    """One server: every GPU, every switch, every bundle of links."""
    yield _knife(MARGIN + (WIDTH - 2 * MARGIN) / len(gpus) * found.left)
    switches = [name for kind in ("nvswitch", "leaf") for name in of_kind(graph, kind)]
    across = (WIDTH - 2 * MARGIN) / len(gpus)
    over = (WIDTH - 2 * MARGIN) / len(switches)
    at = {name: (MARGIN + across * (n + 0.5), GPU_Y) for n, name in enumerate(gpus)}
    at |= {name: (MARGIN + over * (n + 0.5), TOP_Y + 20) for n, name in enumerate(switches)}
    tight = {frozenset(link) for link in found.bottleneck}
    thin = thick = ""
    for one, other in graph.edges:
        (x0, y0), (x1, y1) = at[one], at[other]
        command = f"M{x0:g} {y0:g}L{x1:g} {y1:g}"
        if frozenset((one, other)) in tight:
            thick += command
        else:
            thin += command
    yield path(thin, "f-none s-line")
    yield path(thick, "f-none s-finding", 'stroke-width="4"')
    for name in switches:
        x, y = at[name]
        links = sum(graph.edges[name, other]["links"] for other in graph[name])
        parts = [rect(x - 60, y - 18, 120, 36, "f-paper s-ink", 'rx="4"')]
        parts.append(text(x, y + 5, f"{links} links", size=SMALLEST_TEXT, anchor="middle"))
        yield group(parts, "switch", name)
    for number, name in enumerate(gpus):
        x, y = at[name]
        hue = "hue0" if number < found.left else "hue1"
        parts = [rect(x - 32, y - 18, 64, 36, f"f-{hue}", f'rx="{4 if number < found.left else 18}"')]
        parts.append(text(x, y + 5, f"GPU {number}", f"on-{hue}", size=SMALLEST_TEXT, anchor="middle"))
        yield group(parts, "gpu", name)


def _many(graph: Any, gpus: list[str], found: Cut) -> Iterator[str]:
    """Many servers: a column each, its links up as one line; the top tier is one bar."""
    home = dict(graph.nodes(data="server"))
    servers = sorted({home[gpu] for gpu in gpus})
    pitch = (WIDTH - 2 * MARGIN) / len(servers)
    yield _knife(MARGIN + pitch * found.left / 8)
    top = next(kind for kind in ("box", "spine") if of_kind(graph, kind))
    yield rect(MARGIN, TOP_Y - 24, WIDTH - 2 * MARGIN, 36, "f-paper s-ink", 'rx="4"')
    label = f"{len(of_kind(graph, top))} {TIERS[top]}"
    if of_kind(graph, "leaf"):
        label += f" over {len(of_kind(graph, 'leaf'))} {TIERS['leaf']}"
    yield text(WIDTH / 2, TOP_Y, label, anchor="middle")
    touched = {home[end] for link in found.bottleneck for end in link}
    thin = thick = ""
    for place, server in enumerate(servers):
        x = MARGIN + pitch * (place + 0.5)
        line = f"M{x:g} {TOP_Y + 12}V{MIDDLE_Y}"
        if server in touched:
            thick += line
        else:
            thin += line
    yield path(thin, "f-none s-line")
    yield path(thick, "f-none s-finding", f'stroke-width="{max(1.5, min(4, pitch / 4)):g}"')
    left_in = Counter(home[gpu] for gpu in gpus[: found.left])
    for place, server in enumerate(servers):
        yield _server(MARGIN + pitch * place, pitch, left_in[server], server)
    yield text(MARGIN, GPU_Y + 36, f"{len(servers)} servers of 8 GPUs", "f-quiet", size=SMALLEST_TEXT)


def _server(x: float, pitch: float, left: int, server: int) -> str:
    """Eight GPUs above each other; those of the left side are squares, the others flat."""
    size = min(8.0, pitch - 2)
    middle = round(x + pitch / 2 - size / 2, 1)
    mine = svg.boxes((middle, MIDDLE_Y + 10 * gpu, size, 8) for gpu in range(left))
    theirs = svg.boxes((middle, MIDDLE_Y + 10 * gpu + 2, size, 4) for gpu in range(left, 8))
    parts = [path(mine, "f-hue0")] if mine else []
    parts += [path(theirs, "f-hue1")] if theirs else []
    return group(parts, "server", f"server {server}: {left} of 8 GPUs on the left")


def _knife(x: float) -> str:
    return path(f"M{x:g} 76V{GPU_Y + 30}", "f-none s-ink", 'stroke-width="3" stroke-dasharray="9 6"')
