"""SVG elements as strings: few kinds, colored by the palette's classes, no ids, nothing that needs a script."""

import re
from collections.abc import Iterable
from html import escape
from textwrap import wrap

from hopperlab.views.palette import svg_style

TEXT_SIZE = 15
LINE_HEIGHT = 21
SMALLEST_TEXT = 14
SMALLEST_MARK = 12  # numbers inside marks, and nothing else
_VIEW_BOX = re.compile(r'viewBox="0 0 (?P<width>[\d.]+) (?P<height>[\d.]+)" width="100%"')


def document(width: float, height: float, title: str, description: str, body: Iterable[str]) -> str:
    """An ``<svg>`` as wide as its place, with a name and a description for those who do not see it."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="hopperlab" viewBox="0 0 {width:g} {height:g}" '
        f'width="100%" style="max-width:{1.25 * width:g}px" role="img" font-size="{TEXT_SIZE}">'
        f"<title>{escape(title)}</title><desc>{escape(description)}</desc>{svg_style()}"
        f"{rect(0, 0, width, height, 'f-paper')}{''.join(body)}</svg>"
    )


def nested(drawn: str, y: float, width: float) -> tuple[float, str]:
    """A whole drawing as a part of another one, at (0, y) and so wide: its height there, and its element.

    It goes by the other's style, so that the notebook has one to apply.
    """
    size = _VIEW_BOX.search(drawn)
    height = width * float(size["height"]) / float(size["width"])
    place = f'x="0" y="{y:g}" width="{width:g}" height="{height:g}"'
    return height, drawn.replace('width="100%"', place, 1).replace(svg_style(), "")


def text(
    x: float,
    y: float,
    words: str,
    classes: str = "f-ink",
    *,
    size: float = TEXT_SIZE,
    anchor: str = "start",
    bold: bool = False,
    width: float | None = None,
) -> str:
    """Words whose baseline starts at (x, y), squeezed into ``width`` if given; ValueError if too small."""
    if size < SMALLEST_MARK:
        raise ValueError(f"size={size} px: text must be at least {SMALLEST_MARK} px to be read")
    looks = f' font-size="{size:g}"' if size != TEXT_SIZE else ""
    looks += f' text-anchor="{anchor}"' if anchor != "start" else ""
    looks += ' font-weight="bold"' if bold else ""
    looks += f' textLength="{width:g}" lengthAdjust="spacingAndGlyphs"' if width else ""
    return f'<text class="{classes}" x="{x:g}" y="{y:g}"{looks}>{escape(words)}</text>'


def lines(x: float, y: float, words: str, columns: int, classes: str = "f-ink", **looks: object) -> list[str]:
    """Words broken into lines of at most ``columns`` characters, one below the other."""
    return [
        text(x, y + LINE_HEIGHT * row, line, classes, **looks)
        for row, line in enumerate(wrap(words, columns))
    ]


def rect(x: float, y: float, width: float, height: float, classes: str, more: str = "") -> str:
    """A rectangle; ``more`` holds further attributes."""
    more = f" {more}" if more else ""
    return f'<rect class="{classes}" x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"{more}/>'


def path(commands: str, classes: str, more: str = "") -> str:
    """A path; ``more`` holds further attributes."""
    more = f" {more}" if more else ""
    return f'<path class="{classes}" d="{commands}"{more}/>'


def boxes(rectangles: Iterable[tuple[float, float, float, float]]) -> str:
    """Path commands of many rectangles, each given by its upper left corner, its width and its height."""
    return "".join(f"M{x:g} {y:g}h{width:g}v{height:g}h-{width:g}z" for x, y, width, height in rectangles)


def group(parts: Iterable[str], classes: str, title: str = "") -> str:
    """Elements that belong together, with a name that shows when the pointer rests on them."""
    name = f"<title>{escape(title)}</title>" if title else ""
    return f'<g class="{classes}">{name}{"".join(parts)}</g>'


def hatching(x: float, y: float, width: float, height: float, *, crossed: bool = False) -> str:
    """Path commands of diagonal lines over a box, rising; ``crossed`` adds falling ones."""
    spacing = 7.0
    commands = []
    offset = spacing / 2
    while offset < width + height:
        x0, y0 = x + min(offset, width), y + max(0.0, offset - width)
        x1, y1 = x + max(0.0, offset - height), y + min(offset, height)
        commands.append(f"M{x0:g} {y0:g}L{x1:g} {y1:g}")
        if crossed:
            commands.append(f"M{2 * x + width - x0:g} {y0:g}L{2 * x + width - x1:g} {y1:g}")
        offset += spacing
    return "".join(commands)
