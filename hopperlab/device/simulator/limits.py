"""What the simulator does not model: where a card does otherwise than the simulator shows.

What a run's cycles leave out is told beside the costs, in `timing`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

NOT_MODELLED: Mapping[str, str] = MappingProxyType(
    {
        "order of memory": (
            "A store is seen by every thread at once, in the order of the run. A card may show stores late or in "
            "another order; where a kernel depends on that, the checks tell of a race, in whatever order it ran."
        ),
        "pieces of copies": (
            "A copy's bytes land and are counted all at once. A card counts them in pieces of 16 bytes or more, in an "
            "order that changes (measured: copy_pieces): who looks too early finds some of a tile, and a barrier that "
            "expects too few bytes may end its phase midway. Here the checks tell of both in whatever order it ran; "
            "pieces would multiply the orders to run, and find nothing more."
        ),
        "caches": "There are none: prefetches change nothing, and a cache hint is checked and then ignored.",
        "warps": (
            "Threads of a warp run one after another and meet only where a word makes them meet. Divergence costs "
            "nothing, and no two lanes ever run in step by themselves: what relies on that is a race."
        ),
        "registers": (
            "Each thread is taken to hold 32 registers when blocks are placed; spills do not happen. "
            "`kernel.resources()` tells what the compiler takes."
        ),
        "the card": (
            "Blocks are placed on an example map of GPCs for each chip; cards of one name differ. One kernel runs at "
            "a time, alone, from an idle chip."
        ),
        "integers": (
            "An int64 that leaves 64 bits is wrapped when it is stored in an array of whole numbers or cast, or at "
            "once where a number of 2**32 or more takes part that is a constant or was loaded. `int(x)` of a float "
            "beyond 64 bits is wrapped too, and of an infinity or a NaN it stops the run; a card gives the nearest "
            "int64, and of NaN the lowest. `int64(x)` does so here as well."
        ),
        "types": "A variable that is float32 on one path and float64 on another keeps each; numba makes it float64.",
        "what numba refuses": (
            "Some of what numba compiles on no card runs here: lists, dictionaries, comprehensions, plain Python "
            "functions, shapes of shared arrays that are computed. `kernel.ptx()` tells."
        ),
        "complex numbers": (
            "They are numpy's: quotients and powers may differ in the last place, and complex64 beside a number of "
            "Python stays complex64, where numba makes complex128."
        ),
        "NaN": (
            "Of a NaN only that it is one: arithmetic of the card gives one pattern, Python another, and a signaling "
            "NaN may come out quiet."
        ),
        "contraction": "a * b + c is rounded twice; numba-cuda contracts it to one rounding. Say `cuda.fma`.",
        "functions of math": (
            "Transcendental functions are computed in float64 and rounded to float32 once; the card's may differ by "
            "a few units in the last place."
        ),
        "interleavings": (
            "Threads give way where they wait and where they change memory atomically, and nowhere else; "
            "in between, the checks tell of races instead."
        ),
        "reads": (
            "Of more than two reads of a cell that nothing orders, the checks remember two: a write that is ordered "
            "after these, and not after a third, is found only with another seed."
        ),
        "patience": (
            "A thread that runs for seconds without a word, or that asks in vain for thousands of rounds, is stopped "
            "and called a loop that never ends."
        ),
    }
)
"""By theme, what is left out, in a sentence or two."""
