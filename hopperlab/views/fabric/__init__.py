"""Pictures of fabrics: a pod with a cut through it, links that messages share over time, two generations."""

from hopperlab.views.fabric.generations import two_generations
from hopperlab.views.fabric.pod import pod
from hopperlab.views.fabric.timeline import timeline

__all__ = ["pod", "timeline", "two_generations"]
