"""Words that are said without a family: which SM this is, clocks, naps."""

from hopperlab.device.vocabulary.kinds import Cycles32, Cycles64, Nanoseconds32, Nanoseconds64, Scalar
from hopperlab.device.vocabulary.word import word


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
