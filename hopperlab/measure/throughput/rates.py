"""How fast instructions are: cycles from one result to the next, results of an SM in a clock, of the card a second."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import median
from typing import TYPE_CHECKING, Any

from hopperlab.measure.experiment import Experiment

if TYPE_CHECKING:
    import numpy as np

    from hopperlab.device.silicon.card import Card
    from hopperlab.kernels.throughput import Operation
    from hopperlab.ledger import Recording
    from hopperlab.measure.audit import Comparison, Row
    from hopperlab.measure.progress import Progress

SEED = 21
WARP, THREADS = 32, 1024
CHAINS = 4
CHECKED_ROUNDS, ROUNDS, LONG_ROUNDS = 256, 4096, 16384
REPEATS = 5
TOLERANCE = {"fp32": 1e-4, "fp64": 1e-9, "fp16x2": 0.02, "special": 0.02, "conversion": 1e-6}
TOLERANCE_OF_LANES, TOLERANCE_OF_PAIRS = 0.05, 0.12  # packed pairs reach nine tenths of what is published
WARPS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32)
WARP_CASES = [
    [name, chains, warps]
    for name in ("fp32 fma", "fp64 fma", "exp2")
    for chains in (1, 2, 4)
    for warps in WARPS
]
TOLERANCE_OF_MIXES = 0.10  # Little's law, of fewer warps and chains
ADDERS = {"IMAD.IADD": 64, "IADD3": 64}
"""Lanes of the two units that add integers."""

DEAD_CODE = ("forgotten", "added up")


def run(card: Card, progress: Progress) -> dict[str, Any]:
    """Time every operation: one warp with one chain, a full SM with several, and the whole card for longer."""
    from hopperlab.kernels.throughput import OPERATIONS

    return {
        "operations": progress.map("operations", list(OPERATIONS), lambda name: _time(card, name)),
        "warps": progress.map("warps", WARP_CASES, lambda case: [*case, _cycles_of_warps(*case)]),
        "dead_code": progress.map("dead code", list(DEAD_CODE), lambda name: _time_dead_code(card, name)),
    }


def _time(card: Card, name: str) -> dict[str, Any]:
    from hopperlab.kernels.throughput import OPERATIONS

    operation = OPERATIONS[name]
    applications = 2 * ROUNDS
    seconds, mhz = _long(card, operation)
    return {
        "operation": name,
        "results_of_an_application": operation.results,
        "applications_of_a_chain": applications,
        "cycles_of_a_chain": _cycles(operation, 1, 1, WARP),
        "cycles_of_a_full_sm": _cycles(operation, CHAINS, card.sms, THREADS),
        "applications_of_the_card": card.sms * THREADS * CHAINS * 2 * LONG_ROUNDS,
        "seconds_of_the_card": seconds,
        "clock_mhz": mhz,
    }


def _cycles_of_warps(name: str, chains: int, warps: int) -> list[float]:
    from hopperlab.kernels.throughput import OPERATIONS

    return _cycles(OPERATIONS[name], chains, 1, WARP * warps)


def _inputs(operation: Operation, chains: int, threads: int) -> np.ndarray:
    """Give numbers between 0.15 and 0.4, or odd integers, whose products are never 0: (chains, 2, threads)."""
    import numpy as np

    from hopperlab.measure.patterns import random_words

    words = random_words([SEED, chains], chains * 2 * threads).reshape(chains, 2, threads)
    if operation.kind == "fp16x2":
        halves = (words.view(np.uint16) % 512).astype(np.float16) / np.float16(2048) + np.float16(0.15)
        return halves.view(np.uint32)
    if operation.dtype == "uint32":
        return words | np.uint32(1)
    return (words / 2**34 + 0.15).astype(operation.dtype)


def _launch(operation: Operation, chains: int, blocks: int, threads: int) -> tuple[Any, Any, Any]:
    """Give the kernel, its values and room for its clocks."""
    import numpy as np
    from numba import cuda

    from hopperlab.kernels.throughput import chains as kernel_of

    values = np.tile(_inputs(operation, chains, threads), (1, 1, blocks))
    clocks = np.zeros((blocks * threads, 2), np.uint64)
    return kernel_of(operation.name, chains), cuda.to_device(values), cuda.to_device(clocks)


def _cycles(operation: Operation, chains: int, blocks: int, threads: int) -> list[float]:
    """Give, for each repeat, the median over the SMs of the cycles from the first clock to the last."""
    import numpy as np
    from numba import cuda

    kernel, values, clocks = _launch(operation, chains, blocks, threads)
    first = values.copy_to_host()
    found = []
    kernel[blocks, threads](values, clocks, np.int32(CHECKED_ROUNDS))
    _require_results(operation, values.copy_to_host()[..., :threads], first[..., :threads])
    for _ in range(REPEATS):
        values = cuda.to_device(first)
        kernel[blocks, threads](values, clocks, np.int32(ROUNDS))
        starts, ends = clocks.copy_to_host().reshape(blocks, threads, 2).transpose(2, 0, 1).astype(np.int64)
        found.append(float(np.median(ends.max(axis=1) - starts.min(axis=1))))
    return found


def _require_results(operation: Operation, got: np.ndarray, first: np.ndarray) -> None:
    """Refuse a measurement whose results are not what numpy makes of the same numbers."""
    import numpy as np

    from hopperlab.measure.timing import require_work

    if operation.compute is None:
        return
    expected = repeated(operation, first, CHECKED_ROUNDS)
    parts = slice(None) if operation.operands == 2 else slice(0, 1)
    got, expected = got[:, parts], expected[:, parts]
    if operation.kind == "fp16x2":
        got, expected = got.view(np.float16), expected.view(np.float16)
    tolerance = TOLERANCE.get(operation.kind, 0.0)
    with np.errstate(invalid="ignore"):
        near = np.isclose(
            got.astype(np.float64), expected.astype(np.float64), tolerance, 1e-6, equal_nan=True
        )
    require_work(operation.name, near, np.ones_like(near))


def repeated(operation: Operation, values: np.ndarray, rounds: int) -> np.ndarray:
    """Give what `rounds` rounds make of values of shape (chains, 2, threads), by numpy."""
    import numpy as np

    a, b = np.ascontiguousarray(values[:, 0]), np.ascontiguousarray(values[:, 1])
    with np.errstate(all="ignore"):
        for _ in range(rounds):
            if operation.operands == 2:
                a = operation.compute(a, b)
                b = operation.compute(b, a)
            else:
                a = operation.compute(operation.compute(a)).astype(values.dtype)
    return np.stack([a, b], axis=1)


def _long(card: Card, operation: Operation) -> tuple[list[float], float]:
    """Run on the whole card for a while; give the seconds of each repeat, and the clock of the last in MHz."""
    import numpy as np

    from hopperlab.measure.timing import seconds

    kernel, values, clocks = _launch(operation, CHAINS, card.sms, THREADS)
    rounds = np.int32(LONG_ROUNDS)
    taken = seconds(lambda: kernel[card.sms, THREADS](values, clocks, rounds), repeats=REPEATS)[0]
    starts, ends = clocks.copy_to_host().reshape(card.sms, THREADS, 2).transpose(2, 0, 1).astype(np.int64)
    cycles = float(np.median(ends.max(axis=1) - starts.min(axis=1)))
    return taken, round(cycles / taken[-1] / 1e6, 1)


def _time_dead_code(card: Card, name: str) -> dict[str, Any]:
    """Time a kernel whose work the compiler left out, as if it were there."""
    import numpy as np
    from numba import cuda

    from hopperlab.kernels.throughput import add_up, dead_code, forget

    kernel, dtype = {"forgotten": (forget, np.float32), "added up": (add_up, np.uint32)}[name]
    threads = card.sms * THREADS
    values, clocks = (
        cuda.to_device(np.ones(threads, dtype)),
        cuda.to_device(np.zeros((threads, 2), np.uint64)),
    )
    found = []
    for _ in range(REPEATS + 1):
        kernel[card.sms, THREADS](values, clocks)
        starts, ends = clocks.copy_to_host().reshape(card.sms, THREADS, 2).transpose(2, 0, 1).astype(np.int64)
        found.append(float(np.median(ends.max(axis=1) - starts.min(axis=1))))
    return {
        "kernel": name,
        "applications_of_a_thread": dead_code.ROUNDS,
        "cycles_of_a_full_sm": found[1:],
    }


def results(samples: dict[str, Any]) -> dict[str, Any]:
    """Give latency, rate of an SM and rate of the card of every operation; and what dead code seems to reach."""
    rows = []
    for one in samples["operations"]:
        applications, results_of = one["applications_of_a_chain"], one["results_of_an_application"]
        of_an_sm = THREADS * CHAINS * applications * results_of / median(one["cycles_of_a_full_sm"])
        of_the_card = one["applications_of_the_card"] * results_of / median(one["seconds_of_the_card"])
        latency = median(one["cycles_of_a_chain"]) / applications
        rows.append(
            [
                *(one["operation"], round(latency, 2), round(of_an_sm, 2)),
                *(round(of_the_card / 1e12, 3), one["clock_mhz"]),
            ]
        )
    by_warps = [
        [name, chains, warps, round(WARP * warps * chains * 2 * ROUNDS / median(taken), 2)]
        for name, chains, warps, taken in samples["warps"]
    ]
    return {
        "warps": by_warps,
        "columns": [
            *("operation", "latency_cycles", "results_per_clock_per_sm"),
            *("tera_results_per_second", "clock_mhz"),
        ],
        "operations": rows,
        "seeming_results_per_clock_per_sm": {
            one["kernel"]: round(
                THREADS * one["applications_of_a_thread"] / median(one["cycles_of_a_full_sm"]), 1
            )
            for one in samples["dead_code"]
        },
    }


def row_of(recording: Recording, operation: str) -> dict[str, float]:
    """Give an operation's results by column."""
    columns = recording.results["columns"]
    found = next(row for row in recording.results["operations"] if row[0] == operation)
    return dict(zip(columns, found, strict=True))


def compare(recordings: Sequence[Recording]) -> Comparison:
    """Set the rates of an SM beside its lanes, and fewer warps and chains beside Little's law."""
    from hopperlab.measure.audit import Comparison

    rows = [row for recording in recordings for row in _rows(recording)]
    judged = [row for row in rows if row.tolerance is not None]
    compared, missed = len(judged), sum(row.missed for row in judged)
    notes = []
    for recording in recordings:
        off = little_errors(recording)
        compared, missed = compared + len(off), missed + sum(error > TOLERANCE_OF_MIXES for error in off)
        notes.append(
            f"{recording.card_name}: Little's law from a latency and lanes, {len(off)} mixes of warps and chains: "
            f"median error {median(off):.1%}, worst {max(off):.1%}"
        )
    cards = ", ".join(sorted({r.card_name for r in recordings}))
    return Comparison("instruction_rates", cards, compared, missed, tuple(rows), tuple(notes))


def additions() -> float:
    """Lane results of integer additions, from the units that the compiler chose for those of the loop (modelled)."""
    from hopperlab.kernels.throughput.listing import loop
    from hopperlab.models.throughput import of_a_mix

    found = loop("int32 add")
    return of_a_mix({name: found[name] for name in ADDERS}, ADDERS)


def little_errors(recording: Recording) -> list[float]:
    """Give how far the model is from each mix of warps and chains; nothing was fitted but the latency of one."""
    from hopperlab.models.throughput import rate, rate_of

    return [
        abs(rate(rate_of(name), row_of(recording, name)["latency_cycles"], warps, chains) / measured - 1)
        for name, chains, warps, measured in recording.results["warps"]
    ]


def _rows(recording: Recording) -> Iterator[Row]:
    from hopperlab.measure.audit import Row
    from hopperlab.models.throughput import rate_of

    for operation, _, measured, *_ in recording.results["operations"]:
        modelled = additions() if operation == "int32 add" else rate_of(operation)
        yield Row(
            "throughput",
            f"{operation}, results of an SM",
            modelled=None if modelled is None else round(modelled, 1),
            measured=measured,
            unit="results/clk/SM",
            card=recording.card_name,
            tolerance=_tolerance(operation) if modelled is not None else None,
        )


def _tolerance(operation: str) -> float:
    return TOLERANCE_OF_PAIRS if operation.startswith("fp16x2") else TOLERANCE_OF_LANES


INSTRUCTION_RATES = Experiment(
    name="instruction_rates",
    theme="throughput",
    question="How many results of each instruction does an SM give in a clock, how late, and the card a second?",
    statistic="medians over repeats: of a warp's cycles, of the median over SMs of theirs, of the card's seconds",
    parameters={
        "threads_of_a_full_sm": THREADS,
        "chains_of_a_thread": CHAINS,
        "warps": list(WARPS),
        "rounds": [CHECKED_ROUNDS, ROUNDS, LONG_ROUNDS],
        "repeats": REPEATS,
        "seed": SEED,
    },
    run=run,
    results=results,
    compare=compare,
    seconds=15,
    memory_bytes=64 * 2**20,
)
