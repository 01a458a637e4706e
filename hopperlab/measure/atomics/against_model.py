"""The model of two players, and of additions, against the recordings."""

from collections.abc import Iterator, Sequence

from hopperlab import ledger
from hopperlab.ledger import Recording
from hopperlab.measure.audit import Row
from hopperlab.models import atomics as model

TOLERANCE = 0.05
OWN_MEMORY_TOLERANCE = 0.10  # of an SM's own shared memory, by the pause of a cluster's
FEW_AT_A_LINE = "why the place of one line answers few SMs more slowly than many is not known"
ADDITIONS_TOLERANCE = {"one word": 0.05, "a word for each thread": 0.15, "a line for each thread": 0.05}
"""By where threads add; the rates of a word for each thread differ by as much from launch to launch."""


def hand_offs(recording: Recording) -> Iterator[Row]:
    """Rows for hand-offs by place and distance; those that the pause was not fitted to test the model."""
    near, far, fitted = model.NEAR_CYCLES, model.FAR_CYCLES, "the pause was fitted to it"
    for sides in ledger.recordings("l2_map", card=recording.card_name):
        both_near, mixed, both_far = _by_distance(recording, sides.results["sides"])
        yield _hand_off(recording, "both near to the word", both_near, (near, near), no_test=fitted)
        yield _hand_off(recording, "one near, one far", mixed, (near, far), tolerance=TOLERANCE)
        yield _hand_off(recording, "both far", both_far, (far, far), tolerance=TOLERANCE)
    found, pause = recording.results["hand_off_cycles"], model.PAUSE_IN_SHARED_CYCLES
    for place, trip, judged in (
        ("cluster, the word with the first player", model.CLUSTER_CYCLES, {"no_test": fitted}),
        ("cluster, the word with the second player", model.CLUSTER_CYCLES, {"tolerance": TOLERANCE}),
        ("cluster, the word with a third block", model.CLUSTER_CYCLES, {"tolerance": TOLERANCE}),
        ("shared, two warps", model.SHARED_CYCLES, {"tolerance": OWN_MEMORY_TOLERANCE}),
    ):
        yield _hand_off(recording, place, found[place], (trip, trip), pause, **judged)


def _by_distance(recording: Recording, sides: Sequence[Sequence[int]]) -> tuple[float, float, float]:
    """Median cycles of a hand-off of two near SMs, of a near and a far one, and of two far ones."""
    from hopperlab.measure.atomics.hand_off import by_sides, pair_matrix

    found = by_sides(pair_matrix(recording.samples), sides)
    home, other = sorted((0, 1), key=lambda side: found[side, side])
    return found[home, home], found[0, 1], found[other, other]


def _hand_off(
    recording: Recording,
    where: str,
    cycles: float,
    trips: tuple[float, float],
    pause: float = model.PAUSE_CYCLES,
    **more: object,
) -> Row:
    modelled = round(model.hand_off_cycles(*trips, pause), 1)
    return Row(
        "atomics",
        f"hand-off, {where}",
        modelled=modelled,
        measured=cycles,
        unit="cycles",
        card=recording.card_name,
        **more,
    )


def additions(recording: Recording) -> Iterator[Row]:
    """For each way of choosing words, of the points that the model was not fitted to the one that it misses most."""
    for spread, limits in model.ADDITIONS.items():
        between = [
            (sms, rate)
            for name, sms, rate in recording.results["global"]
            if name == spread and sms not in limits.fitted
        ]
        sms, rate = max(
            between, key=lambda point: abs(model.additions_per_clock(spread, point[0]) / point[1] - 1)
        )
        allowed = ADDITIONS_TOLERANCE.get(spread)
        judged = {"tolerance": allowed} if allowed else {"remark": FEW_AT_A_LINE}
        yield Row(
            "atomics",
            f"additions, {spread}, {sms} SMs: the worst of {len(between)}",
            modelled=round(model.additions_per_clock(spread, sms), 3),
            measured=rate,
            unit="results/clk",
            card=recording.card_name,
            **judged,
        )
