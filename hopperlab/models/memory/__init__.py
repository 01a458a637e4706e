"""Models of memory: how late a byte is, and how many come a second."""

from hopperlab.models.memory.l1 import L1Cache, ring
from hopperlab.models.memory.sets import pools_of, sets_of
from hopperlab.models.memory.staircase import LEVELS, Staircase
from hopperlab.models.memory.streams import Streams

__all__ = ["LEVELS", "L1Cache", "Staircase", "Streams", "pools_of", "ring", "sets_of"]
