"""dsmem: one-sided writes into another block's shared memory that count their own bytes on its barrier.

Plain loads, stores and atomics need no word: `cluster.map_shared_rank` gives an array, and `there[i]`,
`there[i] = x` and `cuda.atomic.add(there, i, x)` do it. Loads of 16 bytes have one, because they go faster.
"""

from hopperlab.device.vocabulary.kinds import Barrier, Choice, Element, Index, SharedArray
from hopperlab.device.vocabulary.word import word

ST_ASYNC = "PTX ISA, Data Movement and Conversion Instructions: st.async"
RED_ASYNC = "PTX ISA, Parallel Synchronization: red.async"


@word(
    ptx="ld.shared::cluster.v4.{array.type} {{result}}, [{array}];",
    source="PTX ISA, Data Movement and Conversion Instructions: ld",
)
def load_v4(array: SharedArray(at="index", element_bytes=(4,)), index: Index("array")) -> Element(
    "array", count=4
):
    """Load four elements of 32 bits from `array[index]` on at once, in a block of the cluster.

    The index is a multiple of 4, and the array starts on 16 bytes.
    """


@word(
    ptx="""
    st.async.shared::cluster.mbarrier::complete_tx::bytes.{array.type} [{array}], {value}, [{barrier}];
    """,
    source=ST_ASYNC,
)
def st_async(
    array: SharedArray(at="index", element_bytes=(4, 8)),
    index: Index("array"),
    value: Element("array"),
    barrier: Barrier(remote=True),
) -> None:
    """Write `array[index] = value` in a block of the cluster; when it is there, its bytes count on the barrier.

    The barrier is in the same block as the array. No thread of that block does anything; it waits.
    """


@word(
    ptx="""
    st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.{array.type}
      [{array}], {{values}}, [{barrier}];
    """,
    source=ST_ASYNC,
)
def st_async_v2(
    array: SharedArray(at="index", element_bytes=(4, 8)),
    index: Index("array"),
    values: Element("array", count=2),
    barrier: Barrier(remote=True),
) -> None:
    """Write two elements from `array[index]` on at once; the index is a multiple of 2."""


@word(
    ptx="""
    st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.{array.type}
      [{array}], {{values}}, [{barrier}];
    """,
    source=ST_ASYNC,
)
def st_async_v4(
    array: SharedArray(at="index", element_bytes=(4,)),
    index: Index("array"),
    values: Element("array", count=4),
    barrier: Barrier(remote=True),
) -> None:
    """Write four elements of 32 bits from `array[index]` on at once; the index is a multiple of 4."""


@word(
    ptx="""
    red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.{operation}.{array.type}
      [{array}], {value}, [{barrier}];
    """,
    source=RED_ASYNC,
)
def red_async(
    array: SharedArray(at="index", element_bytes=(4, 8)),
    index: Index("array"),
    value: Element("array"),
    barrier: Barrier(remote=True),
    operation: Choice(("add", "min", "max", "inc", "dec")) = "add",
) -> None:
    """Combine a value into `array[index]`, atomically; when done, its bytes count on the barrier.

    All operations take uint32, all but inc and dec int32, and add takes uint64 as well.
    """
