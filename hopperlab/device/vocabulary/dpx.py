"""dpx: additions, maxima and minima of integers fused into one instruction, for dynamic programming.

Names are those of CUDA C++ without the leading underscores; `models.dpx` is the same on whole arrays. Sums
wrap around. Types with `x2` hold two 16-bit numbers in a 32-bit word. ptxas makes one instruction of each
word (of the `vib` words for 32-bit numbers, two), and does so too where a program writes the same sum and
maximum in plain words: what counts is the machine code.
"""

from hopperlab.device.vocabulary.kinds import Scalar
from hopperlab.device.vocabulary.word import Word, word

_S32, _U32 = Scalar("int32"), Scalar("uint32")
_PAIR_S16 = Scalar("uint32", unit="pair of int16")
_PAIR_U16 = Scalar("uint32", unit="pair of uint16")
_KINDS = {"s32": _S32, "u32": _U32, "s16x2": _PAIR_S16, "u16x2": _PAIR_U16}
_EACH = {"s32": "", "u32": "", "s16x2": ", for each half", "u16x2": ", for each half"}
_SOURCE = "CUDA Math API, SIMD Intrinsics: __{name}"


def _add_then(pick: str, type: str, relu: str = "") -> Word:
    """Make viaddmax or viaddmin."""
    kind = _KINDS[type]

    def compute(a: kind, b: kind, c: kind) -> kind:
        pass

    then = f"max({pick}(a + b, c), 0)" if relu else f"{pick}(a + b, c)"
    compute.__doc__ = f"Give {then}{_EACH[type]}; the sum wraps around."
    ptx = f"""
    {{
    .reg .b32 sum;
    add.{type} sum, {{a}}, {{b}};
    {pick}.{type}{relu} {{result}}, sum, {{c}};
    }}
    """
    return _made(compute, f"viadd{pick}_{type}{relu.replace('.', '_')}", ptx)


def _of_three(pick: str, type: str, relu: str = "") -> Word:
    """Make vimax3 or vimin3."""
    kind = _KINDS[type]

    def compute(a: kind, b: kind, c: kind) -> kind:
        pass

    compute.__doc__ = f"Give {f'max({pick}(a, b, c), 0)' if relu else f'{pick}(a, b, c)'}{_EACH[type]}."
    ptx = f"""
    {{
    .reg .b32 two;
    {pick}.{type} two, {{a}}, {{b}};
    {pick}.{type}{relu} {{result}}, two, {{c}};
    }}
    """
    return _made(compute, f"vi{pick}3_{type}{relu.replace('.', '_')}", ptx)


def _relu(pick: str, type: str) -> Word:
    """Make vimax or vimin with ReLU."""
    kind = _KINDS[type]

    def compute(a: kind, b: kind) -> kind:
        pass

    compute.__doc__ = f"Give max({pick}(a, b), 0){_EACH[type]}."
    return _made(compute, f"vi{pick}_{type}_relu", f"{pick}.{type}.relu {{result}}, {{a}}, {{b}};")


def _and_which(pick: str, type: str) -> Word:
    """Make vibmax or vibmin of 32-bit numbers."""
    kind, compare = _KINDS[type], {"max": "ge", "min": "le"}[pick]

    def compute(a: kind, b: kind) -> (kind, Scalar("boolean")):
        pass

    compute.__doc__ = f"Give {pick}(a, b), and whether a was taken; it is, where both are equal."
    ptx = f"""
    {{
    .reg .pred first;
    setp.{compare}.{type} first, {{a}}, {{b}};
    selp.{type} {{result.0}}, {{a}}, {{b}}, first;
    selp.u32 {{result.1}}, 1, 0, first;
    }}
    """
    return _made(compute, f"vib{pick}_{type}", ptx)


def _and_which_of_pairs(pick: str, type: str) -> Word:
    """Make vibmax or vibmin of pairs."""
    kind = _KINDS[type]

    def compute(a: kind, b: kind) -> (kind, Scalar("boolean"), Scalar("boolean")):
        pass

    compute.__doc__ = (
        f"Give {pick}(a, b) for each half, and whether the high half, and the low half, are those of a."
    )
    ptx = f"""
    {{
    .reg .pred first_high, first_low;
    .reg .b16 high, low, high_of_a, low_of_a;
    {pick}.{type} {{result.0}}, {{a}}, {{b}};
    mov.b32 {{low, high}}, {{result.0}};
    mov.b32 {{low_of_a, high_of_a}}, {{a}};
    setp.eq.{type[:3]} first_high, high, high_of_a;
    setp.eq.{type[:3]} first_low, low, low_of_a;
    selp.u32 {{result.1}}, 1, 0, first_high;
    selp.u32 {{result.2}}, 1, 0, first_low;
    }}
    """
    return _made(compute, f"vib{pick}_{type}", ptx)


def _made(function: object, name: str, ptx: str) -> Word:
    function.__name__ = name
    return word(ptx=ptx, effect="none", source=_SOURCE.format(name=name))(function)


viaddmax_s32 = _add_then("max", "s32")
viaddmax_u32 = _add_then("max", "u32")
viaddmax_s16x2 = _add_then("max", "s16x2")
viaddmax_u16x2 = _add_then("max", "u16x2")
viaddmax_s32_relu = _add_then("max", "s32", ".relu")
viaddmax_s16x2_relu = _add_then("max", "s16x2", ".relu")

viaddmin_s32 = _add_then("min", "s32")
viaddmin_u32 = _add_then("min", "u32")
viaddmin_s16x2 = _add_then("min", "s16x2")
viaddmin_u16x2 = _add_then("min", "u16x2")
viaddmin_s32_relu = _add_then("min", "s32", ".relu")
viaddmin_s16x2_relu = _add_then("min", "s16x2", ".relu")

vimax3_s32 = _of_three("max", "s32")
vimax3_u32 = _of_three("max", "u32")
vimax3_s16x2 = _of_three("max", "s16x2")
vimax3_u16x2 = _of_three("max", "u16x2")
vimax3_s32_relu = _of_three("max", "s32", ".relu")
vimax3_s16x2_relu = _of_three("max", "s16x2", ".relu")

vimin3_s32 = _of_three("min", "s32")
vimin3_u32 = _of_three("min", "u32")
vimin3_s16x2 = _of_three("min", "s16x2")
vimin3_u16x2 = _of_three("min", "u16x2")
vimin3_s32_relu = _of_three("min", "s32", ".relu")
vimin3_s16x2_relu = _of_three("min", "s16x2", ".relu")

vimax_s32_relu = _relu("max", "s32")
vimax_s16x2_relu = _relu("max", "s16x2")
vimin_s32_relu = _relu("min", "s32")
vimin_s16x2_relu = _relu("min", "s16x2")

vibmax_s32 = _and_which("max", "s32")
vibmax_u32 = _and_which("max", "u32")
vibmin_s32 = _and_which("min", "s32")
vibmin_u32 = _and_which("min", "u32")

vibmax_s16x2 = _and_which_of_pairs("max", "s16x2")
vibmax_u16x2 = _and_which_of_pairs("max", "u16x2")
vibmin_s16x2 = _and_which_of_pairs("min", "s16x2")
vibmin_u16x2 = _and_which_of_pairs("min", "u16x2")
