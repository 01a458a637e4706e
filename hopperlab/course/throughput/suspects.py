"""Eight printed throughputs: four that an SM can have, and four that it cannot."""

from hopperlab import ledger
from hopperlab.course.throughput.recorded import dpx_results, lane_results, seeming
from hopperlab.kernels.throughput.listing import loop, recorded
from hopperlab.models.throughput import FLOP, LANE_RESULTS, WARP_INSTRUCTIONS, ceiling, possible
from hopperlab.models.throughput.units import WARP
from hopperlab.views.throughput import Suspect

ISSUE, INTEGER, DOUBLE, SHUFFLE = 128, 64, 64, 32
"""Lanes: what four warp instructions a clock are; of integers; of FP64; of shuffles."""

NO_CODE = "not published"


def _in_the_loop(name: str, *wanted: str) -> str:
    """How often each instruction stands in the loop, as the compiler unrolled it."""
    found = loop(name)
    return ", ".join(f"{found[kind]} {kind}" for kind in wanted) + " in the loop"


def _suspect(
    program: str,
    rate: float,
    counted: str,
    source: str,
    unit: str,
    most: float,
    code: str,
    repaired: str,
) -> Suspect:
    return Suspect(
        program=program,
        printed=f"{rate:{',.0f' if rate >= 1000 else '.4g'}} {counted} a clock ({source})",
        unit=unit,
        ceiling=f"{most:g}",
        share=rate / most,
        possible=possible(rate, most),
        code=code,
        repaired=repaired,
    )


def _measured(rate: float, counted: str, why: str) -> str:
    return f"{rate:.4g} {counted}: {why} (measured)"


def suspects() -> tuple[Suspect, ...]:
    """Give the eight, in the order in which the learner sees them; rates are of an SM of one H200, or quoted."""
    published, removed = ledger.claim("lit-146.a").number, ledger.claim("lit-147.a").number
    fma = lane_results("fp32 fma")
    whole = "as printed"
    return (
        _suspect(
            "shuffles",
            lane_results("shuffle") / WARP,
            WARP_INSTRUCTIONS,
            "measured",
            "32 lanes",
            ceiling(SHUFFLE, WARP_INSTRUCTIONS),
            _in_the_loop("shuffle", "SHFL.BFLY"),
            whole,
        ),
        _suspect(
            "FP32 multiply-adds",
            seeming("forgotten") / WARP,
            WARP_INSTRUCTIONS,
            "measured",
            "128 lanes, all that can be issued",
            ceiling(ISSUE, WARP_INSTRUCTIONS),
            f"no loop: {len(recorded()['forget'])} instructions between the clocks",
            _measured(fma / WARP, WARP_INSTRUCTIONS, "results stored"),
        ),
        _suspect(
            "INT32 additions of two numbers in turn",
            lane_results("int32 add"),
            LANE_RESULTS,
            "measured",
            "64 integer lanes, and 64 that multiply and add",
            ceiling(ISSUE, LANE_RESULTS),
            _in_the_loop("int32 add", "IADD3", "IMAD.IADD"),
            whole,
        ),
        _suspect(
            "INT32 additions of one number, again and again",
            seeming("added up"),
            LANE_RESULTS,
            "measured",
            "64 integer lanes, and 64 that multiply and add",
            ceiling(ISSUE, LANE_RESULTS),
            f"no loop: one {recorded()['add_up'][0].split()[0]}, a shift",
            _measured(lane_results("int32 add"), LANE_RESULTS, "numbers change"),
        ),
        _suspect(
            "FP16 multiply-adds in pairs",
            lane_results("fp16x2 fma"),
            LANE_RESULTS,
            "measured",
            "128 lanes, two results each",
            ceiling(ISSUE, LANE_RESULTS, results=2),
            _in_the_loop("fp16x2 fma", "HFMA2.MMA", "HFMA2"),
            whole,
        ),
        _suspect(
            "FP64 multiply-adds",
            2 * lane_results("fp64 fma"),
            FLOP,
            "measured",
            "64 lanes, two FLOP each",
            ceiling(DOUBLE, FLOP, flop=2),
            _in_the_loop("fp64 fma", "DFMA"),
            whole,
        ),
        _suspect(
            "__vibmax_s32: the larger, and which one it was",
            removed,
            LANE_RESULTS,
            "quoted, lit-147.a",
            "64 integer lanes",
            ceiling(INTEGER, LANE_RESULTS),
            NO_CODE,
            "not measured here; 64 lane results at most (modelled)",
        ),
        _suspect(
            "__vimax_s32_relu: the larger, or 0",
            published,
            LANE_RESULTS,
            "quoted, lit-146.a",
            "64 integer lanes",
            ceiling(INTEGER, LANE_RESULTS),
            NO_CODE,
            _measured(dpx_results("vimax_s32_relu"), LANE_RESULTS, "checked"),
        ),
    )
