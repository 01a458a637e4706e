"""Which buffer each iteration of a ring uses, in which lap, and the parities that both sides wait for."""

from hopperlab.models.barriers import ring_parity, ring_stage
from hopperlab.views import svg
from hopperlab.views.picture import Picture

WIDTH = 1010
LEFT = 190
COLUMN = 66
SHOWN = 12  # iterations
ROWS = ("stage", "lap", "consumer: full", "producer: empty")


def parities(stages: int, iteration: int) -> Picture:
    """Draw twelve iterations of a ring of `stages`, from 0 or so that `iteration` is among them."""
    first = max(0, iteration - SHOWN + 1)
    parity = ring_parity(iteration, stages)
    title = (
        f"Iteration {iteration} of a ring of {stages}: stage {ring_stage(iteration, stages)}, lap "
        f"{iteration // stages}; parities {parity} and {1 - parity}"
    )
    body = [svg.text(20, 36, title, size=18, bold=True), svg.text(20, 100, "iteration", bold=True)]
    body += [svg.text(20, 140 + 44 * row, name, bold=True) for row, name in enumerate(ROWS)]
    rows = []
    for place in range(SHOWN):
        number = first + place
        values = (ring_stage(number, stages), number // stages, ring_parity(number, stages))
        values = (*values, 1 - values[2])
        x = LEFT + COLUMN * place
        if number == iteration:
            body.append(svg.rect(x - 4, 80, COLUMN, 224, "f-waiting", 'fill-opacity="0.2" rx="6"'))
        body.append(svg.text(x + COLUMN / 2 - 4, 100, str(number), anchor="middle"))
        for row, value in enumerate(values):
            body += _chip(x, 120 + 44 * row, row, value)
        sign = ">" if number == iteration else " "
        rows.append(
            f"{sign} iteration {number}: stage {values[0]}, lap {values[1]}, consumer waits for parity "
            f"{values[2]}, producer for parity {values[3]}"
        )
    return Picture(title, "\n".join(rows), svg=svg.document(WIDTH, 316, title, rows[0], body))


def _chip(x: float, y: float, row: int, value: int) -> list[str]:
    middle = x + COLUMN / 2 - 4
    if row < 2:
        return [svg.text(middle, y + 20, str(value), anchor="middle")]
    filled = "f-barrier" if value else "f-none s-barrier"
    ink = "on-hue4" if value else "f-ink"
    return [
        svg.rect(x + 4, y, COLUMN - 16, 30, filled, 'rx="4" stroke-width="2"'),
        svg.text(middle, y + 21, str(value), ink, anchor="middle", bold=True),
    ]
