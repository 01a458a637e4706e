"""A simulated run, stepped: forward, back, played, and from each step to its cause, in any of five views.

stepped("halo", kernel.simulate(4, 128, arguments, cluster=4, trace="accesses"))
"""

from collections.abc import Callable
from functools import partial

import ipywidgets as widgets

from hopperlab.device.simulator.run import Run
from hopperlab.lessons.controls import choice, slider, stepper
from hopperlab.lessons.panel import Panel
from hopperlab.views import trace as views
from hopperlab.views.barriers import barriers_of
from hopperlab.views.picture import Picture

HEIGHT = 520
SMS, THREADS, BARRIER, SHARED, BYTES = "SMs", "Threads", "Barrier", "Shared memory", "Byte flow"
OF_THE_GRID = {SMS: views.sm_chart, THREADS: views.thread_lanes, BYTES: views.byte_flow}
OF_A_BLOCK = {BARRIER: views.barrier_strip, SHARED: views.shared_map}


def stepped(name: str, run: Run, view: str = THREADS, step: int = 0, height: int = HEIGHT) -> Panel:
    """A panel that steps over the recorded trace of a run; nothing runs again.

    Parameters
    ----------
    name
        Making a panel of the same name again closes this one.
    run
        With its trace; `trace="accesses"` shows what threads read and write, too.
    view
        Which view comes first: SMs, Threads, Barrier, Shared memory or Byte flow.
    step
        Where to begin; -1 is the last step, -2 the one before.
    height
        Room kept for the picture, in pixels.

    Raises
    ------
    ValueError
        If the run has no trace, or the view or step is none of its own.
    """
    if run.trace is None:
        raise ValueError(f"{run.kernel} was simulated without a trace: simulate it with trace=True")
    steps = views.Steps(run.trace)
    offered = _views(run)
    if view not in offered:
        raise ValueError(f"view={view!r}: this run has {', '.join(offered)}")
    begin = step + len(steps) if step < 0 else step
    controls = {"view": choice("View", offered, view)}
    blocks = len(steps.stays)
    if blocks > 1 and any(kind in OF_A_BLOCK for kind in offered):
        controls["block"] = slider("Block (of barrier and shared memory)", 0, blocks - 1, 0)
        _show_where_it_matters(controls["view"], controls["block"])
    controls["step"] = stepper("Step", steps.last, begin, partial(views.cause_place, steps))
    return Panel(name, _drawing(steps), height, **controls)


def _show_where_it_matters(view: widgets.RadioButtons, block: widgets.IntSlider) -> None:
    """Hide the block's slider where the view is of the whole grid."""

    def show(_: object = None) -> None:
        block.layout.display = None if view.value in OF_A_BLOCK else "none"

    view.observe(show, "value")
    show()


def _views(run: Run) -> list[str]:
    """The views that have something to show."""
    trace = run.trace
    kinds = [SMS, THREADS]
    kinds += [BARRIER] * bool(barriers_of(trace))
    kinds += [SHARED] * bool(trace.of("declare"))
    return [*kinds, *[BYTES] * (trace.accesses or bool(trace.of("issue")))]


def _drawing(steps: views.Steps) -> Callable[..., Picture]:
    def draw(view: str, step: int, block: int = 0) -> Picture:
        if view in OF_A_BLOCK:
            return OF_A_BLOCK[view](steps, step, block)
        return OF_THE_GRID[view](steps, step)

    return draw
