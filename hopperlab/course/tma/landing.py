"""A learner's box: the tile that it names, by the model, and what the simulator finds when it is brought in."""

from functools import lru_cache
from typing import Any

import numpy as np

from hopperlab.course.report import sentence
from hopperlab.models.tma import describe, load

MOST_KEPT = 4096  # landings: a check tries many inputs again while it looks for the smallest


def counted(shape: tuple[int, ...]) -> np.ndarray:
    """A float32 tensor whose elements are 1, 2, 3 and so on, so that zero says that it was filled in."""
    return np.arange(1, 1 + np.prod(shape), dtype=np.float32).reshape(shape)


def named_tile(
    shape: tuple[int, ...], corner: Any, box: Any, element_strides: Any = ()
) -> tuple[np.ndarray | None, str]:
    """The tile that a box of the tensor ``counted(shape)`` names.

    Parameters
    ----------
    shape
        Of the tensor.
    corner
        Where the box begins, innermost dimension first.
    box, element_strides
        As for `tma.tensor_map`, outermost dimension first.

    Returns
    -------
    tile : float32 array, shaped like the box's elements, outermost first; None if there is none
    complaint : str
        What is refused, or nothing.
    """
    try:
        corner, box, element_strides = (tuple(map(_whole, given)) for given in (corner, box, element_strides))
        tensor = counted(shape)
        descriptor = describe(tensor, box, element_strides=element_strides)
        octets, _ = load(descriptor, tensor, corner)
    except (TypeError, ValueError) as refusal:
        return None, sentence(str(refusal))
    return octets.view(np.float32).reshape(descriptor.box_shape[::-1]), ""


def fault(
    shape: tuple[int, ...], corner: Any, box: Any, nbytes: Any = None, element_strides: Any = ()
) -> str:
    """What the simulator finds when the kernel `land_box` brings that tile in; nothing if all is well.

    Parameters
    ----------
    shape, corner, box, element_strides
        As for ``named_tile``, which has taken them.
    nbytes
        What the barrier is told to expect; the box's bytes if left out.
    """
    corner, box, element_strides = (tuple(map(int, given)) for given in (corner, box, element_strides))
    try:
        return _fault(shape, corner, box, element_strides, None if nbytes is None else _whole(nbytes))
    except (TypeError, ValueError, OverflowError) as refusal:
        return sentence(str(refusal))


@lru_cache(MOST_KEPT)
def _fault(
    shape: tuple[int, ...],
    corner: tuple[int, ...],
    box: tuple[int, ...],
    element_strides: tuple[int, ...],
    nbytes: int | None,
) -> str:
    from hopperlab.device import tma
    from hopperlab.kernels.tma import land_box

    tile, _ = named_tile(shape, corner, box, element_strides)
    source = tma.tensor_map(counted(shape), box, element_strides=element_strides)
    expected = np.uint32(source.box_bytes if nbytes is None else nbytes)
    arguments = (source, tuple(map(np.int32, corner)), expected, np.zeros(tile.size, np.float32))
    run = land_box.simulate(1, 32, arguments, shared_bytes=source.box_bytes)
    if run.findings:
        found = run.findings[0]
        return f"the simulator finds: {found.name}. {sentence(found.seen)}"
    return "" if np.array_equal(run["landed"], tile.ravel()) else "the simulator brings other bytes"


def _whole(number: Any) -> int:
    if isinstance(number, bool) or not isinstance(number, int | np.integer):
        raise TypeError(f"{number!r} is no whole number")
    return int(number)
