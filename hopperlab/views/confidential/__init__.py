"""Confidential computing drawn: the bounce buffer, the verifier's questions, the layers, and the cost."""

from hopperlab.views.confidential.bounce import bounce_buffer
from hopperlab.views.confidential.cost import copy_rates, published_overheads
from hopperlab.views.confidential.verdicts import layers, verification

__all__ = ["bounce_buffer", "copy_rates", "layers", "published_overheads", "verification"]
