"""Links over time: whose message each carries, and where one job waits for another's."""

from collections.abc import Hashable, Iterator, Mapping

from hopperlab.models.fabric import Simulation
from hopperlab.views import svg
from hopperlab.views.picture import Picture
from hopperlab.views.svg import SMALLEST_TEXT, group, path, rect, text

WIDTH, MARGIN, LEFT = 1010, 20, 210
LANE = 34


def timeline(
    done: Simulation, links: Mapping[str, Hashable], title: str, span: float | None = None
) -> Picture:
    """Some links of a simulation as lanes; a box is a message that crosses, in its job's color and pattern.

    Parameters
    ----------
    links
        What to call each lane, and the link's name in the network.
    span
        Nanoseconds that the axis shows; the simulation's own if not given.

    Raises
    ------
    ValueError
        If there is no link, or more than 12.
    """
    if not 1 <= len(links) <= 12:
        raise ValueError(f"links has {len(links)} lanes; 1 to 12 can be read")
    end = span or done.nanoseconds
    scale = (WIDTH - LEFT - MARGIN) / end
    jobs = [one.job for one in done.jobs]
    hues = {job: f"hue{number % 5}" for number, job in enumerate(jobs)}
    said = "; ".join(
        f"{one.job} ends at {one.nanoseconds / 1e3:,.1f} \u00b5s, its messages waited "
        f"{one.waited / 1e3:,.1f} \u00b5s in all"
        for one in done.jobs
    )
    body = [text(MARGIN, 34, title, size=20, bold=True)]
    body += svg.lines(MARGIN, 62, said, 116, "f-quiet")
    top = 104 if len(said) > 116 else 84
    for row, (label, name) in enumerate(links.items()):
        y = top + row * LANE
        body.append(text(MARGIN, y + 20, label, size=SMALLEST_TEXT))
        body.append(path(f"M{LEFT} {y + LANE - 4}H{WIDTH - MARGIN}", "f-none s-line"))
        body += _boxes(done, name, y, scale, hues)
    y = top + len(links) * LANE + 20
    for tick in range(5):
        time = end * tick / 4
        body.append(
            text(
                LEFT + time * scale,
                y,
                f"{time / 1e3:,.0f} \u00b5s",
                "f-quiet",
                size=SMALLEST_TEXT,
                anchor="middle" if tick < 4 else "end",
            )
        )
    drawing = svg.document(WIDTH, y + 20, title, said, body)
    busy = [f"{label}: busy {done.busy(name) / 1e3:,.1f} \u00b5s" for label, name in links.items()]
    return Picture(title, "\n".join([f"Modelled. {said}.", *busy]), svg=drawing)


def _boxes(
    done: Simulation, name: Hashable, y: float, scale: float, hues: Mapping[str, str]
) -> Iterator[str]:
    for one in done.passages:
        if one.path != name:
            continue
        job = done.messages[one.message].job
        hue = hues[job]
        width = max((one.ends - one.begins) * scale - 1, 1)
        x = LEFT + one.begins * scale
        parts = [rect(x, y + 4, width, LANE - 10, f"f-{hue}", 'rx="2"')]
        if width > 16:
            parts.append(
                text(x + width / 2, y + 22, job[:1], f"on-{hue}", size=SMALLEST_TEXT, anchor="middle")
            )
        sent = done.messages[one.message]
        yield group(parts, "message", f"{job}: rank {sent.source} to {sent.target}")
