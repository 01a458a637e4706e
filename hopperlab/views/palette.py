"""One palette for every picture: roles, not colors.

The light palette is Okabe and Ito's, made to be told apart with any color vision; the dark one is its
lightened twin. Nothing is told by color alone: a role also has a plotly marker symbol or an SVG pattern.
"""

from functools import cache

ROLES = (
    "compute",
    "memory",
    "engine",  # an asynchronous engine: TMA, bulk copy, st.async
    "waiting",
    "barrier",
    "finding",
    "idle",
    "measured",
    "modelled",
    "quoted",
)

LIGHT = {
    "compute": "#0072B2",
    "memory": "#56B4E9",
    "engine": "#009E73",
    "waiting": "#E69F00",
    "barrier": "#CC79A7",
    "finding": "#D55E00",
    "idle": "#9AA5B1",
    "measured": "#0072B2",
    "modelled": "#009E73",
    "quoted": "#D55E00",
    "ink": "#1F2933",
    "quiet": "#52606D",
    "paper": "#FFFFFF",
    "line": "#CBD2D9",
}

DARK = {
    "compute": "#5AB4E5",
    "memory": "#9AD6F5",
    "engine": "#4CC9A4",
    "waiting": "#F5C04D",
    "barrier": "#E5A8C8",
    "finding": "#F58B4C",
    "idle": "#7B8794",
    "measured": "#5AB4E5",
    "modelled": "#4CC9A4",
    "quoted": "#F58B4C",
    "ink": "#F5F7FA",
    "quiet": "#CBD2D9",
    "paper": "#111111",
    "line": "#52606D",
}

# Shapes that stand side by side, as clusters on a chip: each also carries its number. Red is for findings.
HUES_LIGHT = ("#0072B2", "#E69F00", "#009E73", "#56B4E9", "#CC79A7", "#0B4F7A")
HUES_DARK = ("#5AB4E5", "#F5C04D", "#4CC9A4", "#9AD6F5", "#E5A8C8", "#7B9FE0")
BLACK, WHITE = "#111111", "#FFFFFF"

# Measured is a filled marker with its spread, modelled a line, quoted a hollow diamond with its source.
SYMBOLS = {"measured": "circle", "modelled": "line-ns", "quoted": "diamond-open"}

# Ink for plotly figures, which cannot follow the theme: contrast 4.5 on white and 4.3 on the dark paper.
NEUTRAL_INK = "#6B7785"
NEUTRAL_LINE = "rgba(107,119,133,0.35)"

FONT = "DejaVu Sans, Helvetica, Arial, sans-serif"
FONT_SIZE = 15  # px; figures must be readable from the back row


def luminance(color: str) -> float:
    """Relative luminance of ``#RRGGBB``, 0 (black) to 1 (white), as WCAG 2 defines it."""
    channels = [int(color[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """Contrast ratio of two colors, 1 to 21, as WCAG 2 defines it; text needs 4.5, large text and marks 3."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def ink_on(color: str) -> str:
    """Black or white, whichever is read better on ``color``."""
    return max(BLACK, WHITE, key=lambda ink: contrast(ink, color))


def _rules(colors: dict[str, str], hues: tuple[str, ...], scope: str) -> str:
    """Classes ``f-NAME`` to fill and ``s-NAME`` to stroke; ``on-hueN`` fills what is written on ``hueN``."""
    named = colors | {f"hue{number}": hue for number, hue in enumerate(hues)}
    fills = "".join(f"{scope} .f-{name}{{fill:{color}}}" for name, color in named.items())
    strokes = "".join(f"{scope} .s-{name}{{stroke:{color}}}" for name, color in colors.items())
    inks = "".join(f"{scope} .on-hue{number}{{fill:{ink_on(hue)}}}" for number, hue in enumerate(hues))
    return fills + strokes + inks


@cache
def svg_style() -> str:
    """A ``<style>`` element whose classes follow the notebook's theme, light or dark.

    JupyterLab marks its body with ``data-jp-theme-light``; elsewhere the light palette holds.
    """
    light = _rules(LIGHT, HUES_LIGHT, ".hopperlab")
    dark = _rules(DARK, HUES_DARK, 'body[data-jp-theme-light="false"] .hopperlab')
    plain = f".hopperlab text{{font-family:{FONT}}}.hopperlab .f-none{{fill:none}}"
    return f"<style>{light}{dark}{plain}</style>"
