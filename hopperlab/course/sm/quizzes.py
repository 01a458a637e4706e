"""Questions on what keeps an SM busy."""

from hopperlab.course.quizzes import Option, Question, Quiz

BELIEFS = Quiz(
    "beliefs",
    [
        Question(
            "Where does a Hopper tensor core read its operands?",
            [
                Option(
                    "At least B from shared memory",
                    "A comes from shared memory or registers, and the sums stay in registers. Something else must "
                    "bring tiles to shared memory in time.",
                    right=True,
                ),
                Option(
                    "Both from a warp's registers",
                    "So it was on the A100, and is for mma.sync. wgmma reads B from shared memory [article-046].",
                    misconception="tensor cores hold both matrices in registers",
                ),
                Option(
                    "From global memory, through the L2",
                    "No tensor core reads global memory. Copies bring tiles to shared memory: lessons 10 and 11.",
                    misconception="tensor cores read from global memory",
                ),
            ],
        ),
        Question(
            "A program for the A100 multiplies FP16 matrices with mma.sync. It runs unchanged on an H100. What does an "
            "SM do in a clock, against the A100's peak?",
            [
                Option(
                    "More, but not twice as much: the new peak needs wgmma",
                    "mma.sync reaches 62.9 % of the peak on average [lit-134], 2,576 FLOP a clock (modelled): 1.26 "
                    "times the 2,048 [chip-016].",
                    right=True,
                ),
                Option(
                    "Twice as much: the tensor cores are twice as fast per clock",
                    "Their peak is [talk-013]. A warp that reads both operands from its registers does not reach it.",
                    misconception="an old program reaches the new peak",
                ),
                Option(
                    "As much: it is the old instruction",
                    "It runs on the new tensor core, and gains something.",
                    misconception="an old instruction has the old rate",
                ),
            ],
        ),
        Question(
            "What may be multiplied at the rate of structured sparsity?",
            [
                Option(
                    "A matrix with two zeros in every four",
                    "Stored without them: then up to 2 times the dense rate [talk-016]; a published log reached "
                    "less [lit-135].",
                    right=True,
                ),
                Option(
                    "Any matrix, if half of it is zeros",
                    "The zeros must lie two in every four. Others are multiplied like any number.",
                    misconception="sparsity doubles any matrix",
                ),
                Option(
                    "Any matrix: the tensor core finds its zeros",
                    "It looks for none. A program has to compress the matrix first.",
                    misconception="sparsity doubles any matrix",
                ),
            ],
        ),
        Question(
            "A block asks for 228 KiB of shared memory on a chip with 256 KB in each SM. What happens?",
            [
                Option(
                    "It is refused: it asks for 1 KiB too much",
                    "227 KiB is the most of a block [lit-020.b]: 1 KiB is kept for it [chip-004], of 228 [lit-020.a].",
                    right=True,
                ),
                Option(
                    "It runs, with 28 KiB left as L1 cache",
                    "228 KiB is the most of an SM [lit-020.a], and every block pays 1 KiB of it [chip-004].",
                    misconception="256 KB is all shared memory",
                ),
                Option(
                    "It runs if no other block is on the SM",
                    "Alone or not, a block pays 1 KiB [chip-004] of the SM's 228 [lit-020.a].",
                    misconception="a block alone may have the whole carve-out",
                ),
            ],
        ),
        Question(
            "A compiler is told to use 32 registers a thread, so that 64 warps fit. Is the kernel faster?",
            [
                Option(
                    "Only if too few warps hid the latency",
                    "Else it may become slower: sums that no longer fit in registers are loaded again. See Break it.",
                    right=True,
                ),
                Option(
                    "Yes: more occupancy is always faster",
                    "Once a unit is busy, more warps only wait longer for it.",
                    misconception="more occupancy is always faster",
                ),
                Option(
                    "No: registers do not limit warps",
                    "65,536 registers of an SM [lit-021.d] are all there are: at 64 a thread, 32 warps (modelled).",
                    misconception="registers are free",
                ),
            ],
        ),
    ],
)
