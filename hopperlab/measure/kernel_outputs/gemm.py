"""Cases of matrix products: every rung of the ladder with small tiles, and the FP8 product in many of its forms."""

from dataclasses import replace

import ml_dtypes
import numpy as np

from hopperlab.device import tma
from hopperlab.kernels.gemm.ladder import RUNGS, Rung
from hopperlab.kernels.gemm.ladder import warpgroups as ladder
from hopperlab.kernels.gemm.product import STEP, THREADS, product
from hopperlab.kernels.gemm.schedule import Schedule
from hopperlab.measure.kernel_outputs.case import Case, case, enter, real, words

COLUMNS, STAGES, STEPS = 16, 2, 3
"""Of a small tile on the tensor cores: a ring of two stages, for three steps along K."""

DTYPES = {"float32": np.float32, "bf16": ml_dtypes.bfloat16, "e4m3": ml_dtypes.float8_e4m3fn}
ELEMENT = {"float32": 4, "bf16": 2, "e4m3": 1}


def _climbing(rung: Rung) -> None:
    def make(seed: int) -> Case:
        if rung.warpgroups:
            size, stages = COLUMNS, STAGES
            m, n = ladder.TILE_ROWS * rung.cluster, COLUMNS * (2 if rung.persistent else 1)
            k = STEPS * ladder.STEP // ELEMENT[rung.format]
        else:
            size, stages = (2 if rung.size > 1 else 1), rung.stages and 1 + seed % 3
            m, n, k = 32, 32, 40
        a, b = (
            real(seed, shape, stream).astype(DTYPES[rung.format])
            for stream, shape in enumerate(((m, k), (n, k)))
        )
        if rung.format != "float32":
            a, b = a.view(np.uint8), b.view(np.uint8)
        started = rung.launch(a, b, np.zeros((m, n), np.float32), size=size, stages=stages, sms=2)
        return Case(
            started.kernel,
            started.grid,
            started.block,
            started.arguments,
            started.shared_bytes,
            started.cluster,
        )

    enter(f"rung {rung.name}", make)


for _rung in RUNGS:
    _climbing(_rung)


FINITE = {"e4m3": np.uint8(0b11110111), "e5m2": np.uint8(0b10111111)}
"""Bits of a code that may be set: an exponent of ones alone is then no code's."""

FORMS = (
    # formats, schedule, output, promoted, scales
    (("e4m3", "e4m3"), Schedule(64, 2), "bf16", False, "tensor"),
    (("e4m3", "e5m2"), Schedule(64, 2), "bf16 by element", False, "rows"),
    (("e5m2", "e5m2"), Schedule(64, 3, overlapped=False), "f32", False, "tensor"),
    (("e5m2", "e4m3"), Schedule(64, 2, cluster=(1, 2)), "bf16", False, "rows"),
    (("e4m3", "e4m3"), Schedule(64, 2), "f32", True, "tensor"),
)
"""One for each seed."""


@case
def fp8_product(seed: int) -> Case:
    """A form of it, with edges on every side, and more tiles than the clusters that are launched."""
    formats, schedule, output, promoted, scales = FORMS[seed % 5]
    m, n, k = 150, 36 if output == "bf16 by element" else 40, 144
    n *= schedule.cluster[1]
    a, b = _codes(seed, (m, k), formats[0], 0), _codes(seed, (n, k), formats[1], 1)
    maps = tuple(tma.tensor_map(x, box, swizzle=128) for x, box in zip((a, b), schedule.boxes, strict=True))
    d = np.zeros((m, n), np.float32 if output == "f32" else np.uint16)
    sizes = (m, n) if scales == "rows" else (1, 1)
    factors = [real(seed, size, 2 + stream) + np.float32(2) for stream, size in enumerate(sizes)]
    order = schedule.order(m, n)
    steps = -(-k // STEP)
    chosen = replace(schedule, overlapped=schedule.overlapped and steps >= schedule.parts)
    kernel = product(formats, chosen, output, promoted, scales)
    arguments = (*maps, d, *factors, order, np.int32(steps))
    return Case(kernel, schedule.blocks, THREADS, arguments, schedule.shared_bytes, schedule.blocks)


def _codes(seed: int, shape: tuple[int, int], fmt: str, stream: int) -> np.ndarray:
    """Give codes of finite numbers."""
    return words(seed, shape[0] * shape[1] // 4, stream).view(np.uint8).reshape(shape) & FINITE[fmt]
