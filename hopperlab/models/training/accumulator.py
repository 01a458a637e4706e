"""One step's products through the tensor core's own arithmetic: what its accumulator adds, outside the loop."""

from dataclasses import dataclass

import numpy as np

from hopperlab.models import fp8, tensorcore
from hopperlab.models.training.network import Step
from hopperlab.models.training.recipes import Operand

TENSOR_CORE = "hopper.wgmma"


@dataclass(frozen=True)
class ProductCheck:
    """One matrix product of a step, as a tensor core gives it and as it is.

    name
        "y1" forward; "dx1" and "dw1" back.
    unit
        The tensor core that takes these formats.
    k
        Terms of each sum.
    error
        Root mean square of the difference between tensor core and exact sums, as a share of that of the sums.
    """

    name: str
    unit: str
    k: int
    error: float


def check_step(done: Step, promote_every: int | None = None) -> tuple[ProductCheck, ...]:
    """Carry out every product of an FP8 step on the modelled tensor core, beside the exact one.

    Parameters
    ----------
    done
        A step whose operands are FP8.
    promote_every
        As for `models.tensorcore.matmul`.

    Raises
    ------
    ValueError
        If an operand is not FP8.
    """
    return tuple(_check(name, a, b, promote_every) for name, (a, b) in done.operands.items())


def _check(name: str, a: Operand, b: Operand, promote_every: int | None) -> ProductCheck:
    for operand in (a, b):
        if operand.fmt not in ("e4m3", "e5m2"):
            raise ValueError(f"operand of {name} has format {operand.fmt!r}; it must be 'e4m3' or 'e5m2'")
    unit = ".".join([TENSOR_CORE, *dict.fromkeys([a.fmt, b.fmt])])
    given = tensorcore.matmul(_codes(a), _codes(b), unit=unit, promote_every=promote_every)
    exact = a.values @ b.values
    error = np.sqrt(np.mean((given - exact) ** 2) / np.mean(exact**2))
    return ProductCheck(name, unit, a.values.shape[1], float(error))


def _codes(operand: Operand) -> np.ndarray:
    return fp8.encode(np.ascontiguousarray(operand.values), operand.fmt)
