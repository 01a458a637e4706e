"""What goes wrong in a pod, kept to be looked at: each with its finding, computed by the model, and a cure."""

from collections.abc import Callable

from hopperlab.models import addressing, recommender
from hopperlab.models.fabric import cut, split_of, topology
from hopperlab.views import addressing as address_views
from hopperlab.views import fabric as views
from hopperlab.views.finding import finding
from hopperlab.views.picture import Picture
from hopperlab.views.recommender import placed_tables

BATCH = 65_536


def _refusal(call: Callable) -> str:
    try:
        call()
    except ValueError as refused:
        return f"refused: {refused}."
    raise AssertionError("the specimen is not refused")


def shared_pod() -> addressing.Pod:
    """GPU 1 exports two pages as "weights"; GPU 0 maps them at page 7, is let in, and has used them."""
    pod = addressing.export(addressing.Pod(), "weights", owner=1, pages=2)
    pod = addressing.grant(addressing.map_buffer(pod, 0, "weights", 7), 0, "weights")
    return addressing.access(pod, 0, 7)


def after_revocation() -> Picture:
    """An access after its permission was revoked, and the link TLB flushed."""
    pod = addressing.access(addressing.revoke(shared_pod(), 0, "weights"), 0, 7)
    return finding(
        "Access after revocation",
        "GPU 1 revokes GPU 0's permission and flushes its link TLB; GPU 0 stores once more.",
        pod.last.words,
        "Agree on the end: the user unmaps, then the owner revokes. A fault here is the fabric doing its work.",
        address_views.access_path(pod, "weights"),
    )


def stale_entry() -> Picture:
    """The same without the flush."""
    pod = addressing.access(addressing.revoke(shared_pod(), 0, "weights", flush=False), 0, 7)
    return finding(
        "A stale link TLB entry",
        "GPU 1 revokes GPU 0's permission, and nobody flushes its link TLB; GPU 0 stores once more.",
        pod.last.words,
        "A revocation must invalidate the link TLB before it counts as done. Modelled: the hardware's own rule is "
        "not public.",
        address_views.access_path(pod, "weights"),
    )


def empty_side() -> Picture:
    """A cut that separates nothing."""
    graph = topology("HGX H100")
    return finding(
        "A cut that separates nothing",
        "The bisection of one HGX H100 is asked for with all 8 GPUs on one side.",
        _refusal(lambda: cut(graph, split_of(graph, 8))),
        "Put at least one GPU on each side. Bisection means halves: 4 and 4.",
        views.pod(graph, cut(graph, split_of(graph, 4))),
    )


def overfull() -> Picture:
    """Tables that do not fit where they were put."""
    machine = recommender.Machine(4, memory_bytes=60 * 10**9)
    tables = recommender.example_tables(2, 12)
    placement = [0] * len(tables)
    return finding(
        "All tables on one GPU",
        "12 tables, 108 GB together (modelled), are put on GPU 0 of 4.",
        _refusal(lambda: recommender.step_seconds(tables, placement, machine, BATCH)),
        "Spread them. The busiest GPU sets the time, so balance lookups, not bytes.",
        placed_tables(tables, placement, machine, BATCH),
    )


SPECIMENS = {
    "Access after revocation": after_revocation,
    "A stale link TLB entry": stale_entry,
    "A cut that separates nothing": empty_side,
    "All tables on one GPU": overfull,
}
"""Each by name: a function that draws it."""
