"""Verdicts in tables: the verifier's questions with their answers, and attacks against layers."""

from collections.abc import Iterator, Sequence

from hopperlab.models.confidential import DATA_ATTACKS, LAYERS, Check, Outcome
from hopperlab.views import svg
from hopperlab.views.confidential.marks import answer_mark
from hopperlab.views.picture import Picture
from hopperlab.views.svg import SMALLEST_TEXT, hatching, path, rect, text

MARGIN, WIDTH = 20, 960
QUESTION_ROW = 44
ANSWERS = {True: "passed", False: "refused", None: "not asked"}


def verification(checks: Sequence[Check]) -> Picture:
    """The verifier's questions in order, each with its answer.

    Parameters
    ----------
    checks
        From ``inspect`` or ``verify``.

    Raises
    ------
    ValueError
        If there are none.
    """
    if not checks:
        raise ValueError("checks is empty: there is no verification to draw")
    refused = next((check for check in checks if check.passed is False), None)
    forgotten = [check.name for check in checks if check.said == "forgotten"]
    if refused is not None:
        title = f"{type(refused.error).__name__}: the report is refused"
    elif forgotten:
        title = f"Accepted by a verifier that forgot: {', '.join(forgotten)}"
    else:
        title = f"All {len(checks)} checks pass: the GPU is trusted"
    note = "The guest asks in this order and stops at the first refusal."
    body = [text(MARGIN, 34, title, size=22, bold=True), text(MARGIN, 60, note, "f-quiet")]
    for row, check in enumerate(checks):
        y = 96 + QUESTION_ROW * row
        body += answer_mark(MARGIN + 10, y - 5, check.passed)
        body.append(text(MARGIN + 36, y, check.question, bold=check.passed is False))
        body.append(text(MARGIN + 470, y, check.said, "f-quiet", size=SMALLEST_TEXT))
    height = 96 + QUESTION_ROW * len(checks)
    drawing = svg.document(WIDTH + 120, height, title, note, body)
    twin = [note] + [f"{c.name}: {c.question} {ANSWERS[c.passed]}, {c.said}" for c in checks]
    return Picture(title, "\n".join(twin), svg=drawing)


CELL, CELL_HEIGHT, LABELS = 190, 64, 170
LAYER_SAYS = {
    "plain": "no protection",
    "encrypted": "AES-CTR",
    "authenticated": "AES-GCM",
    "counted": "AES-GCM, counters",
}


def layers(outcomes: Sequence[Outcome], *, hide: bool = False) -> Picture:
    """Which attack succeeds on which layer: four attacks across, four layers down, each one mechanism more.

    Parameters
    ----------
    outcomes
        From ``matrix``.
    hide
        Draw the table empty, to be guessed.
    """
    known = {(o.layer, o.attack): o for o in outcomes}
    succeeded = sum(o.succeeded for o in outcomes)
    title = (
        "Which attack succeeds where?"
        if hide
        else "Each mechanism stops attacks that the one above lets through"
    )
    ran = f"{succeeded} of {len(outcomes)} attacks succeed; all were run."
    note = "Guess before you look." if hide else ran
    body = [text(MARGIN, 34, title, size=22, bold=True), text(MARGIN, 60, note, "f-quiet")]
    for column, attack in enumerate(DATA_ATTACKS):
        x = MARGIN + LABELS + CELL * (column + 0.5)
        body.append(text(x, 92, attack, anchor="middle", bold=True))
    for row, layer in enumerate(LAYERS):
        y = 104 + CELL_HEIGHT * row
        body.append(text(MARGIN, y + 28, layer, bold=True))
        body.append(text(MARGIN, y + 48, LAYER_SAYS[layer], "f-quiet", size=SMALLEST_TEXT))
        for column, attack in enumerate(DATA_ATTACKS):
            x = MARGIN + LABELS + CELL * column
            body += _cell(x, y, None if hide else known.get((layer, attack)))
    height = 104 + CELL_HEIGHT * len(LAYERS) + 16
    drawing = svg.document(MARGIN * 2 + LABELS + CELL * len(DATA_ATTACKS), height, title, note, body)
    twin = [note]
    for layer in LAYERS:
        cells = [(attack, None if hide else known.get((layer, attack))) for attack in DATA_ATTACKS]
        said = ", ".join(f"{attack} {_outcome_said(outcome)}" for attack, outcome in cells)
        twin.append(f"{layer} ({LAYER_SAYS[layer]}): {said}")
    return Picture(title, "\n".join(twin), svg=drawing)


def _cell(x: float, y: float, outcome: Outcome | None) -> Iterator[str]:
    width, height = CELL - 6, CELL_HEIGHT - 6
    succeeded = outcome is not None and outcome.succeeded
    yield rect(x, y, width, height, "f-none s-line", 'rx="4"')
    if succeeded:
        yield path(hatching(x, y, width, height), "f-none s-finding", 'stroke-width="1.2"')
        yield rect(x + width / 2 - 52, y + 16, 104, 28, "f-paper", 'rx="3"')
    said = _outcome_said(outcome)
    yield text(x + width / 2, y + 35, said, size=SMALLEST_TEXT, anchor="middle", bold=succeeded)


def _outcome_said(outcome: Outcome | None) -> str:
    if outcome is None:
        return "?"
    if outcome.succeeded:
        return "succeeds"
    return type(outcome.error).__name__ if outcome.error else "sees nothing"
