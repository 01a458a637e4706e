"""Words that are said without a family: which SM this is, clocks, naps, one thread of a warp, registers."""

from hopperlab.device.vocabulary.kinds import Cycles32, Cycles64, Nanoseconds32, Nanoseconds64, Scalar
from hopperlab.device.vocabulary.word import word

Registers = Scalar("uint32", unit="register per thread", low=24, high=256, multiple=8, constant=True)


@word(
    family="",
    ptx="mov.u32 {result}, %smid;",
    target="sm_70",
    effect="reads",
    source="PTX ISA, Special Registers: %smid",
)
def smid() -> Scalar("uint32", unit="streaming multiprocessor"):
    """Give the number of the SM that runs this thread; numbers may have gaps on some cards."""


@word(
    family="",
    ptx="mov.u32 {result}, %clock;",
    target="sm_70",
    effect="orders",
    source="PTX ISA, Special Registers: %clock",
)
def clock() -> Cycles32:
    """Give the low 32 bits of the SM's cycle counter: half the registers of `clock64`, and it wraps."""


@word(
    family="",
    ptx="mov.u64 {result}, %clock64;",
    target="sm_70",
    effect="orders",
    source="PTX ISA, Special Registers: %clock64",
)
def clock64() -> Cycles64:
    """Give the SM's cycle counter. Counters of two SMs cannot be compared."""


@word(
    family="",
    ptx="mov.u64 {result}, %globaltimer;",
    target="sm_70",
    effect="orders",
    source="PTX ISA, Special Registers: %globaltimer",
)
def global_timer() -> Nanoseconds64:
    """Give the time in nanoseconds, the same on all SMs; it ticks coarsely."""


@word(
    family="",
    ptx="nanosleep.u32 {duration};",
    target="sm_70",
    source="PTX ISA, Miscellaneous Instructions: nanosleep",
)
def nanosleep(duration: Nanoseconds32) -> None:
    """Sleep for about the duration, at most twice of it, and at most a millisecond."""


@word(
    family="",
    ptx="""
    {
    .reg .pred chosen;
    elect.sync _|chosen, 0xffffffff;
    selp.u32 {result}, 1, 0, chosen;
    }
    """,
    source="PTX ISA, Parallel Synchronization: elect.sync",
)
def elect() -> Scalar("boolean"):
    """Choose one thread of the warp, the same each time; all of its threads ask together."""


@word(
    family="",
    ptx="setmaxnreg.inc.sync.aligned.u32 {count};",
    target="sm_90a",
    source="PTX ISA, Miscellaneous Instructions: setmaxnreg",
)
def setmaxnreg_inc(count: Registers) -> None:
    """Take registers until each thread of the warpgroup has `count`; wait until the block has them to give.

    All warps of a warpgroup say it together, in a kernel with launch bounds.
    """


@word(
    family="",
    ptx="setmaxnreg.dec.sync.aligned.u32 {count};",
    target="sm_90a",
    source="PTX ISA, Miscellaneous Instructions: setmaxnreg",
)
def setmaxnreg_dec(count: Registers) -> None:
    """Give registers back until each thread of the warpgroup has `count`.

    All warps of a warpgroup say it together, in a kernel with launch bounds.
    """
