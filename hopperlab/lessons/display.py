"""The screen of a panel: where a picture is drawn, with its twin in words below."""

import html

import ipywidgets as widgets

from hopperlab.views.palette import NEUTRAL_INK
from hopperlab.views.picture import PLOTLY_MIME, Picture

HEIGHT = 440  # px; kept while a picture is redrawn, so that nothing below it jumps
SHOW_WORDS, HIDE_WORDS = "In words", "Hide the words"
_CLEAR = "rgba(0,0,0,0)"
_HIDDEN = "position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap"


def plotly_bundle(picture: Picture) -> dict:
    """A plotly picture's display data; on any theme its paper is clear, and its ink neutral unless it has one."""
    bundle = picture.mimebundle()
    layout = bundle[PLOTLY_MIME].setdefault("layout", {})
    layout.setdefault("paper_bgcolor", _CLEAR)
    layout.setdefault("plot_bgcolor", _CLEAR)
    layout.setdefault("font", {}).setdefault("color", NEUTRAL_INK)
    return bundle


class Screen(widgets.VBox):
    """Shows one picture at a time, and on demand its twin in words."""

    def __init__(self, height: int = HEIGHT) -> None:
        room = f"{height}px"
        self.drawing = widgets.HTML(layout=widgets.Layout(min_height=room, display="none"))
        self.figure = widgets.Output(layout=widgets.Layout(min_height=room, display="none"))
        self.spoken = widgets.HTML()
        self.in_words = widgets.ToggleButton(description=SHOW_WORDS, tooltip="The picture in words")
        self.twin = widgets.HTML(layout=widgets.Layout(display="none"))
        self.picture: Picture | None = None
        self.in_words.observe(self._unfold, "value")
        super().__init__([self.drawing, self.figure, self.spoken, self.in_words, self.twin])

    def show(self, picture: Picture) -> None:
        """Draw a picture in place of the one before."""
        if not isinstance(picture, Picture):
            raise TypeError(f"draw gives {type(picture).__name__}; it must give a Picture")
        if picture.svg is not None:
            self.drawing.value = (
                f'<div role="img" aria-label="{html.escape(picture.title)}">{picture.svg}</div>'
            )
        else:
            bundle = plotly_bundle(picture)
            self.figure.outputs = ({"output_type": "display_data", "metadata": {}, "data": bundle},)
        self.drawing.layout.display = None if picture.svg is not None else "none"
        self.figure.layout.display = "none" if picture.svg is not None else None
        self.spoken.value = f'<div role="status" style="{_HIDDEN}">{html.escape(picture.title)}</div>'
        self.twin.value = f"<pre>{html.escape(picture.twin)}</pre>"
        self.picture = picture

    def _unfold(self, _: object) -> None:
        self.twin.layout.display = None if self.in_words.value else "none"
        self.in_words.description = HIDE_WORDS if self.in_words.value else SHOW_WORDS
