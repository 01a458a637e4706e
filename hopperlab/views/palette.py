"""One palette for every picture: roles, not colors.

The light palette is Okabe and Ito's, made to be told apart with any color vision; the dark one is its
lightened twin. Nothing is told by color alone: a role also has a plotly marker symbol or an SVG pattern.
"""

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

# Measured is a filled marker with its spread, modelled a line, quoted a hollow diamond with its source.
SYMBOLS = {"measured": "circle", "modelled": "line-ns", "quoted": "diamond-open"}

# Ink for plotly figures, which cannot follow the theme: contrast 4.5 on white and 4.3 on the dark paper.
NEUTRAL_INK = "#6B7785"
NEUTRAL_LINE = "rgba(107,119,133,0.35)"

FONT = "DejaVu Sans, Helvetica, Arial, sans-serif"
FONT_SIZE = 15  # px; figures must be readable from the back row


def svg_style() -> str:
    """A ``<style>`` element whose classes follow the notebook's theme, light or dark.

    JupyterLab marks its body with ``data-jp-theme-light``; elsewhere the light palette holds.
    """

    def rules(colors: dict[str, str], scope: str) -> str:
        fills = "".join(f"{scope} .f-{name}{{fill:{color}}}" for name, color in colors.items())
        strokes = "".join(f"{scope} .s-{name}{{stroke:{color}}}" for name, color in colors.items())
        return fills + strokes

    dark = rules(DARK, 'body[data-jp-theme-light="false"] .hopperlab')
    return f"<style>{rules(LIGHT, '.hopperlab')}{dark}.hopperlab text{{font-family:{FONT}}}</style>"
