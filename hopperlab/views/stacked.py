"""Pictures one below the other, as one picture: for what belongs together at one moment."""

from collections.abc import Sequence

from hopperlab.views import svg
from hopperlab.views.picture import Picture

WIDTH = 1010
GAP = 14


def stacked(pictures: Sequence[Picture]) -> Picture:
    """Set pictures one below the other under the title of the first; its twin has the twins of all.

    Raises
    ------
    ValueError
        If there are none, or if one is no SVG.
    """
    if not pictures or any(picture.svg is None for picture in pictures):
        raise ValueError("pictures: at least one is needed, and each must be an SVG")
    body, y = [], 0.0
    for picture in pictures:
        height, inner = svg.nested(picture.svg, y, WIDTH)
        body.append(inner)
        y += height + GAP
    first, *others = pictures
    text = "\n".join([first.text, *(picture.twin for picture in others)])
    return Picture(first.title, text, svg=svg.document(WIDTH, y - GAP, first.title, first.title, body))
