"""Questions on what was announced and what shipped, and on the way of an address."""

from hopperlab.course.quizzes import Option, Question, Quiz

ANNOUNCED = Quiz(
    "announced",
    [
        Question(
            "Which of these hold for the NVLink Network of the talk?",
            [
                Option(
                    "Every DGX H100 shipped with it",
                    "It was announced. The shipped DGX H100 SuperPOD joins servers by InfiniBand.",
                    misconception="every DGX H100 shipped with it",
                ),
                Option(
                    "It was announced for up to 256 GPUs",
                    "32 servers of 8, under 18 switch boxes.",
                    right=True,
                ),
                Option(
                    "It is set up at boot, as NVLink in a server is",
                    "Connections are made when a program asks for them.",
                    misconception="NVLink Network is set up at boot like NVLink",
                ),
                Option(
                    "Nine times the bisection makes a program nine times faster",
                    "Only its exchange. The talk's recommender gains 4 instead of 2.5.",
                    misconception="nine times bisection is nine times faster",
                ),
                Option(
                    "A program connects at run time",
                    "Through CUDA calls, or through NCCL or NVSHMEM: with InfiniBand's life cycle, not NVLink's.",
                    right=True,
                ),
                Option(
                    "The recommender's tables fit one DGX H100",
                    "14 TB against 640 GB.",
                    misconception="the recommender fits in one DGX",
                ),
                Option(
                    "Any GPU of the pod may write any memory of the pod",
                    "Only what was exported, imported and granted; the owner's link TLB checks.",
                    misconception="any GPU may write any memory",
                ),
                Option(
                    "14 TB of tables need more than one DGX",
                    "175 GPUs of 80 GB at least, 22 servers.",
                    right=True,
                ),
            ],
            several=True,
        ),
    ],
)

WAY = Quiz(
    "way",
    [
        Question(
            "A store to another GPU of the pod: where is its permission checked?",
            [
                Option(
                    "At the source, by its page table",
                    "That only gives a network address. A source could be compromised.",
                    misconception="the source knows what the owner allows",
                ),
                Option(
                    "In the switch, by its route table",
                    "Switches route by network address; they hold no permissions.",
                    misconception="the fabric checks permissions",
                ),
                Option(
                    "At the target, by its link TLB",
                    "The GPU that owns the memory checks. So no GPU has to trust another's page tables.",
                    right=True,
                ),
            ],
        ),
    ],
)
