"""Pictures of fabrics: a pod with a cut through it, and links that messages share over time."""

from hopperlab.views.fabric.pod import pod
from hopperlab.views.fabric.timeline import timeline

__all__ = ["pod", "timeline"]
