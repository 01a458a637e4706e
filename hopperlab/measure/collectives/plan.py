"""What is run: operations, sizes, and how often; and which size is whose buffer, as nccl-tests has it (lit-201)."""

from collections.abc import Iterator

OPERATIONS = ("all-reduce", "all-gather", "reduce-scatter", "all-to-all")
ELEMENT_BYTES = 4  # float32, the default of nccl-tests
SIZES = tuple(2**power for power in range(3, 34))  # 8 B to 8 GiB
WARM_UPS = 5
GROUPS = 7  # each timed by itself; the median of them counts

# What NCCL is told to use; "chosen" leaves it the choice.
VARIANTS = {"chosen": {}, "ring": {"NCCL_ALGO": "Ring"}, "tree": {"NCCL_ALGO": "Tree"}}


def calls(variant: str, ranks: int) -> Iterator[tuple[str, int, int]]:
    """(operation, size, repetitions in one group) of one variant; the tree only reduces everywhere.

    Sizes that do not hold an element for each rank are left out.
    """
    operations = OPERATIONS if variant == "chosen" else ("all-reduce",)
    for operation in operations:
        for size in SIZES:
            if size >= ELEMENT_BYTES * ranks:
                yield operation, size, repetitions(size)


def repetitions(size: int) -> int:
    """How many calls are timed together, so that the clock's own cost does not count."""
    return 50 if size <= 2**20 else 20 if size <= 2**28 else 10


def buffer_bytes(operation: str, size: int, ranks: int) -> tuple[int, int]:
    """Bytes of one rank's buffer that is sent from, and of that which is received into."""
    share = size // ranks // ELEMENT_BYTES * ELEMENT_BYTES
    return {
        "all-reduce": (size, size),
        "all-gather": (share, share * ranks),
        "reduce-scatter": (share * ranks, share),
        "all-to-all": (share * ranks, share * ranks),
    }[operation]
