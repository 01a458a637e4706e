"""tma: one thread asks for a box of a tensor by its coordinates; the copy engine does the rest.

A tensor map, made on the host by `tma.tensor_map` and passed to the kernel, tells the engine of the array:
1 to 5 dimensions, the box, the swizzle, what lies outside. Coordinates count elements, innermost first.
A tile starts on 128 bytes in shared memory (lit-042.a).
"""

from typing import Any

from hopperlab.device.vocabulary.bulk import Ranks, commit_group, wait_group, wait_group_read
from hopperlab.device.vocabulary.kinds import Barrier, Choice, Coordinates, SharedArray, TensorMap
from hopperlab.device.vocabulary.word import word

COPY = "PTX ISA, Data Movement and Conversion Instructions: cp.async.bulk.tensor"
REDUCE = "PTX ISA, Data Movement and Conversion Instructions: cp.reduce.async.bulk.tensor"

__all__ = [
    "commit_group",
    "load",
    "load_multicast",
    "map_type",
    "prefetch",
    "prefetch_map",
    "reduce",
    "store",
    "tensor_map",
    "wait_group",
    "wait_group_read",
]


def tensor_map(array: Any, box: int | tuple[int, ...], **options: Any) -> Any:
    """Describe an array to the copy engine, on the host: see `hopperlab.device.tensor_map.tensor_map`.

    `options` are swizzle=0, fill="zero", element_strides=(), l2_fetch=0, element_type=None. What the driver
    would refuse is a ValueError.
    """
    from hopperlab.device.tensor_map import tensor_map as make

    return make(array, box, **options)


def map_type(rank: int) -> Any:
    """Give the numba type of a tensor map of a rank, for a kernel's signature."""
    from hopperlab.device.silicon.tensor_maps import TensorMapType

    return TensorMapType(rank)


@word(
    ptx="""
    cp.async.bulk.tensor.{tensor_map.rank}d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
      [{tile}], [{tensor_map}, {{coordinates}}], [{barrier}];
    """,
    source=COPY,
)
def load(
    tile: SharedArray(),
    tensor_map: TensorMap(),
    coordinates: Coordinates("tensor_map"),
    barrier: Barrier(remote=True),
) -> None:
    """Copy the box that begins at `coordinates` into shared memory; as it lands, it counts on the barrier.

    What lies outside the tensor is filled in, and counts like the rest.
    """


@word(
    ptx="""
    cp.async.bulk.tensor.{tensor_map.rank}d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster
      [{tile}], [{tensor_map}, {{coordinates}}], [{barrier}], {ranks};
    """,
    source=COPY,
)
def load_multicast(
    tile: SharedArray(),
    tensor_map: TensorMap(),
    coordinates: Coordinates("tensor_map"),
    barrier: Barrier(remote=True),
    ranks: Ranks,
) -> None:
    """Copy a box into several blocks of the cluster, read once: bit r of `ranks` is rank r.

    It lands at the same place in each block, and counts, whole, on the barrier at the same place in each.
    """


@word(
    ptx="""
    cp.async.bulk.tensor.{tensor_map.rank}d.global.shared::cta.tile.bulk_group
      [{tensor_map}, {{coordinates}}], [{tile}];
    """,
    source=COPY,
)
def store(tensor_map: TensorMap(), coordinates: Coordinates("tensor_map"), tile: SharedArray()) -> None:
    """Copy a tile to the box that begins at `coordinates`, as a part of the thread's next group.

    What hangs over the edge is left out. `fence.proxy_async_shared` before it, by the threads that wrote
    the tile.
    """


@word(
    ptx="""
    cp.reduce.async.bulk.tensor.{tensor_map.rank}d.global.shared::cta.{operation}.tile.bulk_group
      [{tensor_map}, {{coordinates}}], [{tile}];
    """,
    source=REDUCE,
)
def reduce(
    tensor_map: TensorMap(),
    coordinates: Coordinates("tensor_map"),
    tile: SharedArray(),
    operation: Choice(("add", "min", "max", "inc", "dec", "and", "or", "xor")) = "add",
) -> None:
    """Combine a tile into the box that begins at `coordinates`, element by element, atomically."""


@word(
    ptx="cp.async.bulk.prefetch.tensor.{tensor_map.rank}d.L2.global.tile [{tensor_map}, {{coordinates}}];",
    source="PTX ISA, Data Movement and Conversion Instructions: cp.async.bulk.prefetch.tensor",
)
def prefetch(tensor_map: TensorMap(), coordinates: Coordinates("tensor_map")) -> None:
    """Bring a box into the L2; nothing waits for it."""


@word(
    ptx="prefetch.tensormap [{tensor_map}];",
    source="PTX ISA, Data Movement and Conversion Instructions: prefetch",
)
def prefetch_map(tensor_map: TensorMap()) -> None:
    """Bring the map itself to where the copy engine reads it, ahead of the first copy."""
