"""Pictures of matrix products: the pipeline with its bubbles, the ladder's rungs, rounds of tiles, and what changed."""

from hopperlab.views.gemm.changes import changes
from hopperlab.views.gemm.depths import depths
from hopperlab.views.gemm.ladder import rungs
from hopperlab.views.gemm.rounds import rounds
from hopperlab.views.gemm.timeline import timeline
from hopperlab.views.gemm.traced import traced

__all__ = ["changes", "depths", "rounds", "rungs", "timeline", "traced"]
