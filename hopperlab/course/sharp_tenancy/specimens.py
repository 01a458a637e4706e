"""What goes wrong among tenants, kept to be looked at: each with its finding, computed by the model, and a cure."""

from collections.abc import Callable

from hopperlab.models.fabric import cut, leaf_spine, split_of, superpod_graph
from hopperlab.models.sharp_tenancy import GAME_HOMES, GAME_JOBS, Cluster, Job, admit, pack, step_seconds
from hopperlab.views import fabric as fabric_views
from hopperlab.views import sharp_tenancy as views
from hopperlab.views.finding import finding
from hopperlab.views.picture import Picture

CLUSTER = Cluster()


def _refusal(call: Callable) -> str:
    try:
        call()
    except ValueError as refused:
        return f"refused: {refused}."
    raise AssertionError("the specimen is not refused")


def second_on_a_leaf() -> Picture:
    """A second job on a leaf, under v2."""
    placed = pack(CLUSTER, GAME_JOBS[:2], (0, 0))
    old, new = (admit(CLUSTER, placed, rule)[1] for rule in ("v2", "v3"))
    return finding(
        "The second job on a leaf",
        "Under SHARPv2 job A stands on leaf 0, and job B partly too.",
        f"{old.why}: a step of B takes {step_seconds(old) * 1e3:.0f} ms instead of {step_seconds(new) * 1e3:.0f}.",
        "Keep a job to leaves of its own, or have switches with SHARPv3.",
        views.tenants(CLUSTER, admit(CLUSTER, placed, "v2"), "v2"),
    )


def bigger_than_the_machine() -> Picture:
    """A job with more hosts than there are ports."""
    found = _refusal(lambda: pack(CLUSTER, (*GAME_JOBS, Job("G", 6)), (*GAME_HOMES, 0)))
    placed = pack(CLUSTER, GAME_JOBS, GAME_HOMES)
    return finding(
        "A job bigger than what is left",
        "A seventh job of 6 hosts asks for ports.",
        found,
        "Wait for a job to end, or ask for fewer hosts.",
        views.tenants(CLUSTER, admit(CLUSTER, placed, "v3"), "v3"),
    )


def twelve_spines() -> Picture:
    """Spines with ports enough that cannot be cabled evenly."""
    graph = superpod_graph(3)
    return finding(
        "Twelve spines for 24 leaves",
        "A SuperPOD of 3 units is to have 12 spines: 768 ports for 768 cables.",
        _refusal(lambda: leaf_spine(95, 24, 12)),
        "Take 16 spines, two cables from each leaf to each: nothing tapers.",
        fabric_views.pod(graph, cut(graph, split_of(graph, 380))),
    )


SPECIMENS = {
    "The second job on a leaf": second_on_a_leaf,
    "A job bigger than what is left": bigger_than_the_machine,
    "Twelve spines for 24 leaves": twelve_spines,
}
"""Each by name: a function that draws it."""
