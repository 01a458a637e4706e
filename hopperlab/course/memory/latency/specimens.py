"""Four ways to measure another latency than one says: dropped loads, an index, page tables, and cycles for time."""

from hopperlab import ledger
from hopperlab.course.memory.latency.recorded import CARD, KIB, MIB, curve, recording
from hopperlab.course.memory.latency.unread import LOADS_LEFT, LOADS_OF_CHASE
from hopperlab.course.specimens import Specimen
from hopperlab.measure.memory.latency import at
from hopperlab.views.memory.latency import size
from hopperlab.views.picture import Picture
from hopperlab.views.side_by_side import side_by_side

PAGES = "a line of a page, past L1"
LINE = 128


def _quoted(id: str) -> str:
    return f"{ledger.claim(id).number:g} (quoted, {id})"


def _dropped() -> str:
    return (
        f"between the two readings of the clock the machine code has {LOADS_LEFT} loads; "
        f"with the last index stored it has {LOADS_OF_CHASE}."
    )


def _dropped_table() -> Picture:
    rows = [
        ["chase: stores the last index", str(LOADS_OF_CHASE), "a latency"],
        ["chase_unread: stores it nowhere", str(LOADS_LEFT), "two looks at a clock"],
    ]
    return side_by_side(
        "Loads in the machine code, between the clocks", ["kernel", "loads", "what is timed"], rows, [1]
    )


def _index() -> str:
    by_index = recording("memory_latency").results["index_chase_cycles"]
    by_address = at(curve("lines"), 4 * KIB)
    return (
        f"{by_index:g} cycles a hop, where the load takes {by_address:g} (measured): the rest is the multiply-add "
        "that makes an address of an index."
    )


def _index_table() -> Picture:
    by_index = recording("memory_latency").results["index_chase_cycles"]
    rows = [
        ["addresses", f"{at(curve('lines'), 4 * KIB):g} (measured, {CARD})", _quoted("lit-057.a")],
        ["indices", f"{by_index:g} (measured, {CARD})", f"{_quoted('lit-062.a')}, by another kernel"],
    ]
    return side_by_side("Cycles a hop within the L1", ["the chain holds", "ours", "published"], rows, [1])


def _pages() -> str:
    many = curve(PAGES)[-1]
    touched = many[0] // (2 * MIB) * LINE
    few = at(curve(PAGES), 100 * MIB)
    return (
        f"{size(many[0])} seem {many[1]:.0f} cycles away, nearer than 512 MiB of lines side by side. Only "
        f"{size(touched)} are touched: the L2 cache answers, and page tables add {many[1] - few:.0f} cycles (measured)."
    )


def _pages_table() -> Picture:
    rows = []
    for name, label, footprint in (
        ("lines", "128 B", 4 * MIB),
        ("lines", "128 B", 512 * MIB),
        (PAGES, "2 MiB + 128 B", 100 * MIB),
        (PAGES, "2 MiB + 128 B", 2**34),
    ):
        found = min(curve(name), key=lambda row: abs(row[0] - footprint))
        stride = LINE if name == "lines" else 2 * MIB + LINE
        rows.append([label, size(found[0]), size(found[0] // stride * LINE), f"{found[1]:.0f}"])
    heads = ["stride", "footprint", "touched", f"cycles (measured, {CARD})"]
    return side_by_side("A large footprint that is a small one", heads, rows, [3])


CHIPS = {"A100 PCIe": "lit-065", "H800 PCIe": "lit-063", "GH200": "lit-066"}


def _rank(leg: str) -> list[str]:
    return sorted(CHIPS, key=lambda chip: ledger.claim(f"{CHIPS[chip]}.{leg}").number)


def _cycles() -> str:
    return (
        f"by cycles the order is {', '.join(_rank('a'))}; by time it is {', '.join(_rank('b'))}. "
        "The nearest by the one is not the nearest by the other."
    )


def _cycles_table() -> Picture:
    rows, wrong = [], []
    for chip, id in CHIPS.items():
        by_cycles, by_time = (_rank(leg).index(chip) + 1 for leg in "ab")
        if by_cycles != by_time:
            wrong.append(len(rows))
        rows.append([chip, _quoted(f"{id}.a"), _quoted(f"{id}.b"), f"{by_cycles} and {by_time}"])
    heads = ["near L2 of", "cycles", "ns", "rank by each"]
    return side_by_side("Nearest by cycles, nearest by time", heads, rows, wrong)


SPECIMENS = (
    Specimen(
        "A chase of nothing",
        "A chase is timed, and where it ends is not stored.",
        _dropped,
        "Store the last index and compare it with what it must be; then count the loads in the machine code.",
        _dropped_table,
    ),
    Specimen(
        "An index between the loads",
        "The chain holds indices, as in plain Python; hops are timed and called the L1's latency.",
        _index,
        "Chase addresses: what a load brings is the next load's address, with nothing in between.",
        _index_table,
    ),
    Specimen(
        "A stride that page tables spoil",
        "One line of each page of 2 MiB is visited, 16 GiB in all, to see device memory.",
        _pages,
        "Count the lines that are touched, not the bytes between them; look for page tables in a chase of their own.",
        _pages_table,
    ),
    Specimen(
        "Ranked by cycles",
        "Three chips are ranked by the cycles of their near L2.",
        _cycles,
        "Divide by the clock at which it was measured, and compare nanoseconds.",
        _cycles_table,
    ),
)
