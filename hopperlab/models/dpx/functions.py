"""What each DPX function computes, on whole arrays: CUDA's semantics, wrap-around and packed halves included.

A name says all: `vi`, then `add` if the first two are added, then `max` or `min`, `3` for three operands, the
type, and `relu` if negative results become 0. `vib` functions also say which of the two they took. Sums wrap
around. Types with `x2` hold two 16-bit numbers in one 32-bit word, the low one in the low half.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

NUMBERS = {"s32": np.int32, "u32": np.uint32, "s16x2": np.int16, "u16x2": np.uint16}
"""The type of the numbers that a function of each type computes with."""


@dataclass(frozen=True)
class Function:
    """One DPX function.

    Attributes
    ----------
    name
        As CUDA C++ has it, without the leading underscores: "viaddmax_s16x2_relu".
    arguments
        Their number, 2 or 3.
    adds
        Whether the first two arguments are added.
    largest
        Whether it takes the largest of its operands; otherwise the smallest.
    relu
        Whether what is negative becomes 0 in the end.
    tells
        Whether it also tells, for each number, that the first operand was taken (it is, if they are equal).
    type
        A key of `NUMBERS`.
    """

    name: str
    arguments: int
    adds: bool
    largest: bool
    relu: bool
    tells: bool
    type: str

    @property
    def packed(self) -> bool:
        """Whether a word holds two numbers."""
        return self.type.endswith("x2")

    @property
    def word(self) -> np.dtype:
        """The dtype of arguments and result: int32 for "s32", uint32 for all others."""
        return np.dtype(np.int32 if self.type == "s32" else np.uint32)

    @property
    def formula(self) -> str:
        """What it computes of each number: "max(max(a + b, c), 0)"."""
        pick = "max" if self.largest else "min"
        taken = f"{pick}({'a + b, c' if self.adds else ', '.join('abc'[: self.arguments])})"
        return f"max({taken}, 0)" if self.relu else taken

    def __call__(self, *arguments: ArrayLike) -> np.ndarray | tuple[np.ndarray, ...]:
        """Compute it for arrays of one shape.

        Parameters
        ----------
        arguments
            Arrays of the function's `word`; whole numbers in its range are taken too.

        Returns
        -------
        numpy.ndarray, or a tuple of it and booleans
            `vib` functions give the result and whether the first was taken; of packed ones that is two
            arrays, for the high and for the low half, in the order of CUDA's arguments.

        Raises
        ------
        TypeError
            If their number, or a dtype, is another.
        """
        if len(arguments) != self.arguments:
            raise TypeError(f"{self.name} takes {self.arguments} arguments, but {len(arguments)} were given")
        numbers = [self._numbers(*named) for named in zip("abc", arguments, strict=False)]
        operands = [numbers[0] + numbers[1], *numbers[2:]] if self.adds else numbers
        pick = np.maximum if self.largest else np.minimum
        taken = operands[0]
        for other in operands[1:]:
            taken = pick(taken, other)
        if self.relu:
            taken = np.maximum(taken, taken.dtype.type(0))
        if not self.tells:
            return self._words(taken)
        first = taken == operands[0]
        return (self._words(taken), first[..., 1], first[..., 0]) if self.packed else (taken, first)

    def _numbers(self, name: str, argument: ArrayLike) -> np.ndarray:
        words = np.asarray(argument)
        if words.dtype != self.word:
            if isinstance(argument, np.ndarray | np.generic):
                raise TypeError(f"{name}: dtype {words.dtype} must be {self.word} for {self.name}")
            words = np.asarray(argument, dtype=self.word)
        if not self.packed:
            return words
        return np.ascontiguousarray(words)[..., np.newaxis].view(NUMBERS[self.type])

    def _words(self, numbers: np.ndarray) -> np.ndarray:
        return np.ascontiguousarray(numbers).view(self.word)[..., 0] if self.packed else numbers


def _function(name: str) -> Function:
    operation, type, *relu = name.split("_")
    adds, tells = operation.startswith("viadd"), operation.startswith("vib")
    arguments = 3 if adds or operation.endswith("3") else 2
    return Function(name, arguments, adds, "max" in operation, bool(relu), tells, type)


_PICKS = ("max", "min")
_NAMES = (
    *(f"viadd{p}_{t}" for p in _PICKS for t in ("s32", "u32", "s16x2", "u16x2", "s32_relu", "s16x2_relu")),
    *(f"vi{p}3_{t}" for p in _PICKS for t in ("s32", "u32", "s16x2", "u16x2", "s32_relu", "s16x2_relu")),
    *(f"vi{p}_{t}" for p in _PICKS for t in ("s32_relu", "s16x2_relu")),
    *(f"vib{p}_{t}" for p in _PICKS for t in ("s32", "u32", "s16x2", "u16x2")),
)

FUNCTIONS: dict[str, Function] = {name: _function(name) for name in _NAMES}
"""The 36 DPX functions of CUDA 13, by name."""


def function_named(name: str) -> Function:
    """Give the function of that name; ValueError lists the names there are."""
    if isinstance(name, str) and name in FUNCTIONS:
        return FUNCTIONS[name]
    raise ValueError(f"name={name!r} must be one of {', '.join(FUNCTIONS)}")
