"""Twins of the words that only compute: fp8 and dpx, through the models."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from hopperlab.device.simulator.twins import twin
from hopperlab.device.vocabulary import dpx, fp8
from hopperlab.device.vocabulary.word import Word
from hopperlab.models import fp8 as fp8_model
from hopperlab.models.dpx import function_named


def _pair(low: Any, high: Any, format: str, kind: type, relu: bool) -> int:
    values = np.array([low, high], kind)
    if relu:
        values = np.where(values < 0, kind(0), values)
    low_code, high_code = fp8_model.encode(values, format).view(np.uint8)
    return int(low_code) | int(high_code) << 8


@twin(fp8.encode)
def encode(world: Any, low: Any, high: Any, format: str) -> int:
    """Convert two float32."""
    return _pair(low, high, format, np.float32, relu=False)


@twin(fp8.encode_relu)
def encode_relu(world: Any, low: Any, high: Any, format: str) -> int:
    """Convert two float32; what is negative becomes 0."""
    return _pair(low, high, format, np.float32, relu=True)


@twin(fp8.encode_halves)
def encode_halves(world: Any, low: Any, high: Any, format: str) -> int:
    """Convert two float16."""
    return _pair(low, high, format, np.float16, relu=False)


@twin(fp8.encode_halves_relu)
def encode_halves_relu(world: Any, low: Any, high: Any, format: str) -> int:
    """Convert two float16; what is negative becomes 0."""
    return _pair(low, high, format, np.float16, relu=True)


@twin(fp8.decode)
def decode(world: Any, pair: int, format: str) -> tuple[Any, Any]:
    """Give the two numbers of a pair."""
    codes = np.array([int(pair) & 0xFF, int(pair) >> 8], np.uint8)
    low, high = fp8_model.decode(codes, format).astype(np.float16)
    return low, high


def _dpx(word: Word) -> Callable:
    function = function_named(word.__name__)

    def act(world: Any, *arguments: Any) -> Any:
        result = function(*(int(a) for a in arguments))
        return tuple(part.item() for part in result) if isinstance(result, tuple) else result.item()

    return act


for _word in vars(dpx).values():
    if isinstance(_word, Word):
        twin(_word)(_dpx(_word))
