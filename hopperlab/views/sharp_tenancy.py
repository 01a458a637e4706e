"""Jobs on leaf switches: whose ports are whose, which trees were given, and who fell back to a ring."""

from collections.abc import Iterator, Sequence

from hopperlab.models.sharp_tenancy import Admission, Cluster, step_seconds, steps_per_hour
from hopperlab.views import svg
from hopperlab.views.picture import Picture
from hopperlab.views.svg import SMALLEST_TEXT, group, hatching, path, rect, text

WIDTH, MARGIN = 1010, 20
SPINE_Y, LEAF_Y, TABLE_Y = 90, 210, 350
PORT = 24


def tenants(cluster: Cluster, answers: Sequence[Admission], rule: str, note: str = "") -> Picture:
    """Leaves with their ports, trees as lines up to their root, and every job's step; at most 4 leaves, 6 jobs."""
    granted = sum(one.reduces_in_switch for one in answers)
    score = steps_per_hour(answers)
    title = f"SHARP{rule}: {granted} of {len(answers)} jobs get a tree; {score:,.0f} steps an hour"
    hues = {one.placed.job.name: f"hue{number % 6}" for number, one in enumerate(answers)}
    pitch = (WIDTH - 2 * MARGIN) / cluster.leaves
    body = [text(MARGIN, 34, title, size=20, bold=True)]
    said = f"Filled ports reduce in the switch; hatched ones fell back to a ring. {note}".strip()
    body.append(text(MARGIN, 60, said, "f-quiet"))
    spine_x = [WIDTH * (n + 1) / (cluster.spines + 1) for n in range(cluster.spines)]
    for number, one in enumerate(answers):
        body += _tree(one, hues[one.placed.job.name], spine_x, pitch, number)
    for n, x in enumerate(spine_x):
        body.append(rect(x - 60, SPINE_Y - 14, 120, 32, "f-paper s-ink", 'rx="4"'))
        body.append(text(x, SPINE_Y + 7, f"spine {n}", anchor="middle"))
    for leaf in range(cluster.leaves):
        body += _leaf(leaf, cluster, answers, hues, MARGIN + pitch * leaf, pitch)
    for row, one in enumerate(answers):
        body += _line(one, hues[one.placed.job.name], TABLE_Y + row * 26)
    rows = [
        f"{one.placed.job.name}: {one.placed.job.hosts} hosts on "
        + ", ".join(f"leaf {leaf} ({one.placed.on[leaf]})" for leaf in one.placed.leaves)
        + f"; {one.why}; {step_seconds(one) * 1e3:.0f} ms a step"
        for one in answers
    ]
    drawing = svg.document(WIDTH, TABLE_Y + len(answers) * 26 + 10, title, "\n".join(rows), body)
    return Picture(title, "\n".join(["Modelled.", *rows, *([note] if note else [])]), svg=drawing)


def _tree(one: Admission, hue: str, spine_x: Sequence[float], pitch: float, number: int) -> Iterator[str]:
    root = next((switch for switch in one.tree if switch.startswith("spine")), None)
    if root is None:
        return
    x1 = spine_x[int(root.split()[1])] + 8 * number - 20
    commands = ""
    for leaf in one.placed.leaves:
        x0 = MARGIN + pitch * (leaf + 0.5) + 8 * number - 20
        commands += f"M{x0:g} {LEAF_Y - 18}L{x1:g} {SPINE_Y + 18}"
    light = {
        "hue0": "s-compute",
        "hue1": "s-waiting",
        "hue2": "s-engine",
        "hue3": "s-memory",
        "hue4": "s-barrier",
    }
    yield path(commands, f"f-none {light.get(hue, 's-ink')}", 'stroke-width="3"')


def _leaf(
    leaf: int, cluster: Cluster, answers: Sequence[Admission], hues: dict[str, str], x: float, pitch: float
) -> Iterator[str]:
    yield rect(x + 6, LEAF_Y - 18, pitch - 12, 32, "f-paper s-ink", 'rx="4"')
    serving = [one.placed.job.name for one in answers if f"leaf {leaf}" in one.tree]
    label = f"leaf {leaf}: {'tree of ' + ', '.join(serving) if serving else 'no tree'}"
    yield text(x + pitch / 2, LEAF_Y + 4, label, size=SMALLEST_TEXT, anchor="middle")
    owners = [one for one in answers for _ in range(one.placed.on.get(leaf, 0))]
    start = x + (pitch - cluster.ports * (PORT + 3)) / 2
    for port in range(cluster.ports):
        px, py = start + port * (PORT + 3), LEAF_Y + 26
        if port >= len(owners):
            yield rect(px, py, PORT, 34, "f-none s-line", 'rx="3"')
            continue
        one = owners[port]
        hue = hues[one.placed.job.name]
        parts = [rect(px, py, PORT, 34, f"f-{hue}", 'rx="3"')]
        if not one.reduces_in_switch:
            parts.append(path(hatching(px, py, PORT, 34), "f-none s-paper", 'stroke-width="2"'))
        parts.append(
            text(px + PORT / 2, py + 52, one.placed.job.name, "f-ink", size=SMALLEST_TEXT, anchor="middle")
        )
        yield group(parts, "port", f"{one.placed.job.name}: {one.why}")


def _line(one: Admission, hue: str, y: float) -> Iterator[str]:
    job = one.placed.job
    yield rect(MARGIN, y - 14, 18, 18, f"f-{hue}", 'rx="3"')
    role = "f-ink" if one.reduces_in_switch else "f-finding"
    size, milliseconds = job.gradient_bytes / 1e9, step_seconds(one) * 1e3
    words = (
        f"{job.name}: {job.hosts} hosts, {size:g} GB of gradients; {one.why}; {milliseconds:.0f} ms a step"
    )
    yield text(MARGIN + 28, y, words, role, size=SMALLEST_TEXT)
