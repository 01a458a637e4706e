"""Questions about who does what when a box is copied, and about shapes."""

from hopperlab.course.quizzes import Option, Question, Quiz

BELIEFS = Quiz(
    "beliefs",
    [
        Question(
            "`tma.load(tile, source, corner, full)` has returned. What is true of the tile?",
            [
                Option(
                    "Nothing yet: the engine has been told to copy",
                    "It lands later, and says so on the barrier. Only who waited for the phase may look.",
                    right=True,
                ),
                Option(
                    "It is in shared memory, for all to read",
                    "The instruction only hands the order over. On an H200 a small box takes some 900 cycles to come.",
                    misconception="the copy is done when the instruction returns",
                ),
                Option(
                    "It is visible to this thread, not yet to the others",
                    "To nobody. The thread that asked has no head start.",
                ),
            ],
        ),
        Question(
            "A block of 128 threads needs one tile. Who asks for it?",
            [
                Option(
                    "One thread", "One instruction of one thread is the whole copy (talk-041).", right=True
                ),
                Option(
                    "Every thread, for its part",
                    "That is the A100's way. Here it would ask for the tile 128 times, and count its bytes as often.",
                    misconception="every thread must issue it",
                ),
                Option(
                    "One warp, each lane for a row",
                    "32 copies where one box does it. The lanes would only help if there were 32 boxes.",
                ),
            ],
        ),
        Question(
            "All threads wrote a tile and met at syncthreads. Thread 0 stores it with `tma.store`. What is missing?",
            [
                Option(
                    "A fence by each writer, before the meeting",
                    "It is fence.proxy_async_shared: threads and engine see shared memory through two proxies. The "
                    "fence shows one the other's writes.",
                    right=True,
                ),
                Option(
                    "Nothing: syncthreads orders the writes",
                    "syncthreads orders threads among themselves. The engine is none: it may read old bytes.",
                    misconception="a store is visible without a fence",
                ),
                Option(
                    "A fence by thread 0, after the meeting",
                    "The programming guide has each writer fence its own writes, before the meeting. Do not count on "
                    "thread 0's fence for what others wrote.",
                ),
            ],
        ),
        Question(
            "The talk says that one thread makes the copy's descriptor (talk-088). Who makes it in CUDA?",
            [
                Option(
                    "The host, once, for the kernel's argument",
                    "By cuTensorMapEncodeTiled: 128 opaque bytes (lit-038.b). Threads name boxes by coordinates, "
                    "and leave the map as it is.",
                    right=True,
                ),
                Option(
                    "The thread that copies, before each copy",
                    "A kernel can alter fields of a map in memory, but nobody builds one per copy: it would cost more "
                    "than it saves.",
                    misconception="a thread builds the descriptor on the device",
                ),
                Option(
                    "The compiler, from the array that is copied",
                    "It does not know the address, the sizes and the strides. They are known when the program runs.",
                    misconception="the compiler makes the descriptor",
                ),
            ],
        ),
        Question(
            "Which copies go from one block's shared memory to another's?",
            [
                Option(
                    "Bulk copies, of a run of bytes",
                    "cp.async.bulk has that direction (talk-089). Tensor copies have global memory at one end.",
                    right=True,
                ),
                Option(
                    "Tensor copies, of a box each",
                    "A tensor map describes global memory. No tensor copy has shared memory at both ends.",
                    misconception="tensor copies go between blocks",
                ),
                Option(
                    "None: only threads store there",
                    "Threads may. But the engine has that direction as well, for runs of bytes (talk-089).",
                    misconception="the engine does not reach a peer",
                ),
            ],
        ),
        Question(
            "Thread 0 has stored a tile and committed the group. When may the block write the tile anew?",
            [
                Option(
                    "After thread 0's wait, once the others know",
                    "After `wait_group_read` the engine has read the source; a syncthreads tells the others. That "
                    "global memory has it takes `wait_group`.",
                    right=True,
                ),
                Option(
                    "At once: committing means that it is read",
                    "Committing only closes the group. The engine may not have begun to read.",
                    misconception="a committed store has read its source",
                ),
                Option(
                    "After each thread's own wait for the group",
                    "The group is thread 0's. The others have committed none, so their wait is over at once.",
                    misconception="a group belongs to the block",
                ),
            ],
        ),
    ],
)

SHAPES = Quiz(
    "shapes",
    [
        Question(
            "A map is made with the swizzle of 128 bytes. What changes in global memory?",
            [
                Option(
                    "Nothing: only shared memory differs",
                    "The chunks change places on their way into shared memory, and back.",
                    right=True,
                ),
                Option(
                    "Its chunks of 16 bytes change places",
                    "The tensor stays as it is. Two maps of the same tensor may have two swizzles.",
                    misconception="a swizzle changes global memory",
                ),
                Option(
                    "Its rows are padded to 128 bytes",
                    "A swizzle adds no bytes, there or in shared memory. It only moves chunks about.",
                    misconception="a swizzle pads",
                ),
            ],
        ),
        Question(
            "An image of float32 has 40 columns. What stands in globalStrides?",
            [
                Option("160: bytes from one row to the next", "Bytes, and a multiple of 16.", right=True),
                Option(
                    "40: elements from one row to the next",
                    "Sizes and boxes count elements, strides count bytes. 40 would be refused: no multiple of 16.",
                    misconception="strides are in elements",
                ),
                Option(
                    "4: bytes from one element to the next",
                    "That one is never given: elements of a row lie side by side. The list begins with the rows.",
                    misconception="the first stride is an element's",
                ),
            ],
        ),
        Question(
            "A tile of 512 rows and 32 columns of float32, 64 KiB. How many tensor copies?",
            [
                Option(
                    "Two: a box has at most 256 rows",
                    "At most 256 elements along a dimension (lit-032).",
                    right=True,
                ),
                Option(
                    "One: shared memory holds 64 KiB",
                    "It does, and the tile fits. But the map refuses a box of 512 rows.",
                    misconception="the box may be any size",
                ),
                Option(
                    "512: each row is a copy of its own",
                    "A box has rows and columns. One copy takes up to 256 rows.",
                    misconception="a copy is one row",
                ),
            ],
        ),
        Question(
            "Boxes of 4 KiB, eight under way in every block of an H200. Rows of 16 bytes instead of 128: what is lost?",
            [
                Option(
                    "Some 40 percent of the bandwidth",
                    "Measured: 2.4 instead of 4.1 TB/s. The engine works by rows, and memory in sectors of 32 bytes.",
                    right=True,
                ),
                Option(
                    "Nothing: the bytes are the same",
                    "The rows are not. Published for an H800: a third of the bandwidth is left (lit-129.a, lit-129.b).",
                    misconception="TMA is fast for every shape",
                ),
                Option(
                    "Seven eighths: lines are 128 bytes",
                    "Memory is read in sectors of 32 bytes. Measured: 2.4 of 4.1 TB/s are left.",
                    misconception="a short row wastes its line",
                ),
            ],
        ),
        Question(
            "One load is multicast to 8 blocks. How many bytes does each block's barrier count?",
            [
                Option(
                    "The whole box, in each of the 8",
                    "All get all, at the same place, and each barrier counts it. Each block must expect it.",
                    right=True,
                ),
                Option(
                    "An eighth of the box, in each",
                    "Then nobody had a tile. What is divided by 8 is what the L2 reads.",
                    misconception="a multicast shares the bytes out",
                ),
                Option(
                    "The whole box, in the block that asked",
                    "The others would not know when it has come.",
                ),
            ],
        ),
    ],
)
