"""Two ways to lose what one has: a value rounded twice, and a sum that stands still."""

import numpy as np

from hopperlab.course.fp8.sums import all_ones, ones_on
from hopperlab.course.specimens import Specimen
from hopperlab.models import fp8
from hopperlab.views.fp8 import number_line
from hopperlab.views.tensorcore import accumulator

JUST_ABOVE_A_TIE = 1.0625 + 2.0**-13


def _rounded_twice() -> str:
    once = fp8.explain(JUST_ABOVE_A_TIE, "e4m3").result.value
    twice = fp8.explain(float(np.float16(JUST_ABOVE_A_TIE)), "e4m3").result.value
    wide = float(fp8.decode(fp8.encode(np.float32(-431.99999999999994), "e4m3"), "e4m3"))
    exact = fp8.explain(-431.99999999999994, "e4m3").result.value
    return (
        f"{JUST_ABOVE_A_TIE:.10g} cast once gives {once:g}; through FP16 it gives {twice:g}, because FP16 puts it on "
        f"the tie 1.0625. From FP64 by way of FP32, -431.99999999999994 gives {wide:g} instead of {exact:g}"
    )


def _stalled() -> str:
    sums = ", ".join(f"{all_ones(k):.0f} at K = {k}" for k in (8192, 16384, 32768, 65536))
    promoted = f"{all_ones(65536, promote_every=128):.0f}"
    return f"a dot product of ones gives {sums}; promoted every 128 terms, the last is {promoted}"


SPECIMENS = (
    Specimen(
        "Double rounding",
        "A value just above a tie is cast to FP16 and then to E4M3.",
        lambda: _rounded_twice() + ".",
        "Cast once, from the widest type at hand. `encode` does so for FP64 too.",
        lambda: number_line(JUST_ABOVE_A_TIE),
    ),
    Specimen(
        "A sum that stalls at 16,384",
        "Ones are summed by wgmma with fast accumulation, in one chain.",
        lambda: _stalled() + ".",
        "Promote: every 128 elements of K, add the sum so far to an FP32 total on ordinary lanes and start anew.",
        lambda: accumulator(ones_on(16384.0)),
    ),
)
