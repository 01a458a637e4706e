"""Matrix products on paper: what a tile takes, when a ring has bubbles, what bounds each rung, how SMs share tiles."""

from hopperlab.models.gemm.budget import Tile, launch_registers, producer_registers
from hopperlab.models.gemm.ladder import (
    BF16_TILE,
    FP8_TILE,
    LANE_TILE,
    MECHANISMS,
    Mechanism,
    bound,
    copy_latency,
    drained,
    fixed_and_slope,
    flop_per_second,
    mechanism,
    step_work,
)
from hopperlab.models.gemm.pipeline import Step, Timeline, pipeline, stages_needed, step_cycles
from hopperlab.models.gemm.rounds import Rounds

__all__ = [
    "BF16_TILE",
    "FP8_TILE",
    "LANE_TILE",
    "MECHANISMS",
    "Mechanism",
    "Rounds",
    "Step",
    "Tile",
    "Timeline",
    "bound",
    "copy_latency",
    "drained",
    "fixed_and_slope",
    "flop_per_second",
    "launch_registers",
    "mechanism",
    "pipeline",
    "producer_registers",
    "stages_needed",
    "step_cycles",
    "step_work",
]
