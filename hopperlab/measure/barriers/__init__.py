"""Experiments about barriers: whether the card's counts as the model's does."""

from hopperlab.measure.barriers.differential import MBARRIER_DIFFERENTIAL

EXPERIMENTS = (MBARRIER_DIFFERENTIAL,)
