"""Questions about arriving, waiting, phases, and what a waiting warp costs the others."""

from hopperlab.course.quizzes import Option, Question, Quiz

BELIEFS = Quiz(
    "beliefs",
    [
        Question(
            "What does arrive do to the thread that says it?",
            [
                Option("Nothing: it goes on at once", "It counts one arrival and gives a token.", right=True),
                Option(
                    "It stops until all have arrived",
                    "That is wait. arrive never blocks (talk-035).",
                    misconception="arrive blocks",
                ),
                Option(
                    "It goes on, but may not write",
                    "It may write. Only what it has handed over must be left alone: others may be reading it.",
                    misconception="an arrived thread may not write",
                ),
            ],
        ),
        Question(
            "Must a thread arrive before it may wait?",
            [
                Option(
                    "No: it need not arrive at all",
                    "Producers may arrive and consumers wait. The count says how many arrivals end a phase, not whose.",
                    right=True,
                ),
                Option(
                    "Yes: its own arrival comes first",
                    "The barrier does not know who arrives. A consumer that never arrives may wait.",
                    misconception="wait needs my own arrival first",
                ),
                Option(
                    "No, but it must arrive afterwards",
                    "It owes no arrival. A phase ends after as many as init was told, whoever makes them.",
                    misconception="whoever waits must arrive",
                ),
            ],
        ),
        Question(
            "try_wait gives false. What now?",
            [
                Option(
                    "Ask again: only its time was up",
                    "It sleeps up to a limit that depends on the system (lit-030). wait is a loop around it.",
                    right=True,
                ),
                Option(
                    "Report an error: a thread is lost",
                    "Nothing is wrong. The phase is not over yet.",
                    misconception="try_wait returning false is an error",
                ),
                Option(
                    "Go on: the phase is as good as over",
                    "The data of the others need not be there.",
                    misconception="a false wait is good enough",
                ),
            ],
        ),
        Question(
            "How many phases does a barrier have?",
            [
                Option(
                    "As many as needed: it has no last one",
                    "Only the current phase and the one before can be asked about, and these differ in one bit "
                    "(lit-026).",
                    right=True,
                ),
                Option(
                    "Two, numbered 0 and 1: it has one bit",
                    "Those are parities. Phase 2 follows phase 1 and has parity 0 again.",
                    misconception="a barrier has two phases",
                ),
                Option(
                    "One: then it is initialized again",
                    "The next phase begins by itself; to initialize a live barrier is undefined (lit-029).",
                    misconception="one phase is enough",
                ),
            ],
        ),
    ],
)

SLEEPING = Quiz(
    "sleeping",
    [
        Question(
            "Forty warps wait on one SM, and eight compute. Does it matter to the eight how the others wait?",
            [
                Option(
                    "Yes: spinning warps take issue slots",
                    "Each look takes instructions, and a sleeping warp does not look. On Hopper waiters sleep where "
                    "they spun before (talk-035). Measured on an H200 SXM: 16 spinning warps slow 16 others by "
                    "21 %, sleeping ones by 2 %.",
                    right=True,
                ),
                Option(
                    "No: a warp that waits costs nothing",
                    "A look that finds nothing costs as much issue as one that does.",
                    misconception="sleeping and spinning cost the other warps the same",
                ),
                Option(
                    "Yes: sleeping warps give up their registers",
                    "They keep them, and their shared memory. Only the scheduler is free of them.",
                    misconception="sleeping frees registers",
                ),
            ],
        ),
        Question(
            "What can a barrier in shared memory do that syncthreads cannot?",
            [
                Option("Let a thread work between arriving and waiting", "This lesson.", right=True),
                Option(
                    "Count some of the block's threads only",
                    "The count is yours to choose. (The numbered barriers of PTX can too, by whole warps; syncthreads "
                    "is one of them, with all threads.)",
                    right=True,
                ),
                Option(
                    "Let other threads arrive than those that wait", "Producers and consumers.", right=True
                ),
                Option(
                    "Make the slowest thread faster",
                    "Nobody is done before the last arrival. What is saved is what others do meanwhile.",
                    misconception="a barrier saves the slowest thread",
                ),
            ],
            several=True,
        ),
    ],
)
