"""The model of two players, and of additions, against the recordings."""

from collections.abc import Iterator, Sequence

from hopperlab import ledger
from hopperlab.ledger import Recording
from hopperlab.measure.audit import Row
from hopperlab.models import atomics as model

TOLERANCE = 0.05
ELSEWHERE = "the pause was fitted to the L2 cache; what else delays players here is not known"
TWO_LIMITS = "the model knows an SM's limit and the card's, and nothing that some SMs share"
WELL_LIMITED = ("one word", "a line for each thread")
"""Where threads add so that the two limits are all there is, as far as was measured."""


def hand_offs(recording: Recording) -> Iterator[Row]:
    """Rows for hand-offs by place and distance; those that the pause was not fitted to test the model."""
    near, far = model.NEAR_CYCLES, model.FAR_CYCLES
    for sides in ledger.recordings("l2_map", card=recording.card_name):
        both_near, mixed, both_far = _by_distance(recording, sides.results["sides"])
        fitted = "the pause was fitted to it"
        yield _hand_off(recording, "both near to the word", both_near, (near, near), no_test=fitted)
        yield _hand_off(recording, "one near, one far", mixed, (near, far), tolerance=TOLERANCE)
        yield _hand_off(recording, "both far", both_far, (far, far), tolerance=TOLERANCE)
    found = recording.results["hand_off_cycles"]
    for place, trip in (
        ("cluster, the word with the first player", model.CLUSTER_CYCLES),
        ("shared, two warps", model.SHARED_CYCLES),
        ("shared, two threads of a warp", model.SHARED_CYCLES),
    ):
        yield _hand_off(recording, place, found[place], (trip, trip), remark=ELSEWHERE)


def _by_distance(recording: Recording, sides: Sequence[Sequence[int]]) -> tuple[float, float, float]:
    """Median cycles of a hand-off of two near SMs, of a near and a far one, and of two far ones."""
    from hopperlab.measure.atomics.hand_off import by_sides, pair_matrix

    found = by_sides(pair_matrix(recording.samples), sides)
    home, other = sorted((0, 1), key=lambda side: found[side, side])
    return found[home, home], found[0, 1], found[other, other]


def _hand_off(
    recording: Recording, where: str, cycles: float, trips: tuple[float, float], **more: object
) -> Row:
    modelled = round(model.hand_off_cycles(*trips), 1)
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
    """For each way of choosing words, the point between the fitted ends that the model misses most."""
    for spread in model.ADDITIONS:
        between = [(sms, rate) for name, sms, rate in recording.results["global"] if name == spread][1:-1]
        sms, rate = max(
            between, key=lambda point: abs(model.additions_per_clock(spread, point[0]) / point[1] - 1)
        )
        judged = {"tolerance": TOLERANCE} if spread in WELL_LIMITED else {"remark": TWO_LIMITS}
        yield Row(
            "atomics",
            f"additions, {spread}, {sms} SMs: the worst of {len(between)}",
            modelled=round(model.additions_per_clock(spread, sms), 3),
            measured=rate,
            unit="results/clk",
            card=recording.card_name,
            **judged,
        )
