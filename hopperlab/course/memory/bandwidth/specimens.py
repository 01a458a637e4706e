"""Four bandwidths of something else: loads nobody asked for, a cache for memory, GiB for GB, a copy counted once."""

from hopperlab.chip import chip
from hopperlab.course.memory.bandwidth.reader import LOADS_ASKED, LOADS_UNDER_WAY
from hopperlab.course.memory.bandwidth.recorded import CARD, bandwidth
from hopperlab.course.specimens import Specimen
from hopperlab.measure.memory.bandwidth import EVERYTHING, at, best
from hopperlab.views.picture import Picture
from hopperlab.views.side_by_side import side_by_side

PEAK = chip(CARD).memory_bandwidth_bytes_per_s / 1e9
SMALL, LARGE = 32 * 2**20, 2**30


def _unasked() -> str:
    return (
        f"{LOADS_UNDER_WAY} loads of a thread are under way before the first is needed, where the source asks for "
        f"{LOADS_ASKED}: the compiler begins later rounds of the loop early. "
        f"The axis is wrong by {LOADS_UNDER_WAY // LOADS_ASKED} times."
    )


def _unasked_table() -> Picture:
    rows = [
        ["reader(2)", "the last loads", str(LOADS_ASKED)],
        ["reader(2, waits=False)", "nothing", str(LOADS_UNDER_WAY)],
    ]
    heads = ["kernel", "the next loads wait for", "under way, in the machine code"]
    return side_by_side("Asked for 2 loads in flight", heads, rows, [1])


def _cached() -> str:
    rate = at(bandwidth(), EVERYTHING, SMALL)
    return (
        f"{rate:.0f} GB/s (measured) are more than the {PEAK:.0f} that the memory's pins can give (quoted, "
        "recalled-001.b): 34 MB fit in the L2 cache, which answers from the second pass on."
    )


def _cached_table() -> Picture:
    rows = [
        [
            f"{size / 1e6:.0f} MB",
            f"{rate:.0f}",
            f"{rate / PEAK:.0%}",
            "L2 cache" if size == SMALL else "device memory",
        ]
        for size in (SMALL, LARGE)
        for rate in [at(bandwidth(), EVERYTHING, size)]
    ]
    heads = ["footprint", "GB/s, measured", "of the pins' rate", "who answers"]
    return side_by_side(f"Said to be device memory ({CARD})", heads, rows, [0])


def _units() -> str:
    rate = best(bandwidth(), "read")
    return (
        f"{rate * 1e9 / 2**30:.0f} is the rate in GiB/s; in GB/s it is {rate:.0f} (measured). Held against a sheet in "
        f"GB/s, {rate / PEAK:.0%} of the peak turn into {rate * 1e9 / 2**30 / PEAK:.0%}."
    )


def _units_table() -> Picture:
    rate = best(bandwidth(), "read")
    rows = [
        ["bytes / 10^9", f"{rate:.0f} GB/s", f"{PEAK:.0f} GB/s", f"{rate / PEAK:.0%}"],
        [
            "bytes / 2^30",
            f"{rate * 1e9 / 2**30:.0f} GiB/s",
            f"{PEAK:.0f} GB/s",
            f"{rate * 1e9 / 2**30 / PEAK:.0%}",
        ],
    ]
    heads = ["counted as", "read, measured", "the sheet, quoted", "share"]
    return side_by_side(f"One rate, two units ({CARD}; sheet: recalled-001.b)", heads, rows, [1])


def _once() -> str:
    copied = best(bandwidth(), "copy", of_torch=True)
    return (
        f"{copied / 2:.0f} GB/s are half of what passed: each byte is read and written, {copied:.0f} GB/s in all "
        "(measured). Memory was nearly full, and seemed half empty."
    )


def _once_table() -> Picture:
    rows = []
    for how in ("read", "write", "copy"):
        rate = best(bandwidth(), how, of_torch=True)
        rows.append([how, f"{rate:.0f}", f"{rate / 2 if how == 'copy' else rate:.0f}"])
    heads = ["stream", "all bytes, GB/s, measured", "each element once, GB/s"]
    return side_by_side(f"torch, on {CARD}", heads, rows, [2])


SPECIMENS = (
    Specimen(
        "In flight, unasked",
        "A kernel asks for two loads at a time, and its rate is drawn above two loads in flight.",
        _unasked,
        "Let the next addresses depend on what was loaded; count the loads in the machine code.",
        _unasked_table,
    ),
    Specimen(
        "A cache called memory",
        "34 MB are read over and over, and the rate is called HBM bandwidth.",
        _cached,
        "Read several times what the L2 cache holds before you come back to a byte; and divide by the peak.",
        _cached_table,
    ),
    Specimen(
        "GB against GiB",
        "Bytes are divided by 2^30, and the rate is held against the data sheet.",
        _units,
        "Divide by 10^9 where the sheet does, and write the unit beside the number.",
        _units_table,
    ),
    Specimen(
        "A copy counted once",
        "A copy's rate is the size of the array over the time.",
        _once,
        "Count what is read and what is written.",
        _once_table,
    ),
)
