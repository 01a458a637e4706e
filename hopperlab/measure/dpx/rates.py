"""How fast each DPX function is: cycles from one result to the next, and results of an SM in a cycle."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from hopperlab.measure.experiment import Experiment
from hopperlab.measure.patterns import random_words
from hopperlab.measure.timing import require_work
from hopperlab.models.dpx import FUNCTIONS, Function, function_named, results_per_clock

if TYPE_CHECKING:
    import numpy as np

    from hopperlab.device.silicon.card import Card
    from hopperlab.ledger import Recording
    from hopperlab.measure.audit import Comparison, Row
    from hopperlab.measure.progress import Progress

SEED = 142
WARP = 32
THREADS = 1024
CHAINS = 4
REPEATS = 5
FUSED, APART = "fused", "apart"

# Measured on H800 cards, which have the H100's SM: quantities of an SM and a clock carry over.
SAME_SM = "cycles and results a clock of one SM, and it is the same SM"
LATENCY_CLAIMS = {
    "viaddmax_s16x2_relu": "lit-142.a",
    "viaddmax_s32": "lit-144.a",
    "vimax_s32_relu": "lit-146.b",
}
TOLERANCE = 0.07  # of the pipe's lanes: a full SM spends a few of a hundred clocks on its loop
RATE_CLAIMS = {
    "viaddmax_s16x2_relu": "lit-143.a",
    "viaddmax_s32": "lit-144.c",
    "vimax3_s32_relu": "lit-145.a",
    "vimax_s32_relu": "lit-146.a",
}


def run(card: Card, progress: Progress) -> list[dict[str, Any]]:
    """Time chains of every function, and of those that have a twin without DPX, the twin.

    A sample has the cycles of one warp with one chain, and of a full SM with several, for each repeat; in the
    second case the median over the SMs.
    """
    from hopperlab.kernels.dpx.functions import APART as TWINS
    from hopperlab.kernels.dpx.functions import TIMED

    cases = [[name, FUSED] for name in TIMED] + [[name, APART] for name in TWINS]
    return progress.map("functions", cases, lambda case: _time(card, *case))


def _time(card: Card, name: str, how: str) -> dict[str, Any]:
    from hopperlab.kernels.dpx.functions import ROUNDS

    alone = _cycles(function_named(name), how, 1, 1, WARP)
    full = _cycles(function_named(name), how, CHAINS, card.sms, THREADS)
    return {
        "function": name,
        "how": how,
        "applications_of_a_chain": ROUNDS * function_named(name).arguments,
        "cycles_of_a_chain": alone,
        "cycles_of_a_full_sm": full,
    }


def _cycles(function: Function, how: str, chains: int, blocks: int, threads: int) -> list[float]:
    import numpy as np
    from numba import cuda

    from hopperlab.kernels.dpx import functions

    kernel = functions.chains(function.name, chains, apart=how == APART)
    shape = (blocks * threads, chains, function.arguments)
    first = random_words([SEED, chains], threads * chains * function.arguments).view(np.int32)
    values = np.tile(first.reshape(threads, *shape[1:]), (blocks, 1, 1))
    found = []
    for repeat in range(REPEATS + 1):
        device = cuda.to_device(values)
        clocks = cuda.to_device(np.zeros((shape[0], 2), np.uint64))
        kernel[blocks, threads](device, clocks)
        starts, ends = clocks.copy_to_host().reshape(blocks, threads, 2).transpose(2, 0, 1)
        cycles = np.median((ends.max(axis=1) - starts.min(axis=1)).astype(np.int64))
        if repeat == 0:  # the first also loads the instructions; it shows that the work is done
            after = device.copy_to_host()[:threads]
            require_work(function.name, after, rotated(function, values[:threads], functions.ROUNDS))
        else:
            found.append(float(cycles))
    return found


def rotated(function: Function, values: np.ndarray, rounds: int) -> np.ndarray:
    """Give what the rounds make of the values, by the model; see `kernels.dpx.functions.chains`."""
    import numpy as np

    numbers = [np.ascontiguousarray(values[..., i]).view(function.word) for i in range(function.arguments)]
    for _ in range(rounds):
        for i in range(function.arguments):
            numbers[i] = function(*(numbers[(i + j) % function.arguments] for j in range(function.arguments)))
    return np.stack([n.view(np.int32) for n in numbers], axis=-1)


def results(samples: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Give latency and rate of every function, and how many times faster it is than its twin without DPX."""
    from statistics import median

    rows: dict[tuple[str, str], dict[str, float]] = {}
    for one in samples:
        applications = one["applications_of_a_chain"]
        rows[one["function"], one["how"]] = {
            "latency_cycles": round(median(one["cycles_of_a_chain"]) / applications, 3),
            "per_clock_per_sm": round(
                THREADS * CHAINS * applications / median(one["cycles_of_a_full_sm"]), 2
            ),
        }
    return {
        "columns": ["function", "how", "latency_cycles", "results_per_clock_per_sm"],
        "functions": [[*key, *row.values()] for key, row in rows.items()],
        "times_faster_than_apart": {
            name: round(row["per_clock_per_sm"] / rows[name, APART]["per_clock_per_sm"], 2)
            for (name, how), row in rows.items()
            if how == FUSED and (name, APART) in rows
        },
    }


def compare(recordings: Sequence[Recording]) -> Comparison:
    """Hold every fused function against its pipe; set rates and latencies beside those of cards with the same SM."""
    from hopperlab.measure.audit import Comparison, Row

    by_pipe = [row for recording in recordings for row in _by_pipe(recording)]
    rows = list(by_pipe)
    for recording in recordings:
        for name, how, latency, rate in recording.results["functions"]:
            if how != FUSED:
                continue
            for claims, of, measured in ((LATENCY_CLAIMS, "latency", latency), (RATE_CLAIMS, "rate", rate)):
                if name in claims:
                    rows.append(
                        Row(
                            "dpx",
                            f"{of} of {name}",
                            claims[name],
                            measured=measured,
                            card=recording.card_name,
                            scaling=SAME_SM,
                        )
                    )
    cards = ", ".join(sorted({r.card_name for r in recordings}))
    missed = sum(row.missed for row in by_pipe)
    return Comparison("dpx_rates", cards, len(by_pipe), missed, tuple(rows))


def _by_pipe(recording: Recording) -> Iterator[Row]:
    from hopperlab.measure.audit import Row

    for name, how, _, rate in recording.results["functions"]:
        if how == FUSED:
            yield Row(
                "dpx",
                f"{name}, results of an SM",
                modelled=results_per_clock(("VIADDMNMX",)),
                measured=rate,
                unit="results/clk/SM",
                card=recording.card_name,
                tolerance=TOLERANCE,
            )


DPX_RATES = Experiment(
    name="dpx_rates",
    theme="dpx",
    question="How many results of each DPX function does an SM give in a clock, and how many without DPX?",
    statistic="medians over repeats of the cycles from the first clock read to the last",
    parameters={
        "functions": [name for name, function in FUNCTIONS.items() if not function.tells],
        "threads_of_a_full_sm": THREADS,
        "chains_of_a_thread": CHAINS,
        "repeats": REPEATS,
        "seed": SEED,
    },
    claims=(*LATENCY_CLAIMS.values(), *RATE_CLAIMS.values()),
    run=run,
    results=results,
    compare=compare,
    seconds=60,
)
