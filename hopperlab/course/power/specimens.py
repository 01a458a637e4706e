"""Four measurements gone wrong: on zeros, at the clock of the data sheet, in the first blink, and read too early."""

from statistics import median

from hopperlab.course.power import recorded
from hopperlab.course.power.recorded import CARD, LOADS, MIXED, ZEROS
from hopperlab.course.specimens import Specimen
from hopperlab.models import power as model
from hopperlab.views.picture import Picture
from hopperlab.views.side_by_side import side_by_side

FIRST_SECONDS = 0.03  # before the clock falls
EARLY_SECONDS = 0.2


def _tera(phase: str) -> float:
    return recorded.result(phase)["tera_per_second"]


def _per_clock(phase: str) -> float:
    return 1e6 * _tera(phase) / recorded.result(phase)["sm_mhz"]


def _zeros() -> str:
    return (
        f"{_tera(ZEROS):.0f} TFLOP/s on zeros, {_tera(MIXED):.0f} on mixed numbers (measured), though both make "
        f"nearly as many products a clock: {_per_clock(ZEROS) / 1e3:.0f} and {_per_clock(MIXED) / 1e3:.0f} thousand "
        "FLOP."
    )


def _zeros_table() -> Picture:
    rows = [
        [
            name,
            f"{_tera(phase):.0f}",
            f"{recorded.result(phase)['sm_mhz']:.0f}",
            f"{recorded.result(phase)['power_w']:.0f}",
        ]
        for name, phase in (("zeros", ZEROS), ("mixed numbers", MIXED))
    ]
    return side_by_side(f"The same products, measured, {CARD}", ["numbers", "TFLOP/s", "MHz", "W"], rows, [0])


def _boost() -> str:
    wrong, right = (1e6 * _tera(MIXED) / mhz for mhz in (model.BOOST_MHZ, recorded.result(MIXED)["sm_mhz"]))
    return (
        f"At {model.BOOST_MHZ:.0f} MHz it would be {wrong / 1e3:.0f} thousand FLOP a clock; at the clock that was held "
        f"it is {right / 1e3:.0f} thousand (measured): {right / wrong - 1:.0%} more."
    )


def _boost_table() -> Picture:
    rows = []
    for name, mhz in (
        ("the data sheet's boost clock", model.BOOST_MHZ),
        ("the clock while it ran", recorded.result(MIXED)["sm_mhz"]),
    ):
        rows.append([name, f"{mhz:.0f}", f"{_tera(MIXED) * 1e3 / mhz:.0f}"])
    heads = ["divided by", "MHz", "thousand FLOP a clock"]
    return side_by_side(f"{_tera(MIXED):.0f} TFLOP/s, measured, {CARD}", heads, rows, [0])


def first_blink(phase: str) -> float:
    """Median work a second of the launches that came before the clock fell."""
    began = recorded.samples(phase)[0][1]
    return median(row[6] for row in recorded.samples(phase) if row[1] - began < FIRST_SECONDS)


def _blink() -> str:
    first, settled = first_blink(MIXED), _tera(MIXED)
    return (
        f"{first:.0f} TFLOP/s in the first {FIRST_SECONDS * 1e3:.0f} ms, {settled:.0f} once it has settled (measured): "
        f"{first / settled - 1:.0%} too many for any longer run."
    )


def _blink_table() -> Picture:
    rows = []
    for name, phase in (("zeros", ZEROS), ("mixed numbers", MIXED)):
        rows.append([f"{name}, first launches", f"{first_blink(phase):.0f}"])
        rows.append([f"{name}, settled", f"{_tera(phase):.0f}"])
    heads = ["what was timed", "TFLOP/s (measured)"]
    return side_by_side(f"Short and long, {CARD}", heads, rows, [0, 2])


def early_reading(phase: str) -> float:
    """Watts as they were read a fifth of a second after a phase began."""
    return next(watts for at, _, watts in recorded.since_start(phase) if at >= EARLY_SECONDS)


def _early() -> str:
    return (
        f"{early_reading(MIXED):.0f} W after {EARLY_SECONDS:g} s; the same kernel settles at "
        f"{recorded.result(MIXED)['power_w']:.0f} W (measured). The reading is still mostly of the time before."
    )


def _early_table() -> Picture:
    rows = [
        [phase, f"{early_reading(phase):.0f}", f"{recorded.result(phase)['power_w']:.0f}"] for phase in LOADS
    ]
    heads = ["kernel", f"W, read after {EARLY_SECONDS:g} s", "W, settled"]
    wrong = [number for number, row in enumerate(rows) if float(row[1]) < 0.9 * float(row[2])]
    return side_by_side(f"Two readings of each, measured, {CARD}", heads, rows, wrong)


SPECIMENS = (
    Specimen(
        "A benchmark on zeros",
        "The matrices were never filled, and the rate was published as that of the card.",
        _zeros,
        "Fill them with numbers like those of the real work, and say with which.",
        _zeros_table,
    ),
    Specimen(
        "The clock on the box",
        "A rate was divided by the boost clock to get operations a clock.",
        _boost,
        "Read the clock while the kernel runs, or count cycles on the card.",
        _boost_table,
    ),
    Specimen(
        "A benchmark of one blink",
        "One launch of a few milliseconds was timed.",
        _blink,
        "Run until the clock has settled, and look at the rate over time.",
        _blink_table,
    ),
    Specimen(
        "Power read too early",
        "Power was read right after the launch, and energy was worked out from it.",
        _early,
        "Keep the load up for more than a second before the first reading counts.",
        _early_table,
    ),
)
