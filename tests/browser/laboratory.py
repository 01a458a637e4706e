"""A JupyterLab as a learner starts it, and a Chromium that looks at it."""

import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

START_SECONDS = 60
CHROMIUMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge")
APPLICATIONS = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)
CHROMIUM_FLAGS = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",  # a container's is small
)


def chromium() -> str | None:
    """The Chromium of this machine: HOPPERLAB_CHROMIUM, or the first that is installed."""
    named = os.environ.get("HOPPERLAB_CHROMIUM")
    found = (shutil.which(name) for name in CHROMIUMS)
    return named or next(filter(None, [*found, *filter(os.path.exists, APPLICATIONS)]), None)


@dataclass(frozen=True)
class Laboratory:
    """A running JupyterLab: where it is, its token, the learner's folder, its process."""

    port: int
    token: str
    folder: Path
    process: int = 0

    def address(self, notebook: str) -> str:
        """Where a notebook opens, in a fresh workspace."""
        return f"http://127.0.0.1:{self.port}/lab/tree/{notebook}?reset&token={self.token}"

    def ask(
        self, path: str, method: str = "GET", token: str | None = None, body: dict | None = None
    ) -> bytes:
        """Ask the server."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", data, method=method)
        request.add_header("Authorization", f"token {self.token if token is None else token}")
        with urllib.request.urlopen(request, timeout=10) as answer:
            return answer.read()

    def stop_kernels(self) -> None:
        """End every session, so that notebooks do not share the memory of the machine."""
        for session in json.loads(self.ask("/api/sessions")):
            self.ask(f"/api/sessions/{session['id']}", method="DELETE")


@contextmanager
def started(home: Path, *options: str) -> Iterator[Laboratory]:
    """``hopperlab lab`` in an empty home, stopped at the end."""
    laboratory = Laboratory(free_port(), secrets.token_hex(), home / "my-notebooks")
    settings = {
        f"{name}_DIR": str(home / "settings" / name.lower())
        for name in (
            "JUPYTER_CONFIG",
            "JUPYTER_DATA",
            "JUPYTER_RUNTIME",
            "JUPYTERLAB_SETTINGS",
            "JUPYTERLAB_WORKSPACES",
        )
    }
    environment = os.environ | settings | {"IPYTHONDIR": str(home / "settings" / "ipython")}
    command = [
        sys.executable,
        "-m",
        "hopperlab",
        "lab",
        "--no-browser",
        f"--ServerApp.port={laboratory.port}",
    ]
    command += ["--ServerApp.port_retries=0", f"--IdentityProvider.token={laboratory.token}", *options]
    log = home / "jupyterlab.log"
    with log.open("w") as written:
        server = subprocess.Popen(command, cwd=home, env=environment, stdout=written, stderr=written)
        try:
            _wait_for(laboratory, server, log)
            yield replace(laboratory, process=server.pid)
        finally:
            server.terminate()
            try:
                server.wait(timeout=20)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()


def free_port() -> int:
    """A port that nothing listens on."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def _wait_for(laboratory: Laboratory, server: subprocess.Popen, log: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and server.poll() is None:
        try:
            laboratory.ask("/api/status")
            return
        except OSError:
            time.sleep(0.2)
    raise RuntimeError(f"JupyterLab did not start:\n{log.read_text()}")
