"""cp_async: the A100's asynchronous copy, for comparison: every thread copies 4, 8 or 16 bytes a time.

Each copy has addresses that its thread computed, and each thread waits for its own copies.
"""

from hopperlab.device.vocabulary.kinds import Barrier, Choice, GlobalArray, Index, Scalar, SharedArray
from hopperlab.device.vocabulary.word import word

PTX = "PTX ISA, Data Movement and Conversion Instructions: cp.async"

Width = Scalar("uint32", unit="byte", low=4, high=16, multiple=4, constant=True)
Groups = Scalar("uint32", unit="group", low=0, high=63, constant=True)


@word(
    ptx="cp.async.{cache}.shared.global [{tile}], [{source}], {nbytes};",
    target="sm_80",
    source=PTX,
)
def copy(
    tile: SharedArray(at="i"),
    i: Index("tile"),
    source: GlobalArray(at="j"),
    j: Index("source"),
    nbytes: Width = 16,
    cache: Choice(("ca", "cg")) = "ca",
) -> None:
    """Copy 4, 8 or 16 bytes from `source[j]` to `tile[i]`, both on a multiple of that size.

    `cache` is "ca" for all caches, or "cg" to pass by the L1, for 16 bytes only.
    """


@word(ptx="cp.async.commit_group;", target="sm_80", source=f"{PTX}.commit_group")
def commit_group() -> None:
    """Make a group of the copies that this thread has issued since its last group."""


@word(ptx="cp.async.wait_group {pending};", target="sm_80", source=f"{PTX}.wait_group")
def wait_group(pending: Groups) -> None:
    """Wait until at most `pending` of this thread's groups are under way."""


@word(ptx="cp.async.wait_all;", target="sm_80", source=f"{PTX}.wait_all")
def wait_all() -> None:
    """Wait for all copies of this thread."""


@word(
    ptx="cp.async.mbarrier.arrive.shared::cta.b64 [{barrier}];",
    target="sm_80",
    source=f"{PTX}.mbarrier.arrive",
)
def mbarrier_arrive(barrier: Barrier()) -> None:
    """Add one to the pending arrivals now, and arrive when this thread's copies so far have landed."""


@word(
    ptx="cp.async.mbarrier.arrive.noinc.shared::cta.b64 [{barrier}];",
    target="sm_80",
    source=f"{PTX}.mbarrier.arrive",
)
def mbarrier_arrive_noinc(barrier: Barrier()) -> None:
    """Arrive when this thread's copies so far have landed; the barrier's count has this arrival in it."""
