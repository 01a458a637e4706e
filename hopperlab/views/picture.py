"""What every view returns: a picture and its twin in text.

The twin is what a screen reader, a reader without a kernel, and nbval see. It says all that the picture
says, in a small table or a few sentences, and never changes from run to run.
"""

import json
from dataclasses import dataclass
from typing import Any

PLOTLY_MIME = "application/vnd.plotly.v1+json"
SVG_MIME = "image/svg+xml"


@dataclass(frozen=True)
class Picture:
    """One drawn state: a title, the twin in text, and either an SVG string or a plotly figure.

    Parameters
    ----------
    title
        One line; what the picture shows, as a statement.
    text
        The twin: everything the picture says, as plain text.
    svg
        An ``<svg>`` element, for structure (chips, lanes, boards).
    figure
        A ``plotly.graph_objects.Figure``, for curves.

    Raises
    ------
    ValueError
        If the twin is empty, or if not exactly one of ``svg`` and ``figure`` is given.
    """

    title: str
    text: str
    svg: str | None = None
    figure: Any = None

    def __post_init__(self) -> None:
        """Refuse a picture that nobody could read."""
        if not self.text.strip():
            raise ValueError(f"text is empty: the picture {self.title!r} needs its twin in words")
        if (self.svg is None) == (self.figure is None):
            raise ValueError(f"the picture {self.title!r} needs exactly one of svg and figure")

    @property
    def twin(self) -> str:
        """The title and the text, as a reader without pictures gets them."""
        return f"{self.title}\n{self.text}"

    def mimebundle(self) -> dict[str, Any]:
        """The picture as Jupyter display data: the drawing, and the twin as ``text/plain``."""
        if self.svg is not None:
            return {"text/plain": self.twin, SVG_MIME: self.svg}
        return {"text/plain": self.twin, PLOTLY_MIME: json.loads(self.figure.to_json())}

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        return self.mimebundle()
