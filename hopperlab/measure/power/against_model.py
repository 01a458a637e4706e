"""The model of power against a recording: how readings move from phase to phase, and what other numbers draw."""

from collections.abc import Iterator, Sequence
from itertools import groupby

import numpy as np

from hopperlab.ledger import Recording
from hopperlab.measure.audit import Row
from hopperlab.measure.power.fillings import FILLINGS, filled
from hopperlab.models import power as model

IDLE = "idle"
CARD = "H200 SXM"
"""The card that the model's numbers are of: no other is held against it."""

RISE_SECONDS = model.WINDOW_SECONDS + model.DELAY_SECONDS
"""From the start of a phase: until then readings move."""

FITTED = 7
"""The phase whose rise the window and the delay were fitted to, by its number: one that draws the same all along.

The first, 0, has no rise.
"""

TOLERANCE = 0.05
"""What the median error of a phase may be while its readings move, and that of watts and clock of a filling."""


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
    errors = enumerate(reading_errors(recording).values(), 1)
    return [np.abs(apart) for number, apart in errors if number != FITTED]


def of_fillings(recording: Recording) -> Iterator[Row]:
    """Rows for watts and clocks of products of numbers that nothing was fitted to; none of an older recording."""
    for name in FILLINGS:
        if f"tensor cores, {name}" not in recording.results:
            continue
        busy = model.busy_watts(model.changing_share(np.concatenate(filled(name))))
        mhz = model.clock_mhz(busy)
        found = recording.results[f"tensor cores, {name}"]
        for what, modelled, measured, unit in (
            ("power", model.power_watts(busy, mhz), found["power_w"], "W"),
            ("clock", mhz, found["sm_mhz"], "MHz"),
        ):
            yield Row(
                "power",
                f"{what} of products, {name}",
                modelled=round(modelled, 1),
                measured=measured,
                unit=unit,
                card=recording.card_name,
                tolerance=TOLERANCE,
            )
