"""Experiments about barriers: whether the card's counts as the model's does, and how copies count on it."""

from hopperlab.measure.barriers.differential import MBARRIER_DIFFERENTIAL
from hopperlab.measure.barriers.pieces import COPY_PIECES

EXPERIMENTS = (MBARRIER_DIFFERENTIAL, COPY_PIECES)
