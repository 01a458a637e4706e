"""How fast each rung of the ladder is, with cuBLASLt beside it: by rung, by depth, by stages."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from statistics import median
from typing import TYPE_CHECKING, Any

from hopperlab.measure.experiment import Experiment
from hopperlab.measure.rows import Row
from hopperlab.measure.timing import require_work, seconds

if TYPE_CHECKING:
    from hopperlab.device.silicon.card import Card
    from hopperlab.kernels.gemm.ladder import Rung
    from hopperlab.ledger import Recording
    from hopperlab.measure.audit import Comparison
    from hopperlab.measure.progress import Progress

SEED = 11
WARM_UP, REPEATS = 3, 15
CHECKED_ROWS = 48
VALUES = 2**22  # random values that an operand is filled with, over and over
GIB = 2**30
SLACK = 0.02  # a clock above the sheet's

UPPER = ("tensor cores", "specialized", "multicast", "persistent", "FP8")
ALL = ("naive", "shared tiles", "copies ahead", "tensor copies", *UPPER)
ALONE = "persistent, without clusters"
DEEP = ("specialized", "persistent", ALONE)
LIBRARY = "cuBLASLt, "
CASES = [
    {"shape": [4096, 4096, 4096], "rungs": [*ALL, ALONE], "library": ["float32", "bf16", "e4m3"]},
    {"shape": [8192, 8192, 8192], "rungs": [*UPPER, ALONE], "library": ["bf16", "e4m3"]},
    {"shape": [4096, 4096, 4096], "rungs": ["specialized"], "stages": [2, 3, 4], "library": ["bf16"]},
    *({"shape": [4096, 4096, k], "rungs": list(DEEP), "library": ["bf16"]} for k in (256, 1024, 16384)),
]
"""What is timed together, interleaved: some rungs on one product, and the library's own."""


def run(card: Card, progress: Progress) -> list[dict[str, Any]]:
    """Time every case; each kernel has given the right numbers before."""
    return progress.map("products", CASES, lambda case: _time(card, case))


def _time(card: Card, case: dict[str, Any]) -> dict[str, Any]:
    m, n, k = case["shape"]
    launches: dict[str, Callable[[], None]] = {}
    operands = _Operands(m, n, k)
    for name in case["rungs"]:
        rung = _rung(name)
        for stages in case.get("stages", [rung.stages]):
            label = f"{name}, {stages} stages" if "stages" in case else name
            launch = rung.launch(*operands.of(rung.format), stages=stages or None, sms=card.sms)
            launches[label] = launch.run
            operands.check(label, rung.format, launch.run)
    operands.fill_with_noise()
    for fmt in case["library"]:
        launches[LIBRARY + fmt] = _library(*operands.of(fmt), fmt)
    times = seconds(*launches.values(), warm_up=WARM_UP, repeats=REPEATS)
    return {"shape": case["shape"], "seconds": dict(zip(launches, times, strict=True))}


def _rung(name: str) -> Rung:
    from hopperlab.kernels.gemm.ladder import rung
    from hopperlab.kernels.gemm.ladder.persistent import persistent

    if name != ALONE:
        return rung(name)
    alone = lambda size, stages: persistent(size, stages, blocks=1)  # noqa: E731
    return replace(rung("persistent"), name=name, make=alone, cluster=1)


class _Operands:
    """A (M, K), B (N, K) in each format, and D (M, N), on the card: small whole numbers at first."""

    def __init__(self, m: int, n: int, k: int) -> None:
        import numpy as np
        from numba import cuda

        self.shapes = (m, k), (n, k)
        self.d = cuda.device_array((m, n), np.float32)
        self.rows = np.random.default_rng(SEED).choice(m, min(m, CHECKED_ROWS), replace=False)
        self.values = [np.random.default_rng([SEED, i]).integers(-3, 4, VALUES) for i in range(2)]
        self.known: dict[str, Any] = {}

    def of(self, fmt: str) -> tuple[Any, Any, Any]:
        """Give A, B and D in a format: float32, or bytes."""
        from numba import cuda

        if fmt not in self.known:
            self.known[fmt] = tuple(
                cuda.to_device(self._filled(v, s, fmt)) for v, s in zip(self.values, self.shapes, strict=True)
            )
        return *self.known[fmt], self.d

    @staticmethod
    def _filled(values: Any, shape: tuple[int, int], fmt: str) -> Any:
        import ml_dtypes
        import numpy as np

        dtype = {"float32": np.float32, "bf16": ml_dtypes.bfloat16, "e4m3": ml_dtypes.float8_e4m3fn}[fmt]
        array = np.resize(values.astype(np.float32).astype(dtype), shape)
        return array if fmt == "float32" else array.view(np.uint8)

    def check(self, name: str, fmt: str, launch: Callable[[], None]) -> None:
        """Launch, and demand the exact numbers in some rows."""
        import numpy as np

        a, b = (np.resize(v, s).astype(np.float32) for v, s in zip(self.values, self.shapes, strict=True))
        self.d[:] = np.float32(-1)
        launch()
        require_work(name, self.d.copy_to_host()[self.rows], a[self.rows] @ b.T)

    def fill_with_noise(self) -> None:
        """Fill the operands with what draws power as real ones do: normal numbers."""
        import numpy as np

        self.values = [np.random.default_rng([SEED, i]).normal(size=VALUES) for i in range(2)]
        for fmt, arrays in self.known.items():
            for array, values, shape in zip(arrays, self.values, self.shapes, strict=True):
                array.copy_to_device(self._filled(values, shape, fmt))


def _library(a: Any, b: Any, d: Any, fmt: str) -> Callable[[], None]:
    """Give what multiplies by cuBLASLt, through torch, with a float32 result as ours."""
    import torch

    torch.backends.cuda.preferred_blas_library("cublaslt")
    if fmt == "float32":
        a, b = torch.as_tensor(a), torch.as_tensor(b)
        out = torch.empty(d.shape, dtype=torch.float32, device="cuda")
        return lambda: torch.mm(a, b.t(), out=out)
    dtype = torch.bfloat16 if fmt == "bf16" else torch.float8_e4m3fn
    a, b = torch.as_tensor(a).view(dtype), torch.as_tensor(b).view(dtype)
    if fmt == "bf16":
        return lambda: torch.mm(a, b.t(), out_dtype=torch.float32)
    one = torch.ones((), device="cuda")
    return lambda: torch._scaled_mm(
        a, b.t(), scale_a=one, scale_b=one, out_dtype=torch.float32, use_fast_accum=True
    )


def results(samples: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Give for each product the median time of each way, its FLOP/s, and its share of the library's speed.

    Shares are medians of ratios within a round, and only of the library's product in the same format.
    """
    found = []
    for sample in samples:
        m, n, k = sample["shape"]
        medians = {name: median(times) for name, times in sample["seconds"].items()}
        found.append(
            {
                "shape": sample["shape"],
                "median_seconds": medians,
                "flop_per_second": {name: 2 * m * n * k / taken for name, taken in medians.items()},
                "share_of_library": dict(_shares(sample["seconds"])),
            }
        )
    return found


def _shares(times: dict[str, list[float]]) -> Iterator[tuple[str, float]]:
    for name, taken in times.items():
        library = times.get(LIBRARY + format_of(name))
        if library and not name.startswith(LIBRARY):
            yield name, median(theirs / ours for theirs, ours in zip(library, taken, strict=True))


def format_of(name: str) -> str:
    """Give the format that a way multiplies, by its name in the results."""
    if name.startswith(LIBRARY):
        return name.removeprefix(LIBRARY)
    if name == "FP8":
        return "e4m3"
    return "float32" if name in ALL[: len(ALL) - len(UPPER)] else "bf16"


def compare(recordings: Sequence[Recording]) -> Comparison:
    """Hold each rung against its bound, the stages against the model of the ring, and clusters against the talk.

    A rung that is faster than its bound, and a ratio that misses the model, count as mismatches. How far a rung
    stays below its bound is shown, not judged: that is what the lesson is about.
    """
    from hopperlab.measure.audit import Comparison

    rows, beyond, notes = [], 0, []
    for recording in recordings:
        card = recording.card_name
        bounds = list(_bounds(recording.results, card))
        beyond += sum(row.measured > row.modelled * (1 + SLACK) for row in bounds)
        rows += [*bounds, *_ratios(recording.results, card)]
        shares = recording.results[1]["share_of_library"]
        told = ", ".join(f"{name} {share:.2f}" for name, share in shares.items())
        notes.append(f"{card}: of cuBLASLt's speed at {recording.results[1]['shape'][0]} cubed: {told}")
    judged = [row for row in rows if row.tolerance is not None]
    cards = ", ".join(sorted({r.card_name for r in recordings}))
    mismatches = beyond + sum(row.missed for row in judged)
    compared = sum(row.modelled is not None for row in rows)
    return Comparison("gemm_ladder", cards, compared, mismatches, tuple(rows), tuple(notes))


def _bounds(results: Sequence[dict[str, Any]], card: str) -> Iterator[Row]:
    """Each rung of the two cubes, beside the least time that its mechanism allows."""
    from hopperlab.models.gemm import MECHANISMS, flop_per_second

    for found in results[:2]:
        m, n, k = found["shape"]
        for rung in MECHANISMS:
            if rung.name in found["flop_per_second"]:
                yield Row(
                    "gemm",
                    f"{rung.name}, {m} x {n} x {k}",
                    modelled=round(flop_per_second(rung, m, n, k) / 1e12, 2),
                    measured=round(found["flop_per_second"][rung.name] / 1e12, 2),
                    unit="TFLOP/s",
                    card=card,
                    tolerance=0.1 if rung.name == "naive" else None,
                    remark="" if rung.name == "naive" else "modelled is a bound: see what it leaves out",
                )


def _ratios(results: Sequence[dict[str, Any]], card: str) -> Iterator[Row]:
    """What stages and clusters bring, beside the models' and the published ratios."""
    from hopperlab.models.gemm import bound, mechanism

    shape = results[2]["shape"]
    speed = results[2]["flop_per_second"]
    rung = mechanism("specialized")
    least = {stages: bound(replace(rung, stages=stages), *shape) for stages in (2, 3, 4)}
    for few, claim, tolerance in ((2, "lit-131", 0.15), (3, None, 0.05)):
        yield Row(
            "gemm",
            f"specialized, four stages over {few}",
            claim,
            modelled=round(least[few] / least[4], 3),
            measured=round(speed["specialized, 4 stages"] / speed[f"specialized, {few} stages"], 3),
            unit="x",
            card=card,
            tolerance=tolerance,
            remark="quoted: their kernel pipelined over not pipelined" if claim else "",
        )
    large = results[1]["flop_per_second"]
    yield Row(
        "gemm",
        "persistent in clusters of two over without, 8192 cubed",
        "talk-042",
        measured=round(large["persistent"] / large[ALONE], 3),
        card=card,
        scaling="the same SMs and the same clusters",
        remark="the talk speaks of kernels that clusters suit",
    )


GEMM_LADDER = Experiment(
    name="gemm_ladder",
    theme="gemm",
    question="Where does the time of a matrix product go as each mechanism is added?",
    statistic="median of interleaved rounds; shares are medians of ratios within a round",
    claims=("lit-131", "talk-042"),
    parameters={
        "cases": CASES,
        "warm_up": WARM_UP,
        "repeats": REPEATS,
        "operands": "normal numbers; each way was right on whole numbers first",
    },
    run=run,
    results=results,
    compare=compare,
    seconds=90,
    memory_bytes=4 * GIB,
)
