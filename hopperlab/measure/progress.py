"""Going through the cases of a sweep: a bar on a terminal, and a place to resume from."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TextIO

SAVE_EVERY_SECONDS = 10.0
DRAW_EVERY_SECONDS = 0.1
BAR_WIDTH = 30


class Progress:
    """Goes through cases, shows how far it is, and keeps what was sampled should it be interrupted.

    Parameters
    ----------
    kept
        The file that unfinished samples are kept in; None keeps them in memory only.
    identity
        What the samples belong to (card, parameters). Samples kept under another identity are not used.
    screen
        Where the bar is drawn, if that is a terminal.
    """

    def __init__(self, kept: Path | None = None, identity: Any = None, screen: TextIO | None = None) -> None:
        self._kept = kept
        self._identity = _plain(identity)
        self._screen = sys.stderr if screen is None else screen
        self._samples: dict[str, dict[str, Any]] = self._read()
        self._saved_at = self._drawn_at = time.monotonic()

    def map(self, stage: str, cases: Iterable[Any], sample: Callable[[Any], Any]) -> list[Any]:
        """Sample every case and give the samples in order.

        Parameters
        ----------
        stage
            The name of this sweep within the experiment.
        cases
            What `sample` takes, one at a time; cases and samples are of JSON's types, and no case comes
            twice.
        sample
            Measures one case.
        """
        cases = list(cases)
        done = self._samples.setdefault(stage, {})
        try:
            for number, case in enumerate(cases):
                key = json.dumps(case)
                if key not in done:
                    done[key] = sample(case)
                    self._save_now_and_then()
                self._draw(stage, number + 1, len(cases))
        except BaseException:
            self._save()
            raise
        self._save()
        return [done[json.dumps(case)] for case in cases]

    def finish(self) -> None:
        """Forget the kept samples: the recording holds them now."""
        if self._kept is not None:
            self._kept.unlink(missing_ok=True)

    def _read(self) -> dict[str, dict[str, Any]]:
        if self._kept is None or not self._kept.exists():
            return {}
        try:
            found = json.loads(self._kept.read_text())
        except ValueError:
            return {}
        return found["samples"] if found.get("identity") == self._identity else {}

    def _save_now_and_then(self) -> None:
        if time.monotonic() - self._saved_at > SAVE_EVERY_SECONDS:
            self._save()

    def _save(self) -> None:
        if self._kept is None:
            return
        self._kept.parent.mkdir(parents=True, exist_ok=True)
        fresh = self._kept.with_suffix(".new")
        fresh.write_text(json.dumps({"identity": self._identity, "samples": self._samples}))
        fresh.replace(self._kept)
        self._saved_at = time.monotonic()

    def _draw(self, stage: str, done: int, of: int) -> None:
        now = time.monotonic()
        if not self._screen.isatty() or (done < of and now - self._drawn_at < DRAW_EVERY_SECONDS):
            return
        self._drawn_at = now
        full = BAR_WIDTH * done // of
        end = "\n" if done == of else ""
        bar = "#" * full + "." * (BAR_WIDTH - full)
        self._screen.write(f"\r  {stage:<24} [{bar}] {done}/{of}{end}")
        self._screen.flush()


def _plain(value: Any) -> Any:
    """Bring a value to what it is after a journey through JSON: tuples become lists."""
    return json.loads(json.dumps(value))
