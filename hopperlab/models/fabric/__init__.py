"""Fabrics: what connects GPUs, what a cut through it carries, and what happens when messages meet."""

from hopperlab.models.fabric.clos import SuperPod, spines_needed, superpod, tiers_needed
from hopperlab.models.fabric.contention import Finish, Message, Network, Passage, Path, Simulation, simulate
from hopperlab.models.fabric.cut import Cut, cut, injection, split_of, taper, without_links, worst_cut
from hopperlab.models.fabric.generations import GENERATIONS, Generation, growth
from hopperlab.models.fabric.jobs import closed_form_seconds, job, run_collective
from hopperlab.models.fabric.networks import all_connected, one_switch, ring_of, two_tiers
from hopperlab.models.fabric.topology import (
    TOPOLOGIES,
    dgx_a100,
    endpoints,
    hgx_h100,
    leaf_spine,
    nvlink_network,
    of_kind,
    superpod_graph,
    topology,
)

__all__ = [
    "GENERATIONS",
    "TOPOLOGIES",
    "Cut",
    "Finish",
    "Generation",
    "Message",
    "Network",
    "Passage",
    "Path",
    "Simulation",
    "SuperPod",
    "all_connected",
    "closed_form_seconds",
    "cut",
    "dgx_a100",
    "endpoints",
    "growth",
    "hgx_h100",
    "injection",
    "job",
    "leaf_spine",
    "nvlink_network",
    "of_kind",
    "one_switch",
    "ring_of",
    "run_collective",
    "simulate",
    "spines_needed",
    "split_of",
    "superpod",
    "superpod_graph",
    "taper",
    "tiers_needed",
    "topology",
    "two_tiers",
    "without_links",
    "worst_cut",
]
