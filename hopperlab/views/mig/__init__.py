"""MIG drawn: the board of slices, every full layout with its cost, a queue of tenants over time."""

from hopperlab.views.mig.board import board
from hopperlab.views.mig.layouts import layouts
from hopperlab.views.mig.queue import queue

__all__ = ["board", "layouts", "queue"]
