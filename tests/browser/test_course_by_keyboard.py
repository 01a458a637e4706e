"""Predictions, quizzes, exercises and panels, worked in JupyterLab from the keyboard alone."""

import json
from typing import TYPE_CHECKING

import pytest
from nbformat.v4 import new_code_cell, new_notebook

from hopperlab.cli.notebooks import canonical
from tests.browser.laboratory import Laboratory
from tests.browser.test_notebooks_in_chromium import open_notebook, run_all, troubles

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

LESSON = """
import time

from hopperlab.course import Choice, Exercise, Lesson, Misconception, Number, Numbers, Option, Order, Prediction
from hopperlab.course import Question, Quiz
from hopperlab.lessons.controls import choice, slider, stepper
from hopperlab.lessons.panel import EventPanel, Panel
from hopperlab.views.picture import Picture


def double(n):
    # your part: double it
    return 2 * n
    # end of your part


def drawing(state, words):
    return Picture(f"State {state}", words, svg=f"<svg height='20'><text y='15'>{state}</text></svg>")


def slowly(size):
    time.sleep(1)
    return drawing(size, f"size {size}")


AT_ONCE = Number("clusters", 0, 132)
lesson = Lesson(
    "keys",
    predictions=[
        Prediction("one", "How many?", AT_ONCE, lambda: 8, "So.", [Misconception("pooled", 13, "One GPC each.")]),
        Prediction("two", "And these?", Numbers({"of 16": AT_ONCE, "of 5": AT_ONCE}), lambda: [8, 22], "So."),
        Prediction("fate", "What happens?", Choice({"hangs": "It hangs", "works": "It works"}), lambda: "works", "So."),
        Prediction("rank", "Rank them.", Order(["L2", "HBM", "registers"], "fastest", "slowest"),
                   lambda: ["registers", "L2", "HBM"], "So."),
    ],
    quizzes=[
        Quiz("wait", [
            Question("Who waits?", [Option("all", "None does."), Option("some", "They do.", right=True)]),
            Question("What holds?", [Option("this", "Yes.", right=True), Option("that", "Yes.", right=True)], True),
        ])
    ],
    exercises=[Exercise("double", "Write it.", double, lambda draw: (draw.integer(0, 9),), ["add", "n + n", "2 * n"])],
)
lesson.panels = {
    "time": lambda: Panel(
        "keys.time", lambda size, kind, t: drawing(t, f"size {size}, kind {kind}"),
        size=slider("Size", 1, 16, 8), kind=choice("Kind", ["a", "b"]), t=stepper("Time", 5),
    ),
    "slow": lambda: Panel("keys.slow", slowly, size=slider("Size", 1, 16, 8)),
    "machine": lambda: EventPanel(
        "keys.machine", 0, {"arrive": lambda n: n + 1}, lambda history: drawing(history[-1].state, "It counts.")
    ),
}
"""
CALLS = [
    "from keys import lesson",
    *(f'lesson.predict("{name}")' for name in ("one", "two", "fate", "rank")),
    'lesson.reveal("one")',
    'lesson.quiz("wait")',
    'lesson.exercise("double")',
    'lesson.panel("time")',
    'lesson.panel("machine")',
    'lesson.panel("slow")',
]


@pytest.fixture
def worked(page: "Page", laboratory: Laboratory) -> "Page":
    """A notebook of everything that can be worked, run to its end."""
    (laboratory.folder / "keys.py").write_text(LESSON)
    notebook = new_notebook(cells=[new_code_cell(call, id=f"c{index}") for index, call in enumerate(CALLS)])
    (laboratory.folder / "keys.ipynb").write_text(canonical(notebook))
    page.set_viewport_size({"width": 1280, "height": 3000})
    open_notebook(page, laboratory, "keys.ipynb")
    run_all(page)
    return page


def press(page: "Page", *keys: str) -> None:
    """Press keys one after another; a text that is no key's name is typed."""
    for key in keys:
        if key in ("Tab", "Enter", "Space", "ArrowRight"):
            page.keyboard.press(key)
        else:
            page.keyboard.type(key)


def enter(page: "Page", cell: int, first: str) -> None:
    """Put the focus on the first of a cell's inputs, as Tab does in the end."""
    page.locator(f".jp-Cell >> nth={cell}").locator(first).first.focus()


def see(page: "Page", cell: int, text: str) -> None:
    """Wait until a cell's output shows a text."""
    page.locator(f".jp-Cell >> nth={cell}").locator(".jp-OutputArea").get_by_text(text).first.wait_for()


def test_everything_is_worked_from_the_keyboard(worked: "Page", laboratory: Laboratory) -> None:
    page = worked
    enter(page, 1, "input")
    press(page, "13", "Enter")
    see(page, 1, "Committed: 13 clusters.")
    see(page, 5, "pooled. One GPC each.")

    enter(page, 2, "input")
    press(page, "8", "Tab", "22", "Tab", "Enter")
    see(page, 2, "Committed: of 16: 8 clusters, of 5: 22 clusters.")

    enter(page, 3, "input")
    press(page, "Tab", "Space", "Tab", "Enter")
    see(page, 3, "Committed: It works.")

    enter(page, 4, "button:has-text('Down')")
    press(page, "Enter")
    see(page, 4, "2. L2")
    press(page, "Enter")
    see(page, 4, "3. L2")
    press(page, "Tab", "Enter")
    see(page, 4, "Committed: HBM, then registers, then L2.")

    enter(page, 6, "input")
    press(page, "Space", "Tab", "Tab", "Space", "Tab", "Space", "Tab", "Enter")  # "some" is shown first
    see(page, 6, "2 of 2 questions right.")
    press(page, "Tab", "Enter")
    page.locator(".jp-Cell >> nth=6").get_by_text("2 of 2 questions right.").wait_for(state="detached")

    enter(page, 7, "button")
    press(page, "Enter")
    see(page, 7, "Hint 1 of 3: add")
    press(page, "Tab", "Enter")
    see(page, 7, "Honest tries so far: 0.")

    enter(page, 8, "[role=slider]")
    press(page, "ArrowRight", "Tab", "Tab", "Tab", "Space", "Tab", "Tab", "Enter")
    press(page, "Tab", "Tab", "Tab", "Tab", "Enter")
    see(page, 8, "State 1")
    see(page, 8, "size 9, kind b")

    enter(page, 9, "button")
    press(page, "Enter", "Enter", "Tab", "Enter", "Tab", "Tab", "Enter")
    see(page, 9, "State 1")

    enter(page, 10, "[role=slider]")
    press(page, "ArrowRight")
    see(page, 10, "Being worked out: Size=9.")
    see(page, 10, "State 9")
    page.locator(".jp-Cell >> nth=10").get_by_text("Being worked out").wait_for(state="detached")

    assert troubles(page) == []
    assert "Committed" not in json.dumps(page.evaluate("() => window.workbook.cells()")), (
        "outputs stay as first run"
    )
    kept = json.loads((laboratory.folder / "progress.json").read_text())["lessons"]["keys"]
    assert {name: entry["guess"] for name, entry in kept["predictions"].items()} == {
        "one": 13,
        "two": {"of 16": 8, "of 5": 22},
        "fate": "works",
        "rank": ["HBM", "registers", "L2"],
    }
    assert kept["quizzes"]["wait"]["points"] == 2
    assert kept["exercises"]["double"]["hints"] == 1
