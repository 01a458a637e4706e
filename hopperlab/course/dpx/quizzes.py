"""Questions on what DPX does and does not do."""

from hopperlab.course.quizzes import Option, Question, Quiz

BELIEFS = Quiz(
    "beliefs",
    [
        Question(
            "Which dynamic programs gain most from DPX?",
            [
                Option(
                    "Those whose cells fit into 16 bits, with sums and maxima of integers",
                    "Two cells an instruction, and the packing is what costs elsewhere.",
                    right=True,
                ),
                Option(
                    "Those that keep their table in global memory and read it once for each cell",
                    "Such a program waits for memory. Fewer instructions do not make bytes come sooner.",
                    misconception="DPX speeds all dynamic programming",
                ),
                Option(
                    "All: every dynamic program is a maximum of sums",
                    "Counting paths adds only; hidden Markov models multiply floats. Nothing there is fused.",
                    misconception="DPX speeds all dynamic programming",
                ),
            ],
        ),
        Question(
            "NVIDIA says: up to 7 times as fast [lit-148]. What is compared?",
            [
                Option(
                    "An alignment program on an H100 with the same on an A100",
                    "Clock, SMs and code all count. On one card, DPX alone gave our alignment less: see Silicon.",
                    right=True,
                ),
                Option(
                    "One DPX instruction with the instructions that it replaces",
                    "That ratio is anything from 1.1 to 12 by the form (measured), and no program has only that line.",
                    misconception="7x is the instruction",
                ),
                Option(
                    "A GPU with a processor",
                    "Announcements have that too, with larger numbers. This one is H100 over A100.",
                    misconception="7x is against a processor",
                ),
            ],
        ),
        Question(
            "Why does the kernel of this lesson walk along anti-diagonals?",
            [
                Option(
                    "Cells of one anti-diagonal need only earlier ones, so that 32 lanes fill 32 of them at once",
                    "Each lane keeps its own columns, and passes its right edge on by a shuffle.",
                    right=True,
                ),
                Option(
                    "It is an old trick for processors with vectors; a GPU has threads enough for rows",
                    "Threads or vectors: a cell needs its left neighbor. A row cannot be filled at once by anybody.",
                    misconception="anti-diagonals are only a CPU trick",
                ),
                Option(
                    "DPX instructions work on diagonals",
                    "They know nothing of a table: three numbers in, one out.",
                    misconception="DPX knows the table",
                ),
            ],
        ),
    ],
)
