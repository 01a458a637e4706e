"""Two functions to write: the update of a history, and a spike that is harmless beside one that is not."""

import math
from functools import cache

from hopperlab.course.draws import Draw
from hopperlab.course.exercises import Exercise
from hopperlab.course.misconceptions import Misconception
from hopperlab.course.scaling import mutants
from hopperlab.models.scaling import DelayedScaling
from hopperlab.models.scaling.timeline import timeline


def end_of_step(history, scale):
    """History and scale for the next step: delayed scaling, E4M3, largest of the history.

    history: magnitudes, first the one staged in this step, then from the oldest to the
    newest; 0 where nothing was seen yet.
    scale: what tensors were multiplied with so far.
    Give both, the history as a list.
    """
    # your part: next scale from the largest magnitude, if it is usable; then roll, and make room
    largest = max(history)
    if 0 < largest < math.inf:
        scale = 448.0 / largest
    return [0.0, *history[2:], history[0]] if len(history) > 1 else [0.0], scale
    # end of your part


def _history_inputs(draw: Draw) -> tuple:
    seen = [0.0, 0.5, 1.0, 2.0, 3.0, 7.0, 96.0, math.inf]
    return draw.several(lambda: draw.choice(seen), 1, 6), draw.choice([1.0, 2.0, 64.0])


HISTORY = Exercise(
    "history",
    "Write the update at the end of a step: from the history, with this step's magnitude in it, to the next scale.",
    solution=end_of_step,
    inputs=_history_inputs,
    preamble="import math",
    examples=[([3.0, 1.0, 2.0, 0.0], 2.0), ([7.0], 2.0), ([0.0, 0.0], 2.0), ([1.0, math.inf, 2.0], 2.0)],
    hints=[
        "What does the default algorithm take from a history: the newest magnitude or the largest?",
        "448 / 0 and 448 / infinity are no scales. What does the update do then?",
        "The staged magnitude moves from the front to the end, the oldest one falls out, and 0 is staged: "
        "[3, 1, 2, 0] becomes [0, 2, 0, 3].",
    ],
    misconceptions=[
        Misconception(
            "delayed scaling looks at this step's maximum",
            mutants.this_step_only,
            "The largest of the whole history counts, not only what this step staged.",
        ),
        Misconception(
            "an infinite amax makes the scale 0",
            mutants.infinity_divides,
            "A scale of 0 would wipe out the tensor. An amax that is not finite keeps the scale.",
        ),
        Misconception(
            "an infinity is left aside",
            mutants.skips_infinity,
            "Nothing is left out of the maximum: the largest of the history is infinite, and the scale is kept. So one "
            "infinity freezes the scale.",
        ),
        Misconception(
            "the scale divides",
            mutants.upside_down,
            "That is scale_inv. The scale is 448 over the largest magnitude.",
        ),
        Misconception(
            "nothing to roll",
            mutants.never_rolls,
            "The history must move on, or the staged magnitude is overwritten by the next step's.",
        ),
        Misconception(
            "the staged magnitude stays",
            mutants.keeps_staged,
            "The first place is for the next step: set it to 0, or this step counts twice.",
        ),
    ],
    because="The model is `hopperlab.models.scaling.ScaleState.update`, in FP32.",
)


def two_spikes(window):
    """Two factors, powers of two: a spike that delayed scaling survives, and one that it does not.

    window: steps that the recipe remembers.
    In one step all elements of a tensor are so many times larger; E4M3, largest of the
    history. That step is clipped either way. The first factor is 64 or more, and in the
    steps after it less than 5 % of the tensor is lost (root mean square). After the
    second, more than 20 %, for as long as the window remembers it.
    """
    # your part: two powers of two, by the room that E4M3 has below its top before values are flushed
    return 2.0**8, 2.0**17
    # end of your part


STEPS_BEFORE = 12
STEPS_AFTER = 3
LARGEST_SPIKE = 2.0**40


@cache
def error_after(window: int, spike: float) -> float:
    """What is lost in the steps after a spike, at most."""
    recipe = DelayedScaling(history_length=window)
    moments = timeline(recipe, STEPS_BEFORE + 1 + STEPS_AFTER, {STEPS_BEFORE: "spike"}, spike)
    return max(moment.error for moment in moments[-STEPS_AFTER:])


def _judge_spikes(result, window) -> str | None:
    try:
        harmless, harmful = (float(factor) for factor in result)
    except (TypeError, ValueError):
        return "it is not a pair of factors"
    for factor in (harmless, harmful):
        if not (1 <= factor <= LARGEST_SPIKE and math.frexp(factor)[0] == 0.5):
            return f"{factor!r} is no power of two from 1 to 2 ** 40"
    if harmless < 64:
        return f"{harmless:g} is too easy: take 64 or more"
    if error_after(window, harmless) > 0.05:
        return f"after a spike of {harmless:g}, {100 * error_after(window, harmless):.0f} % is lost"
    if error_after(window, harmful) < 0.2:
        return f"after a spike of {harmful:g}, only {100 * error_after(window, harmful):.1f} % is lost"
    return None


SPIKES = Exercise(
    "spikes",
    "Find a spike that delayed scaling survives, and one that it does not.",
    solution=two_spikes,
    inputs=lambda draw: (draw.integer(4, 32),),
    judge=_judge_spikes,
    examples=[(8,), (16,)],
    inputs_tried=6,
    hints=[
        "After the spike the scale is too small by its factor: values sit so many powers of two below the top.",
        "E4M3 has 15 powers of two of full precision, and three more of subnormals. How many of them does a "
        "tensor need for itself?",
        "Move the spike's slider in `lesson.panel('timeline')` and watch the flushed share after it.",
    ],
    misconceptions=[
        Misconception(
            "any spike spoils what follows",
            mutants.timid,
            "A spike of 64 or 256 costs its own step and nothing after it: precision is relative.",
        ),
        Misconception(
            "floating point never runs out",
            mutants.bold,
            "Below 2 ** -9 E4M3 has nothing. A spike that pushes most values there loses them.",
        ),
        Misconception(
            "64 times larger is a disaster",
            mutants.modest,
            "Six powers of two below the top E4M3 is as precise as at the top. Look for a far larger spike.",
        ),
    ],
    because="On normal values the error stays at 2.6 % until the scale is some 2 ** 12 too small (modelled).",
)
