"""Models of memory: how late a byte is, and how many come a second."""

from hopperlab.models.memory.staircase import LEVELS, Staircase
from hopperlab.models.memory.streams import Streams

__all__ = ["LEVELS", "Staircase", "Streams"]
