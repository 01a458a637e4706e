"""The FP8 matrix product as a function, and prepared for many launches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from hopperlab.device import machine, tma
from hopperlab.kernels.gemm.operands import elements, is_torch, matrix, result, scale, scales_kind, torch
from hopperlab.kernels.gemm.product import WIDEST_PROMOTED, product
from hopperlab.kernels.gemm.schedule import STEP, THREADS, Schedule, schedule_for

ACCUMULATIONS = ("fast", "promoted")
SIMULATED_CLUSTERS = 2  # few, so that blocks go on to further tiles


def multiply(
    a: Any,
    b: Any,
    scale_a: Any = 1.0,
    scale_b: Any = 1.0,
    out: Any = "bf16",
    accumulation: str = "fast",
    schedule: Schedule | None = None,
) -> Any:
    """Give A B^T times the scales, for A (M, K) and B (N, K) of FP8, on the machine of this session.

    Parameters
    ----------
    a, b
        Matrices of float8_e4m3fn or float8_e5m2, which mix: numpy arrays (ml_dtypes) or torch tensors on the card,
        row by row in memory. Any M and N; K is a multiple of 16.
    scale_a, scale_b
        What undoes the scaling: a number each, or a number for each row of A and for each row of B; finite and
        above zero. Numbers, arrays, or float32 tensors on the card, whose values are not looked at.
    out
        "bf16" or "f32", for a new matrix where A is, or a matrix of one of these to write to.
    accumulation
        "fast": all products of an element stay in the tensor core, which keeps 14 bits of each. "promoted": every
        128 of them are added to an FP32 sum on the ordinary lanes.
    schedule
        How the work is divided; by default what `schedule_for` chooses.

    Returns
    -------
    numpy.ndarray or torch.Tensor
        (M, N). `models.tensorcore.matmul` and `epilogue` give the same bits.

    Raises
    ------
    ValueError
        For shapes that do not fit, scales of infinity, NaN or zero, or a choice that does not exist.
    TypeError
        For other dtypes, or matrices in different places.
    """
    if accumulation not in ACCUMULATIONS:
        raise ValueError(
            f"accumulation is {accumulation!r}; allowed are {', '.join(map(repr, ACCUMULATIONS))}"
        )
    left, right = matrix("a", a), matrix("b", b)
    (m, k), n = left.shape, right.shape[0]
    if right.shape[1] != k:
        raise ValueError(f"a has rows of K = {k}, but b of {right.shape[1]}: A is (M, K) and B is (N, K)")
    if left.is_torch != right.is_torch:
        raise TypeError(f"a is a {type(a).__name__}, but b is a {type(b).__name__}; both must be of one kind")
    if not (schedule is None or isinstance(schedule, Schedule)):
        raise TypeError(f"schedule is {schedule!r}; give a Schedule, or None for what schedule_for chooses")
    for name, given in (("scale_a", scale_a), ("scale_b", scale_b)):
        if is_torch(given) and not left.is_torch:
            raise TypeError(
                f"{name} is a tensor of torch, but a and b are numpy arrays; give a number or an array"
            )
    scales = scales_kind(scale_a, scale_b, m, n)
    factors = [_factors(scale(name, given)) for name, given in (("scale_a", scale_a), ("scale_b", scale_b))]
    d, kind = result(out, m, n, left)
    target = elements(kind, d)
    there = _there(target, copied=False)
    prepare(
        _there(left.codes),
        _there(right.codes),
        there,
        *factors,
        formats=(left.format, right.format),
        promoted=accumulation == "promoted",
        scales=scales,
        schedule=schedule,
        stream=_stream(left.is_torch),
    )()
    if there is not target:
        there.copy_to_host(target)
    return d


def prepare(
    a: Any,
    b: Any,
    d: Any,
    scale_a: Any,
    scale_b: Any,
    formats: tuple[str, str] = ("e4m3", "e4m3"),
    promoted: bool = False,
    scales: str = "tensor",
    schedule: Schedule | None = None,
    stream: Any = 0,
) -> Callable[[], None]:
    """Give what launches D = A B^T again and again: with maps, order and grid made, and nothing looked at anew.

    Parameters
    ----------
    a, b
        Codes of FP8, uint8 (M, K) and (N, K), on the machine of this session.
    d
        What gets the result, (M, N): float32, or the bits of BF16 as uint16.
    scale_a, scale_b
        Arrays of float32, of 1 number each or of M and of N.
    formats, promoted, scales
        As `product` has them.
    schedule
        By default what `schedule_for` chooses.
    stream
        Of the launches.

    Returns
    -------
    callable
        It launches, and does not wait. What the arrays hold may change between launches, but not where they are.
    """
    (m, k), n = a.shape, b.shape[0]
    output = "f32" if np.dtype(d.dtype) == np.float32 else "bf16" if n % 8 == 0 else "bf16 by element"
    chosen = schedule or schedule_for(m, n, k, widest=_widest(output, promoted, scales))
    if -(-k // STEP) < chosen.parts:  # too few steps to store a tile under
        chosen = replace(chosen, overlapped=False)
    kernel = product(formats, chosen, output, promoted, scales)
    a_map, b_map = (tma.tensor_map(x, box, swizzle=128) for x, box in zip((a, b), chosen.boxes, strict=True))
    order = _order(chosen, m, n, machine())
    arguments = (a_map, b_map, d, scale_a, scale_b, order, np.int32(-(-k // STEP)))
    blocks = chosen.blocks * min(len(order), _clusters_at_once(kernel, arguments, chosen))
    return kernel[blocks, THREADS, stream, chosen.shared_bytes, chosen.blocks].prepared(*arguments)


def _widest(output: str, promoted: bool, scales: str) -> int:
    """Give the most columns of a tile for which a thread has registers: twice as many sums, or sums and factors."""
    return WIDEST_PROMOTED if promoted or (output == "f32" and scales == "rows") else 256


@lru_cache(maxsize=64)
def _order(schedule: Schedule, m: int, n: int, where: str) -> Any:
    order = schedule.order(m, n)
    return order if where == "simulator" else _there(order)


def _clusters_at_once(kernel: Any, arguments: tuple, schedule: Schedule) -> int:
    """Give how many clusters the card holds at once: no more are launched, and each goes on with further tiles."""
    if machine() == "simulator":
        return SIMULATED_CLUSTERS
    return _asked_of_the_driver(kernel, kernel.silicon.types_of(arguments), schedule)


@lru_cache(maxsize=64)
def _asked_of_the_driver(kernel: Any, types: tuple, schedule: Schedule) -> int:
    from hopperlab.device.silicon.occupancy import max_active_clusters

    function = kernel.silicon.allow(types, schedule.blocks, schedule.shared_bytes)
    return max_active_clusters(function, (schedule.blocks, 1, 1), THREADS, schedule.shared_bytes)


def _factors(scales: Any) -> Any:
    """Give scales where the kernel runs; a number is brought to the card once, since each way there takes long."""
    if machine() == "simulator" or not isinstance(scales, np.ndarray) or scales.size > 1:
        return _there(scales)
    return _number(float(scales[0]))


@lru_cache(maxsize=64)
def _number(scale: float) -> Any:
    return _there(np.array([scale], np.float32))


def _there(array: Any, copied: bool = True) -> Any:
    """Bring a numpy array to the card, or room for one, if the kernel runs there."""
    if machine() == "simulator" or not isinstance(array, np.ndarray):
        return array
    from numba import cuda

    if not copied:
        return cuda.device_array(array.shape, array.dtype)
    there = cuda.to_device(array)
    cuda.default_stream().synchronize()  # torch's streams do not wait for it
    return there


def _stream(of_torch: bool) -> Any:
    """Give the stream that torch works on, so that what it computed before is there; else the default stream."""
    if not of_torch:
        return 0
    from numba import cuda

    handle = torch().cuda.current_stream().cuda_stream
    return cuda.external_stream(handle) if handle else 0
