"""Three functions to write: where to arrive and wait, how long each thread waits, and the parity of a ring."""

from hopperlab.course.barriers import mutants
from hopperlab.course.draws import Draw
from hopperlab.course.exercises import Exercise
from hopperlab.course.misconceptions import Misconception
from hopperlab.models.barriers import arrive_then_wait, ring_parity, ring_stage

KINDS = ("own", "needed", "needs all")


def arrive_and_wait_places(tasks):
    """Where in a thread's tasks to arrive and where to wait, for the most overlap.

    tasks: in order, each "needed" (others need its result), "own" (nobody else does) or
    "needs all" (it reads what the others made). All "needed" come before all "needs all".
    Give (a, w): arrive before task number a, wait before task number w, counted from 0;
    len(tasks) is the end. Arrive as early, and wait as late, as is right.
    """
    arrive, wait = 0, len(tasks)
    for place, task in enumerate(tasks):
        # your part: what this task says about the two places
        if task == "needed":
            arrive = place + 1
        elif task == "needs all" and wait == len(tasks):
            wait = place
        # end of your part
    return arrive, wait


def _tasks(draw: Draw) -> tuple:
    before = draw.several(lambda: draw.choice(KINDS[:2]), 0, 5)
    after = draw.several(lambda: draw.choice((KINDS[0], KINDS[2])), 0, 5)
    return (before + after,)


def _right_places(tasks):
    needed = [place for place, task in enumerate(tasks) if task == "needed"]
    reading = [place for place, task in enumerate(tasks) if task == "needs all"]
    return (needed[-1] + 1 if needed else 0), (reading[0] if reading else len(tasks))


PLACE = Exercise(
    "place",
    "A stencil: each thread makes an edge that its neighbor needs, works on its inside, and reads the neighbor's edge. "
    "Where does it arrive, and where does it wait?",
    solution=arrive_and_wait_places,
    inputs=_tasks,
    right=_right_places,
    examples=[
        (["needed", "own", "own", "needs all"],),
        (["own", "needed", "own", "needed", "own", "needs all", "own"],),
        (["own", "own"],),
    ],
    hints=[
        "To arrive promises: what others need from me is done. To wait asks: is theirs?",
        "The promise can be made right after the last task that is needed; the question must be asked before the first "
        "task that needs all.",
        "Keep `arrive` one behind the last needed task seen so far. Set `wait` at the first task that needs all, and "
        "never again.",
    ],
    misconceptions=[
        Misconception(
            "arrive and wait belong together",
            mutants.wait_at_once,
            "That is right, and is syncthreads: what lies between the two places is all that can be gained.",
        ),
        Misconception(
            "arriving can wait",
            mutants.arrive_late,
            "Others sleep until you arrive. Arrive as soon as what they need is there.",
        ),
        Misconception(
            "an arrival only says that I am here",
            mutants.arrive_at_the_start,
            "It says that your edge is ready. Readers let in before that read what is not there.",
        ),
        Misconception(
            "one may wait when all is done",
            mutants.wait_at_the_end,
            "Then a task that reads the others' work runs before it may.",
        ),
        Misconception(
            "the first result is enough",
            mutants.after_the_first,
            "All that others read must be written before the arrival.",
        ),
    ],
    because="The kernel `share_apart` arrives and waits at these places.",
)


def waiting_times(needed, own):
    """How long each thread waits when it arrives after its needed work and waits after its own.

    needed, own: for each thread, units of work, one thread at least. The barrier itself
    costs nothing.
    """
    waits = []
    last = max(needed)  # the phase ends with the last arrival
    for work, free in zip(needed, own, strict=True):
        # your part: from when to when this thread waits
        waits.append(max(0, last - (work + free)))
        # end of your part
    return waits


def _right_waiting(needed, own):
    return [lane.idle for lane in arrive_then_wait(needed, own).lanes]


def _work(draw: Draw) -> tuple:
    threads = draw.several(lambda: (draw.integer(0, 12), draw.integer(0, 8)), 1, 5)
    return [needed for needed, _ in threads], [own for _, own in threads]


WAITING = Exercise(
    "waiting",
    "How long does each thread sleep? The answer tells how much work there is to move between arriving and waiting.",
    solution=waiting_times,
    inputs=_work,
    right=_right_waiting,
    examples=[([8, 2, 5, 3], [2, 4, 6, 4]), ([1], [0]), ([4, 0], [0, 9])],
    hints=[
        "A thread begins to wait when its needed and its own work are done.",
        "It may go on when the phase is over: with the last arrival, which is after needed work only.",
        "If the phase is over before the thread asks, it waits for no time: never less.",
    ],
    misconceptions=[
        Misconception(
            "waiting begins with arriving",
            mutants.as_syncthreads,
            "So it is with syncthreads. Here a thread does its own work first.",
        ),
        Misconception(
            "a phase ends when all are through",
            mutants.for_everything,
            "It ends with the last arrival. What a thread does after arriving keeps nobody waiting.",
        ),
        Misconception(
            "time can be given back",
            mutants.may_be_negative,
            "A thread that is late finds the phase over and goes on: it waits 0, not less.",
        ),
        Misconception(
            "the first arrival is enough",
            mutants.until_the_first,
            "The phase needs all its arrivals.",
        ),
    ],
    because="The model is `hopperlab.models.barriers.arrive_then_wait`.",
)


def stage_and_parity(iteration, stages):
    """The stage of a ring that an iteration uses, and the parity for which its reader waits.

    iteration: from 0. stages: buffers of the ring; each has a barrier of its own, fresh
    at first, and one phase of it ends in each lap.
    """
    # your part: where in the ring, and in which lap
    return iteration % stages, iteration // stages % 2
    # end of your part


PARITY = Exercise(
    "parity",
    "One bit is enough to name the current phase. Which, at iteration i of a ring of S buffers?",
    solution=stage_and_parity,
    inputs=lambda draw: (draw.integer(0, 40), draw.integer(1, 6)),
    right=lambda iteration, stages: (ring_stage(iteration, stages), ring_parity(iteration, stages)),
    examples=[(0, 3), (3, 3), (7, 2), (12, 3)],
    hints=[
        "Write down ring positions for S = 3: 0 1 2, 0 1 2, 0 1 2. Each row is a lap.",
        "Each barrier goes through one phase a lap, so its phase is the lap's number.",
        "The parity is the lowest bit of the lap: lap % 2. The stage is what is left of the iteration within the lap.",
    ],
    misconceptions=[
        Misconception(
            "the parity changes with every iteration",
            mutants.every_iteration,
            "Each stage has its own barrier; the iterations between use other ones.",
        ),
        Misconception("each stage has its parity", mutants.by_stage, "Its phase moves on in each lap."),
        Misconception(
            "one phase is enough",
            mutants.always_zero,
            "On the second lap the first phase is over already: the reader would not wait for its data.",
        ),
        Misconception(
            "a reader starts with parity 1",
            mutants.starts_with_one,
            "On a fresh barrier parity 1 is over at once, and nothing has landed. Readers start with 0.",
        ),
        Misconception(
            "the parity is the lap", mutants.the_lap, "A parity is one bit: on lap 2 it is 0 again."
        ),
    ],
    because="The model is `hopperlab.models.barriers.ring_parity`.",
)
