"""Questions on what bounds a collective, and on three lines that nccl-tests printed."""

from hopperlab.course.quizzes import Option, Question, Quiz

BELIEFS = Quiz(
    "beliefs",
    [
        Question(
            "Which of these hold for eight H100 on one HGX?",
            [
                Option(
                    "A large all-reduce is bound by the bandwidth of each GPU's links",
                    "Every GPU must send and receive its share; no cut is narrower than that here.",
                    right=True,
                ),
                Option(
                    "A switch that adds frees SMs for other work",
                    "The SMs only ask for a shard's sum and store it once.",
                    right=True,
                ),
                Option(
                    "busbw may exceed the speed of a link",
                    "Its factor is the ring's, whatever the algorithm.",
                    right=True,
                ),
                Option(
                    "An all-reduce is bound by the bisection",
                    "An all-to-all is: half of its bytes must cross any cut. A ring crosses a cut twice only.",
                    misconception="all-reduce is bound by bisection",
                ),
                Option(
                    "SHARP speeds up an all-gather as much as an all-reduce",
                    "One direction then carries all of S instead of (N - 1)/N: it gains nothing.",
                    misconception="SHARP raises all-gather's bandwidth within a node",
                ),
                Option(
                    "Each GPU sends 900 GB/s and receives 900 GB/s",
                    "900 is both directions added: 450 each way.",
                    misconception="900 GB/s each way",
                ),
                Option(
                    "Only the links set the time of an all-reduce",
                    "So does the rate of adding. With too few SMs a ring cannot fill its links.",
                    misconception="links alone set the time",
                ),
            ],
            several=True,
        ),
    ],
)

LINES = Quiz(
    "lines",
    [
        Question(
            "Eight H100 print busbw 476 for a large all-reduce. The links are 450 each way. What happened?",
            [
                Option(
                    "NCCL reduced in the NVSwitch",
                    "The wires carried 306, the factor made it 476.",
                    right=True,
                ),
                Option(
                    "The measurement must be wrong",
                    "Eleven public threads asked. It is how busbw is defined.",
                    misconception="480 above 450 GB/s is a bug",
                ),
                Option(
                    "It was printed in GiB, not in GB",
                    "nccl-tests prints GB, 10^9 bytes. That is a difference of 7.4 % and works the other way.",
                ),
            ],
        ),
        Question(
            "The same machine prints busbw 365 for an all-gather. What do its links carry?",
            [
                Option("365 each way", "For an all-gather by ring, busbw is the wire.", right=True),
                Option(
                    "417 each way",
                    "The size is the whole buffer; busbw already leaves out the share that a GPU holds itself.",
                    misconception="busbw still has to be converted",
                ),
                Option("730 each way", "Directions are not added.", misconception="900 GB/s each way"),
            ],
        ),
        Question(
            "Two nodes of 8 GPUs with one 50 GB/s adapter a GPU print busbw 90 for an all-to-all. Is that possible?",
            [
                Option(
                    "Yes: half of the bytes stay in the node",
                    "busbw counts 15 of a GPU's 16 shares, and 8 of them cross its adapter: 48 GB/s (modelled).",
                    right=True,
                ),
                Option(
                    "No: each adapter carries 50 GB/s at most",
                    "That it does. But with two nodes only half of what a GPU sends crosses its adapter.",
                    misconception="busbw is always what a wire carries",
                ),
                Option(
                    "Yes: busbw adds up the two directions",
                    "Directions are not added: 50 is each way, and so is what busbw counts.",
                    misconception="900 GB/s each way",
                ),
            ],
        ),
    ],
)
