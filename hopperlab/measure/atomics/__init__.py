"""Experiments about atomics: what it costs to agree on one word."""

from hopperlab.measure.atomics.additions import ATOMIC_ADDITIONS
from hopperlab.measure.atomics.hand_off import HAND_OFF

EXPERIMENTS = (HAND_OFF, ATOMIC_ADDITIONS)
