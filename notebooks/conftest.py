"""How nbval compares the stored outputs of these notebooks with those of a fresh run.

Strictly: every output of every cell, but for what cannot be equal. Floats are compared to nine digits, and
a figure's arrays by value, however they are encoded. The look of a figure (its template) and warnings
on stderr change with the versions of libraries and are left out. A cell that was stored without being run
fails, since nbval would compare nothing for it and pass.
"""

import base64
import math
import os
from collections.abc import Generator
from typing import Any

import numpy as np
import pytest
from nbval.plugin import IPyNbCell, IPyNbFile

DIGITS = 9
OUTPUT_TIMEOUT = 60  # s; nbval's own 5 s are too few for a busy machine
NOT_COMPARED = ("uid", "template")


def comparable(value: Any) -> Any:
    """A JSON value in the form in which two runs are compared."""
    if isinstance(value, dict):
        if {"bdata", "dtype"} <= value.keys():
            return comparable(decoded(value).tolist())
        return {key: comparable(part) for key, part in value.items() if key not in NOT_COMPARED}
    if isinstance(value, list | tuple):
        return [comparable(part) for part in value]
    if isinstance(value, float):
        # JSON has no nan and no infinity: plotly writes null, and so does a stored figure.
        return float(f"{value:.{DIGITS}g}") if math.isfinite(value) else None
    return value


def decoded(array: dict[str, str]) -> np.ndarray:
    """An array that plotly has encoded: base64 ``bdata``, a ``dtype``, and a ``shape`` unless it is flat."""
    values = np.frombuffer(base64.b64decode(array["bdata"]), np.dtype(array["dtype"]))
    if "shape" in array:
        return values.reshape([int(length) for length in array["shape"].split(",")])
    return values


def pytest_collectstart(collector: pytest.Collector) -> None:
    """Leave warnings out of the comparison."""
    if isinstance(collector, IPyNbFile):
        collector.skip_compare += ("stderr",)


def pytest_itemcollected(item: pytest.Item) -> None:
    """Give a cell the comparison above."""
    if isinstance(item, IPyNbCell):
        item.output_timeout = OUTPUT_TIMEOUT
        item.sanitize = comparable


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None, Any, Any]:
    """Start a notebook's kernel as the stored outputs were made: simulated, with no learner's progress."""
    with pytest.MonkeyPatch.context() as patch:
        if isinstance(item, IPyNbCell):
            patch.setitem(os.environ, "HOPPERLAB_MACHINE", "simulator")
            patch.delitem(os.environ, "HOPPERLAB_PROGRESS", raising=False)
        return (yield)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_call(item: pytest.Item) -> None:
    """Refuse a cell that was stored without being run."""
    if not isinstance(item, IPyNbCell) or item.options["skip"] or not item.cell.source.strip():
        return
    if item.cell.execution_count is None:
        item.raise_cell_error("Stored without being run, so nothing would be compared: `make notebooks`")
