"""Eight printed throughputs: four that an SM can have, and four that it cannot."""

import re
from collections import Counter

from hopperlab import ledger
from hopperlab.course.throughput.recorded import dpx_results, lane_results, seeming
from hopperlab.kernels.throughput.listing import recorded
from hopperlab.models.throughput import FLOP, LANE_RESULTS, WARP_INSTRUCTIONS, ceiling, possible
from hopperlab.models.throughput.units import WARP
from hopperlab.views.throughput import Suspect

ISSUE, INTEGER, DOUBLE, SHUFFLE = 128, 64, 64, 32
"""Lanes: what four warp instructions a clock are; of integers; of FP64; of shuffles."""

ROUNDS = "4,096"
NO_CODE = "not published"


def _in_the_loop(name: str, *wanted: str) -> str:
    """How often each instruction stands between the two looks at the clock."""
    found = Counter(
        kind
        for words in recorded()[name]
        for kind in wanted
        if re.match(rf"(@!?U?P\d+ )?{re.escape(kind)}(\s|$)", words)
    )
    return ", ".join(f"{found[kind]} {kind}" for kind in wanted) + " between the clocks"


def _suspect(
    program: str,
    rate: float,
    counted: str,
    source: str,
    most: float,
    why: str,
    code: str,
    repaired: str,
) -> Suspect:
    return Suspect(
        program=program,
        printed=f"{rate:,.4g} {counted} a clock ({source})"
        if rate < 1e4
        else f"{rate:,.0f} {counted} a clock ({source})",
        ceiling=f"{most:g} ({why})",
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
            ceiling(SHUFFLE, WARP_INSTRUCTIONS),
            "32 lanes",
            _in_the_loop("shuffle", "SHFL.BFLY"),
            whole,
        ),
        _suspect(
            f"FP32 multiply-adds, {ROUNDS} a thread",
            seeming("forgotten") / WARP,
            WARP_INSTRUCTIONS,
            "measured",
            ceiling(ISSUE, WARP_INSTRUCTIONS),
            "issue",
            f"no loop: {len(recorded()['forget'])} instructions between the clocks",
            _measured(fma / WARP, WARP_INSTRUCTIONS, "results stored"),
        ),
        _suspect(
            "INT32 additions of changing numbers",
            lane_results("int32 add"),
            LANE_RESULTS,
            "measured",
            ceiling(ISSUE, LANE_RESULTS),
            "two units",
            _in_the_loop("int32 add", "IADD3", "IMAD.IADD"),
            whole,
        ),
        _suspect(
            f"INT32 additions of one number, {ROUNDS} a thread",
            seeming("added up"),
            LANE_RESULTS,
            "measured",
            ceiling(ISSUE, LANE_RESULTS),
            "two units",
            f"no loop: one {recorded()['add_up'][0].split()[0]}, a shift",
            _measured(lane_results("int32 add"), LANE_RESULTS, "numbers change"),
        ),
        _suspect(
            "FP16 multiply-adds in pairs",
            lane_results("fp16x2 fma"),
            LANE_RESULTS,
            "measured",
            ceiling(ISSUE, LANE_RESULTS, results=2),
            "128 lanes, pairs",
            _in_the_loop("fp16x2 fma", "HFMA2.MMA", "HFMA2"),
            whole,
        ),
        _suspect(
            "FP64 multiply-adds",
            2 * lane_results("fp64 fma"),
            FLOP,
            "measured",
            ceiling(DOUBLE, FLOP, flop=2),
            "64 lanes, 2 FLOP",
            _in_the_loop("fp64 fma", "DFMA"),
            whole,
        ),
        _suspect(
            "__vibmax_s32 in a published log",
            removed,
            LANE_RESULTS,
            "quoted, lit-147.a",
            ceiling(INTEGER, LANE_RESULTS),
            "64 lanes",
            NO_CODE,
            "not measured here; 64 lane results at most (modelled)",
        ),
        _suspect(
            "__vimax_s32_relu in the same log",
            published,
            LANE_RESULTS,
            "quoted, lit-146.a",
            ceiling(INTEGER, LANE_RESULTS),
            "64 lanes",
            NO_CODE,
            _measured(dpx_results("vimax_s32_relu"), LANE_RESULTS, "checked"),
        ),
    )
