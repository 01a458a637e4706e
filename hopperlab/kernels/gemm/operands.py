"""What may be multiplied: matrices of FP8 and scales, of numpy or torch, and how a kernel sees them."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np

FORMATS = {"float8_e4m3fn": "e4m3", "float8_e5m2": "e5m2"}
"""Names of dtypes, which ml_dtypes and torch share, and the tensor core's names of the formats."""

K_MULTIPLE = 16
"""Elements that K is a multiple of: the copy engine wants rows that start on 16 bytes (lit-035.a)."""


@dataclass(frozen=True)
class Matrix:
    """A matrix of FP8.

    Attributes
    ----------
    array
        As it was given.
    codes
        The same memory as uint8: a numpy array, or an array on the card.
    format
        "e4m3" or "e5m2".
    """

    array: Any
    codes: Any
    format: str

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and elements of a row."""
        return tuple(self.array.shape)

    @property
    def is_torch(self) -> bool:
        """Whether it is a tensor of torch."""
        return is_torch(self.array)


def is_torch(array: Any) -> bool:
    """Say whether something is a tensor of torch, which is never imported for it."""
    return type(array).__module__.partition(".")[0] == "torch"


def torch() -> Any:
    """Give torch: where there is a tensor of it, it has been imported."""
    return sys.modules["torch"]


def matrix(name: str, array: Any) -> Matrix:
    """Take a matrix of FP8 that lies row by row.

    Raises
    ------
    TypeError
        If it is no matrix of FP8, or a tensor that is not on a card.
    ValueError
        If it has another number of dimensions, gaps, or rows that do not start on 16 bytes.
    """
    dtype = str(getattr(array, "dtype", type(array).__name__)).removeprefix("torch.")
    if dtype not in FORMATS:
        raise TypeError(
            f"{name} has the dtype {dtype}; allowed are {' and '.join(FORMATS)}, of ml_dtypes or torch"
        )
    if array.ndim != 2 or 0 in array.shape:
        raise ValueError(f"{name} has the shape {tuple(array.shape)}; give a matrix with rows and columns")
    if array.shape[1] % K_MULTIPLE:
        raise ValueError(
            f"{name} has rows of K = {array.shape[1]} elements; K must be a multiple of {K_MULTIPLE}"
        )
    if not _is_packed(array):
        raise ValueError(f"{name} must lie in memory row by row, K running fastest: make it contiguous")
    return Matrix(array, _bytes_of(name, array), FORMATS[dtype])


def _is_packed(array: Any) -> bool:
    return array.is_contiguous() if is_torch(array) else array.flags.c_contiguous


def _bytes_of(name: str, array: Any) -> Any:
    if not is_torch(array):
        return array.view(np.uint8)
    if not array.is_cuda:
        raise TypeError(f"{name} is a tensor on {array.device}; give one on a card")
    from numba import cuda

    if array.device.index != (mine := cuda.current_context().device.id):
        raise TypeError(f"{name} is a tensor on {array.device}, but kernels are launched on cuda:{mine}")
    return cuda.as_cuda_array(array.detach().view(torch().uint8))


def scales_kind(scale_a: Any, scale_b: Any, m: int, n: int) -> str:
    """Say whether scales are one a "tensor" or one for each of the "rows" of A and of B.

    Raises
    ------
    ValueError
        If they are neither.
    """
    shapes = [tuple(np.shape(given)) for given in (scale_a, scale_b)]
    if all(math.prod(shape) == 1 for shape in shapes):
        return "tensor"
    for name, shape, rows in zip(("scale_a", "scale_b"), shapes, (m, n), strict=True):
        if shape not in ((rows,), (rows, 1), (1, rows)):
            raise ValueError(
                f"{name} has the shape {shape}; give a number for each of the {rows} rows, or one for each matrix"
            )
    return "rows"


def scale(name: str, given: Any) -> Any:
    """Give scales as a flat array of float32: on the card if they came from there, else of numpy.

    Those of numpy are looked at; those on a card are not, for that would wait for it.

    Raises
    ------
    ValueError
        If one is not finite and above zero in FP32.
    TypeError
        If they are no numbers, or a tensor is not float32 on a card.
    """
    if is_torch(given):
        if str(given.dtype) != "torch.float32" or not given.is_cuda:
            raise TypeError(f"{name} is a tensor of {given.dtype} on {given.device}; give float32 on a card")
        from numba import cuda

        return cuda.as_cuda_array(given.detach().reshape(-1).contiguous())
    if np.asarray(given).dtype.kind in "OSUbc":
        raise TypeError(f"{name} is {given!r}; give a number, or an array of numbers")
    with np.errstate(all="ignore"):
        values = np.asarray(given, dtype=np.float32).reshape(-1)
    if not (np.isfinite(values).all() and (values > 0).all()):
        raise ValueError(f"{name} is {given!r}; scales must be finite and above zero in FP32")
    return values


RESULTS = {"bf16": (ml_dtypes.bfloat16, "bfloat16"), "f32": (np.float32, "float32")}
"""By kind of result, its dtype and the dtype's name."""


def result(out: Any, m: int, n: int, like: Matrix) -> tuple[Any, str]:
    """Give the matrix that takes the result, new if `out` names a kind, and its kind.

    Raises
    ------
    ValueError, TypeError
        If `out` is no kind and no packed (M, N) of one that can be written to, or is not where A is.
    """
    if isinstance(out, str):
        if out not in RESULTS:
            raise ValueError(
                f"out is {out!r}; allowed are {', '.join(map(repr, RESULTS))}, or a matrix to write to"
            )
        if like.is_torch:
            return like.array.new_empty((m, n), dtype=getattr(torch(), RESULTS[out][1])), out
        return np.empty((m, n), RESULTS[out][0]), out
    dtype = str(getattr(out, "dtype", type(out).__name__)).removeprefix("torch.")
    kind = next((kind for kind, (_, name) in RESULTS.items() if name == dtype), None)
    if kind is None or is_torch(out) != like.is_torch:
        where = "tensor on the card" if like.is_torch else "numpy array"
        raise TypeError(
            f"out is a {type(out).__name__} of {dtype}; as A, it must be a {where}, of bfloat16 or float32"
        )
    if tuple(out.shape) != (m, n) or not _is_packed(out):
        raise ValueError(f"out has the shape {tuple(out.shape)}; it must be ({m}, {n}), row by row in memory")
    if not is_torch(out) and not out.flags.writeable:
        raise ValueError("out is a read-only array; give one that can be written to")
    return out, kind


def elements(kind: str, matrix: Any) -> Any:
    """Give a result's memory as the kernel's elements: uint16 for BF16, which numba does not know, or float32."""
    if not is_torch(matrix):
        return matrix.view(np.uint16) if kind == "bf16" else matrix
    from numba import cuda

    # numba reads the type off the interface, which has none for bfloat16; float16 is as large.
    return cuda.as_cuda_array(matrix.detach().view(torch().float16) if kind == "bf16" else matrix.detach())
