"""Floyd-Warshall: the lengths of the shortest paths between all pairs of nodes, in integers that may wrap.

For every node k in turn: d(i, j) = min(d(i, j), d(i, k) + d(k, j)). Where there is no edge stands a number
so large that two of them still do not wrap around: `no_edge` of the type.
"""

import numpy as np
from numpy.typing import ArrayLike


def no_edge(dtype: np.dtype | type | str) -> int:
    """Give the largest number of an integer type whose double it can still hold: 32767 of uint16."""
    dtype = np.dtype(dtype)
    if dtype.kind not in "iu":
        raise TypeError(f"dtype {dtype} must be an integer type")
    return int(np.iinfo(dtype).max) // 2


def floyd_warshall(distances: ArrayLike) -> np.ndarray:
    """Give the shortest distances; sums are those of the array's own type, and wrap around as it does.

    Parameters
    ----------
    distances
        Whole numbers of shape (n, n): the length of the edge from i to j, 0 from a node to itself, and
        `no_edge` where there is none.

    Raises
    ------
    ValueError
        If it is not square.
    TypeError
        If it does not hold whole numbers.
    """
    shortest = np.array(distances)
    if shortest.dtype.kind not in "iu":
        raise TypeError(f"distances: dtype {shortest.dtype} must be an integer type")
    if shortest.ndim != 2 or shortest.shape[0] != shortest.shape[1]:
        raise ValueError(f"distances: shape {shortest.shape} must be square")
    for k in range(len(shortest)):
        through = shortest[:, k, np.newaxis] + shortest[k]
        np.minimum(shortest, through, out=shortest)
    return shortest
