"""Questions to a card: dot products whose result tells one possible arithmetic from another.

Each probe is one output of one unit. The first of its answers is the model's; the others are what the card would
say if it worked differently. Run them through the unit's instruction, and the first mismatch names what is wrong.
"""

import math
from dataclasses import dataclass

import numpy as np

from hopperlab.models.tensorcore.units import UNITS

BELOW_BF16 = 2.0**-75  # factors of a product far below FP32's range


@dataclass(frozen=True)
class Probe:
    """One dot product a . b + c, and what each hypothesis makes of it.

    answers
        Pairs (hypothesis, result); the model's own comes first.
    """

    name: str
    unit: str
    a: tuple[float, ...]
    b: tuple[float, ...]
    c: float
    answers: tuple[tuple[str, float], ...]

    @property
    def matrices(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """A (1, K), B (K, 1) and C (1, 1) in the unit's dtypes."""
        unit = UNITS[self.unit]
        return (
            np.array([self.a], np.float32).astype(unit.a.dtype),
            np.array([self.b], np.float32).T.astype(unit.b.dtype),
            np.array([[self.c]], unit.output.dtype),
        )


def _at(*terms: tuple[int, float], k: int = 32) -> tuple[float, ...]:
    """Return a vector of K elements, zero but for some (position, value)."""
    values = dict(terms)
    return tuple(values.get(position, 0.0) for position in range(k))


def _ones(k: int) -> tuple[float, ...]:
    return (1.0,) * k


def _alignment() -> list[Probe]:
    """Block, bits and rounding of FP8 through wgmma, each by one sum."""
    unit, ones = "hopper.wgmma.e4m3", _ones(32)
    return [
        Probe("ones below 2^14", unit, ones, ones, 2.0**14, (("13 bits", 16384), ("more bits", 16416))),
        Probe("toward zero", unit, (-1.0,) * 32, ones, 2.0**14, (("toward zero", 16384), ("down", 16352))),
        Probe("C is cut", unit, (0.0,), (0.0,), 1 + 2.0**-14, (("cut", 1), ("kept", 1 + 2.0**-14))),
        Probe(
            "C's 13th bit", unit, (0.0,), (0.0,), 1 + 2.0**-13, (("13 bits", 1 + 2.0**-13), ("12 bits", 1))
        ),
        Probe(
            "block of 32",
            unit,
            _at((0, 256), (1, -256), (22, 1)),
            _at((0, 256), (1, 256), (22, 1)),
            0,
            (("32 aligned together", 0), ("16 aligned together", 1)),
        ),
        Probe(
            "no block of 64",
            unit,
            _at((0, 256), (1, -256), (32, 1), k=64),
            _at((0, 256), (1, 256), (32, 1), k=64),
            0,
            (("32 aligned together", 1), ("64 aligned together", 0)),
        ),
        Probe(
            "C is aligned with the products",
            unit,
            _at((0, 256), (1, -256)),
            _at((0, 256), (1, 256)),
            1,
            (("aligned", 0), ("added late", 1)),
        ),
    ]


def _subnormal_c() -> list[Probe]:
    """C alone, subnormal in FP32, through FP8 wgmma: is its exponent -126, or its own?"""
    ladder = [(n, 2.0**-n) for n in (130, 138, 139, 140, 146, 147, 149)]
    return [
        Probe(
            f"C = 2^-{n}",
            "hopper.wgmma.e4m3",
            (0.0,),
            (0.0,),
            c,
            (("steps of 2^-139", c if n <= 139 else 0), ("its own exponent, or none", c if n > 139 else 0)),
        )
        for n, c in ladder
    ]


def _minimum_exponent() -> list[Probe]:
    """Terms that make up one last place of the output, the smallest of them 2^-g, which the lowest grid may cut."""
    probes = []
    for g in range(150, 165):  # 2^-150 + 2^-151 + ... + 2^-g + 2^-g = 2^-149
        terms = [*range(150, g + 1), g]
        a, b = [BELOW_BF16] * len(terms), [2.0 ** (75 - n) for n in terms]
        kept, cut = (f"minimum exponent {25 - g} or less", 2.0**-149), (f"above {25 - g}", 0.0)
        answers = (kept, cut) if 25 - g >= UNITS["hopper.wgmma.bf16"].minimum_exponent else (cut, kept)
        probes.append(Probe(f"BF16, 2^-{g}", "hopper.wgmma.bf16", tuple(a), tuple(b), 0.0, answers))
    for h in range(44, 49):  # 2^-25 alone is a tie of FP16's smallest value with zero; 2^-h breaks it
        kept, cut = (f"minimum exponent {25 - h} or less", 2.0**-24), (f"above {25 - h}", 0.0)
        answers = (kept, cut) if 25 - h >= UNITS["hopper.wgmma.f16.acc_f16"].minimum_exponent else (cut, kept)
        a, b = (2.0**-12, 2.0**-24), (2.0**-13, 2.0 ** (24 - h))
        probes.append(Probe(f"FP16, 2^-{h}", "hopper.wgmma.f16.acc_f16", a, b, 0.0, answers))
    return probes


def _output() -> list[Probe]:
    """What is written: FP16's rounding and bits, too large, and the sign of zero."""
    f16, fp8_f16, bf16 = "hopper.wgmma.f16.acc_f16", "hopper.wgmma.e4m3.acc_f16", "hopper.wgmma.bf16"
    largest = float(np.finfo(np.float32).max)
    small = (16.0, *[2.0**-3] * 31)
    return [
        Probe("FP8 to FP16, bits kept", fp8_f16, small, small, 0, (("13", 256), ("14 or more", 256.5))),
        Probe(
            "FP8 to FP16, a tie",
            fp8_f16,
            (1.0, 2.0**-5),
            (1.0, 2.0**-6),
            0,
            (("to even", 1), ("up", 1 + 2.0**-10)),
        ),
        Probe(
            "FP8 to FP16, above a tie",
            fp8_f16,
            (1.0, 2.0**-5, 2.0**-6),
            (1.0, 2.0**-6, 2.0**-7),
            0,
            (("to nearest", 1 + 2.0**-10), ("cut", 1)),
        ),
        Probe(
            "FP8 to FP16, too large",
            fp8_f16,
            (448.0,),
            (448.0,),
            0,
            (("infinity", math.inf), ("largest", 65504)),
        ),
        Probe(
            "FP16 below 65520",
            f16,
            (256.0,) * 8,
            (32.0,) * 8,
            -17,
            (("to nearest", 65504), ("infinity", math.inf)),
        ),
        Probe("FP16, -2^-26", f16, (-(2.0**-12),), (2.0**-14,), 0, (("+0", 0.0), ("-0", -0.0))),
        Probe(
            "BF16, 2^200", bf16, (2.0**100,), (2.0**100,), 0, (("infinity", math.inf), ("largest", largest))
        ),
        Probe(
            "BF16, 2^128",
            bf16,
            (2.0**64,) * 2,
            (2.0**63,) * 2,
            0,
            (("infinity", math.inf), ("largest", largest)),
        ),
        Probe(
            "BF16, products beyond FP32 that cancel",
            bf16,
            (2.0**100,) * 2,
            (2.0**100, -(2.0**100)),
            0,
            (("aligned as they are", 0), ("infinity first", math.nan), ("infinity", math.inf)),
        ),
        Probe("BF16, -2^-150", bf16, (-BELOW_BF16,), (BELOW_BF16,), 0, (("+0", 0.0), ("-0", -0.0))),
        Probe("C = -0", "hopper.wgmma.e4m3", (0.0,), (0.0,), -0.0, (("+0", 0.0), ("-0", -0.0))),
        Probe("-0 times 1, C = -0", "hopper.wgmma.e4m3", (-0.0,), (1.0,), -0.0, (("+0", 0.0), ("-0", -0.0))),
    ]


def _mma_sync() -> list[Probe]:
    """FP8 through Hopper's mma.sync: giants of 2^30 hide 16 from whatever is aligned with them."""
    giants, unit = ((0, 2.0**15), (1, -(2.0**15))), "hopper.mma.e5m2"
    factors = ((0, 2.0**15), (1, 2.0**15))
    interleaved, in_order = "two halves, k % 4 < 2 first", "two halves, in order of k"
    return [
        Probe(
            "mma.sync, 16 at k = 2",
            unit,
            _at(*giants, (2, 16)),
            _at(*factors, (2, 1)),
            0,
            ((interleaved, 16), (in_order, 0)),
        ),
        Probe(
            "mma.sync, 16 at k = 16",
            unit,
            _at(*giants, (16, 16)),
            _at(*factors, (16, 1)),
            0,
            ((interleaved, 0), (in_order, 16)),
        ),
        Probe(
            "mma.sync, C = 16",
            unit,
            _at(*giants),
            _at(*factors),
            16,
            (("C added late", 16), ("C aligned", 0)),
        ),
        Probe(
            "mma.sync, C = 3 beside 2^24",
            unit,
            _at((0, 4096)),
            _at((0, 4096)),
            3,
            (("added to nearest even", 2**24 + 4), ("cut", 2**24 + 2)),
        ),
    ]


PROBES: tuple[Probe, ...] = (
    *_alignment(),
    *_subnormal_c(),
    *_minimum_exponent(),
    *_output(),
    *_mma_sync(),
)
