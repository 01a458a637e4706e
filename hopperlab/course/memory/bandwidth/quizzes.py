"""Questions on what must be in flight, and on how bytes are counted."""

from hopperlab.course.quizzes import Option, Question, Quiz

BELIEFS = Quiz(
    "beliefs",
    [
        Question(
            "528 blocks of 512 threads fill all 132 SMs, 2048 threads each. Every thread has one load of 4 bytes in "
            "flight. What part of the most do they read from device memory?",
            [
                Option(
                    "About half",
                    "54 % (measured). 1.1 MB are in flight, and 1.9 fill device memory (modelled).",
                    right=True,
                ),
                Option(
                    "Nearly all: no more threads fit",
                    "Occupancy counts threads. Little's law counts bytes, and a thread has only 4 of them on the way.",
                    misconception="a full grid is enough",
                ),
                Option(
                    "All: memory gives what it gives",
                    "It gives at most that. Who asks for less at a time gets less.",
                    misconception="bandwidth is a property of memory alone",
                ),
            ],
        ),
        Question(
            "The L2 cache gives twice the rate of device memory. Which needs more bytes in flight to be full?",
            [
                Option(
                    "Device memory",
                    "1.9 MB against 1.5 MB (modelled): its bytes are on the way for 2.6 times as long.",
                    right=True,
                ),
                Option(
                    "The L2 cache: it is faster",
                    "Rate times latency decides, and its latency is much less.",
                    misconception="a faster memory needs more in flight",
                ),
                Option(
                    "Neither: only the number of threads counts",
                    "A thread may have 4 bytes in flight, or 64.",
                    misconception="a full grid is enough",
                ),
            ],
        ),
        Question(
            "One load of each thread in flight, 132 blocks: 4 bytes wide they read 700 GB/s, 16 bytes wide 2366 "
            "(measured). Why?",
            [
                Option(
                    "Each load brings four times the bytes, in little more time",
                    "Four loads of 4 bytes do nearly as well, 2112 GB/s (measured): it is the bytes in flight.",
                    right=True,
                ),
                Option(
                    "Memory is read faster in wide pieces",
                    "A warp's 32 loads of 4 bytes side by side are whole lines already.",
                    misconception="width is a property of memory",
                ),
                Option(
                    "By chance: width never matters once loads are side by side",
                    "It does not at the ceiling. Here everyone is far below it.",
                    misconception="wider loads never matter",
                ),
            ],
        ),
        Question(
            "A kernel copies 1 GB to another place in 0.5 ms. What is its bandwidth?",
            [
                Option(
                    "4000 GB/s: 1 GB read and 1 GB written",
                    "Both pass through the same pins. So does torch's copy: 4244 GB/s (measured).",
                    right=True,
                ),
                Option(
                    "2000 GB/s: it is 1 GB that moves",
                    "Then a copy would seem half as fast as a read, by counting alone.",
                    misconception="read and written are counted once",
                ),
                Option(
                    "3725 GB/s: one GB has 2^30 bytes",
                    "That is GiB a second. Sheets count 10^9 bytes.",
                    misconception="GB and GiB are one",
                ),
            ],
        ),
    ],
)
