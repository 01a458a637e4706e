"""Questions on what makes an atomic slow: its place, its opponent, its answer."""

from hopperlab.course.quizzes import Option, Question, Quiz

BELIEFS = Quiz(
    "beliefs",
    [
        Question(
            "A histogram of 16 bins: 1,024 threads of each block count. Where should they add?",
            [
                Option(
                    "In shared memory, and each block's sums to global memory in the end",
                    "Then no word is everybody's, and few additions cross the chip.",
                    right=True,
                ),
                Option(
                    "Straight in global memory: the L2 makes the additions anyway",
                    "All SMs together make 0.69 additions a clock on one word (measured), and shared memory 1.0 in "
                    "each SM (measured).",
                    misconception="contention is free in L2",
                ),
                Option(
                    "Nowhere by atomics: they are slow",
                    "A word of its own for each thread takes 25 additions a clock in an SM's shared memory "
                    "(measured). It is one word for all that is slow.",
                    misconception="atomics are slow everywhere",
                ),
            ],
        ),
        Question(
            "Two SMs hand over a word of the L2. One is near to the word, one far. What sets the pace?",
            [
                Option(
                    "The far one",
                    "313 cycles, nearly as with two far ones, 320; two near ones take 210 (measured).",
                    right=True,
                ),
                Option(
                    "The mean of both",
                    "That would be about 265 cycles; 313 are measured. The near one tries again before the far one "
                    "is back.",
                    misconception="trips are shared fairly",
                ),
                Option(
                    "Neither: the L2 is equally near to all",
                    "Pairs of SMs differ by a half (measured), by which side of the chip they are on.",
                    misconception="the L2 is one cache",
                ),
            ],
        ),
        Question(
            "An SM's clock falls to four fifths. What becomes of a hand-off in its shared memory?",
            [
                Option(
                    "As many cycles, a quarter more time",
                    "All of it happens in the SM, in step with its clock (modelled).",
                    right=True,
                ),
                Option(
                    "As much time, fewer cycles",
                    "That would be so if it went elsewhere, at another clock.",
                    misconception="a latency is a time",
                ),
                Option(
                    "More cycles, and each of them longer",
                    "Cycles are what does not change.",
                    misconception="lower clock means slower atomics",
                ),
            ],
        ),
        Question(
            "A sum by a loop of compare-and-swap gives the right result. Why is it slower than atomic addition?",
            [
                Option(
                    "It needs the answer, and may try in vain",
                    "It tries again when another was first. 476 cycles from one success to the next with 132 SMs at "
                    "it; an addition every 1.4 (measured).",
                    right=True,
                ),
                Option(
                    "Compare-and-swap is the slower instruction",
                    "Alone it takes a trip, as any atomic whose answer is wanted. It is the answer that costs.",
                    misconception="an instruction has one cost",
                ),
                Option(
                    "It is not: both are one instruction",
                    "One that may fail, and one that may not.",
                    misconception="all atomics cost the same",
                ),
            ],
        ),
    ],
)
