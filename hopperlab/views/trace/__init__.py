"""Pictures of a simulated run, drawn from its trace and nothing else: each at one of its steps, with its twin."""

from hopperlab.views.trace.barrier import barrier_strip
from hopperlab.views.trace.byte_flow import byte_flow
from hopperlab.views.trace.causes import cause_of
from hopperlab.views.trace.cluster_chart import Placed, cluster_chart, clusters_of
from hopperlab.views.trace.frame import cause_place
from hopperlab.views.trace.lanes import thread_lanes
from hopperlab.views.trace.outcome import exploration_picture, run_picture
from hopperlab.views.trace.shared_map import shared_map
from hopperlab.views.trace.sm_chart import sm_chart
from hopperlab.views.trace.steps import Step, Steps
from hopperlab.views.trace.words import cycle_and_sentence

__all__ = [
    "Placed",
    "Step",
    "Steps",
    "barrier_strip",
    "byte_flow",
    "cause_of",
    "cause_place",
    "cluster_chart",
    "clusters_of",
    "cycle_and_sentence",
    "exploration_picture",
    "run_picture",
    "shared_map",
    "sm_chart",
    "thread_lanes",
]
