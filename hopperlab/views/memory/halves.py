"""The two halves of the L2 cache: how far one line is from each SM."""

from collections.abc import Sequence

from hopperlab.views import svg
from hopperlab.views.picture import Picture

BOX, ROW, LEFT, TOP = 48, 32, 130, 104


def halves(
    gpcs: Sequence[Sequence[int]], cycles: Sequence[float], *, far_from: float, line: int, how: str, card: str
) -> Picture:
    """How far one line of the L2 cache is from each SM; SMs in rows by GPC.

    Parameters
    ----------
    gpcs
        The SMs of each group that shares a GPC.
    cycles
        Of a visit from each SM, by its number.
    far_from
        The cycles from which a visit counts as far.
    line, how, card
        The line's number; "loads" or "atomics"; the card that was measured.
    """
    near = [sm for sm in range(len(cycles)) if cycles[sm] < far_from]
    far = [sm for sm in range(len(cycles)) if cycles[sm] >= far_from]
    counts = [_group("near", near, cycles), _group("far", far, cycles)]
    title = f"Line {line}, {how}: {'; '.join(count for count in counts if count)} (measured, {card})"
    body = [svg.text(20, 34, title, bold=True, size=17)]
    body += [svg.rect(20, 52, BOX - 4, 24, "f-hue3"), svg.text(74, 70, "near")]
    body += [svg.rect(140, 52, BOX - 4, 24, "f-none s-ink"), svg.text(194, 70, "far")]
    body.append(
        svg.text(
            250,
            70,
            "A box is an SM, with the cycles of a visit; the SMs of a row were seen to share a GPC.",
            "f-quiet",
        )
    )
    rows = []
    for row, sms in enumerate(gpcs):
        y = TOP + ROW * row
        body.append(svg.text(20, y + 18, f"{len(sms)} SMs"))
        for place, sm in enumerate(sms):
            body.append(_sm(LEFT + BOX * place, y, sm, cycles[sm], sm in set(near)))
        inside = [sm for sm in sms if sm in set(near)]
        mean = sum(cycles[sm] for sm in sms) / len(sms)
        kind = "near" if len(inside) == len(sms) else "far" if not inside else f"{len(inside)} near"
        rows.append(f"SMs {', '.join(map(str, sms))}: {kind}, {mean:.0f} cycles on the mean")
    height = TOP + ROW * len(gpcs) + 12
    text = "\n".join(rows)
    return Picture(title, text, svg=svg.document(1010, height, title, text, body))


def _group(name: str, sms: Sequence[int], cycles: Sequence[float]) -> str:
    if not sms:
        return ""
    return f"{name} for {len(sms)} SMs, {sum(cycles[sm] for sm in sms) / len(sms):.0f} cycles"


def _sm(x: float, y: float, sm: int, cycles: float, near: bool) -> str:
    box = svg.rect(x, y, BOX - 4, ROW - 6, "f-hue3" if near else "f-none s-ink")
    ink = "on-hue3" if near else "f-ink"
    number = svg.text(x + BOX / 2 - 2, y + 18, f"{cycles:.0f}", ink, size=14, anchor="middle")
    return svg.group([box, number], "", f"SM {sm}: {cycles:.0f} cycles")
