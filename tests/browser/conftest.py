"""One JupyterLab and one Chromium for all browser tests; without a Chromium they are skipped, and say so."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.laboratory import CHROMIUM_FLAGS, Laboratory, chromium, started

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

WORKBOOK = Path(__file__).with_name("workbook.js")
REDRAWS = pytest.StashKey[list[str]]()


@pytest.fixture(scope="session")
def laboratory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Laboratory]:
    with started(tmp_path_factory.mktemp("learner"), "--expose-app-in-browser") as running:
        yield running


@pytest.fixture(scope="session")
def browser() -> Iterator["Browser"]:
    executable = chromium()
    if executable is None:
        reason = "no Chromium is installed (apt-get install chromium, or set HOPPERLAB_CHROMIUM)"
        if os.environ.get("HOPPERLAB_BROWSER") == "required":
            pytest.fail(f"{reason}, and HOPPERLAB_BROWSER=required")
        pytest.skip(reason)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        options = {"executable_path": executable, "args": list(CHROMIUM_FLAGS), "chromium_sandbox": False}
        opened = playwright.chromium.launch(**options)
        yield opened
        opened.close()


@pytest.fixture
def page(browser: "Browser", laboratory: Laboratory) -> Iterator["Page"]:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.add_init_script(path=WORKBOOK)
    yield context.new_page()
    context.close()
    laboratory.stop_kernels()


@pytest.fixture
def tell_redraws(request: pytest.FixtureRequest) -> list[str]:
    """Lines to print at the end of the test run."""
    return request.config.stash.setdefault(REDRAWS, [])


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    lines = config.stash.get(REDRAWS, [])
    if lines:
        terminalreporter.section("slider to redraw, in Chromium")
        for line in lines:
            terminalreporter.write_line(line)
