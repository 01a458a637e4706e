"""Lesson 05, the Transformer Engine: scaling, and training in FP8. Its panels and figures.

from hopperlab.lessons import scaling as lesson
"""

from functools import cache

import numpy as np

from hopperlab import ledger
from hopperlab.chip import chip
from hopperlab.course.report import Report, Table
from hopperlab.course.scaling import LESSON
from hopperlab.course.scaling.predictions import DELAYED, gap_in_percent
from hopperlab.course.scaling.specimens import SPECIMENS, step_tensors
from hopperlab.kernels import fp8 as kernels
from hopperlab.lessons.comparison import compared
from hopperlab.lessons.controls import choice, slider
from hopperlab.lessons.panel import Panel
from hopperlab.measure.experiment import experiments
from hopperlab.measure.training import shipped_runs, text
from hopperlab.models import training
from hopperlab.models.scaling import DelayedScaling
from hopperlab.models.scaling import timeline as follow
from hopperlab.models.training.accumulator import check_step
from hopperlab.models.training.exposure import dot_error, worst_channel_db
from hopperlab.models.training.inference import Calibration, StaticCasts
from hopperlab.views import scaling as views
from hopperlab.views import training as training_views
from hopperlab.views.picture import Picture

predict, commit, reveal = LESSON.predict, LESSON.commit, LESSON.reveal
panel, quiz, summary = LESSON.panel, LESSON.quiz, LESSON.summary
exercise, check, hint, solution = LESSON.exercise, LESSON.check, LESSON.hint, LESSON.solution

kernel = kernels.scale_and_encode("e4m3")
"""The kernel that scales, casts and notes the amax in one pass; `kernel.source()` shows it."""

STEPS = 48
CARD = "H200 SXM"
EVENTS = {
    "nothing": "",
    "a spike": "spike",
    "one infinity": "infinity",
    "one NaN": "not a number",
    "all zeros": "zeros",
}
SHOWN = ("FP32", "FP16", "BF16", DELAYED, "FP8 delayed, all E5M2")


def _timeline(event: str, at: int, spike: int, history: int, algorithm: str, margin: int) -> Picture:
    recipe = DelayedScaling(history_length=history, algorithm=algorithm, margin=margin)
    events = {at: event} if event else {}
    return views.timeline(follow.timeline(recipe, STEPS, events, 2.0**spike), history, events)


def timeline() -> Panel:
    """A tensor under delayed scaling: what befalls it, and how long the recipe remembers."""
    return Panel(
        "scaling.timeline",
        _timeline,
        height=500,
        event=choice("What happens", EVENTS, "spike"),
        at=slider("In step", 4, 40, 20),
        spike=slider("Spike: 2 to the", 1, 20, 6),
        history=slider("History", 1, 40, 8, unit="steps"),
        algorithm=choice("Takes of the history", {"the largest": "max", "the newest": "most_recent"}),
        margin=slider("Margin", 0, 6, 0, unit="powers of two"),
    )


def quiet() -> Picture:
    """The timeline with nothing but drift: how the scale follows."""
    return _timeline("", 0, 0, 8, "max", 0)


def ranges() -> Picture:
    """The tensors of one training step, beside what both formats reach unscaled."""
    return training_views.tensor_ranges(step_tensors())


@cache
def live_run() -> training.Run:
    """One run, made now: delayed scaling, HYBRID, seed 0."""
    return training.train(text(), training.RECIPES[DELAYED])


def curves() -> Picture:
    """The shipped runs, and one made now."""
    run = live_run()
    runs = [shipped_runs()[name] for name in SHOWN]
    return training_views.curves(runs, (f"{DELAYED}, seed 0", run.checkpoints, run.losses))


def gaps() -> Picture:
    """How far every recipe ends from FP32."""
    return training_views.gaps(shipped_runs())


def accumulated() -> Report:
    """One step's products on the modelled tensor core, outside the loop: error of the accumulator alone.

    The same trained network, a batch of 4096: its weight gradients are sums of 4096 terms.
    """
    run = live_run()
    batch = text().batch(np.random.default_rng(7), 4096)
    done = training.step(run.parameters, *batch, run.casts.looking_on())
    rows = []
    for plain, promoted in zip(check_step(done), check_step(done, 128), strict=True):
        rows.append([plain.name, plain.unit, str(plain.k), _percent(plain.error), _percent(promoted.error)])
    header = ["product", "tensor core (modelled)", "K", "one chain", "promoted every 128"]
    return Report(Table(header, rows), "Error: root mean square, as a share of that of the exact sums.")


def _percent(share: float) -> str:
    return f"{100 * share:.2g} %"


def deployed() -> Report:
    """The trained network in inference: FP8 as it is, and INT8 with and without its calibration."""
    run = live_run()
    calibration = Calibration()
    training.validate(run.parameters, text().batch(np.random.default_rng(8), 256), calibration)
    wide = dict.fromkeys(calibration.limits, 448.0)
    small = {name: limit / 4 for name, limit in calibration.limits.items()}
    cases = {
        "each tensor's own (current scaling)": {},
        "calibrated on 256 samples": calibration.limits,
        "448, never calibrated": wide,
        "a quarter of what comes": small,
    }
    exact = training.validate(run.parameters, text().validation, training.Casts(training.RECIPES["FP32"]))
    rows = [["none: FP32", f"{exact:.2f}", f"{exact:.2f}"]]
    for name, limits in cases.items():
        losses = [
            training.validate(run.parameters, text().validation, StaticCasts(fmt, limits))
            for fmt in ("e4m3", "int8")
        ]
        rows.append([name, *(f"{loss:.2f}" for loss in losses)])
    return Report(
        Table(["limit of the activations", "FP8 (E4M3)", "INT8"], rows),
        "Held-out loss in nats a character, modelled, of the network that was trained in FP8 above.",
    )


TERMS = (9, 32, 128, 576, 4096)


def exposure() -> Picture:
    """Error of dot products by length: why a depthwise layer, nine terms a sum, is exposed."""
    errors = {
        "terms of one sign": [dot_error(k, same_sign=True) for k in TERMS],
        "terms of both signs": [dot_error(k, same_sign=False) for k in TERMS],
    }
    return training_views.exposure(TERMS, errors)


def channels() -> Report:
    """Signal to noise of the smallest channel, where channels of one tensor differ in size."""
    octaves = (0, 8, 12, 16, 20)
    cases = (
        ("E4M3", "e4m3", False),
        ("E5M2", "e5m2", False),
        ("INT8", "int8", False),
        ("E4M3 by channel", "e4m3", True),
    )
    rows = [
        [name, *(f"{worst_channel_db(span, fmt, by_channel):.0f} dB" for span in octaves)]
        for name, fmt, by_channel in cases
    ]
    return Report(
        Table(["one scale, largest over smallest channel", *(f"2^{span}" for span in octaves)], rows)
    )


def specimens() -> Panel:
    """Recipes that go wrong, each with its finding."""
    named = {specimen.name: specimen for specimen in SPECIMENS}
    return Panel(
        "scaling.specimens",
        lambda specimen: specimen.picture(),
        height=560,
        specimen=choice("Specimen", named),
    )


def silicon() -> Report:
    """Quoted beside modelled: defaults, announcements, rates."""
    h100, defaults = chip("H100 SXM5"), DelayedScaling()
    ratio = h100.tensor_fp8_flop_per_clock_per_sm / h100.tensor_int8_flop_per_clock_per_sm
    rows = [
        _row("lit-245.a", str(defaults.history_length)),
        _row("lit-245.b", str(defaults.margin)),
        _row("talk-020", f"{ratio:g} (dense peaks)"),
        _row("talk-019", f"this toy alone: {gap_in_percent(DELAYED)[0]:+.1f} % of FP16's loss"),
        _row("talk-080", "no: fixed recipes shipped, see lit-246.a"),
        _row("lit-248.b", "see the specimen: another layer, another number"),
    ]
    return Report(Table(["what", "claim", "quoted", "modelled"], rows))


def _row(id: str, modelled: str) -> list[str]:
    claim = ledger.claim(id)
    return [claim.statement, id, claim.quoted or "stated", modelled]


def audit() -> Report:
    """What of this lesson was measured: the fused cast against three kernels."""
    return compared([experiments()["fp8_fused_cast"]], card=CARD)


LESSON.panels = {"timeline": timeline, "specimens": specimens}
