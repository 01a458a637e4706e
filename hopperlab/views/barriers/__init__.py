"""Pictures of barriers: the strip of one, threads over time, rings of buffers and their counter-examples."""

from hopperlab.views.barriers.history import barriers_of, doings, history
from hopperlab.views.barriers.looks import spin_and_sleep
from hopperlab.views.barriers.measured import saving, slowdown
from hopperlab.views.barriers.overlap import overlap
from hopperlab.views.barriers.parity import parities
from hopperlab.views.barriers.pipeline import pipeline, uses
from hopperlab.views.barriers.ring import ring_history
from hopperlab.views.barriers.strip import Doing, Moment, strip
from hopperlab.views.barriers.timeline import Lanes, spans, timeline

__all__ = [
    "Doing",
    "Lanes",
    "Moment",
    "barriers_of",
    "doings",
    "history",
    "overlap",
    "parities",
    "pipeline",
    "ring_history",
    "saving",
    "slowdown",
    "spans",
    "spin_and_sleep",
    "strip",
    "timeline",
    "uses",
]
