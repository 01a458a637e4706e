"""The map of a card: which SM is in which GPC, and what the map leaves open."""

from hopperlab.models.clusters import GpcMap
from hopperlab.views import svg
from hopperlab.views.clusters.plan import Scale, plan
from hopperlab.views.clusters.scene import in_runs
from hopperlab.views.picture import Picture
from hopperlab.views.svg import SMALLEST_MARK, SMALLEST_TEXT, boxes, lines, path, rect, text

MARGIN = 20
COLUMNS = 92
SCALE = Scale(sm_width=34, sm_height=24, gap=3, padding=6, between=8, label=22)


def gpc_map(shown: GpcMap) -> Picture:
    """The SM ids of a card by GPC, large groups as they are, and what nobody knows yet.

    A full frame holds a whole GPC. A dashed one holds SMs that were found together: that proves that they
    share a GPC, not that the GPC has no more.
    """
    title = f"{shown.name}: {shown.sms} SMs in groups of {shown.sizes()}"
    notes = [f"{shown.provenance.capitalize()}: {shown.source}.", *shown.open_questions()]
    laid = plan(shown, SCALE, MARGIN, 60)
    width = max(laid.width + 2 * MARGIN, 820)
    body = [text(MARGIN, 34, title, size=20, bold=True)]
    still_open = {number for pair in shown.may_share_a_gpc() for number in pair}
    if still_open:
        notes.append("A dashed frame may be a part of a GPC; a full one is whole.")
    for number, box in enumerate(laid.groups):
        middle = box.x + box.width / 2
        dash = ' stroke-dasharray="6 4"' if number in still_open else ""
        body.append(rect(*box, "group f-none s-quiet", f'rx="6" stroke-width="1.5"{dash}'))
        name = shown.name_of(number)
        body.append(text(middle, box.y - 6, name, size=SMALLEST_TEXT, anchor="middle", bold=True))
    body.append(path(boxes(laid.sms.values()), "sms f-none s-line"))
    for sm, box in laid.sms.items():
        place = (box.x + box.width / 2, box.y + 17)
        body.append(text(*place, str(sm), "sm f-ink", size=SMALLEST_MARK + 1, anchor="middle"))
    y = 60 + laid.height + 34
    for note in notes:
        written = lines(MARGIN, y, note, int(COLUMNS * width / 820), "f-quiet")
        body += written
        y += svg.LINE_HEIGHT * len(written)
    description = " ".join(notes)
    drawing = svg.document(width, y + 6, title, description, body)
    return Picture(title, "\n".join([_table(shown), *notes]), svg=drawing)


def _table(shown: GpcMap) -> str:
    rows = [("group", "SMs", "SM ids")]
    rows += [
        (shown.name_of(number), str(len(group)), in_runs(group)) for number, group in enumerate(shown.groups)
    ]
    wide = max(len(row[0]) for row in rows)
    return "\n".join(f"{name:{wide}}  {sms:>3}  {ids}" for name, sms, ids in rows)
