"""A recorded run in the hands of a learner without a mouse: step, go back, and jump to the cause."""

from typing import TYPE_CHECKING

import pytest
from nbformat.v4 import new_code_cell, new_notebook

from hopperlab.cli.notebooks import canonical
from tests.browser.laboratory import Laboratory
from tests.browser.test_notebooks_in_chromium import open_notebook, run_all, sliders, troubles

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

SOURCE = 'from hopperlab.lessons import start_here as lesson\n\nlesson.panel("hang")'
SAID = "() => document.querySelector('.jp-Notebook [role=status]').textContent"


def shown_after(page: "Page", key: str) -> str:
    """What the picture says once it says something else than before a key was pressed."""
    before = page.evaluate(SAID)
    page.keyboard.press(key)
    page.wait_for_function(f"before => ({SAID})() !== before", arg=before)
    return page.evaluate(SAID)


def test_steps_and_causes_are_reached_by_keyboard(page: "Page", laboratory: Laboratory) -> None:
    notebook = new_notebook(cells=[new_code_cell(SOURCE)])
    (laboratory.folder / "made_steps.ipynb").write_text(canonical(notebook), encoding="utf-8")
    open_notebook(page, laboratory, "made_steps.ipynb")
    run_all(page)
    (slider,) = sliders(page)
    slider.focus()
    first = page.evaluate(SAID)
    assert "thread" in shown_after(page, "ArrowRight")
    assert shown_after(page, "ArrowLeft") == first
    page.keyboard.press("Shift+Tab")
    assert page.evaluate("() => document.activeElement.textContent") == "To its cause"
    assert shown_after(page, "Space") != first
    for name in ("Play", "Forward", "Back"):
        page.keyboard.press("Shift+Tab")
        assert page.evaluate("() => document.activeElement.textContent") == name
    shown_after(page, "Space")
    assert troubles(page) == []
