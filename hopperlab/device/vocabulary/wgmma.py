"""wgmma: a warpgroup multiplies two tiles in shared memory and adds up in its registers, asynchronously.

The 128 threads of a warpgroup say these words together. D (64 x N) += A (64 x K) times B (N x K) transposed,
where 32 bytes along K make one instruction: 32 elements of FP8, 16 of FP16 or BF16, 8 of TF32. Both tiles run
along K in shared memory, in rows of 128, 64 or 32 bytes with the swizzle of the same size, as `tma.load` brings
them. Each thread holds a fragment of the accumulators; `row` and `column` say where its registers belong.
"""

from hopperlab.device.vocabulary.kinds import (
    Array,
    Choice,
    Fragment,
    OperandFormat,
    Same,
    Scalar,
    SharedArray,
)
from hopperlab.device.vocabulary.word import word

Accumulators = Fragment(columns=256)
Columns = Scalar("uint32", unit="column", low=8, high=256, multiple=8, constant=True)
Descriptor = Scalar("uint64", unit="matrix descriptor")
Swizzle = Scalar("uint32", unit="byte", low=32, high=128, multiple=32, constant=True)
Position = Scalar("int64", unit="element")

PTX = "PTX ISA, Asynchronous Warpgroup Level Matrix Instructions"


@word(ptx=None, target="sm_90a", effect="none", source=f"{PTX}: register fragments")
def zeros(columns: Columns, type: Choice(("f32", "f16")) = "f32") -> Accumulators:
    """Give this thread's part of 64 x `columns` accumulators, all 0: columns / 2 float32.

    Of type "f16" it is columns / 4 uint32, each with two float16.
    """


@word(ptx=None, target="sm_90a", effect="reads", source=f"{PTX}: register fragments")
def load(
    array: Array(element_bytes=(2, 4)), row: Position, column: Position, columns: Columns
) -> Accumulators:
    """Read 64 x `columns` accumulators from a 2-D array of float32 or float16, from `row` and `column` on.

    What lies outside the array is 0.
    """


@word(ptx=None, target="sm_90a", source=f"{PTX}: register fragments")
def store(
    accumulators: Accumulators, array: Array(element_bytes=(2, 4)), row: Position, column: Position
) -> None:
    """Write the tile to a 2-D array of its own type, from `row` and `column` on; outside the array, nothing.

    Two numbers a register, as `fragment.pack` leaves them, go as they are to an array of uint16 too.
    """


@word(ptx=None, target="sm_90a", effect="none", source="PTX ISA, Floating Point Instructions: add")
def add(accumulators: Accumulators, more: Accumulators) -> Same("accumulators"):
    """Add two fragments on the ordinary lanes, rounding to nearest even: that is how sums are promoted."""


@word(ptx=None, target="sm_90a", effect="none", source="PTX ISA, Floating Point Instructions: mul")
def scale(accumulators: Accumulators, factor: Scalar("float32")) -> Same("accumulators"):
    """Multiply a fragment of float32 on the ordinary lanes."""


@word(
    ptx="""
    {
    .reg .u32 thread;
    mov.u32 thread, %tid.x;
    bfe.u32 {result}, thread, 5, 2;
    bfe.u32 thread, thread, 2, 3;
    mad.lo.u32 {result}, {result}, 16, thread;
    bfe.u32 thread, {register}, 1, 1;
    mad.lo.u32 {result}, thread, 8, {result};
    }
    """,
    target="sm_90a",
    effect="none",
    source=f"{PTX}: register fragments",
)
def row(register: Scalar("uint32", unit="register")) -> Scalar("uint32", unit="row"):
    """Give the row, in the tile of 64, of the accumulator in a thread's register of float32 of that number."""


@word(
    ptx="""
    {
    .reg .u32 thread;
    mov.u32 thread, %tid.x;
    and.b32 thread, thread, 3;
    shr.u32 {result}, {register}, 2;
    mad.lo.u32 {result}, {result}, 4, thread;
    and.b32 thread, {register}, 1;
    mad.lo.u32 {result}, {result}, 2, thread;
    }
    """,
    target="sm_90a",
    effect="none",
    source=f"{PTX}: register fragments",
)
def column(register: Scalar("uint32", unit="register")) -> Scalar("uint32", unit="column"):
    """Give the column of the accumulator in a thread's register of float32 of that number."""


@word(
    ptx="""
    {
    .reg .b64 start;
    cvt.u64.u32 start, {tile};
    bfe.u64 start, start, 4, 14;
    or.b64 {result}, start,
      (({swizzle} == 128 ? 1 : {swizzle} == 64 ? 2 : 3) << 62) | (({swizzle} / 2) << 32) | (1 << 16);
    }
    """,
    target="sm_90a",
    effect="none",
    source=f"{PTX}: matrix descriptor",
)
def descriptor(tile: SharedArray(), swizzle: Swizzle = 128) -> Descriptor:
    """Describe a tile in shared memory: rows of `swizzle` bytes along K, swizzled within as many bytes.

    It starts on 8 * `swizzle` bytes: 1,024 for a swizzle of 128.
    """


@word(
    ptx="mad.wide.u32 {result}, {steps}, 2, {descriptor};",
    target="sm_90a",
    effect="none",
    source=f"{PTX}: matrix descriptor",
)
def advance(descriptor: Descriptor, steps: Scalar("uint32", unit="instruction")) -> Descriptor:
    """Move along K by as much as that many instructions take, 32 bytes each, within the row."""


@word(ptx="wgmma.fence.sync.aligned;", target="sm_90a", source=f"{PTX}: wgmma.fence")
def fence() -> None:
    """Order what the threads did to the accumulators before the products that follow; before the first, always."""


@word(
    ptx="""
    {
    .reg .pred accumulate;
    setp.ne.b32 accumulate, {accumulate}, 0;
    wgmma.mma_async.sync.aligned.m64n{accumulators.columns}k{a_format.k}.{accumulators.type}.{a_format}.{b_format}
      {{result}}, {a}, {b}, accumulate, 1, 1{a_format.majors};
    }
    """,
    target="sm_90a",
    source=f"{PTX}: wgmma.mma_async",
)
def mma_async(
    accumulators: Accumulators,
    a: Descriptor,
    b: Descriptor,
    a_format: OperandFormat(),
    b_format: OperandFormat(other="a_format"),
    accumulate: Scalar("boolean") = True,
) -> Same("accumulators"):
    """Start D += A B for one step of 32 bytes along K; D = A B if not `accumulate`.

    Formats are "e4m3", "e5m2" (which mix), "f16", "bf16", "tf32". The fragment that comes back is not to be read
    before `wait_group` has given it.
    """


@word(ptx="wgmma.commit_group.sync.aligned;", target="sm_90a", source=f"{PTX}: wgmma.commit_group")
def commit_group() -> None:
    """Make a group of the products that were started since the last one."""


@word(ptx="wgmma.wait_group.sync.aligned {pending};", target="sm_90a", source=f"{PTX}: wgmma.wait_group")
def wait_group(
    accumulators: Accumulators, pending: Scalar("uint32", unit="group", low=0, high=7, constant=True) = 0
) -> Same("accumulators"):
    """Wait until at most the `pending` latest groups are still at work; give the fragment back.

    What the finished groups read may be overwritten. The accumulators may be read if no group that works on
    them is pending.
    """
