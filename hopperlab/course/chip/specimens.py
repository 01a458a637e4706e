"""Three ways to read a data sheet wrongly."""

from hopperlab.chip import MHZ, chip
from hopperlab.course.specimens import Specimen
from hopperlab.models.roofline import roofline
from hopperlab.views.picture import Picture
from hopperlab.views.side_by_side import side_by_side

TERA = 1e12
GPUS = 256
SOLD_PCIE_TFLOPS = 756.5  # recalled-002.a


def _dense_exaflop() -> float:
    return GPUS * roofline(chip("H100 SXM5"), "fp8").peak_flop_per_s / 1e18


def _sparse() -> str:
    return f"{GPUS} chips reach {_dense_exaflop():.2f} exaflop of dense FP8, not {2 * _dense_exaflop():.2f} (modelled)."


def _sparse_table() -> Picture:
    peak = roofline(chip("H100 SXM5"), "fp8").peak_flop_per_s / TERA
    rows = [
        ["FP8, dense", f"{peak:,.0f}", f"{peak * GPUS / 1e6:.2f}"],
        ["FP8, two of four zero", f"{2 * peak:,.0f}", f"{2 * peak * GPUS / 1e6:.2f}"],
    ]
    return side_by_side(
        "An exaflop (modelled)", ["kind", "TFLOP/s, one chip", f"exaflop, {GPUS} chips"], rows, [1]
    )


def _boost() -> str:
    return f"the sheet says {SOLD_PCIE_TFLOPS} (quoted, recalled-002.a), not {_at_boost():.1f} (modelled)."


def _at_boost() -> float:
    card = chip("H100 PCIe")
    return card.sms * card.tensor_fp16_flop_per_clock_per_sm * card.boost_clock_hz / TERA


def _boost_table() -> Picture:
    card = chip("H100 PCIe")
    rows = [
        ["boost", f"{card.boost_clock_hz / MHZ:,.0f}", f"{_at_boost():.1f}"],
        [
            "tensor",
            f"{card.tensor_clock_hz / MHZ:,.0f}",
            f"{roofline(card, 'fp16').peak_flop_per_s / TERA:.1f}",
        ],
    ]
    return side_by_side("Dense FP16 of an H100 PCIe (modelled)", ["clock", "MHz", "TFLOP/s"], rows, [0])


def _seconds(nbytes: float, bytes_per_s: float) -> float:
    return nbytes / bytes_per_s


def _direction() -> str:
    right, wrong = (_seconds(80e9, rate) for rate in (450e9, 900e9))
    return (
        f"the copy takes {right:.2f} s, not {wrong:.2f} s (modelled): half of the 900 GB/s is the way back."
    )


def _direction_table() -> Picture:
    rows = [
        ["both directions, added", "900", f"{_seconds(80e9, 900e9):.3f}"],
        ["one direction", "450", f"{_seconds(80e9, 450e9):.3f}"],
    ]
    return side_by_side(
        "80 GB from Grace to the GPU (modelled)", ["what is counted", "GB/s", "seconds"], rows, [0]
    )


SPECIMENS = (
    Specimen(
        "A peak for zeros",
        "The time of a training run is planned with the exaflop of 256 chips [talk-003].",
        _sparse,
        "Ask of every peak: which type, dense or sparse, at which clock? Weights are not sparse by themselves.",
        _sparse_table,
    ),
    Specimen(
        "The wrong clock",
        "The peak of an H100 PCIe is worked out from its SMs, its rate and its boost clock.",
        _boost,
        "Peaks of tensor cores assume a clock that they can hold; it is lower than the boost clock.",
        _boost_table,
    ),
    Specimen(
        "Both directions",
        "80 GB are copied over a link of 900 GB/s [talk-004].",
        _direction,
        "A copy goes one way. Halve what is counted both ways.",
        _direction_table,
    ),
)
