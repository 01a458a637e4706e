"""Questions on what is protected from whom, and on what was announced and what shipped."""

from hopperlab.course.quizzes import Option, Question, Quiz

BELIEFS = Quiz(
    "beliefs",
    [
        Question(
            "Which of these hold with confidential computing on an H100?",
            [
                Option(
                    "A verifier that knows no root can trust no report",
                    "Anyone can make a chain with the right names. The root is what one must know beforehand.",
                    right=True,
                ),
                Option(
                    "GPU memory is encrypted",
                    "It is plain text, and the host is kept out of it.",
                    misconception="HBM is encrypted",
                ),
                Option(
                    "Encryption on the disk and on the network is enough",
                    "Data in use lies in memory as plain text, and there administrators and other tenants may reach it "
                    "(talk-063).",
                    misconception="encryption at rest and in transit is enough",
                ),
                Option(
                    "The hypervisor carries every message and reads none",
                    "The bounce buffer is its own memory; what lies in it is sealed.",
                    right=True,
                ),
                Option(
                    "The cloud's administrators and other tenants need not be feared: they have no login",
                    "Whoever holds the hypervisor or the rack needs none. These are the three threats of talk-064.",
                    misconception="data in use needs no guarding from co-tenants or administrators",
                ),
                Option(
                    "A passed attestation proves that the program is right",
                    "It proves which firmware runs on whose GPU. A back door in your own kernel passes too.",
                    misconception="attestation proves the program is right",
                ),
                Option(
                    "The nonce is a formality: the signature is genuine without it",
                    "So is last week's. The nonce is what makes the report an answer to this question.",
                    misconception="a nonce is optional",
                ),
                Option(
                    "GPU memory holds plain text, inside the boundary",
                    "It sits in the GPU's package. What crosses the bus is encrypted, what stays inside is not.",
                    right=True,
                ),
                Option(
                    "An IV may serve twice if the messages differ",
                    "Two messages under one key and IV give away their XOR, and the key of the tag.",
                    misconception="an IV may be used twice under one key",
                ),
            ],
            several=True,
        )
    ],
)

SHIPPED = Quiz(
    "shipped",
    [
        Question(
            "Two GPUs in one confidential VM exchange gradients, on Hopper as shipped. Over NVLink, encrypted?",
            [
                Option(
                    "Yes: over NVLink, and encrypted",
                    "It was announced (talk-071). What shipped differs; always say which of the two you quote.",
                    misconception="NVLink is encrypted on Hopper as shipped",
                ),
                Option(
                    "It is one or the other, not both",
                    "In the single-GPU mode peer access is off (conf-021), so nothing goes over NVLink; in the "
                    "eight-GPU mode it does, in plain text (conf-022).",
                    right=True,
                ),
                Option(
                    "No: NVLink is always switched off",
                    "In the single-GPU mode peer access is. The eight-GPU mode uses NVLink, in plain text (conf-022).",
                    misconception="confidential GPUs never use NVLink",
                ),
            ],
        ),
        Question(
            "A CUDA program is moved into a confidential VM. What must change?",
            [
                Option(
                    "Every copy must be encrypted by the program",
                    "The driver does it, below the API.",
                    misconception="the CUDA code must always change",
                ),
                Option(
                    "Usually nothing, unless it pins host memory",
                    "Copies are sealed by the driver (talk-072). Host memory that the GPU reads directly cannot be "
                    "had; such programs must be looked at.",
                    right=True,
                ),
                Option(
                    "Nothing, ever",
                    "Calls that pin host memory for the GPU are restricted: shared memory is not trusted.",
                    misconception="the CUDA code never changes",
                ),
            ],
        ),
        Question(
            "Seven tenants, each with a MIG instance and a confidential VM of their own, on one H100?",
            [
                Option(
                    "Shipped, with the first driver for it",
                    "As shipped, one GPU goes to one confidential VM (conf-020).",
                    misconception="what was announced has shipped",
                ),
                Option(
                    "Announced, but not found to have shipped",
                    "The talk has a firewall, a virtual function and a key for each instance (talk-077). We found "
                    "no release note that supports it.",
                    right=True,
                ),
                Option(
                    "Never meant: the two exclude each other",
                    "The talk announces both together, with a key for each instance (talk-077).",
                    misconception="MIG and confidential computing exclude each other",
                ),
            ],
        ),
    ],
)
