"""Questions about what another block's shared memory costs, what it needs, and what seven times is."""

from hopperlab.course.quizzes import Option, Question, Quiz

BELIEFS = Quiz(
    "beliefs",
    [
        Question(
            "A block reads a word of its neighbor's shared memory. How late does it come?",
            [
                Option(
                    "About five times as late as one of its own",
                    "196 against 41 cycles on average (measured, H200 SXM, clusters of 16).",
                    right=True,
                ),
                Option(
                    "As soon as one of its own: it is shared memory",
                    "It lies in another SM, and the way there and back is a network.",
                    misconception="remote shared memory costs like local",
                ),
                Option(
                    "As late as one from global memory",
                    "One from the L2 comes later by a third (lit-063.a, lit-089.e). But a load is not an exchange.",
                ),
            ],
        ),
        Question(
            "Block 0 stores a word in block 1's shared memory. When may block 1 read it?",
            [
                Option(
                    "After a barrier that tells of the word",
                    "cluster.sync, an arrival that block 0 makes after its store, or the bytes of a st.async.",
                    right=True,
                ),
                Option(
                    "At once: shared memory needs no fence",
                    "The store may still be under way. Within one block one needs syncthreads, and here no less.",
                    misconception="DSMEM saves the barrier",
                ),
                Option(
                    "After a syncthreads of its own block",
                    "That waits for block 1's threads only. Block 0 may not have stored yet.",
                    misconception="syncthreads waits for the peer",
                ),
            ],
        ),
        Question(
            "The talk says that exchange in a cluster is 7 times as fast (talk-032). As fast in what?",
            [
                Option(
                    "The time for a word to get across",
                    "From one block's word to the other block's having it: a latency, of a one-sided write against "
                    "a flag in global memory.",
                    right=True,
                ),
                Option(
                    "Bytes a second between two blocks",
                    "An SM gets about 21 bytes a clock across the network (derived-007), and from the L2 no less.",
                    misconception="7x is bandwidth",
                ),
                Option(
                    "The run time of a whole program",
                    "Of programs the talk says 2 to 3 times (talk-042), and does not say which.",
                    misconception="7x is what programs gain",
                ),
            ],
        ),
        Question(
            "Clusters of 4, 8 and 16 blocks. How does the mean latency of a remote word change?",
            [
                Option(
                    "It falls a little: other SMs join",
                    "206, 203 and 196 cycles (measured, H200 SXM). A pair's latency is its two SMs' parts; larger "
                    "clusters reach SMs with smaller parts.",
                    right=True,
                ),
                Option(
                    "It grows: larger clusters are wider",
                    "The size adds no step to the way. Which two SMs they are decides.",
                    misconception="larger clusters have longer latency for all",
                ),
                Option(
                    "It stays: all SMs are equally far",
                    "Pairs differ by their two SMs' parts. The mean depends on which SMs a cluster has.",
                    misconception="all SMs of a GPC are equally far",
                ),
            ],
        ),
    ],
)

REACH = Quiz(
    "reach",
    [
        Question(
            "The blocks of a cluster are scheduled together. From when to when may one touch another's shared memory?",
            [
                Option(
                    "From a first cluster.sync to a last one",
                    "Scheduled together is not started together, and a block that has ended has no shared memory. "
                    "After the last one nobody touches any.",
                    right=True,
                ),
                Option(
                    "At any time: all of its blocks run now",
                    "One may not have begun yet, and one may end early.",
                    misconception="any address of the peer is valid at any time",
                ),
                Option(
                    "From a first cluster.sync to one's own end",
                    "The other may end earlier, and its shared memory with it. Hence a last cluster.sync.",
                    misconception="a block may leave when it is done",
                ),
            ],
        ),
        Question(
            "Block 0 writes the address of its array into a message, as it uses it itself. Block 1 reads there. What "
            "does it reach?",
            [
                Option(
                    "Its own array, at that address",
                    "An address within shared memory means one's own. map_shared_rank puts the block's rank into it.",
                    right=True,
                ),
                Option(
                    "Block 0's array, as block 0 does",
                    "Only an address that names the rank leads there.",
                    misconception="a pointer to my shared memory reaches mine when a peer dereferences it",
                ),
                Option(
                    "Nothing: the access is refused",
                    "It succeeds, on the wrong block. That makes it hard to find.",
                ),
            ],
        ),
        Question(
            "A block may have 227 KiB (lit-020.b). How much has each thread to itself in a cluster of 8 such blocks?",
            [
                Option(
                    "As much as in a block without a cluster",
                    "8 times the memory for 8 times the threads (talk-031). What grows is the problem that they can "
                    "hold together.",
                    right=True,
                ),
                Option(
                    "8 times as much: a block gets 1,816 KiB",
                    "Each block keeps its own. The others' is theirs, and farther away.",
                    misconception="shared memory grows per block",
                ),
                Option(
                    "An eighth: the 8 blocks share 227 KiB",
                    "Each block has 227 KiB of its own SM. A cluster takes none of it away.",
                    misconception="a cluster shares one block's memory",
                ),
            ],
        ),
    ],
)
