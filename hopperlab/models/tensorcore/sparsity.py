"""2:4 sparsity: of every four elements along K at most two are kept, and the tensor core multiplies only those.

The hardware multiplies a matrix that is already compressed; which elements go is decided before, by whoever prunes.
A sparse instruction takes twice the K of a dense one and still multiplies as many elements. That it aligns exactly
these together, as one block, is an assumption that a card has still to confirm.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from hopperlab.models.tensorcore.formats import INPUT_FORMATS
from hopperlab.models.tensorcore.product import product
from hopperlab.models.tensorcore.units import Unit, unit_named

GROUP, KEPT = 4, 2
METADATA = tuple(first | second << 2 for first in range(GROUP) for second in range(first + 1, GROUP))
SPARSE_DTYPES = tuple(INPUT_FORMATS[name].dtype for name in ("e4m3", "e5m2", "f16", "bf16"))


@dataclass(frozen=True)
class Compressed:
    """A matrix of half the width, and where in each group of four its elements came from.

    values
        (M, K / 2), the dtype of the matrix.
    metadata
        uint8, (M, K / 4): the two positions of a group, first | second << 2, as the hardware reads them: one of
        0b0100, 0b1000, 0b1001, 0b1100, 0b1101, 0b1110.
    """

    values: np.ndarray
    metadata: np.ndarray

    def __post_init__(self) -> None:
        """Refuse shapes that do not belong together, and metadata that name no two places in order."""
        of_values, of_metadata = np.shape(self.values), np.shape(self.metadata)
        if len(of_metadata) != 2 or of_values != (of_metadata[0], KEPT * of_metadata[1]):
            raise ValueError(
                f"values {of_values} and metadata {of_metadata} must be (M, K / 2) and (M, K / 4)"
            )
        wrong = self.metadata[~np.isin(self.metadata, METADATA)]
        if self.metadata.dtype != np.uint8 or wrong.size:
            given = f"{wrong[0]}" if wrong.size else f"of dtype {self.metadata.dtype}"
            allowed = ", ".join(f"{one:#06b}" for one in sorted(METADATA))
            raise ValueError(f"metadata: {given} must be one of {allowed}, as uint8")

    @property
    def columns(self) -> np.ndarray:
        """Column of the full matrix of each kept element, (M, K / 2)."""
        rows, groups = self.metadata.shape
        positions = np.stack([self.metadata & 3, self.metadata >> 2], axis=2).astype(np.intp)
        return (positions + GROUP * np.arange(groups)[:, None]).reshape(rows, groups * KEPT)

    @property
    def kept(self) -> np.ndarray:
        """Which elements of the full matrix are kept, (M, K)."""
        kept = np.zeros((len(self.values), self.metadata.shape[1] * GROUP), bool)
        np.put_along_axis(kept, self.columns, True, axis=1)
        return kept

    def expand(self) -> np.ndarray:
        """Return the full matrix, with zeros where elements were left out."""
        full = np.zeros(self.kept.shape, self.values.dtype)
        np.put_along_axis(full, self.columns, self.values, axis=1)
        return full


def compress(a: np.ndarray, prune: bool = False) -> Compressed:
    """Keep two elements of every four along the rows of A.

    A group with fewer than two nonzero elements fills up with zeros, those of lowest position. A group with more is
    refused, unless `prune` drops the smallest magnitudes (of equal ones the later goes).

    Parameters
    ----------
    a
        (M, K), K a multiple of 4, in float8_e4m3fn, float8_e5m2, float16 or bfloat16.
    """
    a = np.asarray(a)
    if a.dtype not in SPARSE_DTYPES:
        allowed = ", ".join(map(str, SPARSE_DTYPES))
        raise TypeError(
            f"a: dtype {a.dtype} must be one of {allowed} (TF32 is sparse 1:2, which is not modelled)"
        )
    if a.ndim != 2 or a.shape[1] % GROUP:
        raise ValueError(f"a: shape {a.shape} must be (M, K) with K a multiple of {GROUP}")
    groups = a.reshape(len(a), -1, GROUP)
    magnitude = np.abs(groups.astype(np.float32))
    magnitude[np.isnan(magnitude)] = np.inf
    crowded = np.argwhere((magnitude > 0).sum(axis=2) > KEPT)
    if len(crowded) and not prune:
        row, group = crowded[0]
        raise ValueError(
            f"a: row {row} has more than {KEPT} nonzero elements in columns {GROUP * group} to "
            f"{GROUP * group + 3}; prune=True drops the smallest"
        )
    positions = np.sort(np.argsort(-magnitude, axis=2, kind="stable")[:, :, :KEPT], axis=2)
    values = np.take_along_axis(groups, positions, axis=2).reshape(len(a), -1)
    return Compressed(values, (positions[:, :, 0] | positions[:, :, 1] << 2).astype(np.uint8))


def sparse_matmul(
    a: Compressed,
    b: ArrayLike,
    c: ArrayLike | None = None,
    unit: str | Unit = "hopper.wgmma.e4m3",
    promote_every: int | None = None,
    *,
    engine: str = "auto",
    threads: int | None = None,
) -> np.ndarray:
    """Multiply a compressed A by a full B, (K, N). Everything else as in `matmul`.

    What B has where A keeps nothing is never multiplied: not even a NaN there shows.
    """
    if not isinstance(a, Compressed):
        raise TypeError(f"a: {type(a).__name__} must be a Compressed: see compress")
    unit = unit_named(unit)
    if unit.interleaved or unit.a.name == "tf32":
        raise ValueError(f"unit={unit.name!r} must be a unit with native 2:4 sparsity")
    values = unit.a.values(a.values, "a.values")
    b = unit.b.values(b, "b")
    kept = a.kept
    if b.ndim != 2 or b.shape[0] != kept.shape[1]:
        raise ValueError(f"b: shape {b.shape} must be ({kept.shape[1]}, N)")
    full = np.zeros(kept.shape)
    np.put_along_axis(full, a.columns, values, axis=1)
    twice = replace(unit, block=2 * unit.block, instruction_k=2 * unit.instruction_k)
    return product(full, b, c, twice, promote_every, left_out=~kept, engine=engine, threads=threads)
