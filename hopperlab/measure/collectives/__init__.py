"""Experiments about collectives: NCCL over the GPUs of one host, counted as nccl-tests counts."""

from hopperlab.measure.collectives.experiment import RANKS, collectives_of

EXPERIMENTS = tuple(collectives_of(ranks) for ranks in RANKS)
