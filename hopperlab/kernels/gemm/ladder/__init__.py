"""The ladder: one matrix product, D = A times B transposed, nine times, one mechanism more each time.

Each rung is a module with one kernel; `RUNGS` has them from the bottom up, with what changed. A (M, K) and B (N, K)
run along K, as tensor cores want them; D is float32.
"""

from hopperlab.kernels.gemm.ladder.copies_ahead import copies_ahead
from hopperlab.kernels.gemm.ladder.multicast import PAIR, multicast
from hopperlab.kernels.gemm.ladder.naive import naive
from hopperlab.kernels.gemm.ladder.persistent import persistent
from hopperlab.kernels.gemm.ladder.rung import BYTES, Launch, Rung
from hopperlab.kernels.gemm.ladder.shared_tiles import shared_tiles
from hopperlab.kernels.gemm.ladder.specialized import specialized
from hopperlab.kernels.gemm.ladder.tensor_copies import tensor_copies
from hopperlab.kernels.gemm.ladder.tensor_cores import tensor_cores

RUNGS: tuple[Rung, ...] = (
    Rung(
        "naive",
        "A thread an element: every operand comes from memory, or a cache, each time it is used.",
        "float32",
        lambda size, stages: naive,
        size=1,
        way="arrays",
    ),
    Rung(
        "shared tiles",
        "Tiles come into shared memory once for the whole block, and a thread reuses each operand eight times.",
        "float32",
        lambda size, stages: shared_tiles(size),
        size=8,
        way="arrays",
    ),
    Rung(
        "copies ahead",
        "cp.async: the copies of the next two tiles are under way while one is worked on.",
        "float32",
        copies_ahead,
        size=8,
        stages=3,
        way="arrays",
    ),
    Rung(
        "tensor copies",
        "The copy engine brings whole tiles at the word of one thread, and a barrier counts their bytes.",
        "float32",
        tensor_copies,
        size=8,
        stages=3,
        way="maps",
    ),
    Rung(
        "tensor cores",
        "The operands are BF16, and tensor cores multiply them out of shared memory.",
        "bf16",
        lambda size, stages: tensor_cores(size, stages),
        size=256,
        stages=4,
        warpgroups=2,
    ),
    Rung(
        "specialized",
        "A warpgroup of its own fills the ring, and those that multiply start a product before the last one ends.",
        "bf16",
        lambda size, stages: specialized(size, stages),
        size=256,
        stages=4,
        warpgroups=3,
    ),
    Rung(
        "multicast",
        "Clusters of two share each tile of B: it is read once, and lands in both blocks.",
        "bf16",
        lambda size, stages: multicast(size, stages),
        size=256,
        stages=4,
        warpgroups=3,
        cluster=PAIR,
    ),
    Rung(
        "persistent",
        "A block takes tile after tile, and its producer runs ahead while the consumers write their sums.",
        "bf16",
        lambda size, stages: persistent(size, stages),
        size=256,
        stages=4,
        warpgroups=3,
        cluster=PAIR,
        persistent=True,
    ),
    Rung(
        "FP8",
        "The operands take one byte instead of two: the same kernel, told another format.",
        "e4m3",
        lambda size, stages: persistent(size, stages, "e4m3"),
        size=256,
        stages=4,
        warpgroups=3,
        cluster=PAIR,
        persistent=True,
    ),
)


def rung(name: str) -> Rung:
    """Give the rung of a name.

    Raises
    ------
    ValueError
        If there is none.
    """
    for known in RUNGS:
        if known.name == name:
            return known
    raise ValueError(f"name is {name!r}; the rungs are {', '.join(known.name for known in RUNGS)}")


__all__ = ["BYTES", "RUNGS", "Launch", "Rung", "rung"]
