"""Which tensor cores there are, and the few integers that make each one's arithmetic.

A unit aligns `block` products and the accumulator to their largest exponent, keeps `fraction_bits` bits below it
and cuts the rest off, adds exactly, and writes the sum: FP32 cut to `output_fraction_bits`, FP16 rounded to
nearest even. Where the integers come from: fits to published vectors of real cards (F. A. Khattak and M. Mikaitis,
Accurate Models of NVIDIA Tensor Cores, arXiv 2512.07004), another simulator (MMA-Sim, arXiv 2511.10909), and
recordings of our own, `tensorcore_differential` and `tensorcore_probes` of one H200. `evidence` says which, and
`settled` whether that is a measurement of this very unit.

`minimum_exponent`, the lowest exponent that a block aligns to, is measured by probes: -133 for BF16 with FP32 output,
-21 for FP16 with FP16 output; the other units of an output are taken to have the same. For FP8 nothing depends on
it, every product being a multiple of a step that even the lowest grid keeps.
"""

from dataclasses import dataclass, replace

from hopperlab.models.tensorcore.formats import FLOAT16, FLOAT32, INPUT_FORMATS, InputFormat, OutputFormat


@dataclass(frozen=True)
class Unit:
    """One unit's arithmetic.

    block
        Products that are aligned together.
    fraction_bits
        Bits kept below the largest exponent of a block.
    output_fraction_bits
        Fraction bits of the value written.
    instruction_k
        Elements of K that one instruction takes.
    evidence
        What speaks for these integers.
    settled
        Whether outputs of this very unit were compared with the model, bit for bit.
    interleaved
        The instruction works in two blocks: elements with k % 4 in {0, 1}, then those in {2, 3}.
    late_accumulator
        Each instruction starts from zero; its sum is added to C afterwards, on ordinary lanes.
    minimum_exponent
        Lowest exponent that a block aligns to.
    """

    name: str
    a: InputFormat
    b: InputFormat
    output: OutputFormat
    block: int
    fraction_bits: int
    output_fraction_bits: int
    instruction_k: int
    evidence: str
    settled: bool
    interleaved: bool = False
    late_accumulator: bool = False
    minimum_exponent: int = -133

    def __post_init__(self) -> None:
        """Refuse integers that the exact arithmetic of the model has no room for."""
        limits = {"block": 64, "fraction_bits": 40, "output_fraction_bits": 23, "instruction_k": 64}
        for field, most in limits.items():
            if not 1 <= getattr(self, field) <= most:
                raise ValueError(f"{field}={getattr(self, field)} must be in 1 to {most}")
        if not -300 <= self.minimum_exponent <= 100:
            raise ValueError(f"minimum_exponent={self.minimum_exponent} must be in -300 to 100")


FP8 = ("e4m3", "e5m2")
FP8_PAIRS = tuple((a, b) for a in FP8 for b in FP8)

VECTORS = "5000 of 5000 published vectors"
MMA_SIM = "the same integers in MMA-Sim; not compared with a card yet"
CHAINS = "458,752 of 458,752 outputs of an H200 through wgmma, chained up to K = 4096, with C"
OUTPUTS = "9,216 of 9,216 outputs of an H200, with C"
SASS = f"ptxas turns it into two FP16 HMMA from zero and an FP32 add of C; {OUTPUTS}"


def _hopper_wgmma() -> list[Unit]:
    """QGMMA for FP8, HGMMA for the wider formats."""
    units = []
    for a, b in FP8_PAIRS:
        evidence = f"{CHAINS}; {OUTPUTS} more"
        if a == b:
            evidence += f"; {VECTORS} of an H100 and of an H200 each, with C = 0"
        units.append(_unit("hopper.wgmma", a, b, FLOAT32, (32, 13, 13), 32, evidence, True))
        units.append(_unit("hopper.wgmma", a, b, FLOAT16, (32, 13, 10), 32, OUTPUTS, True))
    wide = f"{OUTPUTS}; {VECTORS} of an H100 and of an H200 each, with C, through mma.sync"
    units += [
        _unit("hopper.wgmma", "f16", "f16", FLOAT32, (16, 25, 23), 16, wide, True),
        _unit("hopper.wgmma", "f16", "f16", FLOAT16, (16, 25, 10), 16, wide, True),
        _unit("hopper.wgmma", "bf16", "bf16", FLOAT32, (16, 25, 23), 16, wide, True),
        _unit("hopper.wgmma", "tf32", "tf32", FLOAT32, (8, 25, 23), 8, f"{wide}, at K = 4", True),
    ]
    return units


def _hopper_mma() -> list[Unit]:
    """Hopper's mma.sync: for FP8 it is not the FP8 tensor core, but two FP16 instructions and an add."""
    vectors = f"{VECTORS} of an H100 and of an H200 each"
    half = SASS.replace("FP32 add", "FP16 add")
    units = [
        _unit(
            "hopper.mma", a, b, output, integers, 32, evidence, True, interleaved=True, late_accumulator=True
        )
        for a, b in FP8_PAIRS
        for output, integers, evidence in (
            (FLOAT16, (16, 25, 10), f"{half}; {vectors}" if a == b else half),
            (FLOAT32, (16, 25, 23), SASS),
        )
    ]
    wide = f"{OUTPUTS}; {vectors}, with C"
    weak = f"{wide}; of these vectors correct rounding meets 4998 of the H100's too"
    return [
        *(replace(u, a=_unpacked(u.a), b=_unpacked(u.b)) for u in units),
        _unit("hopper.mma", "f16", "f16", FLOAT32, (16, 25, 23), 16, wide, True),
        _unit("hopper.mma", "f16", "f16", FLOAT16, (16, 25, 10), 16, weak, True),
        _unit("hopper.mma", "bf16", "bf16", FLOAT32, (16, 25, 23), 16, wide, True),
    ]


def _unpacked(fp8: InputFormat) -> InputFormat:
    """Return FP8 as FP16 holds it: same values, but E4M3's subnormals are normal numbers there."""
    half = INPUT_FORMATS["f16"]
    title = f"{fp8.title} in FP16"
    return replace(fp8, title=title, fraction_bits=half.fraction_bits, minimum_exponent=half.minimum_exponent)


def _others() -> list[Unit]:
    """A100, Ada and V100, for comparison."""
    units = [
        _unit("ada.mma", a, b, output, (16, 13, last), 32, evidence, a == b)
        for a, b in FP8_PAIRS
        for output, last in ((FLOAT32, 13), (FLOAT16, 10))
        for evidence in (f"{VECTORS} of an Ada card, with C" if a == b else MMA_SIM,)
    ]
    a100 = f"{VECTORS} of an A100, with C"
    return [
        *units,
        _unit("a100.mma", "f16", "f16", FLOAT32, (8, 24, 23), 16, a100, True),
        _unit("a100.mma", "f16", "f16", FLOAT16, (8, 24, 10), 16, MMA_SIM, False),
        _unit("a100.mma", "bf16", "bf16", FLOAT32, (8, 24, 23), 16, a100, True),
        _unit("a100.mma", "tf32", "tf32", FLOAT32, (4, 24, 23), 8, MMA_SIM, False),
        _unit("v100.mma", "f16", "f16", FLOAT32, (4, 23, 23), 4, f"{VECTORS} of a V100, with C", True),
    ]


def _unit(
    instruction: str,
    a: str,
    b: str,
    output: OutputFormat,
    integers: tuple[int, int, int],
    instruction_k: int,
    evidence: str,
    settled: bool,
    **structure: bool,
) -> Unit:
    """Name a unit "chip.instruction.A[.B][.acc_f16]" and put it together."""
    name = ".".join([instruction, a, *([b] if b != a else []), *(["acc_f16"] if output is FLOAT16 else [])])
    lowest = {"minimum_exponent": -21} if output is FLOAT16 else {}
    formats = (INPUT_FORMATS[a], INPUT_FORMATS[b], output)
    return Unit(name, *formats, *integers, instruction_k, evidence, settled, **structure, **lowest)


UNITS: dict[str, Unit] = {u.name: u for u in (*_hopper_wgmma(), *_hopper_mma(), *_others())}


def unit_named(unit: str | Unit) -> Unit:
    """Return the unit of that name, or a unit of one's own as it is; ValueError lists the names there are."""
    if isinstance(unit, Unit):
        return unit
    if isinstance(unit, str) and unit in UNITS:
        return UNITS[unit]
    raise ValueError(f"unit={unit!r} must be one of {', '.join(map(repr, UNITS))}")
