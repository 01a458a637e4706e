"""Questions about what each mechanism gives, and when it gives nothing."""

from hopperlab.course.quizzes import Option, Question, Quiz

BELIEFS = Quiz(
    "beliefs",
    [
        Question(
            "A kernel says wgmma.mma_async, and then commit_group. What may it do before wait_group?",
            [
                Option(
                    "Give the stage back: it has been read",
                    "It is read for as long as the products are at work. Give it back after the wait.",
                    misconception="started is read",
                ),
                Option(
                    "Start the products of the next stage",
                    "The products run by themselves. Starting the next ones, once their stage has come, keeps the "
                    "tensor cores fed.",
                    right=True,
                ),
                Option(
                    "Store the sums: they are complete",
                    "They change until wait_group hands them back. The tensor core waits for nobody.",
                    misconception="the tensor core waits for nobody, and nobody for it",
                ),
            ],
        ),
        Question(
            "What does the fence before the first wgmma order?",
            [
                Option(
                    "The copies, before the products that read them",
                    "That is the wait on the full barrier: copy engine and tensor cores share the async proxy.",
                    misconception="the fence stands for the wait",
                ),
                Option(
                    "The products, before the sums are stored",
                    "That is wait_group, which hands the sums back. The fence stands before the first product.",
                    misconception="the fence ends the products",
                ),
                Option(
                    "Writes to registers, before the products",
                    "What threads wrote to the accumulators. Products run beside the threads: without it, a product "
                    "may add to what was there before.",
                    right=True,
                ),
            ],
        ),
        Question(
            "A ring of three stages never waits. What do three more bring?",
            [
                Option(
                    "A longer first bubble: six stages have to be filled",
                    "Work begins when the first stage has landed, however many others are on their way.",
                    misconception="the ring is filled before it is used",
                ),
                Option(
                    "Twice the speed",
                    "The tensor cores are busy already.",
                    misconception="more stages always help",
                ),
                Option(
                    "No speed, and less memory for larger tiles",
                    "In the middle of the product nothing waits. They even out what varies, up to a point. A larger "
                    "tile needs fewer bytes for each FLOP.",
                    right=True,
                ),
            ],
        ),
        Question(
            "Two blocks of a cluster share each tile of B. When does that help?",
            [
                Option(
                    "Always: fewer bytes are read",
                    "Bytes that were not the limit save no time. Measured, it loses on one rung and gains on the next.",
                    misconception="clusters help every shape",
                ),
                Option(
                    "If L2 is the limit, and they keep pace",
                    "It saves a third of the bytes here, and ties two blocks together: either may wait for the other.",
                    right=True,
                ),
                Option(
                    "Never: one block waits for the other",
                    "Waiting costs where their paces differ. Measured, it gains where blocks stay on their SM.",
                    misconception="clusters help no shape",
                ),
            ],
        ),
        Question(
            "The product is 4096 x 4096, and its depth K shrinks from 16,384 to 256. What of the FLOP a second?",
            [
                Option(
                    "They fall: filling the ring and writing the sums take as long as before",
                    "What is done once for each tile of D is shared by fewer steps.",
                    right=True,
                ),
                Option(
                    "They rise: the operands of a shallow product stay in the caches",
                    "The operands may, but D is as large as before, and there is less arithmetic to write it under.",
                    misconception="small is fast",
                ),
                Option(
                    "Nothing: the tensor cores have the same rate",
                    "They have, while they work. At K = 256 there are four steps a tile.",
                    misconception="peak is reachable at any K",
                ),
            ],
        ),
        Question(
            "Why is the producer a whole warpgroup, when one thread asks for everything?",
            [
                Option(
                    "A copy of 48 KiB needs 128 threads",
                    "The engine does the copying. It needs one thread's word.",
                    misconception="producers need registers",
                ),
                Option(
                    "A single warp cannot wait on a barrier",
                    "Any thread can. One warp would do, were it not for the registers.",
                    misconception="barriers are for warpgroups",
                ),
                Option(
                    "Registers are traded by warpgroups",
                    "setmaxnreg is said by all four warps together; 127 threads give theirs and rest.",
                    right=True,
                ),
            ],
        ),
        Question(
            "A grid begins while the one before still stores. What may it do before griddepcontrol.wait?",
            [
                Option(
                    "Ask for its first tiles: copies are asynchronous",
                    "Asynchronous copies read memory too, and the grid before may still be writing what they read.",
                    misconception="asynchronous is ordered",
                ),
                Option(
                    "Set up barriers, and look where its tiles are",
                    "Neither reads what the grid before writes, nor writes what it reads or writes. The wait ends when "
                    "all that it wrote can be seen.",
                    right=True,
                ),
                Option(
                    "Nothing: its blocks wait for the end of that grid",
                    "So it is without the launch's attribute. With it blocks come to an SM as soon as there is room.",
                    misconception="grids of a stream never overlap",
                ),
            ],
        ),
    ],
)
