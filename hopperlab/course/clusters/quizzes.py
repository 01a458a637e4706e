"""Questions on who may wait for whom, and on what is often believed of clusters."""

from hopperlab.course.quizzes import Option, Question, Quiz

WHO_MAY_WAIT = Quiz(
    "who-may-wait",
    [
        Question(
            "A plain grid of 133 blocks, one block an SM, on a card of 132 SMs. Each block raises a flag in "
            "global memory, then spins until all 133 flags are up. What happens?",
            [
                Option(
                    "It hangs",
                    "132 blocks hold every SM and wait for a flag that only a block in the queue can raise.",
                    right=True,
                ),
                Option(
                    "It works, only slower",
                    "Nothing takes a running block off its SM for another of the same grid. Block 132 never starts.",
                    misconception="blocks of a plain grid may always wait for each other",
                ),
                Option(
                    "CUDA refuses the launch",
                    "A plain launch promises nothing about blocks running together, so there is nothing to refuse. "
                    "A cooperative launch of 133 blocks would be refused.",
                ),
            ],
        ),
        Question(
            "The same program as clusters of 7 blocks, where each block waits only for the flags of its own "
            "cluster, 19 clusters in all. What happens?",
            [
                Option(
                    "It finishes: clusters start whole",
                    "All blocks of a cluster are placed together. Whoever is waited for runs, or begins by itself.",
                    right=True,
                ),
                Option(
                    "It hangs: a cluster starts in part",
                    "Only part of the clusters may run at a time, but each is complete, finishes, and makes room.",
                    misconception="a cluster may start in part",
                ),
                Option(
                    "CUDA refuses: 19 do not fit at once",
                    "They need not. Clusters wait in a queue as blocks do, each until a GPC has room for all of it.",
                    misconception="a grid's clusters must all fit at once",
                ),
            ],
        ),
    ],
)

BELIEFS = Quiz(
    "beliefs",
    [
        Question(
            "Which of these hold for thread block clusters on an H100?",
            [
                Option(
                    "All blocks of a cluster run in one GPC",
                    "That is what makes their shared memories reachable by one network.",
                    right=True,
                ),
                Option(
                    "A size of 9 to 16 needs an opt-in",
                    "Up to 8 is portable; above it the launch must allow non-portable sizes.",
                    right=True,
                ),
                Option(
                    "A cluster of 3 may be launched",
                    "Any size from 1 to 16 may, if it divides the grid.",
                    right=True,
                ),
                Option(
                    "A cluster may span two GPCs when one is full",
                    "Then it waits. All of its blocks start in one GPC, or none starts.",
                    misconception="a cluster can span two GPCs",
                ),
                Option(
                    "A grid may span two GPUs if its clusters do not",
                    "A grid runs on one GPU. Other GPUs get launches of their own.",
                    misconception="a grid can span GPUs",
                ),
                Option(
                    "Every H100 has the same GPCs",
                    "The die has 8 GPCs of 18 SMs; which SMs are switched off differs from card to card. Measure.",
                    misconception="every H100 has the same GPCs",
                ),
                Option(
                    "The larger the cluster, the faster the kernel",
                    "A larger cluster shares more, and strands more SMs. The occupancy curve shows the price.",
                    misconception="bigger clusters are always better",
                ),
                Option(
                    "16 blocks run on any GPU with clusters",
                    "16 is what this chip allows on request; 8 is the portable size, and small slices of a card "
                    "(lesson 16) allow less.",
                    misconception="16 is portable",
                ),
            ],
            several=True,
        ),
    ],
)
