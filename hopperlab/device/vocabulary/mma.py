"""mma: a warp multiplies two small tiles out of its registers, at once: the tensor core as before Hopper.

D (16 x 8) += A (16 x K) times B (8 x K) transposed, 32 bytes along K. All three are in registers: think of A and
B as rows of 32-bit words along K, eight words an instruction. Lane l, with g = l / 4 and t = l % 4, holds of A the
words (g, t), (g + 8, t), (g, t + 4), (g + 8, t + 4), of B the words (g, t), (g, t + 4), and of the accumulators
(g, 2 t), (g, 2 t + 1), (g + 8, 2 t), (g + 8, 2 t + 1).
"""

from hopperlab.device.vocabulary.kinds import Fragment, OperandFormat, Registers, Same
from hopperlab.device.vocabulary.word import word

PTX = "PTX ISA, Warp Level Matrix Multiply-Accumulate Instructions: mma"


@word(
    ptx="""
    mma.sync.aligned.m16n8k{a_format.k}.row.col.{accumulators.type}.{a_format}.{b_format}.{accumulators.type}
      {{result}}, {{a}}, {{b}}, {{result}};
    """,
    target="sm_80",
    source=PTX,
)
def sync(
    accumulators: Fragment(columns=8),
    a: Registers("uint32", 4),
    b: Registers("uint32", 2),
    a_format: OperandFormat(),
    b_format: OperandFormat(other="a_format"),
) -> Same("accumulators"):
    """Give D + A B for 32 bytes along K: 4 float32 accumulators, or 2 uint32 with two float16 each.

    Formats are those of `wgmma.mma_async`. With FP8 this is not the FP8 tensor core on Hopper: ptxas makes FP16
    products of it.
    """
