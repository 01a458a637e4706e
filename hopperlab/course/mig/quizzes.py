"""Questions on what tenants share, and on a public table that is wrong."""

from hopperlab.course.quizzes import Option, Question, Quiz

APART = Quiz(
    "apart",
    [
        Question(
            "Two tenants hold a GPU instance each, on one H100. What do they share?",
            [
                Option(
                    "The bandwidth of L2 and memory",
                    "Each has memory slices of its own with the path to them; that is what MIG is for.",
                    misconception="GPU instances share L2 bandwidth",
                ),
                Option(
                    "The SMs, which they use by turns",
                    "Each has SMs of its own. Taking turns on the same SMs is time-slicing, without MIG.",
                ),
                Option(
                    "The PCIe bus and the card's power",
                    "Neither is cut up: a neighbor's copies, and a lowered clock, can be felt.",
                    right=True,
                ),
                Option(
                    "Nothing at all: they are isolated",
                    "The slices are. The bus and the power are the card's, and all its instances draw on them.",
                ),
            ],
        ),
        Question(
            "Two tenants hold a compute instance each, inside one 3g GPU instance. What has each for itself?",
            [
                Option(
                    "A share of memory bandwidth",
                    "Memory, L2, bandwidth and engines belong to the GPU instance; its compute instances share them.",
                    misconception="compute instances have bandwidth of their own",
                ),
                Option(
                    "A part of the L2 cache",
                    "The L2 comes with the GPU instance's memory slices, and its compute instances share it.",
                    misconception="compute instances have a cache of their own",
                ),
                Option(
                    "Its SMs, and nothing else",
                    "Compute instances divide the SMs of their GPU instance. The rest of it they share.",
                    right=True,
                ),
            ],
        ),
        Question(
            "Which of these hold?",
            [
                Option(
                    "Against a 1g of an 80 GB A100, a 1g of an H100 has 1.64 times the bandwidth",
                    "The talk's 2x has the 40 GB A100 for its base, where it is 2.16.",
                    right=True,
                ),
                Option(
                    "A 1g has the same SMs on every H100",
                    "Profiles have the same names, not the same SMs: 14 on the PCIe card, 16 on the SXM5.",
                    misconception="H100 PCIe and SXM have the same SMs per slice",
                ),
                Option(
                    "An instance has twice the bandwidth, whichever A100 one compares with",
                    "A ratio needs its base: 2.16 against the 40 GB card, 1.64 against the 80 GB card.",
                    misconception="2x bandwidth per instance against any A100",
                ),
                Option(
                    "A 1g has 16 SMs on an H100 SXM5 and 14 on an H100 PCIe",
                    "By their drivers' lists: the PCIe card has 114 SMs to cut.",
                    right=True,
                ),
                Option(
                    "With MIG, confidential computing is a matter of switching it on",
                    "The talk announced it: a firewall, a virtual function and a key for each instance. We found no "
                    "release note that supports it on Hopper.",
                    misconception="what was announced has shipped",
                ),
            ],
            several=True,
        ),
    ],
)

PUBLIC_TABLE = Quiz(
    "public-table",
    [
        Question(
            "A public table, made for tests without a card, lists a 3g of an H100 SXM5 with 48 SMs and a 7g with "
            "112. What gives it away, without a card?",
            [
                Option(
                    "48 is not a multiple of 7",
                    "Nor is 60 or 132. SMs are dealt by GPC, not by seventh.",
                    misconception="seven slices of everything",
                ),
                Option(
                    "The 7g should have the card's 132 SMs",
                    "The 7g is the whole card. One instance that is alone and holds everything has no reason to "
                    "leave 20 SMs out.",
                    right=True,
                ),
                Option(
                    "Nothing: 16 SMs a slice times 3 and 7",
                    "That is how the table was made. It multiplies the smallest instance, and drivers list 60 and 132.",
                    misconception="MIG always costs 15 %",
                ),
            ],
        ),
        Question(
            "A scheduler believes that table. What goes wrong?",
            [
                Option(
                    "It places instances where they overlap",
                    "Places depend on memory slices, which the table has right.",
                ),
                Option(
                    "It promises a fifth too little of a 3g",
                    "48 of 60. It also bills MIG as a loss of 15 % where the layout loses none.",
                    right=True,
                ),
                Option(
                    "It cuts a 3g that has only 48 SMs",
                    "The driver cuts the card, and no table changes its profiles: a 3g gets 60.",
                    misconception="a table decides what an instance has",
                ),
            ],
        ),
    ],
)
