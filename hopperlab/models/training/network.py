"""A small network that guesses the next character: three matrix products forward, five back.

Eight characters are looked up, laid side by side, and sent through two hidden layers. All matrix products go
through the casts of a recipe; everything else is FP32.
"""

from dataclasses import dataclass

import numpy as np

from hopperlab.models.training.recipes import Caster, Operand, product

CONTEXT = 8  # characters looked at
WIDTH = 8  # numbers a character
HIDDEN = 64
LAYERS = 3


@dataclass(frozen=True)
class Step:
    """One step's forward and backward pass.

    loss
        Mean negative log likelihood of the next character, in nats.
    gradients
        By parameter.
    operands
        The two sides of every matrix product, by its name: "y1" forward, "dx1" and "dw1" back.
    """

    loss: float
    gradients: dict[str, np.ndarray]
    operands: dict[str, tuple[Operand, Operand]]


def initial_parameters(characters: int, rng: np.random.Generator) -> dict[str, np.ndarray]:
    """Draw embedding, weights and biases, float32."""
    sizes = [CONTEXT * WIDTH, HIDDEN, HIDDEN, characters]
    parameters = {"embedding": rng.normal(size=(characters, WIDTH)).astype(np.float32)}
    for layer in range(1, LAYERS + 1):
        shape = sizes[layer - 1], sizes[layer]
        gain = np.sqrt(2 / shape[0])
        parameters[f"w{layer}"] = (gain * rng.normal(size=shape)).astype(np.float32)
        parameters[f"b{layer}"] = np.zeros(shape[1], np.float32)
    return parameters


def logits(parameters: dict[str, np.ndarray], context: np.ndarray, casts: Caster) -> np.ndarray:
    """Scores of the next character, (batch, characters), for contexts of character numbers (batch, 8)."""
    return _forward(parameters, context, casts)[0][-1]


def mean_loss(scores: np.ndarray, target: np.ndarray) -> float:
    """Mean negative log likelihood of the right characters, in nats."""
    return float(-_log_softmax(scores)[np.arange(len(target)), target].mean())


def step(parameters: dict[str, np.ndarray], context: np.ndarray, target: np.ndarray, casts: Caster) -> Step:
    """Loss and gradients of one batch, every product cast by the recipe."""
    signals, cast_signals, cast_weights = _forward(parameters, context, casts)
    scores = _log_softmax(signals[-1])
    rows = np.arange(len(target))
    loss = float(-scores[rows, target].mean())
    gradient = np.exp(scores)
    gradient[rows, target] -= 1
    gradient = (gradient / len(target)).astype(np.float32)

    gradients, operands = {}, {}
    for layer in range(LAYERS, 0, -1):
        x, w = cast_signals[layer - 1], cast_weights[layer - 1]
        dy = casts.cast(f"dy{layer}", gradient, "backward")
        operands |= {f"y{layer}": (x, w), f"dx{layer}": (dy, w.transposed), f"dw{layer}": (x.transposed, dy)}
        gradients[f"w{layer}"] = product(x.transposed, dy)
        gradients[f"b{layer}"] = gradient.sum(axis=0)
        gradient = product(dy, w.transposed)
        if layer > 1:
            gradient = gradient * (signals[layer - 1] > 0)
    gradients["embedding"] = _embedding_gradient(parameters["embedding"], context, gradient)
    return Step(loss, gradients, operands)


def _forward(
    parameters: dict[str, np.ndarray], context: np.ndarray, casts: Caster
) -> tuple[list[np.ndarray], list[Operand], list[Operand]]:
    """Signals between the layers, scores last; and both operands of each product."""
    signals = [parameters["embedding"][context].reshape(len(context), CONTEXT * WIDTH)]
    cast_signals, cast_weights = [], []
    for layer in range(1, LAYERS + 1):
        cast_signals.append(casts.cast(f"x{layer}", signals[-1]))
        cast_weights.append(casts.cast(f"w{layer}", parameters[f"w{layer}"]))
        y = product(cast_signals[-1], cast_weights[-1]) + parameters[f"b{layer}"]
        signals.append(np.maximum(y, 0) if layer < LAYERS else y)
    return signals, cast_signals, cast_weights


def _log_softmax(scores: np.ndarray) -> np.ndarray:
    """Logarithms of the likelihoods, float64, so that no machine's own exponential shows."""
    scores = scores.astype(np.float64)
    scores -= scores.max(axis=1, keepdims=True)
    return scores - np.log(np.exp(scores).sum(axis=1, keepdims=True))


def _embedding_gradient(embedding: np.ndarray, context: np.ndarray, gradient: np.ndarray) -> np.ndarray:
    total = np.zeros(embedding.shape, np.float32)
    np.add.at(total, context, gradient.reshape(*context.shape, WIDTH))
    return total
