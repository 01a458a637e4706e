"""What the learner commits before the threads of lesson 08 are shown."""

from hopperlab.course.barriers.work import AFTER, NEEDED, OWN, apart, at_once
from hopperlab.course.guesses import Choice, Number
from hopperlab.course.misconceptions import Misconception
from hopperlab.course.predictions import Prediction
from hopperlab.models.barriers import Mbarrier, Schedule

BLOCK = (
    f"Four threads have {', '.join(map(str, NEEDED))} units of work that the others need, then "
    f"{', '.join(map(str, OWN))} that nobody else needs, then {AFTER[0]} each that need the work of all."
)


def _saved() -> float:
    return at_once().finishes - apart().finishes


SAVED = Prediction(
    "saved",
    f"{BLOCK} First with syncthreads between the first and the second part; then each thread arrives after the first, "
    "does its second part, and waits only then. How many units earlier is the block done?",
    Number("units", low=0, high=16),
    answer=_saved,
    because=lambda saved: (
        f"With syncthreads all wait until {at_once().completes:g} and then do their own part: done at "
        f"{at_once().finishes:g}. Apart, only what is left of the own part at that time still counts: done at "
        f"{apart().finishes:g}, {saved:g} earlier."
    ),
    misconceptions=[
        Misconception(
            "syncthreads is the same thing with another name",
            0,
            "syncthreads arrives and waits in one step, so nothing can lie between. Here something does.",
        ),
        Misconception(
            "all independent work is hidden",
            max(OWN),
            "It hides only behind waiting. A thread that comes late has nothing to hide its own part behind.",
        ),
        Misconception(
            "what is saved is the waiting of all threads",
            lambda guess: guess > max(OWN),
            "Waiting of several threads lies side by side in time; the block is done with its last thread.",
            example=sum(lane.idle for lane in at_once().lanes),
        ),
    ],
)


def _waiters(schedule: Schedule) -> str:
    names = [str(thread) for thread, lane in enumerate(schedule.lanes) if lane.idle > 0]
    return ", ".join(names) or "none"


WHO_WAITS = Prediction(
    "who-waits",
    f"{BLOCK} Arriving and waiting are apart. Which threads ever wait, numbered from 0?",
    Choice(
        {
            "1, 3": "threads 1 and 3",
            "1, 2, 3": "threads 1, 2 and 3: all that arrive before the last one",
            "0, 1, 2, 3": "all four: each one says wait",
            "none": "none: that is what arriving early is for",
        }
    ),
    answer=lambda: _waiters(apart()),
    because=lambda who: (
        f"Thread 0 arrives last, at {apart().completes:g}. A thread waits if it is through with its own part before "
        f"that: threads {who}. Thread 2 is busy until {apart().lanes[2].waits:g} and finds the phase over."
    ),
    misconceptions=[
        Misconception(
            "whoever arrives early waits",
            "1, 2, 3",
            "So it is with syncthreads. Apart, one waits only if the own part ends before the last arrival.",
        ),
        Misconception(
            "a wait always waits",
            "0, 1, 2, 3",
            "A wait for a phase that is over returns at once.",
        ),
        Misconception(
            "arriving early abolishes waiting",
            "none",
            "There must be enough to do meanwhile. Threads 1 and 3 run out of work.",
        ),
    ],
)


FRESH = Prediction(
    "fresh",
    "A fresh barrier, on which nobody has arrived. A thread waits for parity 1. What happens?",
    Choice(
        {
            "sleeps": "it sleeps until the first phase is over",
            "returns": "it goes on at once",
            "second": "it sleeps until the second phase is over",
            "error": "it is an error: there is no such phase yet",
        }
    ),
    answer=lambda: "returns" if Mbarrier(1).test_wait(1) else "sleeps",
    because=lambda _: (
        "The barrier is in phase 0, of parity 0 (lit-026). A wait for parity 1 asks for the phase before it, and "
        "that counts as over. A published latency of an arrival, 34.6 cycles (quoted, lit-119), was measured so: it "
        "never waited."
    ),
    misconceptions=[
        Misconception(
            "a fresh barrier with parity 1 blocks",
            "sleeps",
            "For the first phase one waits with parity 0.",
        ),
        Misconception(
            "parity 1 is the second phase",
            "second",
            "In phase 0 it is the phase before. In phase 1 it is the current one.",
        ),
        Misconception(
            "a wait needs a phase that has begun",
            "error",
            "A wait never fails. That is why a wrong parity is so hard to see.",
        ),
    ],
)
