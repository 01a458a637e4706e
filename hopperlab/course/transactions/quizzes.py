"""Questions about what a transaction barrier knows, and about rings."""

from hopperlab.course.quizzes import Option, Question, Quiz

BELIEFS = Quiz(
    "beliefs",
    [
        Question(
            "A thread says expect_tx(96). What does that do to the thread?",
            [
                Option(
                    "Nothing: it goes on at once", "Only a wait waits. expect_tx adds to a count.", right=True
                ),
                Option(
                    "It waits until 96 bytes have come",
                    "It announces. Who wants to know that they came says wait.",
                    misconception="expect_tx waits",
                ),
                Option(
                    "It has arrived as well",
                    "expect_tx is no arrival; arrive_expect_tx is both.",
                    misconception="expect_tx arrives",
                ),
            ],
        ),
        Question(
            "Three blocks have sent their edges. What does the consumer's barrier know?",
            [
                Option(
                    "How many bytes are missing",
                    "That, arrivals missing, and the phase. No more.",
                    right=True,
                ),
                Option(
                    "Which of the blocks have sent",
                    "It has no place to note it. Two blocks may even make up for each other's bytes.",
                    misconception="the barrier knows who sent",
                ),
                Option(
                    "That three messages came: three arrivals",
                    "Bytes are counted apart from arrivals. The one arrival is the consumer's own.",
                    misconception="bytes count as arrivals",
                ),
            ],
        ),
        Question(
            "A warp issues a copy for its block. All 32 lanes run the code; the barrier was initialized with 1. Who "
            "must arrive?",
            [
                Option(
                    "One lane, which is chosen first",
                    "An arrival is counted for each thread that says it. One lane is elected, and the count is 1.",
                    right=True,
                ),
                Option(
                    "Each of the 32 lanes, by itself",
                    "The count is 1: the first arrival is all that the phase takes. The others are too many for it, or "
                    "end phases to come. The question was asked of DeepEP (#293).",
                    misconception="each of 32 lanes must arrive",
                ),
                Option(
                    "All of them: a warp counts as one",
                    "The barrier knows no warps. If 32 lanes arrive, it counts 32.",
                    misconception="a warp arrives once",
                ),
            ],
        ),
        Question(
            "Which counts does init take?",
            [
                Option("1 to 1,048,575", "The field has 20 bits, and 0 is no count (lit-022).", right=True),
                Option(
                    "Any whole number",
                    "Twenty bits hold it: 1 to 1,048,575.",
                    misconception="the count can be any integer",
                ),
                Option("Multiples of 32, for warps", "It counts arrivals, whoever makes them."),
            ],
        ),
        Question(
            "Block 1 has sent its edge to block 0 and wants to know when block 0's phase ends. What may it do?",
            [
                Option(
                    "Let block 0 arrive on a barrier of block 1",
                    "One waits only on a barrier of one's own block.",
                    right=True,
                ),
                Option(
                    "Wait on block 0's barrier, by its address",
                    "On a peer's barrier one may arrive, expect and count bytes, but not wait (lit-028.a).",
                    misconception="one may wait on a peer block's barrier",
                ),
                Option(
                    "Test block 0's barrier, which never blocks",
                    "test_wait blocks nobody. But it too looks at barriers of one's own block only.",
                    misconception="one may test a peer block's barrier",
                ),
            ],
        ),
    ],
)

RINGS = Quiz(
    "rings",
    [
        Question(
            "A fresh ring. For which parity of the empty barrier does the producer wait on its first lap?",
            [
                Option(
                    "1: the wait is over at once",
                    "The phase before the first counts as complete: an empty buffer keeps nobody waiting.",
                    right=True,
                ),
                Option(
                    "0: phase 0 is the first one",
                    "Phase 0 of empty ends when readers arrive, and they wait for the producer. Nobody moves "
                    "(NVIDIA/tilus #124, #132).",
                    misconception="the producer waits with parity 0 on a fresh ring",
                ),
                Option(
                    "Either: no phase is over yet",
                    "Phase 0 is not, so a wait for parity 0 lasts. The phase before it counts as over: parity 1.",
                    misconception="a fresh barrier has no parity",
                ),
            ],
        ),
        Question(
            "The walk found no trouble in a ring of two stages, one producer and one consumer, after 92 states. What "
            "is proved?",
            [
                Option(
                    "No run of this ring can go wrong",
                    "None hangs, overwrites or reads early. States repeat after two laps, so these are all there "
                    "are; each was looked at.",
                    right=True,
                ),
                Option(
                    "The first 92 events are in order",
                    "Each state was visited once, and every event that may follow was tried.",
                    misconception="exploring is running it often",
                ),
                Option(
                    "The same for any number of stages",
                    "For this ring only. Three stages are another walk; the panel does it.",
                    misconception="a proof for one ring is one for all",
                ),
            ],
        ),
        Question(
            "flash-attention (#1315) asks: why does each consumer arrive several times, once for every block of its "
            "cluster?",
            [
                Option(
                    "All blocks' producers must know of its read",
                    "A multicast copy writes into all of them. Each block has an empty barrier, which counts the "
                    "readers of all: one arrival for each.",
                    right=True,
                ),
                Option(
                    "To be safe: one arrival might get lost",
                    "None gets lost. One too many is counted in a later phase, and upsets it.",
                    misconception="arrivals may be repeated",
                ),
                Option(
                    "Its own barrier waits for that many arrivals",
                    "It does, but for one from each reader. The others go to the other blocks' barriers.",
                    misconception="a reader arrives on its own barrier only",
                ),
            ],
        ),
        Question(
            "hopper-gemm (#3) asks: why wait once more at the tail, when all tiles are read?",
            [
                Option(
                    "A peer may still arrive on its barriers",
                    "So the block must not end yet. Its shared memory ends with it, and a late arrival would reach "
                    "memory that is no longer the block's.",
                    right=True,
                ),
                Option(
                    "The parities must be set back to 0",
                    "Nobody reads it any more. What matters is who may still write there.",
                    misconception="the tail wait is for the parity",
                ),
                Option(
                    "The stores may not be in memory yet",
                    "That is another wait, for the stores' group. This one is for arrivals on the empty barriers.",
                    misconception="the tail wait is for the stores",
                ),
            ],
        ),
    ],
)
