"""What the learner commits before the amax timeline and the training curves of lesson 05 are shown."""

from statistics import fmean

from hopperlab.course.guesses import Choice, Number
from hopperlab.course.misconceptions import Misconception
from hopperlab.course.predictions import Prediction
from hopperlab.measure.training import shipped_runs
from hopperlab.models.scaling import DelayedScaling

DELAYED = "FP8 delayed, HYBRID"


def _scale_after(*magnitudes: float) -> float:
    state = DelayedScaling().start()
    for magnitude in magnitudes:
        state = state.record(magnitude).update()
    return state.scale


SCALE = Prediction(
    "scale",
    "A tensor is cast to E4M3 under delayed scaling, margin 0. The steps so far had a largest magnitude of 1, 3 "
    "and 2; this step's is 5. What is the tensor multiplied with in this step?",
    Number(low=0, high=1e6, relative_tolerance=0.01),
    answer=lambda: _scale_after(1.0, 3.0, 2.0),
    because=(
        "448 / 3: the largest value of E4M3 over the largest magnitude of the steps before. This step's 5 counts from "
        "the next step on; now everything above 3 is clipped."
    ),
    misconceptions=[
        Misconception(
            "delayed scaling looks at this step's maximum",
            448 / 5,
            "Then the tensor would have to be read twice, once for its maximum. Being a step late is the point.",
        ),
        Misconception(
            "the newest magnitude counts",
            448 / 2,
            'That is the algorithm "most_recent". The default takes the largest of the history.',
        ),
        Misconception(
            "the scale is a power of two",
            128,
            "It was before version 0.13 of Transformer Engine. Now it is any FP32 number.",
        ),
        Misconception(
            "the scale divides",
            3 / 448,
            "That is scale_inv, which undoes it. The tensor is multiplied with 448 / 3.",
        ),
    ],
)


def _scale_after_infinity() -> str:
    recipe = DelayedScaling()
    state = recipe.start().record(2.0).update()
    before, frozen = state.scale, 0
    state = state.record(float("inf")).update()
    while state.scale == before and frozen < 2 * recipe.history_length:
        frozen += 1
        state = state.record(8.0).update()
    return {0: "at once", 1: "one step"}.get(
        frozen, "the window" if frozen == recipe.history_length else "for ever"
    )


INFINITY = Prediction(
    "infinity",
    "One element of a tensor is infinite, in one step. Then all is finite again, and four times as large as "
    "before. History: 1024 steps. What does the scale do?",
    Choice(
        {
            "at once": "it becomes 0, and comes back with the next step",
            "one step": "it stays for one step, then follows the new size",
            "the window": "it stays for 1024 steps, then follows the new size",
            "for ever": "it becomes NaN and stays so",
        }
    ),
    answer=_scale_after_infinity,
    because=(
        "The largest magnitude of the history is infinite for as long as the infinity stays in the window, and an "
        "update from an amax that is not finite keeps the scale. So the tensor is clipped at a quarter of its size "
        "for 1024 steps."
    ),
    misconceptions=[
        Misconception(
            "an infinite amax makes the scale 0",
            "at once",
            "448 / infinity would be 0, and the tensor lost; so the update refuses it and keeps the scale.",
        ),
        Misconception(
            "a bad step is gone with the next",
            "one step",
            "It is still in the history, and the largest of a history with an infinity in it is infinite.",
        ),
        Misconception(
            "the scale breaks for good",
            "for ever",
            "The history forgets: as soon as the infinity leaves the window, the scale is computed anew.",
        ),
    ],
)


def gap_in_percent(recipe: str) -> tuple[float, float]:
    """Held-out loss at the end above FP16's, in % of FP16's: mean of the shipped runs, and its standard error."""
    runs = shipped_runs()
    gap, error = runs[recipe].gap(runs["FP16"])
    loss = fmean(runs["FP16"].final.values())
    return 100 * gap / loss, 100 * error / loss


def _gap_in_words() -> str:
    gap, error = gap_in_percent(DELAYED)
    return (
        f"Modelled: {gap:+.2f} %, with a standard error of {error:.2f} %, over {len(shipped_runs()[DELAYED].losses)} "
        "paired seeds. The talk's 'matches' is about GPT-3 models of 126 million to 22 billion parameters; this toy "
        "can show the mechanism and its own gap, and neither confirm nor refute that."
    )


GAP = Prediction(
    "gap",
    "A small network learns to guess the next character, in FP16 and in FP8 (delayed, HYBRID), many seeds each. By how "
    "much does the mean loss at the end differ?",
    Choice(
        {
            "equal": "not at all: FP8 matches",
            "within 1 %": "by less than 1 % of the loss",
            "1 to 10 %": "by 1 to 10 %",
            "more": "by more: three bits are not enough",
        }
    ),
    answer=lambda: _size(abs(gap_in_percent(DELAYED)[0])),
    because=lambda _: _gap_in_words(),
    misconceptions=[
        Misconception(
            "FP8 equals FP16 in every model",
            "equal",
            "Every rounding is an error, and the losses differ in every seed. A mean difference too small to be shown "
            "is not none.",
        ),
        Misconception(
            "three bits cannot train",
            "more",
            "Rounding errors have both signs and average out over sums and steps, as long as nothing is clipped or "
            "flushed; scaling sees to that. Weights are kept in FP32 and cast for each product.",
        ),
        Misconception(
            "FP8 costs several percent",
            "1 to 10 %",
            "It can, where gradients leave the range. With scaling it does not here.",
        ),
    ],
)


def _size(percent: float) -> str:
    limits = (("equal", 0.001), ("within 1 %", 1), ("1 to 10 %", 10), ("more", float("inf")))
    return next(name for name, limit in limits if percent < limit)
