"""Experiments about barriers: whether the card's counts as the model's does, how copies count, what waiting costs."""

from hopperlab.measure.barriers.differential import MBARRIER_DIFFERENTIAL
from hopperlab.measure.barriers.overlap import BARRIER_OVERLAP
from hopperlab.measure.barriers.pieces import COPY_PIECES

EXPERIMENTS = (MBARRIER_DIFFERENTIAL, COPY_PIECES, BARRIER_OVERLAP)
