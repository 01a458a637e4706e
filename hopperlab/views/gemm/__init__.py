"""Pictures of matrix products: the pipeline with its bubbles, and the ladder's rungs."""

from hopperlab.views.gemm.depths import depths
from hopperlab.views.gemm.ladder import rungs
from hopperlab.views.gemm.timeline import timeline
from hopperlab.views.gemm.traced import traced

__all__ = ["depths", "rungs", "timeline", "traced"]
