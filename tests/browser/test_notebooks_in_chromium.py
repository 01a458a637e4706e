"""Every notebook, as a learner meets it: no answer before it runs, no error after, sliders that follow the hand."""

import json
import os
import statistics
import urllib.error
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from nbformat.v4 import new_code_cell, new_notebook

from hopperlab.cli.notebooks import canonical
from tests.browser.laboratory import Laboratory

if TYPE_CHECKING:
    from playwright.sync_api import ElementHandle, Page

pytestmark = pytest.mark.browser

NOTEBOOKS = sorted(path.name for path in (Path(__file__).resolve().parents[2] / "notebooks").glob("*.ipynb"))
OPEN_MILLISECONDS = 60_000
RUN_MILLISECONDS = 120_000
MOST_MILLISECONDS = 100  # from a key press to the painted picture, in the median
PRESSES = 3  # each way
PAGE_PIXELS = 1400  # of a screenshot
MOST_PIXELS = 16_000
ROUNDS = 3  # a busy machine may spoil one
MOST_LOAD = 2  # processes that want a core; the test itself needs Chromium, a server and a kernel


def open_notebook(page: "Page", laboratory: Laboratory, name: str) -> None:
    """Open a notebook and wait for its kernel."""
    page.set_default_timeout(OPEN_MILLISECONDS)
    page.goto(laboratory.address(name))
    page.wait_for_function("name => window.workbook.ready(name)", arg=name)


def run_all(page: "Page") -> None:
    """Run every cell, and look at each."""
    page.set_default_timeout(RUN_MILLISECONDS)
    page.evaluate("() => window.workbook.runAll()")
    page.evaluate("() => window.workbook.lookAtEveryCell()")
    page.wait_for_function("() => window.workbook.undrawn() === 0")


def troubles(page: "Page") -> list[str]:
    """What a learner would see go wrong: errors, warnings, widgets that are not there."""
    seen = page.evaluate("() => window.workbook.troubles()")
    for index, cell in enumerate(page.evaluate("() => window.workbook.cells()")):
        for output in cell["outputs"]:
            if output.get("name") == "stderr":
                seen.append(f"cell {index} writes to stderr: {''.join(output['text'])}")
            if output["output_type"] == "error" and "raises-exception" not in cell["tags"]:
                seen.append(f"cell {index} fails: {output['ename']}: {output['evalue']}")
    return seen


def sliders(page: "Page") -> Iterator["ElementHandle"]:
    """Every slider that can be seen."""
    count = page.evaluate("() => window.workbook.sliders().length")
    for index in range(count):
        yield page.evaluate_handle("index => window.workbook.sliders()[index]", index).as_element()


def describe(page: "Page", slider: "ElementHandle") -> dict:
    """A slider's label, range and value."""
    return page.evaluate("slider => window.workbook.describe(slider)", slider)


def press(page: "Page", slider: "ElementHandle", key: str) -> dict:
    """Press a key on a slider; how long until what it drives was painted anew, and whether that is another."""
    page.evaluate("slider => window.workbook.watch(slider)", slider)
    slider.focus()
    page.keyboard.press(key)
    return page.evaluate("() => window.workbook.redraw")


def move(page: "Page", slider: "ElementHandle") -> Iterator[dict]:
    """Move a slider by the arrow keys, a few steps there and back within its range, then to both its ends."""
    slider.scroll_into_view_if_needed()
    start = describe(page, slider)
    there, back = (
        ("ArrowRight", "ArrowLeft") if start["value"] < start["high"] else ("ArrowLeft", "ArrowRight")
    )
    for key in (there, back):
        for _ in range(PRESSES):
            now = describe(page, slider)
            if now["value"] == now["high" if key == "ArrowRight" else "low"]:
                break
            yield press(page, slider, key)
    for key, end in (("End", "high"), ("Home", "low")):
        now = describe(page, slider)
        if now["value"] != now[end]:
            yield press(page, slider, key)


def move_every_slider(page: "Page") -> tuple[list[float], list[str]]:
    """Move every slider; the times to redraw in ms, and the labels of those that changed nothing."""
    times, idle = [], []
    for slider in sliders(page):
        state = describe(page, slider)
        if state["low"] == state["high"]:
            continue
        moves = list(move(page, slider))
        times += [moved["milliseconds"] for moved in moves if moved["milliseconds"] is not None]
        if not any(moved["changed"] for moved in moves):
            idle.append(state["label"])
    return times, idle


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_in_the_hands_of_a_learner(
    page: "Page", laboratory: Laboratory, name: str, tell_redraws: list[str]
) -> None:
    open_notebook(page, laboratory, name)
    assert page.evaluate("() => window.workbook.shownOutputs()") == 0
    before = [cell for cell in page.evaluate("() => window.workbook.cells()") if cell["type"] == "code"]
    assert before
    assert all(cell["outputs"] == [] and cell["count"] is None for cell in before)

    run_all(page)
    assert troubles(page) == []
    after = page.evaluate("() => window.workbook.cells()")
    not_run = [cell["source"] for cell in after if cell["type"] == "code" and cell["count"] is None]
    assert not_run == []
    take_pictures(page, name)

    medians = []
    for _ in range(ROUNDS):
        times, idle = move_every_slider(page)
        assert idle == [], "these sliders change nothing"
        assert troubles(page) == []
        if not times:
            return
        medians.append(statistics.median(times))
        if medians[-1] < MOST_MILLISECONDS:
            break
    tell_redraws.append(f"{name}: median {min(medians):.0f} ms of {len(times)} key presses")
    if min(medians) >= MOST_MILLISECONDS:
        judge_only_on_a_quiet_machine()
    assert min(medians) < MOST_MILLISECONDS


def judge_only_on_a_quiet_machine() -> None:
    """Skip, and say so, where others keep every core busy; the CI has the machine to itself and is judged."""
    load, cores = os.getloadavg()[0], os.cpu_count() or 1
    if load > MOST_LOAD * cores and os.environ.get("HOPPERLAB_BROWSER") != "required":
        pytest.skip(f"slow, but not judged: a load of {load:.1f} on {cores} cores")


def take_pictures(page: "Page", name: str) -> None:
    """Save the whole notebook, light and dark, by the page, in the folder that HOPPERLAB_SCREENSHOTS names."""
    folder = os.environ.get("HOPPERLAB_SCREENSHOTS")
    if not folder:
        return
    usual, width = page.viewport_size, page.viewport_size["width"]
    height = min(page.evaluate("() => window.workbook.height()") + 200, MOST_PIXELS)
    page.set_viewport_size({"width": width, "height": height})
    for theme in ("Light", "Dark"):
        page.evaluate("name => window.workbook.theme(name)", f"JupyterLab {theme}")
        page.evaluate("() => window.workbook.lookAtEveryCell()")
        for number, top in enumerate(range(0, height, PAGE_PIXELS), 1):
            part = {"x": 0, "y": top, "width": width, "height": min(PAGE_PIXELS, height - top)}
            page.screenshot(
                path=Path(folder) / f"{Path(name).stem}.{theme.lower()}.{number:02}.png", clip=part
            )
    page.evaluate("name => window.workbook.theme(name)", "JupyterLab Light")
    page.set_viewport_size(usual)


def test_there_are_notebooks() -> None:
    assert NOTEBOOKS


PANEL = """from hopperlab.lessons.controls import slider
from hopperlab.lessons.panel import Panel
from hopperlab.views.picture import Picture


def draw(size):
    {}
    return Picture(f"Clusters of {{size}}", "A square.", svg=f"<svg width='50' height='50'><text>{{size}}</text></svg>")


Panel("made", draw, size=slider("Cluster size", 1, 16, 8))"""


def made(laboratory: Laboratory, name: str, *sources: str) -> str:
    """Put a notebook of these cells into the learner's folder."""
    notebook = new_notebook(cells=[new_code_cell(source) for source in sources])
    (laboratory.folder / name).write_text(canonical(notebook), encoding="utf-8")
    return name


def test_a_panel_that_works_is_let_through(page: "Page", laboratory: Laboratory) -> None:
    open_notebook(page, laboratory, made(laboratory, "made_well.ipynb", PANEL.format("pass")))
    run_all(page)
    times, idle = move_every_slider(page)
    assert (idle, troubles(page)) == ([], [])
    assert len(times) == 2 * PRESSES + 2


def test_an_error_in_a_callback_is_seen(page: "Page", laboratory: Laboratory) -> None:
    name = made(laboratory, "made_failing.ipynb", PANEL.format("1 / (9 - size)"))
    open_notebook(page, laboratory, name)
    run_all(page)
    assert troubles(page) == []
    (slider,) = sliders(page)
    slider.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_selector(".jp-Notebook [role=alert]")
    assert any("ZeroDivisionError" in trouble for trouble in troubles(page))


def test_warnings_errors_and_dead_widgets_are_seen(page: "Page", laboratory: Laboratory) -> None:
    warned = "import sys\n\nprint('careful', file=sys.stderr)"
    dead = (
        "from IPython.display import display\n\n"
        "view = {'model_id': '0123456789abcdef', 'version_major': 2, 'version_minor': 0}\n"
        "display({'application/vnd.jupyter.widget-view+json': view, 'text/plain': 'gone'}, raw=True)"
    )
    name = made(laboratory, "made_troubled.ipynb", warned, dead, "1 / 0")
    open_notebook(page, laboratory, name)
    page.evaluate("() => window.workbook.runAll()")
    page.wait_for_function("() => window.workbook.troubles().some(words => words.startsWith('Error'))")
    seen = " | ".join(troubles(page))
    assert "cell 0 writes to stderr: careful" in seen
    assert "cell 2 fails: ZeroDivisionError" in seen
    assert "Error displaying widget" in seen


def test_a_slider_that_changes_nothing_is_seen(page: "Page", laboratory: Laboratory) -> None:
    source = PANEL.format("size = 3").replace("1, 16, 8", "1, 2, 1")
    open_notebook(page, laboratory, made(laboratory, "made_idle.ipynb", source))
    run_all(page)
    _, idle = move_every_slider(page)
    assert idle == ["Cluster size"]


@pytest.mark.parametrize(
    ("plugin", "setting", "value"),
    [
        ("apputils-extension:notification", "fetchNews", "false"),
        ("apputils-extension:notification", "checkForUpdates", False),
        ("notebook-extension:tracker", "windowingMode", "defer"),
    ],
)
def test_the_shipped_settings_hold(laboratory: Laboratory, plugin: str, setting: str, value: object) -> None:
    answer = json.loads(laboratory.ask(f"/lab/api/settings/@jupyterlab/{plugin}"))
    assert answer["schema"]["properties"][setting]["default"] == value


def test_the_token_is_asked_for(laboratory: Laboratory) -> None:
    assert laboratory.ask("/api/sessions") == b"[]"
    with pytest.raises(urllib.error.HTTPError, match="403"):
        laboratory.ask("/api/sessions", token="wrong")
