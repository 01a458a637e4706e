"""A finding: what was launched, what went wrong, and the cure, above the picture that shows it."""

from hopperlab.views import svg
from hopperlab.views.picture import Picture

WIDTH = 1010
MARGIN = 20
COLUMNS = 108


def finding(name: str, launch: str, found: str, cure: str, shown: Picture) -> Picture:
    """Set a finding in words above the picture of the state in which it was found.

    Parameters
    ----------
    name
        The finding's name.
    launch, found, cure
        What was launched; what was found, where and who waits; what to do about it. A sentence each.
    shown
        An SVG picture of the state.

    Raises
    ------
    ValueError
        If ``shown`` is no SVG.
    """
    if shown.svg is None:
        raise ValueError(f"shown is {shown.title!r}, a figure; a finding stands above an SVG")
    body = [svg.text(MARGIN, 36, name, "f-finding", size=20, bold=True)]
    y = 68.0
    for label, words in (("Launch", launch), ("Finding", found), ("Cure", cure)):
        body.append(svg.text(MARGIN, y, label, bold=True))
        written = svg.lines(MARGIN + 80, y, words, COLUMNS)
        body += written
        y += svg.LINE_HEIGHT * len(written) + 6
    height, inner = svg.nested(shown.svg, y, WIDTH)
    text = f"Launch: {launch}\nFinding: {found}\nCure: {cure}\n{shown.twin}"
    drawing = svg.document(WIDTH, y + height, name, f"{found} {cure}", [*body, inner])
    return Picture(title=f"{name}: {found}", text=text, svg=drawing)
