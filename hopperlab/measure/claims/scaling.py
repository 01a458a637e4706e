"""What the state machine of delayed scaling answers to the claims about it."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from hopperlab.ledger import Recording, claim
from hopperlab.measure.audit import Row
from hopperlab.models.scaling import DelayedScaling, quantize_current

DEFAULT = "the recipe's defaults are taken from it"
ANOTHER_LAYER = "normal values through the model, not the user's layer: other numbers are no surprise"


def answers(recorded: Sequence[Recording]) -> Iterator[Row]:
    """Rows for the claims about scaling."""
    yield _row("lit-245.a", modelled=DelayedScaling().history_length, no_test=DEFAULT, quoted_tolerance=0)
    yield _row("lit-245.b", modelled=DelayedScaling().margin, no_test=DEFAULT, quoted_tolerance=0)
    yield _row("derived-030", modelled=_frozen_steps(), quoted_tolerance=0)
    yield _row("lit-248.a", modelled=_error(), no_test=ANOTHER_LAYER, quoted_tolerance=1.0)


def _row(id: str, **legs: Any) -> Row:
    return Row("scaling", claim(id).statement, id, **legs)


def _frozen_steps() -> int:
    """Follow the state machine: an infinity, then a size that the scale should follow."""
    state = DelayedScaling().start().record(1.0).update().record(np.inf).update()
    frozen, kept = 0, state.scale
    while state.scale == kept and frozen < 10_000:
        frozen += 1
        state = state.record(8.0).update()
    return frozen


def _error() -> float:
    """What a product of two normal matrices loses by casting both."""
    rng = np.random.default_rng(0)
    a, b = (rng.normal(size=(256, 256)) for _ in range(2))
    cast = (quantize_current(x).dequantize().astype(np.float64) for x in (a, b))
    exact = a @ b
    given = next(cast) @ next(cast)
    return float(np.sqrt(np.mean((given - exact) ** 2) / np.mean(exact**2)))
