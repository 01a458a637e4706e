"""Twins of the words that only compute: fp8 and dpx, through the models."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from functools import cache
from math import copysign
from typing import Any

import numpy as np

from hopperlab.device.simulator.twins import twin
from hopperlab.device.vocabulary import dpx, fp8
from hopperlab.device.vocabulary.word import Word
from hopperlab.models import fp8 as fp8_model
from hopperlab.models.dpx import function_named

NEGATIVE = 0x80  # the sign's bit of a code
NAN_HALF = np.uint16(0x7FFF)  # what every NaN is decoded to: the experiment fp8_casts


@cache
def _starts(format: str) -> list[float]:
    """Give the least magnitude of each code above 0, as the model rounds: the middle, or just above it."""
    codes = np.arange(NEGATIVE, dtype=np.uint8)
    values = fp8_model.decode(codes, format).astype(float)
    values = values[np.isfinite(values)]
    middles = (values[1:] + values[:-1]) / 2
    up = fp8_model.encode(middles, format).view(np.uint8) == codes[1 : values.size]
    return np.where(up, middles, np.nextafter(middles, np.inf)).tolist()


@cache
def _not_a_number(format: str) -> int:
    return int(fp8_model.encode(np.float32([np.nan]), format).view(np.uint8)[0])


def code_of(value: Any, format: str) -> int:
    """Give the code of one number, as `models.fp8.encode` does."""
    x = float(value)
    if x != x:
        return _not_a_number(format)
    return bisect_right(_starts(format), abs(x)) | (NEGATIVE if copysign(1.0, x) < 0 else 0)


def _pair(low: Any, high: Any, format: str, relu: bool = False) -> int:
    if relu:
        low, high = (0.0 if copysign(1.0, x) < 0 and x == x else x for x in (low, high))
    return code_of(low, format) | code_of(high, format) << 8


@cache
def _values(format: str) -> list[np.float16]:
    values = fp8_model.decode(np.arange(256, dtype=np.uint8), format).astype(np.float16)
    values[np.isnan(values)] = NAN_HALF.view(np.float16)
    return list(values)


@twin(fp8.encode)
def encode(world: Any, low: Any, high: Any, format: str) -> int:
    """Convert two float32."""
    return _pair(low, high, format)


@twin(fp8.encode_relu)
def encode_relu(world: Any, low: Any, high: Any, format: str) -> int:
    """Convert two float32; what is negative becomes 0."""
    return _pair(low, high, format, relu=True)


@twin(fp8.encode_halves)
def encode_halves(world: Any, low: Any, high: Any, format: str) -> int:
    """Convert two float16."""
    return _pair(low, high, format)


@twin(fp8.encode_halves_relu)
def encode_halves_relu(world: Any, low: Any, high: Any, format: str) -> int:
    """Convert two float16; what is negative becomes 0."""
    return _pair(low, high, format, relu=True)


@twin(fp8.decode)
def decode(world: Any, pair: int, format: str) -> tuple[Any, Any]:
    """Give the two numbers of a pair."""
    values = _values(format)
    return values[int(pair) & 0xFF], values[int(pair) >> 8]


def _dpx(word: Word) -> Callable:
    function = function_named(word.__name__)

    def act(world: Any, *arguments: Any) -> Any:
        result = function(*(int(a) for a in arguments))
        return tuple(part.item() for part in result) if isinstance(result, tuple) else result.item()

    return act


for _word in vars(dpx).values():
    if isinstance(_word, Word):
        twin(_word)(_dpx(_word))
