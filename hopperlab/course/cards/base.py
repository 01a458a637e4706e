"""What all cards share: deterministic text, one card a name, feedback read aloud, errors that show."""

import html
import traceback
from collections.abc import Callable
from typing import Any, ClassVar

import ipywidgets as widgets

from hopperlab.course.report import Report, sentence, words_as_html

VIEW_MIME = "application/vnd.jupyter.widget-view+json"
WIDE = "100%"
CARD = "hopperlab-card"
# Tight paragraphs, labels that wrap, and a focus that is seen.
STYLE = f"""<style>
.{CARD} p {{margin: 0 0 0.4em}}
.{CARD} .widget-checkbox, .{CARD} .widget-label-basic, .{CARD} .widget-label-basic span,
.{CARD} .widget-radio-box label {{height: auto; line-height: 1.4; white-space: normal; overflow: visible}}
.{CARD} .widget-radio-box {{flex-wrap: wrap}}
.{CARD} :focus-visible {{outline: 2px solid currentColor; outline-offset: 2px}}
</style>"""
WHOLE_LABEL = {"description_width": "initial"}


def close_all(widget: widgets.Widget, keep: frozenset[widgets.Widget] = frozenset()) -> None:
    """Close a widget and all that it holds, and drop their observers; spare those to keep."""
    for held in _held(widget) - keep:
        held.unobserve_all()
        held.close()


def _held(widget: widgets.Widget) -> set[widgets.Widget]:
    """A widget and all that it holds: its children, layouts and styles."""
    parts = [
        *getattr(widget, "children", ()),
        getattr(widget, "layout", None),
        getattr(widget, "style", None),
    ]
    return {widget}.union(*(_held(part) for part in parts if isinstance(part, widgets.Widget)))


class Named(widgets.VBox):
    """A box of which one exists for each name: making it again closes the one before.

    Its ``text/plain`` is what `words` returns: nbval compares it, a reader without a kernel sees it.
    """

    _open: ClassVar[dict[str, "Named"]] = {}

    def __init__(self, name: str, children: list[widgets.Widget]) -> None:
        earlier = self._open.pop(name, None)
        if earlier is not None:
            earlier.release(keep=frozenset().union(*map(_held, children)))
        style = widgets.HTML(STYLE, layout=widgets.Layout(display="none"))
        super().__init__([style, *children])
        self.add_class(CARD)
        self.name = name
        self._open[name] = self

    def release(self, keep: frozenset[widgets.Widget] = frozenset()) -> None:
        """Close the box and what it holds, save what a newer box shares with it."""
        close_all(self, keep)

    def words(self) -> str:
        """The box in words."""
        raise NotImplementedError

    def __repr__(self) -> str:
        """The words, in place of ipywidgets' list of traits."""
        return self.words()

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        view = {"version_major": 2, "version_minor": 0, "model_id": self.model_id}
        return {"text/plain": self.words(), VIEW_MIME: view}


class Feedback(widgets.HTML):
    """A place where results appear; a screen reader reads them when they do."""

    def __init__(self) -> None:
        super().__init__(value="", layout=widgets.Layout(width=WIDE))
        self.text = ""

    def show(self, report: Report | str) -> None:
        """Show a report, or one sentence; an empty one clears the place."""
        shown = report if isinstance(report, Report) else Report(report)
        self.text = shown.text
        self.value = f'<div role="status" aria-live="polite">{shown.html}</div>' if shown.text else ""

    def show_error(self, error: Exception, before: str = "", after: str = "") -> None:
        """Show an error between two sentences, with its traceback folded away."""
        self.text = f"{before}{sentence(f'{type(error).__name__}: {error}')}{after}"
        lines = "".join(traceback.format_exception(error))
        self.value = (
            f'<div role="alert"><p>{html.escape(self.text)}</p>'
            f"<details><summary>Where it happened</summary><pre>{html.escape(lines)}</pre></details></div>"
        )


def prose(text: str) -> widgets.HTML:
    """Sentences; words between backticks are set as code, empty lines part paragraphs."""
    paragraphs = "".join(f"<p>{words_as_html(part)}</p>" for part in text.strip().split("\n\n"))
    return widgets.HTML(value=paragraphs, layout=widgets.Layout(width=WIDE))


def button(label: str, act: Callable[[], None], feedback: Feedback) -> widgets.Button:
    """A button; an error of what it does is shown in ``feedback``, where ipywidgets would drop it."""
    made = widgets.Button(
        description=label, tooltip=label, layout=widgets.Layout(width="auto", align_self="flex-start")
    )

    def pressed(_: widgets.Button) -> None:
        try:
            act()
        except Exception as error:
            feedback.show_error(error)

    made.on_click(pressed)
    return made
