"""The model of a reading that trails, against a recording: how readings move from one phase to the next."""

from collections.abc import Sequence
from itertools import groupby

import numpy as np

from hopperlab.ledger import Recording
from hopperlab.models import power as model

IDLE = "idle"
CARD = "H200 SXM"
"""The card that the model's numbers are of: no other is held against it."""

RISE_SECONDS = model.WINDOW_SECONDS + model.DELAY_SECONDS
"""From the start of a phase: until then readings move."""

FITTED = 1
"""The phase whose rise the window and the delay were fitted to, by its number; the first, 0, has no rise."""

TOLERANCE = 0.05
"""What the median error of a phase may be while its readings move."""


def phases(recording: Recording) -> list[tuple[str, list[Sequence]]]:
    """Each phase in order, with its samples: phase, seconds, MHz, W, degrees C, reasons, work a second."""
    return [(name, list(rows)) for name, rows in groupby(recording.samples, key=lambda row: row[0])]


def schedule(recording: Recording) -> list[tuple[float, float]]:
    """When each phase began, and the watts that it settles at: what the model of readings is given."""
    return [
        (rows[0][1], model.IDLE_WATTS if name == IDLE else recording.results[name]["power_w"])
        for name, rows in phases(recording)
    ]


def modelled_readings(recording: Recording) -> np.ndarray:
    """What NVML should tell, by the model, at the time of each sample."""
    return model.readings(schedule(recording), [row[1] for row in recording.samples])


def reading_errors(recording: Recording) -> dict[str, np.ndarray]:
    """Modelled over measured power, less 1, while readings move: for each phase after the first, in order."""
    modelled, found, at = modelled_readings(recording), {}, 0
    for number, (name, rows) in enumerate(phases(recording)):
        watts = np.array([row[3] for row in rows])
        moving = np.array([row[1] - rows[0][1] for row in rows]) <= RISE_SECONDS
        if number:
            found[f"{number}: {name}"] = (modelled[at : at + len(rows)] / watts - 1)[moving]
        at += len(rows)
    return found


def held_out(recording: Recording) -> list[np.ndarray]:
    """The errors of each phase that nothing was fitted to, without their signs."""
    return [np.abs(errors) for errors in list(reading_errors(recording).values())[FITTED:]]
