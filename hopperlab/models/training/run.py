"""Training runs: a text, a recipe and a seed in; a curve of validation losses out."""

from dataclasses import dataclass

import numpy as np

from hopperlab.models.arguments import whole_number
from hopperlab.models.training import network
from hopperlab.models.training.network import CONTEXT
from hopperlab.models.training.recipes import Caster, Casts, Recipe

STEPS, BATCH = 600, 64
HELD_OUT = 0.1  # of the text, at its end
VALIDATED = 8192  # positions of the held-out text
LEARNING_RATE, DECAYS, TINY = 1e-2, (0.9, 0.999), 1e-8  # Adam, its authors' decays
MOST_STEPS = 100_000


@dataclass(frozen=True)
class Text:
    """A text as numbers: `numbers` into `characters`."""

    characters: str
    numbers: np.ndarray

    @classmethod
    def of(cls, text: str) -> "Text":
        """Number the characters of a text; ValueError if it is too short to train on."""
        if not isinstance(text, str):
            raise TypeError(f"text is a {type(text).__name__}; it must be a str")
        if len(text) < 10_000:
            raise ValueError(f"text has {len(text)} characters; it must have 10000 or more")
        characters = "".join(sorted(set(text)))
        place = {character: number for number, character in enumerate(characters)}
        return cls(characters, np.array([place[character] for character in text]))

    @property
    def split(self) -> int:
        """Where the held-out part begins."""
        return int(len(self.numbers) * (1 - HELD_OUT))

    def samples(self, starts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Contexts (n, 8) and the character after each."""
        windows = self.numbers[starts[:, None] + np.arange(CONTEXT + 1)]
        return windows[:, :CONTEXT], windows[:, CONTEXT]

    def batch(self, rng: np.random.Generator, size: int = BATCH) -> tuple[np.ndarray, np.ndarray]:
        """Random samples of the part to train on."""
        return self.samples(rng.integers(0, self.split - CONTEXT - 1, size))

    @property
    def validation(self) -> tuple[np.ndarray, np.ndarray]:
        """The same samples of the held-out part, always."""
        last = len(self.numbers) - CONTEXT - 1
        return self.samples(np.linspace(self.split, last, VALIDATED).astype(int))


@dataclass(frozen=True)
class Run:
    """One run: at which steps the held-out text was tried, the losses there, and what was trained.

    Losses are means of the negative log likelihood of a character, in nats, through the recipe's own casts.
    """

    recipe: Recipe
    seed: int
    checkpoints: tuple[int, ...]
    losses: tuple[float, ...]
    parameters: dict[str, np.ndarray]
    casts: Casts

    @property
    def loss(self) -> float:
        """The loss at the end."""
        return self.losses[-1]


def train(text: Text, recipe: Recipe, seed: int = 0, steps: int = STEPS, every: int = 100) -> Run:
    """Train the network on a text.

    Seeds pair runs: the same seed gives every recipe the same first weights and the same batches.

    Parameters
    ----------
    text, recipe
        What is learnt, and how products are cast.
    seed
        Of weights and batches.
    steps
        Steps of Adam, 64 samples each.
    every
        Steps between two looks at the held-out text.

    Raises
    ------
    TypeError
        If the text is no `Text`, or the recipe no `Recipe`: see `Text.of` and `RECIPES`.
    ValueError
        If a number is out of range.
    """
    for name, given, kind in (("text", text, Text), ("recipe", recipe, Recipe)):
        if not isinstance(given, kind):
            raise TypeError(f"{name} is a {type(given).__name__}; it must be a {kind.__name__}")
    whole_number("seed", seed, 0, 2**63)
    whole_number("steps", steps, 1, MOST_STEPS)
    whole_number("every", every, 1, MOST_STEPS)
    rng = np.random.default_rng(seed)
    parameters = network.initial_parameters(len(text.characters), rng)
    optimizer = _Adam(parameters, steps)
    casts = Casts(recipe)
    held_out = text.validation
    checkpoints, losses = [], []
    for number in range(1, steps + 1):
        done = network.step(parameters, *text.batch(rng), casts)
        casts.end_step()
        optimizer.move(parameters, done.gradients)
        if number % every == 0 or number == steps:
            checkpoints.append(number)
            losses.append(validate(parameters, held_out, casts.looking_on()))
    return Run(recipe, seed, tuple(checkpoints), tuple(losses), parameters, casts)


def validate(
    parameters: dict[str, np.ndarray], samples: tuple[np.ndarray, np.ndarray], casts: Caster
) -> float:
    """Loss on some samples, through any casts."""
    context, target = samples
    return network.mean_loss(network.logits(parameters, context, casts), target)


class _Adam:
    """The optimizer, in FP32, its rate falling to zero along the run."""

    def __init__(self, parameters: dict[str, np.ndarray], steps: int) -> None:
        self.steps = steps
        self.means = {name: np.zeros_like(value) for name, value in parameters.items()}
        self.squares = {name: np.zeros_like(value) for name, value in parameters.items()}
        self.moves = 0

    def move(self, parameters: dict[str, np.ndarray], gradients: dict[str, np.ndarray]) -> None:
        """Change the parameters by one step, in place."""
        left = 1 - self.moves / self.steps
        self.moves += 1
        first, second = (np.float32(decay) for decay in DECAYS)
        unbiased = np.sqrt(1 - DECAYS[1] ** self.moves) / (1 - DECAYS[0] ** self.moves)
        rate = np.float32(LEARNING_RATE * left * unbiased)
        for name, gradient in gradients.items():
            mean, square = self.means[name], self.squares[name]
            mean += (1 - first) * (gradient - mean)
            square += (1 - second) * (gradient * gradient - square)
            parameters[name] -= rate * mean / (np.sqrt(square) + np.float32(TINY))
