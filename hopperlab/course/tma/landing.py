"""A learner's box, brought in by the simulator: what landed, or what was refused or found."""

from functools import lru_cache
from typing import Any

import numpy as np

from hopperlab.course.report import sentence

MOST_KEPT = 4096  # landings: a check tries many inputs again while it looks for the smallest


def counted(shape: tuple[int, ...]) -> np.ndarray:
    """A float32 tensor whose elements are 1, 2, 3 and so on, so that zero says that it was filled in."""
    return np.arange(1, 1 + np.prod(shape), dtype=np.float32).reshape(shape)


def land(
    shape: tuple[int, ...], corner: Any, box: Any, nbytes: Any = None, element_strides: Any = ()
) -> tuple[np.ndarray | None, str]:
    """Load a box of the tensor ``counted(shape)`` by the kernel `land_box`, in the simulator.

    Parameters
    ----------
    shape
        Of the tensor.
    corner
        Where the box begins, innermost dimension first.
    box, element_strides
        As for `tma.tensor_map`, outermost dimension first.
    nbytes
        What the barrier is told to expect; the box's bytes if left out.

    Returns
    -------
    tile : float32 array, shaped like the box's elements, outermost first; None if nothing came of it
    complaint : str
        What was refused or found, or nothing.
    """
    try:
        given = [tuple(_whole(n) for n in numbers) for numbers in (corner, box, element_strides)]
        expected = None if nbytes is None else _whole(nbytes)
    except TypeError as error:
        return None, sentence(str(error))
    return _land(shape, *given, expected)


@lru_cache(MOST_KEPT)
def _land(
    shape: tuple[int, ...],
    corner: tuple[int, ...],
    box: tuple[int, ...],
    element_strides: tuple[int, ...],
    nbytes: int | None,
) -> tuple[np.ndarray | None, str]:
    from hopperlab.device import tma
    from hopperlab.kernels.tma import land_box

    try:
        source = tma.tensor_map(counted(shape), box, element_strides=element_strides)
        expected = np.uint32(source.box_bytes if nbytes is None else nbytes)
        tile = np.zeros(source.descriptor.box_shape[::-1], np.float32)
        arguments = (source, tuple(map(np.int32, corner)), expected, tile.ravel())
        run = land_box.simulate(1, 32, arguments, shared_bytes=source.box_bytes)
    except (ValueError, OverflowError) as refusal:
        return None, sentence(str(refusal))
    if run.findings:
        found = run.findings[0]
        return None, f"the simulator finds: {found.name}. {sentence(found.seen)}"
    return run["landed"].reshape(tile.shape), ""


def _whole(number: Any) -> int:
    if isinstance(number, bool) or not isinstance(number, int | np.integer):
        raise TypeError(f"{number!r} is no whole number")
    return int(number)
