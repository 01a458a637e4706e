"""Why a barrier is waited for in vain: the mistake behind it, told from the barrier's history."""

from __future__ import annotations

from typing import Any

from hopperlab.device.simulator.barriers import Waiting


def cause_of_waiting(waiting: Waiting, thread: Any) -> tuple[str, str] | None:
    """Name the mistake behind a wait that never ends, and its cure; None where it is not a barrier's."""
    barrier, model = waiting.barrier, waiting.barrier.model
    here = barrier.history[-1]
    if model.pending_arrivals == 0:
        return _about_bytes(model.pending_tx, here)
    waits = barrier.waits.get(thread, [])
    if model.phase - (waits[-1][1] if waits else 0) >= 2:
        return (
            "wait two phases late",
            "Wait for every phase before the next but one has completed: the parity tells the current phase from the "
            "last, and no more.",
        )
    if not waits and model.phase and not here.arrivals:
        return (
            "parity off by one",
            f"Wait for parity {1 - waiting.parity} first: that phase has completed, and nobody waited for it.",
        )
    if waits and waits[-1][0] == waiting.parity:
        return (
            "parity off by one",
            "Change the parity once each time that the barrier comes round, and only then.",
        )
    others = [
        t for t in barrier.world.resident_threads()
        if isinstance(t.waits_for, Waiting) and t.waits_for.barrier is not barrier
    ]  # fmt: skip
    if others and model.phase == 0 and not here.arrivals:
        return (
            "producer starts on the wrong phase",
            "Let the producer wait for parity 1 on the first lap: a fresh barrier answers it at once, since an empty "
            "buffer needs nobody to empty it.",
        )
    if here.landed > here.expected and not here.arrivals:
        return (
            "expect_tx forgotten",
            "Say mbarrier.arrive_expect_tx with the copy's bytes: bytes are no arrivals.",
        )
    return (
        "wrong arrival count",
        "Initialize the barrier for as many arrivals as there are in each phase; lanes that do not arrive do not "
        "count.",
    )


def _about_bytes(pending: int, here: Any) -> tuple[str, str]:
    if pending > 0:
        return (
            "expect_tx too large",
            "Expect as many bytes as are copied in the phase: every byte of the box counts.",
        )
    if here.expected:
        return "expect_tx too small", "Expect all the bytes that are copied in the phase."
    return (
        "expect_tx forgotten",
        "Say mbarrier.arrive_expect_tx with the copy's bytes instead of mbarrier.arrive.",
    )
