"""Lesson 10, the tensor memory accelerator: its panels and figures.

from hopperlab.lessons import tma as lesson
"""

from functools import cache
from typing import Any

import ipywidgets as widgets
import numpy as np

from hopperlab import ledger
from hopperlab.course.report import Report, Table
from hopperlab.course.tma import LESSON
from hopperlab.course.tma.specimens import SPECIMENS
from hopperlab.device import tma as words
from hopperlab.kernels import cp_async, tma
from hopperlab.lessons.comparison import compared
from hopperlab.lessons.controls import choice, slider
from hopperlab.lessons.panel import Panel
from hopperlab.lessons.stepping import stepped
from hopperlab.measure.tma import EXPERIMENTS
from hopperlab.measure.tma import bandwidth as reads
from hopperlab.measure.tma.reading import SIDE, TILE
from hopperlab.models.tma import (
    ACCESSES,
    Descriptor,
    ElementType,
    Fill,
    Stream,
    Swizzle,
    cp_async_instructions,
    load_store_instructions,
    refusals,
    tensor_copy_instructions,
)
from hopperlab.views import tma as views
from hopperlab.views.evidence import Evidence, evidence
from hopperlab.views.picture import Picture

predict, commit, reveal = LESSON.predict, LESSON.commit, LESSON.reveal
panel, quiz, summary = LESSON.panel, LESSON.quiz, LESSON.summary
exercise, check, hint, solution = LESSON.exercise, LESSON.check, LESSON.hint, LESSON.solution

by_engine, by_threads = tma.copy_tiles, cp_async.copy_tiles_by_threads
"""The two kernels of this lesson; `by_engine.source()` shows one."""

CARD = "H200 SXM"
TYPES = (
    ElementType.UINT8,
    ElementType.BFLOAT16,
    ElementType.FLOAT32,
    ElementType.INT32,
    ElementType.FLOAT64,
)
OUTER = 2
"""Size of the tensor, and of the box, in each dimension beyond rows and columns."""

MOST_OUTER = 4
WAY_NAMES = {
    "loads": "plain loads and stores",
    "cp.async": "cp.async (A100)",
    "engine": "tensor copy (H100)",
}


def described(
    rank: int,
    element: ElementType,
    swizzle: Swizzle,
    fill: Fill,
    columns: int,
    rows: int,
    gap: int,
    box_columns: int,
    box_rows: int,
    step: int,
) -> Descriptor:
    """The tensor map that the explorer's controls ask for; rows are `gap` bytes longer than their elements."""
    sizes = (columns, rows, *(OUTER,) * (rank - 2))[:rank]
    box = (box_columns, box_rows, *(OUTER,) * (rank - 2))[:rank]
    strides = [columns * element.nbytes + gap]
    for size in sizes[1:-1]:
        strides.append(strides[-1] * size)
    steps = (1, step, *(1,) * (rank - 2))[:rank]
    return Descriptor(element, 0, sizes, strides[: rank - 1], box, steps, swizzle=swizzle, fill=fill)


def _explored(rank: int, x: int, y: int, outer: int, access: str, index: int, **told: Any) -> Picture:
    descriptor = described(rank, **told)
    corner = (x, y, *(outer,) * (rank - 2))[:rank]
    return views.explorer(descriptor, corner, access, _within(descriptor, access, index))


def _within(descriptor: Descriptor, access: str, index: int) -> int:
    """The index, or the tile's last."""
    if refusals(descriptor):
        return 0
    shape = descriptor.box_shape
    row_bytes = shape[0] * descriptor.element_type.nbytes
    last = {
        "a row": int(np.prod(shape[1:])),
        "a column": shape[0],
        "a column of 16 bytes": row_bytes // 16,
    }
    return min(index, last[access] - 1)


def explorer() -> Panel:
    """A tensor of rank 1 to 5 and a box over it: bytes, addresses, shared memory, banks, and the rule that refuses."""
    made = Panel(
        "tma.explorer",
        _explored,
        height=600,
        rank=choice("Rank", range(1, 6), 3),
        element=choice("Elements", {kind.name.lower(): kind for kind in TYPES}, ElementType.FLOAT32),
        swizzle=choice(
            "Swizzle", {str(mode.span) if mode.span else "none": mode for mode in Swizzle}, Swizzle.BYTES_128
        ),
        fill=choice("Outside", {fill.name.lower(): fill for fill in Fill}),
        access=choice("A warp reads", ACCESSES, "a column"),
        columns=slider("Columns of the tensor", 4, 64, 40),
        rows=slider("Rows of the tensor", 1, 32, 12),
        gap=slider("Gap after a row", 0, 32, 0, step=4, unit="bytes"),
        box_columns=slider("Columns of the box", 4, 64, 32, step=4),
        box_rows=slider("Rows of the box", 1, 32, 16),
        step=slider("Element stride of the rows", 1, 8, 1),
        x=slider("First column of the box", -16, 64, 16, step=4),
        y=slider("First row of the box", -16, 32, -4),
        outer=slider("First index of the outer dimensions", -2, MOST_OUTER, 0),
        index=slider("Which row or column the warp reads", 0, 31, 0),
    )
    return _in_two_columns(made)


def _in_two_columns(made: Panel) -> Panel:
    """Put the controls beside each other, so that the picture stays in sight; Tab goes down one, then the other."""
    controls = list(made.controls.values())
    half = len(controls) // 2 + 1
    boxes = [
        widgets.VBox(part, layout=widgets.Layout(width="415px"))
        for part in (controls[:half], controls[half:])
    ]
    for control in controls:
        if isinstance(control, widgets.IntSlider):
            control.layout.width = "405px"
    beside = widgets.HBox(boxes, layout=widgets.Layout(flex_flow="row wrap"))
    made.children = (beside, *(child for child in made.children if child not in controls))
    return made


def figure() -> Picture:
    """A tile read by columns through the widest swizzle, its right half beyond the tensor."""
    tensor = described(2, ElementType.FLOAT32, Swizzle.BYTES_128, Fill.ZERO, 40, 40, 0, 32, 32, 1)
    return views.explorer(tensor, (24, 2), "a column", 0)


@cache
def _results(experiment: str) -> dict[str, Any]:
    return ledger.recordings(experiment, card=CARD)[0].results


@cache
def _stream() -> tuple[list[tuple[int, int, float]], Stream]:
    """The measured points, and the model that was fitted to some of them."""
    recording = ledger.recordings("tma_bandwidth", card=CARD)[0]
    return reads.curves(recording), reads.fitted(recording)


def _costs() -> dict[str, tuple[float, float]]:
    """Measured, by way: all instructions of a tile, and the bytes of it that were read in the L2."""
    tiles = _results("tma_instructions")["tiles"]
    return {way: (counted, nbytes) for way, _, counted, nbytes in tiles if way in WAY_NAMES}


def _ways(rows: int, columns: int, threads: int) -> Picture:
    nbytes, counted = 4 * rows * columns, {}
    if (rows, columns, threads) == (SIDE, SIDE, 256):
        counted = {way: number for way, (number, _) in _costs().items()}
    spent = {
        "loads": (load_store_instructions(nbytes, threads), "every thread, for each element"),
        "cp.async": (cp_async_instructions(nbytes, threads), "every thread, for each 16 bytes"),
        "engine": (tensor_copy_instructions((columns, rows)), "the engine, from the map"),
    }
    told = {
        WAY_NAMES[way]: views.Way(cost, addresses, counted.get(way))
        for way, (cost, addresses) in spent.items()
    }
    return views.cost(told, f"A tile of {rows} x {columns} float32")


def ways() -> Panel:
    """The same tile in three ways: threads and instructions spent."""
    return Panel(
        "tma.ways",
        _ways,
        height=400,
        rows=slider("Rows of the tile", 16, 512, SIDE, step=16),
        columns=slider("Columns of the tile", 16, 256, SIDE, step=16),
        threads=slider("Threads of the block", 32, 512, 256, step=32),
    )


@cache
def _run(way: str) -> Any:
    """One tile of an image that ends within it, copied in one of the two ways."""
    image = np.arange(12 * 20, dtype=np.float32).reshape(12, 20)
    if way == "cp.async":
        arguments = (image, np.zeros_like(image))
        return by_threads.simulate(1, cp_async.COPIERS, arguments, trace="accesses")
    maps = tuple(words.tensor_map(each, (tma.HEIGHT, tma.WIDTH)) for each in (image, np.zeros_like(image)))
    return by_engine.simulate(1, 32, maps, trace="accesses")


def steps() -> Panel:
    """The kernel whose one thread asks, in the simulator, one event after another."""
    return stepped("tma.steps", _run("engine"), "Shared memory", 7, height=330)


def steps_by_threads() -> Panel:
    """The kernel whose threads copy, likewise: it has many more events."""
    return stepped("tma.steps_by_threads", _run("cp.async"), "Byte flow", 100, height=330)


def specimens() -> Panel:
    """A refused map and broken kernels, each run in the simulator when it is chosen."""
    return Panel(
        "tma.specimens",
        lambda specimen: specimen.picture(),
        height=700,
        specimen=choice("Specimen", {specimen.name: specimen for specimen in SPECIMENS}),
    )


def _curves(kib: int, stages: int) -> Picture:
    points, model = _stream()
    blocks = _results("tma_bandwidth")["blocks"]
    return views.curves(points, model, blocks, reads.FITTED_STAGES, (kib * reads.KIB, stages), CARD)


def in_flight() -> Panel:
    """Bandwidth against the bytes under way: choose a box and how many, and see what holds them back."""
    return Panel(
        "tma.in_flight",
        _curves,
        height=500,
        kib=slider("Box", 1, 32, 4, unit="KiB"),
        stages=slider("Boxes under way in each block", 1, 16, 4),
    )


def silicon() -> Picture:
    """Quoted, modelled and measured: how late one copy comes, and a load beside it."""
    found, model = _results("tma_bandwidth"), _stream()[1]
    cycles = found["sm_mhz"] * 1e6
    rows = [
        _latency(f"16 bytes, {case}", claim, found["chases"][case])
        for case, claim in reads.CHASE_CLAIMS.items()
    ]
    rows += [
        _latency(
            f"{nbytes} bytes from memory, one block alone",
            claim,
            found["alone"][str(nbytes)],
            modelled=cycles * (model.latency_s + model.seconds_per_byte * nbytes),
        )
        for nbytes, claim in reads.ALONE_CLAIMS.items()
    ]
    note = (
        "Quoted of an H800 PCIe (links) and of an H200 NVL whose clock was not locked (copies). The model is fitted to "
        "132 blocks that copy at once, so it is late for one alone."
    )
    return evidence(rows, title="Cycles until a copy has come", unit="cycles", note=note)


def _latency(label: str, claim: str, measured: float, modelled: float | None = None) -> Evidence:
    quoted = ledger.claim(claim)
    value = quoted.value if quoted.value is not None else (quoted.low + quoted.high) / 2
    return Evidence(label, quoted=value, source=claim, modelled=modelled, measured=measured, card=CARD)


def instructions() -> Report:
    """What a tile of 16 KiB costs in three ways: instructions, and the bandwidth that they reach."""
    rates = {
        (kind, stages, blocks): rate
        for kind, _, _, stages, blocks, rate, _ in _results("tma_bandwidth")["reads"]
        if kind in WAY_NAMES
    }
    modelled = {
        "loads": load_store_instructions(TILE, 256),
        "cp.async": cp_async_instructions(TILE, 256),
        "engine": tensor_copy_instructions((SIDE, SIDE)),
    }
    rows = [
        [
            name,
            str(modelled[way].warp_instructions),
            f"{_costs()[way][0]:,.0f}",
            *(
                f"{rates[way, *case] / 1e12:.2f}" if (way, *case) in rates else "-"
                for case in ((1, 1), (2, 1), (4, 1), (1, 4))
            ),
        ]
        for way, name in WAY_NAMES.items()
    ]
    head = [
        "16 KiB tile",
        "copying instructions (modelled)",
        "all instructions (measured)",
        "TB/s (measured): 1 under way",
        "2 under way",
        "4 under way",
        "1, but 4 blocks an SM",
    ]
    return Report(Table(head, rows))


def shapes() -> Report:
    """Boxes of 4 KiB in rows of other lengths: the bandwidth they reach."""
    found = _results("tma_bandwidth")["reads"]
    rows = [
        [str(row), str(nbytes // row), f"{rate / 1e12:.2f}"]
        for kind, nbytes, row, _, _, rate, _ in found
        if kind == "shape"
    ]
    return Report(Table(["bytes of a row", "rows of the box", "TB/s, 8 boxes under way (measured)"], rows))


def sharing() -> Report:
    """A tile that several blocks need: each loads it, or one load is multicast."""
    rates = _results("tma_multicast")["rates"]
    read = {(way, size): nbytes for way, size, _, nbytes in _results("tma_instructions")["tiles"]}
    rows = []
    for way, size, rate in rates:
        modelled = f"{TILE // size:,}" if way != "separate" or size == 1 else f"{TILE:,}"
        rows.append([str(size), way, modelled, f"{read[way, size]:,.0f}", f"{rate:.1f}"])
    head = [
        "blocks that need the tile",
        "way",
        "L2 bytes a block (modelled)",
        "L2 bytes a block (measured)",
        "B/clk that an SM gets (measured)",
    ]
    return Report(Table(head, rows))


def audit() -> Report:
    """The models against every recording of this lesson's experiments: what was compared, and the mismatches."""
    return compared(EXPERIMENTS)


LESSON.panels = {
    "explorer": explorer,
    "ways": ways,
    "steps": steps,
    "steps_by_threads": steps_by_threads,
    "specimens": specimens,
    "in_flight": in_flight,
}
