"""bulk: one thread asks a copy engine for a run of bytes; nobody computes addresses, nobody waits meanwhile.

Sizes are multiples of 16 bytes, and so are the addresses at both ends (lit-043.a, lit-043.b). Loads count
their bytes on a barrier; stores are gathered in groups, and the thread that issued them waits for those.
"""

from hopperlab.device.vocabulary.kinds import Barrier, Choice, GlobalArray, Scalar, SharedArray
from hopperlab.device.vocabulary.word import word

MAX_BYTES = 227 * 1024  # all that a block can have; talk-039

BulkBytes = Scalar("uint32", unit="byte", low=16, high=MAX_BYTES, multiple=16)
Ranks = Scalar("uint16", unit="bit per block of the cluster", low=1, high=2**16 - 1)
Groups = Scalar("uint32", unit="group", low=0, high=63, constant=True)

COPY = "PTX ISA, Data Movement and Conversion Instructions: cp.async.bulk"
REDUCE = "PTX ISA, Data Movement and Conversion Instructions: cp.reduce.async.bulk"


@word(
    ptx="""
    cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes
      [{tile}], [{source}], {nbytes}, [{barrier}];
    """,
    source=COPY,
)
def load(
    tile: SharedArray(), source: GlobalArray(), nbytes: BulkBytes, barrier: Barrier(remote=True)
) -> None:
    """Copy `nbytes` from global to shared memory; as they land, they count on the barrier."""


@word(
    ptx="""
    cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster
      [{tile}], [{source}], {nbytes}, [{barrier}], {ranks};
    """,
    source=COPY,
)
def load_multicast(
    tile: SharedArray(), source: GlobalArray(), nbytes: BulkBytes, barrier: Barrier(remote=True), ranks: Ranks
) -> None:
    """Copy `nbytes` from global memory into several blocks of the cluster: bit r of `ranks` is rank r.

    They land at the same place in each block, and count on the barrier at the same place in each.
    """


@word(
    ptx="cp.async.bulk.global.shared::cta.bulk_group [{target}], [{tile}], {nbytes};",
    source=COPY,
)
def store(target: GlobalArray(), tile: SharedArray(), nbytes: BulkBytes) -> None:
    """Copy `nbytes` from this block's shared memory to global memory, as a part of the thread's next group.

    `fence.proxy_async_shared` before it, by the threads that wrote the tile.
    """


@word(
    ptx="""
    cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes
      [{target}], [{tile}], {nbytes}, [{barrier}];
    """,
    source=COPY,
)
def send(
    target: SharedArray(), tile: SharedArray(), nbytes: BulkBytes, barrier: Barrier(remote=True)
) -> None:
    """Copy `nbytes` from this block's shared memory to a block of the cluster; they count on its barrier.

    `fence.proxy_async_shared` before it, by the threads that wrote the tile.
    """


@word(
    ptx="cp.reduce.async.bulk.global.shared::cta.bulk_group.{operation}.{target.type} [{target}], [{tile}], {nbytes};",
    source=REDUCE,
)
def reduce(
    target: GlobalArray(element_bytes=(4, 8)),
    tile: SharedArray(),
    nbytes: BulkBytes,
    operation: Choice(("add", "min", "max", "inc", "dec")) = "add",
) -> None:
    """Combine `nbytes` of this block's shared memory into global memory, element by element, atomically.

    add takes uint32, int32, uint64, float32 and float64; min and max all integers; inc and dec uint32.
    """


@word(
    ptx="""
    cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.{operation}.{target.type}
      [{target}], [{tile}], {nbytes}, [{barrier}];
    """,
    source=REDUCE,
)
def send_reduce(
    target: SharedArray(element_bytes=(4, 8)),
    tile: SharedArray(),
    nbytes: BulkBytes,
    barrier: Barrier(remote=True),
    operation: Choice(("add", "min", "max", "inc", "dec")) = "add",
) -> None:
    """Combine `nbytes` of this block's shared memory into a block of the cluster; they count on its barrier.

    All operations take uint32, all but inc and dec int32, and add takes uint64 as well.
    """


@word(ptx="cp.async.bulk.prefetch.L2.global [{source}], {nbytes};", source=f"{COPY}.prefetch")
def prefetch(source: GlobalArray(), nbytes: BulkBytes) -> None:
    """Bring `nbytes` of global memory into the L2; nothing waits for it."""


@word(ptx="cp.async.bulk.commit_group;", source=f"{COPY}.commit_group")
def commit_group() -> None:
    """Make a group of the stores and reductions that this thread has issued since its last group."""


@word(ptx="cp.async.bulk.wait_group {pending};", source=f"{COPY}.wait_group")
def wait_group(pending: Groups) -> None:
    """Wait until at most `pending` of this thread's groups are under way: the others can be seen in memory."""


@word(ptx="cp.async.bulk.wait_group.read {pending};", source=f"{COPY}.wait_group")
def wait_group_read(pending: Groups) -> None:
    """Wait until at most `pending` of this thread's groups still read: the others' tiles may be overwritten."""
