"""Training in FP8 at toy size: recipes, a network of characters, runs, and what a tensor core adds to one step."""

from hopperlab.models.training.network import Step, step
from hopperlab.models.training.recipes import RECIPES, Casts, Operand, Recipe
from hopperlab.models.training.run import BATCH, STEPS, Run, Text, train, validate

__all__ = [
    "BATCH",
    "RECIPES",
    "STEPS",
    "Casts",
    "Operand",
    "Recipe",
    "Run",
    "Step",
    "Text",
    "step",
    "train",
    "validate",
]
