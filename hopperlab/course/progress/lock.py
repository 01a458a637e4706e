"""One writer at a time: a lock beside a file, so that two notebooks do not lose each other's entries."""

import contextlib
import os
import time
from collections.abc import Iterator
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None

PATIENCE_SECONDS = 3.0  # then the writer gives up, and keeps its entries in memory
STALE_SECONDS = 30.0  # a lock file left by a process that died
_PAUSE_SECONDS = 0.01


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the lock of a file while the body runs.

    The lock is ``fcntl``'s on ``.<name>.lock``, which ends with its process; where there is none (Windows,
    some network disks) it is the existence of ``.<name>.lock-held``.

    Raises
    ------
    OSError
        If the lock cannot be made, or another process holds it for longer than ``PATIENCE_SECONDS``.
    """
    with contextlib.ExitStack() as stack:
        if not (fcntl and _hold_region(path, stack)):
            _hold_file(path, stack)
        yield


def _hold_region(path: Path, stack: contextlib.ExitStack) -> bool:
    """Take the ``fcntl`` lock; False where this disk has none."""
    file = stack.enter_context(path.with_name(f".{path.name}.lock").open("a"))
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        except BlockingIOError:
            _pause_until(deadline, path)
        except OSError:
            return False


def _hold_file(path: Path, stack: contextlib.ExitStack) -> None:
    """Take the lock by creating its file; one that is stale is taken over."""
    held = path.with_name(f".{path.name}.lock-held")
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            os.close(os.open(held, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
            stack.callback(held.unlink, missing_ok=True)
            return
        except FileExistsError:
            with contextlib.suppress(FileNotFoundError):
                if time.time() - held.stat().st_mtime > STALE_SECONDS:
                    held.unlink(missing_ok=True)
                    continue
            _pause_until(deadline, path)


def _pause_until(deadline: float, path: Path) -> None:
    if time.monotonic() > deadline:
        raise TimeoutError(f"another process has held the lock of {path.name} for {PATIENCE_SECONDS:g} s")
    time.sleep(_PAUSE_SECONDS)
